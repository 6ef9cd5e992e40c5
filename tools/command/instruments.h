// The instruments of `arenaproof check`, and where the program is that can run each of them: one that needs a worker
// compiled in its own way belongs to that build preset, the others to `release`.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace arenaproof {

// Kinds of illegal accesses that an instrument may be blind to, as bits.
inline constexpr unsigned kReadsWithoutInfluence = 1;  // on a result
inline constexpr unsigned kReadsWithInfluence = 2;
inline constexpr unsigned kReadsOutsideInvoke = 4;  // and around persistent blocks
inline constexpr unsigned kWritesOutsideInvoke = 8;

struct Instrument {
  std::string_view name;
  std::string_view preset;    // whose worker runs it
  bool limits_address_space;  // false: reserves terabytes by design, so memory is limited by watching what is resident
  bool needs_hooks;           // it sees code that was compiled for it alone
  unsigned blind_to;          // kinds of illegal accesses that it sees none of
  bool by_name = false;       // it takes its time, so that nobody gets it unasked
};

inline constexpr std::string_view kExtentsInstrument = "shadow";  // knows which bytes were touched

// shadow, asan, guard, canary, twofill, valgrind, none.
std::span<const Instrument> AllInstruments();
const Instrument* FindInstrument(std::string_view name);

// "shadow, asan, guard, canary, twofill, valgrind, none": all names, in this order.
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
