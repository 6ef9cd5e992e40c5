// The instruments of `arenaproof check`, and where the program is that can run each of them: an instrument needs a
// worker compiled in its own way, so it belongs to one build preset.
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
};

// shadow, asan, none.
std::span<const Instrument> AllInstruments();
const Instrument* FindInstrument(std::string_view name);

// The folder that holds <preset>/tools/worker/arenaproof-worker: ARENAPROOF_WORKER_DIR, else found from the place of
// the running executable, <folder>/<preset>/tools/arenaproof.
std::filesystem::path WorkerFolder();

std::filesystem::path WorkerPath(const Instrument& instrument);

// Why the instrument cannot be used: its worker is not built, or a limit is in its way. Empty when it can.
std::string WhyNotAvailable(const Instrument& instrument);

// "the instrument 'asan' is not available: " and the reason.
std::string NotAvailable(const Instrument& instrument, const std::string& reason);

}  // namespace arenaproof
