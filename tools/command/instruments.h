// The instruments of `arenaproof check`, and where the program is that can run each of them: one that needs a worker
// compiled in its own way belongs to that build preset, the others to `release`.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace arenaproof {

struct Instrument {
  std::string_view name;
  std::string_view preset;    // whose worker runs it
  bool limits_address_space;  // false: reserves terabytes by design, so memory is limited by watching what is resident
  bool in_all_available;      // the others are asked for by name
  std::string_view blind_to;  // kinds of illegal accesses that it sees none of; empty: there are none
};

// shadow, asan, guard, canary, twofill, none.
std::span<const Instrument> AllInstruments();
const Instrument* FindInstrument(std::string_view name);

// "shadow, asan, guard, canary, twofill, none": all names, in this order.
std::string InstrumentNames();

// <folder>/<preset>/tools/worker/arenaproof-worker, where the folder is ARENAPROOF_WORKER_DIR, or that of the builds
// when the running executable is <folder>/<preset>/tools/arenaproof. Else the executable is installed, as
// <prefix>/bin/arenaproof wherever the prefix was moved to, and the path is
// <prefix>/libexec/arenaproof/arenaproof-worker-<preset>.
std::filesystem::path WorkerPath(const Instrument& instrument);

// What is missing from an installation was not left out on purpose, as a build may be.
bool LacksInstalledWorker(const Instrument& instrument);

inline constexpr const char* kInstallAgain = "install arenaproof again, as a whole";

// Why the instrument cannot be used: its worker is not built, or a limit is in its way. Empty when it can.
std::string WhyNotAvailable(const Instrument& instrument);

// "the instrument 'asan' is not available: " and the reason.
std::string NotAvailable(const Instrument& instrument, const std::string& reason);

}  // namespace arenaproof
