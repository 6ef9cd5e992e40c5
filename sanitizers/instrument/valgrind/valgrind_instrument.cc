#include "sanitizers/instrument/valgrind/valgrind_instrument.h"

#include <algorithm>
#include <utility>

#include "sanitizers/instrument/filling/result_comparison.h"
#include "sanitizers/instrument/valgrind/memcheck_requests.h"
#include "sanitizers/report/apart_regions.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {

// Kernels run before an attach too, and an error that memcheck has written is not written again.
ValgrindInstrument::ValgrindInstrument() {
  [[maybe_unused]] static const bool kStopped = [] {
    memcheck::StopReports();
    return true;
  }();
}

Status ValgrindInstrument::Available() const {
  return memcheck::Runs() && MemcheckLog::Exists() ? Ok() : Failure(StatusCode::kInstrumentUnavailable);
}

void ValgrindInstrument::Start(std::span<const WatchedRegion> watched) {
  regions_.assign(watched.begin(), watched.end());
  seen_.clear();
  saw_last_ = true;
  repeats_left_ = kMostRepeats;
  if (!Scout::Possible()) DeclareBlind("anything: this process has threads of its own, which no copy has");
  // What lies there is of another program, on a device.
  memcheck::MarkUnwritten(registry().arena());
  memcheck::MarkUnwritten(registry().persistent_arena());
  AddLimit(
      "a write to an input or a constant of the byte that lies there already: reads and writes have one right, so that "
      "such a write is seen by the byte that it leaves behind");
  AddLimit("a read of what an operator has overwritten in place is not seen");
  AddLimit("how often an instruction made an access: each place in the code counts once for each address");
  AddLimit("a read whose bytes are overwritten in their register before anything uses them");
  AddLimit("of a library call such as memcpy() the single accesses of Valgrind's own version are seen");
  AddLimit("what the runtime does itself, between operators and in calls by them");
  AddLimit("kernels that keep threads of their own running, or that end the process");
  AddLimit("errors that are no access, such as a wrong free()");
}

// What is to be written before it is read.
void ValgrindInstrument::Begin(std::span<const OperandRange> operands) {
  seen_.push_back(true);
  for (const OperandRange& operand : operands) {
    // What lies in the tail was not planned, such as a handle that an operator made once and for all.
    if (!BeginsEmpty(operand, operands) || registry().InTailBlock(operand.data)) continue;
    memcheck::MarkUnwritten({operand.data, operand.bytes});
  }
}

void ValgrindInstrument::Close(std::span<const OperandRange> open) {
  if (!Available().ok()) return;
  SendScouts(open);
  if (!scout_.is_copy()) read_only_.Keep(open, read_allowances());
}

void ValgrindInstrument::SendScouts(std::span<const OperandRange> open) {
  std::vector<MemoryRegion> known;
  for (const auto ranges : {open, read_allowances()}) {
    for (const OperandRange& range : ranges) {
      if (range.right != AccessRight::kNone) known.push_back({range.data, range.bytes});
    }
  }
  errors_.clear();
  logged_count_ = 0;
  bool goes_on = Scout::Possible();
  if (!goes_on) MissSomething();
  for (int copies = 0; goes_on; ++copies) {
    if (scout_.Go()) {
      CloseAllBut(known);
      return;
    }
    const std::size_t before = errors_.size();
    const bool new_bytes = TakeErrors(known);
    const std::size_t written = errors_.size() - before;
    const std::size_t counted = scout_.error_count().value_or(written);
    // A copy that was never made, or errors of which memcheck says nothing: it said it in this process before.
    const bool unseen = scout_.process() == 0 || (copies == 0 && counted > 0 && written == 0);
    if (unseen) MissSomething();
    goes_on = new_bytes && counted > written;
    if (goes_on && (copies + 1 == kMostCopies || repeats_left_-- == 0)) {
      repeats_left_ = std::max(repeats_left_, 0);
      CapLog();
      goes_on = false;
    }
  }
}

