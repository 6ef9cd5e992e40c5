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

// The folder that holds <preset>/tools/worker/arenaproof-worker: ARENAPROOF_WORKER_DIR, else found from the place of
// the running executable, <folder>/<preset>/tools/arenaproof.
std::filesystem::path WorkerFolder();

std::filesystem::path WorkerPath(const Instrument& instrument);

// Why the instrument cannot be used: its worker is not built, or a limit is in its way. Empty when it can.
std::string WhyNotAvailable(const Instrument& instrument);

// "the instrument 'asan' is not available: " and the reason.
std::string NotAvailable(const Instrument& instrument, const std::string& reason);

}  // namespace arenaproof
