#include "sanitizers/asan/asan_instrument.h"

#ifdef ARENAPROOF_ASAN
#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "sanitizers/attribution.h"
#include "sanitizers/hooks/range_check.h"

namespace arenaproof {
namespace {

constexpr std::size_t kGranuleBytes = 8;
// Wider reports come from library calls, whose first illegal byte is reported with the whole call's width.
constexpr std::size_t kWidestVectorBytes = 64;

AsanInstrument* attached = nullptr;

#ifdef ARENAPROOF_ASAN

void (*foreign_handler)() = nullptr;
bool report_is_foreign = false;
bool in_judgement = false;

void Poison(const std::byte* data, std::size_t bytes) { __asan_poison_memory_region(data, bytes); }
void Unpoison(const std::byte* data, std::size_t bytes) { __asan_unpoison_memory_region(data, bytes); }

// The runtime writes reports wherever this says.
void ShowReports(bool show) {
  static const int kNowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const int descriptor = show ? 2 : kNowhere;
  __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)));
}

void AfterReport(const char*) {
  if (report_is_foreign && foreign_handler != nullptr) foreign_handler();
}

#else

void Poison(const std::byte*, std::size_t) {}
void Unpoison(const std::byte*, std::size_t) {}

#endif

}  // namespace

AsanInstrument::~AsanInstrument() {
  if (attached == this) Stop();
}

Status AsanInstrument::Available() const {
#ifdef ARENAPROOF_ASAN
  return Ok();
#else
  return Failure(StatusCode::kInstrumentUnavailable);
#endif
}

std::size_t AsanInstrument::BlindBytesBefore(const OperandRange& operand) const {
  return AddressOf(operand.data) % kGranuleBytes;
}

void AsanInstrument::OnForeignReport(void (*handler)()) {
#ifdef ARENAPROOF_ASAN
  foreign_handler = handler;
  __asan_set_error_report_callback(AfterReport);
#else
  static_cast<void>(handler);
#endif
}

void AsanInstrument::Start(std::span<const WatchedRegion> watched) {
  if (!Available().ok()) return;
  attached = this;
#ifndef ARENAPROOF_FUZZ
  hooks::check_range = CheckRange;
#endif
  regions_.assign(watched.begin(), watched.end());
  report_count_ = 0;
  gave_up_ = false;
  AddLimit("reads and writes have one right: a write to an input or a constant is not seen");
  AddLimit("of a wide unaligned access the first and the last byte are tested, not those between");
  AddLimit("an operand that does not start on a multiple of 8 leaves up to 7 bytes before it open");
  for (const WatchedRegion& region : regions_) Poison(region.whole.data, region.whole.bytes);
  Open({});
}

void AsanInstrument::Close(std::span<const OperandRange> open) {
  if (attached != this || gave_up_) return;
  for (const WatchedRegion& region : regions_) Poison(region.usable.data, region.usable.bytes);
  for (const OperandRange& operand : open) {
    if (operand.data == nullptr || operand.bytes == 0 || operand.right == AccessRight::kNone) continue;
    // The whole first granule, then to the exact end.
    const std::size_t lead = AddressOf(operand.data) % kGranuleBytes;
    Unpoison(operand.data - lead, lead + operand.bytes);
  }
}

void AsanInstrument::Open(std::span<const OperandRange>) {
  if (attached != this) return;
  for (const WatchedRegion& region : regions_) Unpoison(region.usable.data, region.usable.bytes);
}

void AsanInstrument::Stop() {
  if (attached != this) return;
  for (const WatchedRegion& region : regions_) Unpoison(region.whole.data, region.whole.bytes);
  attached = nullptr;
#ifndef ARENAPROOF_FUZZ
  hooks::check_range = nullptr;
#endif
}

bool AsanInstrument::IsWatched(std::uintptr_t address) const {
  for (const WatchedRegion& region : regions_) {
    if (address - AddressOf(region.whole.data) < region.whole.bytes) return true;
  }
  return false;
}

bool AsanInstrument::IsOpen(std::uintptr_t address, bool write) const {
  for (const OperandRange& operand : open_ranges()) {
    if (address - AddressOf(operand.data) < operand.bytes) {
      // Both rights are one here.
      if (Grants(operand.right, write) || Grants(operand.right, !write)) return true;
    }
  }
  return false;
}

void AsanInstrument::TakeOwnReport(std::uintptr_t address, std::size_t bytes, bool write) {
  if (++report_count_ > kMaxReports) {
    gave_up_ = true;
    CapLog();
    Open({});
    return;
  }
  if (bytes > kWidestVectorBytes) bytes = 1;
  // The last byte of an access whose first one was open; see the header.
  if (bytes > 1 && !IsOpen(address, write) && IsOpen(address - (bytes - 1), write)) address -= bytes - 1;
  Judge(address, bytes, write);
}

bool AsanInstrument::TakeReport(std::uintptr_t address, std::size_t bytes, bool write) {
  if (attached == nullptr || !attached->operator_runs() || !attached->IsWatched(address)) return false;
  attached->TakeOwnReport(address, bytes, write);
  return true;
}

bool AsanInstrument::CheckRange(const void* address, std::size_t bytes, bool write) {
#ifdef ARENAPROOF_ASAN
  if (in_judgement || attached == nullptr || attached->gave_up_ || !attached->operator_runs() || bytes == 0)
    return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (!attached->IsWatched(begin) && !attached->IsWatched(begin + bytes - 1)) return true;
  in_judgement = true;
  const bool illegal = attached->Judge(begin, bytes, write);
  in_judgement = false;
  return !illegal;
#else
  static_cast<void>(address), static_cast<void>(bytes), static_cast<void>(write);
  return true;
#endif
}

}  // namespace arenaproof

#ifdef ARENAPROOF_ASAN
// Runs before the runtime prints anything of a report.
extern "C" void __asan_on_error();
extern "C" void __asan_on_error() {
  using arenaproof::AsanInstrument;
  if (arenaproof::in_judgement) {  // a fault of the checker's own
    arenaproof::report_is_foreign = true;
    arenaproof::ShowReports(true);
    return;
  }
  arenaproof::in_judgement = true;
  arenaproof::report_is_foreign =
      !AsanInstrument::TakeReport(reinterpret_cast<std::uintptr_t>(__asan_get_report_address()),
                                  __asan_get_report_access_size(), __asan_get_report_access_type() != 0);
  arenaproof::in_judgement = false;
  arenaproof::ShowReports(arenaproof::report_is_foreign);
}
#endif
