#include "sanitizers/device/device_canary.h"

#include "sanitizers/device/open_ranges.h"

namespace arenaproof {

bool DeviceCanary::Watches(MemoryRegion region) const {
  if (region.bytes == 0) return true;
  for (const CoveredRegion& watched : memory_.regions) {
    const std::uintptr_t begin = AddressOf(watched.data), from = AddressOf(region.data);
    if (from >= begin && from - begin <= watched.bytes && region.bytes <= watched.bytes - (from - begin)) return true;
  }
  return false;
}

// A byte of two regions would be saved twice: the second copy would be of the first one's fill.
bool DeviceCanary::RegionsAreApart() const {
  for (const CoveredRegion& one : memory_.regions) {
    if (one.data == nullptr || one.saved == nullptr || one.bytes == 0) return false;
    for (const CoveredRegion& other : memory_.regions) {
      const std::uintptr_t begin = AddressOf(one.data), others = AddressOf(other.data);
      if (&one != &other && begin >= others && begin - others < other.bytes) return false;
    }
  }
  return true;
}

void DeviceCanary::OnAttach(const AttachedArena& arena, MemoryRegion) {
  depth_ = operand_count_ = 0;
  running_ = Running::kNone;
  status_ = Failure(StatusCode::kInstrumentBlind);
  if (RegionsAreApart() && Watches(arena.arena) && Watches(arena.persistent)) RunSelfTest();
  finding_count_ = watched_count_ = unwatched_count_ = 0;
}

void DeviceCanary::OnDetach() {
  if (running_ == Running::kOperator) Uncover();
  running_ = Running::kNone;
  depth_ = operand_count_ = 0;
}

// An operator whose list is not whole would be charged with what it may do: it is not watched, and counted.
void DeviceCanary::Add(const OperandRange& operand) {
  if (operand_count_ < memory_.operands.size()) {
    memory_.operands[operand_count_++] = operand;
  } else {
    innermost().watched = false;
  }
}

void DeviceCanary::Give(OperandKind kind, MemoryRegion block) {
  if (running_ == Running::kRuntime) Add(GivenBlock(open(), kind, block));
}

void DeviceCanary::OnTemporaryAllocated(MemoryRegion block) { Give(OperandKind::kTemporary, block); }
void DeviceCanary::OnTailAllocated(MemoryRegion block) { Give(OperandKind::kPersistent, block); }

void DeviceCanary::OnTemporaryFreed(const std::byte* address) {
  if (depth_ > 0) TakeTemporary(open(), address);
}

void DeviceCanary::OnTemporariesReset() {
  if (depth_ > 0) TakeTemporaries(open());
}

void DeviceCanary::OnTailRewound(const std::byte* tail_begin) {
  if (depth_ > 0) TakePersistentBelow(open(), tail_begin);
}

void DeviceCanary::OnOperatorBegins(const OperatorScope& scope) {
  Frame& frame = frames_[depth_++];
  frame = {};
  frame.named.subgraph = scope.subgraph;
  frame.named.operator_index = scope.operator_index;
  frame.named.phase = scope.phase;
  frame.named.operator_name = scope.operator_name;
  frame.named.kernel_name = scope.kernel_name;
  frame.first_operand = operand_count_;
  for (const OperandRange& operand : scope.operands) Add(operand);
  running_ = Running::kOperator;
  Cover();
}

void DeviceCanary::OnOperatorEnds() {
  if (running_ == Running::kOperator) Uncover();
  ++(innermost().watched ? watched_count_ : unwatched_count_);
  operand_count_ = innermost().first_operand;
  --depth_;
  running_ = depth_ > 0 ? Running::kRuntime : Running::kNone;
}

void DeviceCanary::OnRuntimeEnters() {
  if (running_ != Running::kOperator) return;
  Uncover();
  running_ = Running::kRuntime;
}

void DeviceCanary::OnRuntimeLeaves() {
  if (running_ != Running::kRuntime) return;
  running_ = Running::kOperator;
  Cover();
}

void DeviceCanary::Cover() {
  if (!status_.ok() || !innermost().watched) return;
  for (const CoveredRegion& region : memory_.regions) CoverRegion(region, open(), Fill::kFirst);
}

void DeviceCanary::Uncover() {
  if (!status_.ok() || !innermost().watched) return;
  for (const CoveredRegion& region : memory_.regions) {
    std::size_t from = 0;
    MemoryRegion changed;
    while (UncoverNext(region, open(), Fill::kFirst, &from, &changed)) Report(changed);
  }
}

void DeviceCanary::Report(MemoryRegion changed) {
  const AddressRange access{AddressOf(changed.data), AddressOf(changed.data) + changed.bytes};
  IllegalRun run;
  for (std::uintptr_t from = access.begin; NextIllegalRun(open(), access, true, {}, from, &run); from = run.end) {
    const std::size_t place = finding_count_++;
    if (place >= memory_.findings.size()) continue;
    CanaryFinding& finding = memory_.findings[place];
    finding = innermost().named;
    finding.run = run;
    if (run.operand >= 0) finding.operand = open()[static_cast<std::size_t>(run.operand)];
  }
}

}  // namespace arenaproof
