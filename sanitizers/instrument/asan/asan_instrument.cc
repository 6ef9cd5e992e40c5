#include "sanitizers/instrument/asan/asan_instrument.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <utility>

#ifdef ARENAPROOF_ASAN
#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "sanitizers/hooks/range_check.h"
#include "sanitizers/report/attribution.h"

#ifdef ARENAPROOF_ASAN
// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
// Called by instrumented code: that of this program calls the first of each pair, which the linker leads to
// report_entries.cc, that of a library which was loaded later the second.
#define ARENAPROOF_USUAL_REPORTS(X) \
  X(load1) X(load2) X(load4) X(load8) X(load16) X(store1) X(store2) X(store4) X(store8) X(store16)
#define ARENAPROOF_REPORT_PAIR(name) __asan_report_##name##_noabort, __real___asan_report_##name##_noabort,
extern "C" {
#define ARENAPROOF_REPORT(name)                        \
  void __asan_report_##name##_noabort(std::uintptr_t); \
  void __real___asan_report_##name##_noabort(std::uintptr_t);
ARENAPROOF_USUAL_REPORTS(ARENAPROOF_REPORT)
#undef ARENAPROOF_REPORT
void __asan_report_load_n_noabort(std::uintptr_t, std::size_t);
void __asan_report_store_n_noabort(std::uintptr_t, std::size_t);
void __real___asan_report_load_n_noabort(std::uintptr_t, std::size_t);
void __real___asan_report_store_n_noabort(std::uintptr_t, std::size_t);
}
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)
#endif

namespace arenaproof {
namespace {

constexpr std::size_t kGranuleBytes = 8;
// Wider reports come from library calls, whose first illegal byte is reported with the whole call's width.
constexpr std::size_t kWidestVectorBytes = 64;

AsanInstrument* attached = nullptr;
// Threads of a kernel are checked one after the other; what one of them does in a check is the checker's own.
std::mutex check_lock;
thread_local bool in_check = false;

class InCheck {
 public:
  InCheck() : was_(std::exchange(in_check, true)) {}
  ~InCheck() { in_check = was_; }
  InCheck(const InCheck&) = delete;
  InCheck& operator=(const InCheck&) = delete;

 private:
  bool was_;
};

#ifdef ARENAPROOF_ASAN

void (*foreign_handler)() = nullptr;
bool report_is_foreign = false;

void Poison(const std::byte* data, std::size_t bytes) { __asan_poison_memory_region(data, bytes); }
void Unpoison(const std::byte* data, std::size_t bytes) { __asan_unpoison_memory_region(data, bytes); }

bool IsPoisoned(std::uintptr_t address) {
  return __asan_address_is_poisoned(reinterpret_cast<const volatile void*>(address)) != 0;
}

// Who made a report: the one test of an aligned access of a usual width, of its first byte; one of the two tests of any
// other access; the runtime's own check of a library call. The call instruction before the report's place
// decides which.
enum class Reporter : std::uint8_t { kOneTest, kTwoTests, kLibraryCall };

#ifdef __x86_64__

bool HasBytes(std::uintptr_t code, std::initializer_list<unsigned char> bytes) {
  for (const unsigned char byte : bytes) {
    if (*reinterpret_cast<const unsigned char*>(code++) != byte) return false;
  }
  return true;
}

// What the 32-bit distance before `code_after` leads to.
std::uintptr_t LedTo(std::uintptr_t code_after) {
  std::int32_t distance;
  __builtin_memcpy(&distance, reinterpret_cast<const void*>(code_after - sizeof distance), sizeof distance);
  return code_after + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance));
}

