#include "tools/command/instruments.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <system_error>

#include "tools/command/resource_limits.h"
#include "tools/worker/valgrind_program.h"

namespace arenaproof {
namespace {

constexpr Instrument kInstruments[] = {
    {"shadow", "shadow", true, true, 0},
    {"asan", "asan", false, true, 0},
    {"guard", "release", true, false, kReadsOutsideInvoke | kWritesOutsideInvoke},
    {"canary", "release", true, false, kReadsWithoutInfluence | kReadsWithInfluence | kReadsOutsideInvoke},
    {"twofill", "release", true, false, kReadsWithoutInfluence | kReadsOutsideInvoke},
    {kValgrindInstrument, "release", false, false, 0, true},
    {"none", "release", true, false, 0},
};

constexpr std::uint64_t kTebibyte = std::uint64_t{1} << 40;

// Where workers lie: installed beside each other, or each in the tree of its build.
struct Workers {
  std::filesystem::path folder;
  bool installed;
};

Workers FindWorkers() {
  if (const char* named = std::getenv("ARENAPROOF_WORKER_DIR"); named != nullptr && *named != '\0') {
    return {named, false};
  }
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::filesystem::path above = folder.parent_path();
  if (std::filesystem::exists(above / "CMakeCache.txt", error)) return {above.parent_path(), false};
  return {above / "libexec" / "arenaproof", true};
}

}  // namespace

std::span<const Instrument> AllInstruments() { return kInstruments; }

const Instrument* FindInstrument(std::string_view name) {
  for (const Instrument& instrument : kInstruments) {
    if (instrument.name == name) return &instrument;
  }
  return nullptr;
}

std::string InstrumentNames() {
  std::string names;
  for (const Instrument& instrument : kInstruments) names += (names.empty() ? "" : ", ") + std::string(instrument.name);
  return names;
}

std::filesystem::path WorkerPath(const Instrument& instrument) {
  const Workers workers = FindWorkers();
  if (workers.installed) return workers.folder / ("arenaproof-worker-" + std::string(instrument.preset));
  return workers.folder / instrument.preset / "tools" / "worker" / "arenaproof-worker";
}

bool LacksInstalledWorker(const Instrument& instrument) {
  return FindWorkers().installed && access(WorkerPath(instrument).c_str(), F_OK) != 0;
}

std::string WhyNotAvailable(const Instrument& instrument) {
  const std::string preset(instrument.preset), path = WorkerPath(instrument).string();
  if (LacksInstalledWorker(instrument)) {
    return "there is no program " + path + ", which belongs to this installation; " + kInstallAgain;
  }
  if (access(path.c_str(), F_OK) != 0) {
    return "there is no program " + path + "; build the preset '" + preset + "' (cmake --preset " + preset +
           " && cmake --build --preset " + preset + ")";
  }
  if (access(path.c_str(), X_OK) != 0) return "the program " + path + " cannot be executed";
  if (instrument.name == kValgrindInstrument) return FindValgrind().empty() ? kNoValgrind : std::string();
  if (instrument.limits_address_space) return {};
  // What AddressSanitizer reserves before the program's first line, and room for the program.
  const std::string limit = LimitTooLow({{RLIMIT_AS, 22 * kTebibyte}, {RLIMIT_DATA, 16 * kTebibyte}});
  return limit.empty() ? limit : limit + ", because it reserves terabytes of addresses";
}

std::string NotAvailable(const Instrument& instrument, const std::string& reason) {
  return "the instrument '" + std::string(instrument.name) + "' is not available: " + reason;
}

}  // namespace arenaproof
