#include "tools/command/instruments.h"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace arenaproof {
namespace {

constexpr Instrument kInstruments[] = {
    {"shadow", "shadow", true},
    {"asan", "asan", false},
    {"none", "release", true},
};

}  // namespace

std::span<const Instrument> AllInstruments() { return kInstruments; }

const Instrument* FindInstrument(std::string_view name) {
  for (const Instrument& instrument : kInstruments) {
    if (instrument.name == name) return &instrument;
  }
  return nullptr;
}

std::filesystem::path WorkerFolder() {
  if (const char* named = std::getenv("ARENAPROOF_WORKER_DIR"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return self.parent_path().parent_path().parent_path();
}

std::filesystem::path WorkerPath(const Instrument& instrument) {
  return WorkerFolder() / instrument.preset / "tools" / "worker" / "arenaproof-worker";
}

bool IsAvailable(const Instrument& instrument) { return access(WorkerPath(instrument).c_str(), X_OK) == 0; }

}  // namespace arenaproof