void ValgrindInstrument::CloseAllBut(std::vector<MemoryRegion> open) const {
  std::vector<MemoryRegion> in_order = Apart(std::move(open));
  for (const WatchedRegion& region : regions_) {
    const std::byte* at = region.whole.data;
    const std::byte* const end = at + region.whole.bytes;
    for (const MemoryRegion& range : in_order) {
      if (range.data + range.bytes <= at || range.data >= end) continue;
      if (range.data > at) memcheck::Close({at, static_cast<std::size_t>(range.data - at)});
      at = range.data + range.bytes;
    }
    if (at < end) memcheck::Close({at, static_cast<std::size_t>(end - at)});
  }
}

bool ValgrindInstrument::TakeErrors(std::vector<MemoryRegion>& known) {
  bool new_bytes = false;
  for (const MemcheckError& error : ReadMemcheckLog(log_text_.TakeText(), scout_.process())) {
    errors_.push_back(error);
    if (error.kind == MemcheckError::Kind::kUnknown) MissSomething();
    if (!error.is_access()) continue;
    known.push_back({reinterpret_cast<const std::byte*>(error.address), error.bytes});
    new_bytes = true;
  }
  return new_bytes;
}

void ValgrindInstrument::MissSomething() {
  if (!seen_.empty()) seen_.back() = false;
  CapLog();
}

void ValgrindInstrument::LogErrors() {
  for (; logged_count_ < errors_.size(); ++logged_count_) {
    const MemcheckError& error = errors_[logged_count_];
    if (error.kind == MemcheckError::Kind::kUnwrittenUse) LogUnwrittenUse();
    if (error.is_access()) CheckAccess(error.address, error.bytes, error.kind == MemcheckError::Kind::kWrite);
  }
}

void ValgrindInstrument::LogUnwrittenUse() {
  Violation violation;
  violation.op = named_operator();
  violation.side = ViolationSide::kUnwritten;
  violation.count = 1;
  violation.state = "nothing: it is no result that was made from them";
  AddViolations({violation});
}

void ValgrindInstrument::Open(std::span<const OperandRange>) {
  if (scout_.is_copy()) scout_.Finish();
  LogErrors();
  for (const MemoryRegion& stretch : read_only_.TakeWritten()) {
    CheckAccess(AddressOf(stretch.data), stretch.bytes, true);
  }
}

void ValgrindInstrument::End(std::span<const OperandRange> operands) {
  saw_last_ = !seen_.empty() && seen_.back();
  if (!seen_.empty()) seen_.pop_back();
  if (named_operator().phase != OperatorPhase::kInvoke) return;
  for (const OperandRange& operand : operands) {
    if (!IsResult(operand)) continue;
    const memcheck::UnwrittenBytes unwritten = memcheck::FindUnwritten({operand.data, operand.bytes});
    if (unwritten.count == 0) continue;
    Violation violation;
    violation.op = named_operator();
    violation.operand = operand;
    violation.side = ViolationSide::kUnwritten;
    violation.count = 1;
    violation.min_width_bytes = violation.max_width_bytes = unwritten.count;
    violation.lowest_touched = static_cast<std::int64_t>(unwritten.lowest);
    violation.highest_touched = static_cast<std::int64_t>(unwritten.highest);
    violation.state_kind = ByteState::kOwnOperand;
    violation.state =
        registry().Describe(registry().OwnerOf(operand.data + unwritten.lowest, {{&operand, 1}}), {{&operand, 1}});
    AddViolations({violation});
    // It is charged to the operator that left them so, and to no other.
    memcheck::MarkWritten({operand.data, operand.bytes});
  }
}

void ValgrindInstrument::Stop() {
  for (const WatchedRegion& region : regions_) memcheck::MarkWritten(region.whole);
  regions_.clear();
}

}  // namespace arenaproof
