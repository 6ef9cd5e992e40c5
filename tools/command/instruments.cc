#include "tools/command/instruments.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <system_error>

#include "tools/command/resource_limits.h"

namespace arenaproof {
namespace {

constexpr Instrument kInstruments[] = {
    {"shadow", "shadow", true, true, 0},
    {"asan", "asan", false, true, 0},
    {"guard", "release", true, false, kReadsOutsideInvoke | kWritesOutsideInvoke},
    {"canary", "release", true, false, kReadsWithoutInfluence | kReadsWithInfluence | kReadsOutsideInvoke},
    {"twofill", "release", true, false, kReadsWithoutInfluence | kReadsOutsideInvoke},
    {"none", "release", true, false, 0},
};

constexpr std::uint64_t kTebibyte = std::uint64_t{1} << 40;

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

std::filesystem::path WorkerFolder() {
  if (const char* named = std::getenv("ARENAPROOF_WORKER_DIR"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return self.parent_path().parent_path().parent_path();
}

std::filesystem::path WorkerPath(const Instrument& instrument) {
  return WorkerFolder() / instrument.preset / "tools" / "worker" / "arenaproof-worker";
}

std::string WhyNotAvailable(const Instrument& instrument) {
  const std::string preset(instrument.preset), path = WorkerPath(instrument).string();
  if (access(path.c_str(), F_OK) != 0) {
    return "there is no program " + path + "; build the preset '" + preset + "' (cmake --preset " + preset +
           " && cmake --build --preset " + preset + ")";
  }
  if (access(path.c_str(), X_OK) != 0) return "the program " + path + " cannot be executed";
  if (instrument.limits_address_space) return {};
  // What AddressSanitizer reserves before the program's first line, and room for the program.
  const std::string limit = LimitTooLow({{RLIMIT_AS, 22 * kTebibyte}, {RLIMIT_DATA, 16 * kTebibyte}});
  return limit.empty() ? limit : limit + ", because it reserves terabytes of addresses";
}

std::string NotAvailable(const Instrument& instrument, const std::string& reason) {
  return "the instrument '" + std::string(instrument.name) + "' is not available: " + reason;
}

}  // namespace arenaproof