std::uintptr_t WordAt(std::uintptr_t address) {
  std::uintptr_t word;
  __builtin_memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

// A loaded library calls by way of its linkage table: a jump to the address in a slot, perhaps behind a landing mark.
std::uintptr_t BehindLinkageTable(std::uintptr_t target) {
  std::uintptr_t code = target;
  if (HasBytes(code, {0xf3, 0x0f, 0x1e, 0xfa})) code += 4;
  if (HasBytes(code, {0xf2})) ++code;
  return HasBytes(code, {0xff, 0x25}) ? WordAt(LedTo(code + 6)) : target;
}

#endif

Reporter ReporterOf(const AsanInstrument::Report& report) {
#ifdef __x86_64__
  const bool by_slot = HasBytes(report.code - 6, {0xff, 0x15});
  if (by_slot || HasBytes(report.code - 5, {0xe8})) {
    const std::uintptr_t called = LedTo(report.code);
    const std::uintptr_t target = by_slot ? WordAt(called) : BehindLinkageTable(called);
    for (const auto& usual : {ARENAPROOF_USUAL_REPORTS(ARENAPROOF_REPORT_PAIR)}) {
      if (target == reinterpret_cast<std::uintptr_t>(usual)) return Reporter::kOneTest;
    }
    for (const auto& any : {ARENAPROOF_REPORT_PAIR(load_n) ARENAPROOF_REPORT_PAIR(store_n)}) {
      if (target == reinterpret_cast<std::uintptr_t>(any)) return Reporter::kTwoTests;
    }
    return Reporter::kLibraryCall;
  }
#endif
  return report.address % report.bytes != 0 ? Reporter::kTwoTests : Reporter::kOneTest;
}

// Sends the runtime's reports to standard error or nowhere.
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
bool IsPoisoned(std::uintptr_t) { return false; }
enum class Reporter : std::uint8_t { kOneTest, kTwoTests, kLibraryCall };
Reporter ReporterOf(const AsanInstrument::Report&) { return Reporter::kOneTest; }
void ShowReports(bool) {}

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

std::size_t AsanInstrument::BlindBytesBefore(const OperandRange& operand, const ReadableAround& around) const {
  return (AddressOf(operand.data) - around.before_bytes) % kGranuleBytes;
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
  regions_.assign(watched.begin(), watched.end());
  hooks::first_checked = UINTPTR_MAX;
  hooks::behind_checked = 0;
  for (const WatchedRegion& region : regions_) {
    const std::uintptr_t begin = AddressOf(region.whole.data);
    hooks::first_checked = std::min(hooks::first_checked, begin);
    hooks::behind_checked = std::max(hooks::behind_checked, begin + region.whole.bytes);
  }
  hooks::check_range = CheckRange;
  report_count_ = 0;
  gave_up_ = false;
  waiting_ = false;
  previous_ = {};
  AddLimitsOfHooks();
  AddLimit("a write to an input or a constant of the byte that lies there already: reads and writes have one right");
  AddLimit("a read of what an operator has overwritten in place is not seen");
  AddLimit("of a wide unaligned access the first and the last byte are tested, not those between");
  AddLimit("when one of the two is closed, and it may be either, that byte alone is reported");
  AddLimit(
      "of a library call such as memcpy() in a library of kernels more than its first byte without right, and gaps of "
      "less than 8 bytes inside it");
  AddLimit("an operand that does not start on a multiple of 8 leaves up to 7 bytes before it open");
  for (const WatchedRegion& region : regions_) Poison(region.whole.data, region.whole.bytes);
  Open({});
}

void AsanInstrument::Close(std::span<const OperandRange> open) {
  if (attached != this || gave_up_) return;
  run_report_count_ = 0;
  for (const WatchedRegion& region : regions_) Poison(region.usable.data, region.usable.bytes);
  for (const auto ranges : {open, read_allowances()}) {
    for (const OperandRange& range : ranges) {
      if (range.data == nullptr || range.bytes == 0 || range.right == AccessRight::kNone) continue;
      // The whole first granule, then to the exact end.
      const std::size_t lead = AddressOf(range.data) % kGranuleBytes;
      Unpoison(range.data - lead, lead + range.bytes);
    }
  }
  KeepReadOnly(open);  // now that allowed bytes in a guard are open too
  // A report's first line comes before it is known what the report is about.
  ShowReports(false);
}

void AsanInstrument::Open(std::span<const OperandRange>) {
  if (attached != this) return;
  Flush();
  previous_ = {};
  ShowReports(true);
  for (const WatchedRegion& region : regions_) Unpoison(region.usable.data, region.usable.bytes);
  CheckReadOnly();
  CloseAllowances();
}

// Those in a guard: nobody else closes what lies there.
void AsanInstrument::CloseAllowances() {
  if (read_allowances().empty()) return;
  for (const OperandRange& range : read_allowances()) {
    const std::size_t lead = AddressOf(range.data) % kGranuleBytes;
    if (range.bytes > 0 && IsWatched(AddressOf(range.data))) Poison(range.data - lead, lead + range.bytes);
  }
  for (const WatchedRegion& region : regions_) Unpoison(region.usable.data, region.usable.bytes);
}

// The checker's own accesses, while everything is open.
void AsanInstrument::KeepReadOnly(std::span<const OperandRange> open) {
  const InCheck in_own_check;
  read_only_.Keep(open, read_allowances());
}

void AsanInstrument::CheckReadOnly() {
  const InCheck in_own_check;
  for (const MemoryRegion& stretch : read_only_.TakeWritten()) {
    CheckAccess(AddressOf(stretch.data), stretch.bytes, true);
  }
}

void AsanInstrument::Stop() {
  if (attached != this) return;
  for (const WatchedRegion& region : regions_) Unpoison(region.whole.data, region.whole.bytes);
  attached = nullptr;
  hooks::check_range = nullptr;
}

bool AsanInstrument::IsWatched(std::uintptr_t address) const {
  for (const WatchedRegion& region : regions_) {
    if (address - AddressOf(region.whole.data) < region.whole.bytes) return true;
  }
  return false;
}

void AsanInstrument::Flush() {
  if (!waiting_) return;
  waiting_ = false;
  Report report = std::exchange(previous_, {});  // what is reported next is of another access
  const std::size_t tail = report.bytes - 1;
  // The other test of the same access has passed, so its byte is open.
  const bool may_be_last = !IsPoisoned(report.address - tail), may_be_first = !IsPoisoned(report.address + tail);
  if (may_be_last && may_be_first) {
    CheckAccess(report.address, 1, report.write);
    return;
  }
  if (may_be_last) {
    tests_[report.code] = Test::kLastByte;
    report.address -= tail;
  }
  CheckAccess(report.address, report.bytes, report.write);
}

void AsanInstrument::TakeOwnReport(Report report) {
  if (++report_count_ > kMaxReports || ++run_report_count_ > kMaxReportsOfARun) {
    gave_up_ = report_count_ > kMaxReports;
    CapLog();
    Open({});
    return;
  }
  const Reporter reporter = ReporterOf(report);
  if (reporter == Reporter::kLibraryCall) {  // its place is that of every such call: nothing is learned from it
    Flush();
    previous_ = {};
    CheckAccess(report.address, 1, report.write);
    return;
  }
  if (report.bytes > kWidestVectorBytes) report.bytes = 1;
  const std::size_t tail = report.bytes - 1;
  const bool second_test = tail > 0 && report.address == previous_.address + tail && report.bytes == previous_.bytes &&
                           report.write == previous_.write && report.code != previous_.code;
  if (second_test) {
    tests_[previous_.code] = Test::kFirstByte;
    tests_[report.code] = Test::kLastByte;
    if (waiting_) CheckAccess(previous_.address, previous_.bytes, previous_.write);
    waiting_ = false;
    previous_ = {};
    return;
  }
  Flush();
  const auto known = tests_.find(report.code);
  const Test test = known == tests_.end() ? Test::kUnknown : known->second;
  if (test == Test::kLastByte) report.address -= tail;
  previous_ = test == Test::kLastByte ? Report() : report;
  waiting_ = test == Test::kUnknown && tail > 0 && reporter == Reporter::kTwoTests;
  if (!waiting_) CheckAccess(report.address, report.bytes, report.write);
}

bool AsanInstrument::TakeReport(const Report& report) {
  if (in_check) return false;  // a fault of the checker's own
  const InCheck in_own_check;
  const std::lock_guard one_at_a_time(check_lock);
  if (attached == nullptr || !attached->operator_runs() || !attached->IsWatched(report.address)) return false;
  attached->TakeOwnReport(report);
  return true;
}

bool AsanInstrument::CheckRange(const void* address, std::size_t bytes, bool write) {
#ifdef ARENAPROOF_ASAN
  if (in_check || attached == nullptr || attached->gave_up_ || !attached->operator_runs() || bytes == 0) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (!attached->IsWatched(begin) && !attached->IsWatched(begin + bytes - 1)) return true;
  const InCheck in_own_check;
  const std::lock_guard one_at_a_time(check_lock);
  attached->Flush();
  return !attached->CheckAccess(begin, bytes, write);
#else
  static_cast<void>(address), static_cast<void>(bytes), static_cast<void>(write);
  return true;
#endif
}

}  // namespace arenaproof

#ifdef ARENAPROOF_ASAN
// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
// Runs before the runtime prints anything of a report.
extern "C" void __asan_on_error();
extern "C" void __asan_on_error() {
  arenaproof::report_is_foreign = !arenaproof::AsanInstrument::TakeReport(
      {reinterpret_cast<std::uintptr_t>(__asan_get_report_address()), __asan_get_report_access_size(),
       __asan_get_report_access_type() != 0, reinterpret_cast<std::uintptr_t>(__asan_get_report_pc())});
  arenaproof::ShowReports(arenaproof::report_is_foreign);
}
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)
#endif
