#include "sanitizers/instrument/access_instrument.h"

#include <algorithm>
#include <utility>

#include "sanitizers/device/open_ranges.h"
#include "sanitizers/report/arena_map.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {

Status SelfTestResult::status() const {
  if (missed.empty() && legal_reported.empty()) return Ok();
  return Failure(StatusCode::kInstrumentBlind, missed.size(), missed.size() + seen.size(), legal_reported.size());
}

void AccessInstrument::AddUnlessCovered(MemoryRegion region, std::vector<WatchedRegion>* watched_regions) {
  if (region.data == nullptr || region.bytes == 0) return;
  for (const WatchedRegion& watched : *watched_regions) {
    if (region.data >= watched.whole.data && region.data + region.bytes <= watched.whole.data + watched.whole.bytes) {
      return;
    }
  }
  watched_regions->push_back({region, region});
}

void AccessInstrument::OnAttach(const AttachedArena& arena, MemoryRegion model) {
  registry_.ForgetPlan();
  registry_.SetArena(arena.arena, arena.persistent);
  registry_.SetModel(model);
  std::vector<WatchedRegion> watched = watched_;
  AddUnlessCovered(arena.arena, &watched);
  AddUnlessCovered(arena.persistent, &watched);
  AddUnlessCovered(model, &watched);
  AddUnlessCovered({probe_.data(), probe_.size()}, &watched);
  log_of_other_run_.Clear();
  if (keeps_log_) log_of_other_run_ = std::move(log_);
  attaching_ = true;
  ended_in_self_test_ = false;
  log_.Clear();
  extents_.clear();
  // An operator that never ended leaves nothing open, not even to the self-test.
  operands_.clear();
  read_allowances_.clear();
  scope_ = -1;
  callers_.clear();
  interrupted_.reset();
  planned_ = false;
  self_test_ = {};
  if (!Available().ok()) DeclareBlind("not compiled into this build");
  Start(watched);
  if (!skip_self_test_ && Available().ok()) RunSelfTest();
  blind_ = !self_test_.status().ok();
  if (std::exchange(keeps_log_, false)) log_ = std::move(log_of_other_run_);
  attaching_ = false;
  state_ = State::kIdle;
}

void AccessInstrument::AddLimitsOfHooks() {
  AddLimit(kFarAccesses);
  AddLimit("what a kernel does in reset and free");
  AddLimit("accesses that no compiler made, such as those of inline assembly beside accesses with hooks");
}

void AccessInstrument::OnDetach() {
  ended_in_self_test_ = attaching_;
  if (state_ == State::kDetached) return;
  if (state_ == State::kOperator) Open(operands_);
  state_ = State::kDetached;
  Stop();
}

void AccessInstrument::OnHeadResized(MemoryRegion) {}

void AccessInstrument::OnTemporaryAllocated(MemoryRegion block) {
  registry_.AddTemporary(block);
  if (state_ != State::kRuntime) return;
  operands_.push_back(GivenBlock(operands_, OperandKind::kTemporary, block));
}

void AccessInstrument::OnTemporaryFreed(const std::byte* address) {
  registry_.RemoveTemporary(address);
  TakeTemporary(operands_, address);
}

void AccessInstrument::OnTemporariesReset() {
  registry_.ClearTemporaries();
  TakeTemporaries(operands_);
}

void AccessInstrument::OnTailAllocated(MemoryRegion block) {
  registry_.AddTailBlock(block, state_ == State::kRuntime ? operator_.index : -1);
  if (state_ != State::kRuntime) return;
  operands_.push_back(GivenBlock(operands_, OperandKind::kPersistent, block));
}

void AccessInstrument::OnTailRewound(const std::byte* tail_begin) {
  registry_.RemoveTailBlocksBelow(tail_begin);
  TakePersistentBelow(operands_, tail_begin);
}

void AccessInstrument::OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) {
  registry_.SetPlan(head_start, plan);
  planned_ = true;
}

void AccessInstrument::OnOperatorBegins(const OperatorScope& scope) {
  // The operator is in a subgraph that the running one calls, whose operands are closed by now.
  if (state_ == State::kRuntime) {
    callers_.push_back({operator_, std::move(operands_), std::move(read_allowances_), scope_});
  }
  operator_ = {scope.subgraph, scope.operator_index, scope.phase, scope.operator_name, scope.kernel_name};
  operands_.assign(scope.operands.begin(), scope.operands.end());
  read_allowances_.assign(scope.read_allowances.begin(), scope.read_allowances.end());
  for (const OperandRange& operand : operands_) {
    if (operand.kind == OperandKind::kConstant && operand.data != nullptr) {
      registry_.AddConstant(operand.index, {operand.data, operand.bytes}, scope.subgraph);
    }
  }
  scope_ = planned_ && scope.phase == OperatorPhase::kInvoke
               ? registry_.ScopeOf(scope.subgraph, scope.operator_index, scope.operands)
               : -1;
  state_ = State::kOperator;
  if (blind_) return;
  Begin(operands_);
  Close(operands_);
}

void AccessInstrument::OnOperatorEnds() {
  if (state_ == State::kOperator && !blind_) Open(operands_);
  if (state_ != State::kIdle && !blind_) End(operands_);
  scope_ = -1;
  state_ = State::kIdle;
  operands_.clear();
  read_allowances_.clear();
  if (callers_.empty()) return;
  operator_ = std::move(callers_.back().op);
  operands_ = std::move(callers_.back().operands);
  read_allowances_ = std::move(callers_.back().read_allowances);
  scope_ = callers_.back().scope;
  callers_.pop_back();
  state_ = State::kRuntime;
}

void AccessInstrument::OnRuntimeEnters() {
  if (state_ != State::kOperator) return;
  if (!blind_) Open(operands_);
  state_ = State::kRuntime;
}

void AccessInstrument::OnRuntimeLeaves() {
  if (state_ != State::kRuntime) return;
  state_ = State::kOperator;
  if (!blind_) Close(operands_);
}

void AccessInstrument::OnRuntimeWorkBegins(const RuntimeScope& scope) {
  const bool runtime_runs = state_ == State::kIdle || state_ == State::kRuntime;
  if (blind_ || !runtime_runs || !WatchesRuntime()) return;
  interrupted_ = {std::move(operator_), std::move(operands_), std::move(read_allowances_), state_};
  operator_ = {scope.subgraph, -1, OperatorPhase::kRuntime, RuntimeWorkName(scope.work), "runtime"};
  operands_.assign(scope.operands.begin(), scope.operands.end());
  read_allowances_.clear();
  state_ = State::kOperator;
  Begin(operands_);
  Close(operands_);
}

void AccessInstrument::OnRuntimeWorkEnds() {
  if (!interrupted_) return;
  Open(operands_);
  End(operands_);
  operator_ = std::move(interrupted_->op);
  operands_ = std::move(interrupted_->operands);
  read_allowances_ = std::move(interrupted_->read_allowances);
  state_ = interrupted_->state;
  interrupted_.reset();
}

Extent& AccessInstrument::ExtentOf(const OperandRange& operand) {
  return extents_[{operator_.subgraph, operator_.index, operator_.phase, operand.kind, operand.index}];
}

bool AccessInstrument::AddViolations(const std::vector<Violation>& violations) {
  for (const Violation& violation : violations) log_.Add(violation);
  return !violations.empty();
}

void AccessInstrument::NotePlanted(bool was_reported, bool illegal, const std::string& what) {
  if (illegal) (was_reported ? self_test_.seen : self_test_.missed).push_back(what);
  if (!illegal && was_reported) self_test_.legal_reported.push_back(what);
}

std::vector<IllegalRun> AccessInstrument::OverwrittenRuns(std::uintptr_t address, std::size_t bytes) const {
  if (!SeesOverwritten()) return {};
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const OperandRange& operand = operands_[i];
    if (!IsInPlace(operand.right) || operand.kind != OperandKind::kInput) continue;
    const std::uintptr_t begin = std::max(address, AddressOf(operand.data));
    const std::uintptr_t end = std::min(address + bytes, AddressOf(operand.data) + operand.bytes);
    if (begin < end) return {{begin, end, ViolationSide::kOverwritten, static_cast<int>(i), 0}};
  }
  return {};
}

bool AccessInstrument::CheckAccess(std::uintptr_t address, std::size_t bytes, bool write) {
  std::vector<IllegalRun> runs = AttributeAccess(operands_, address, bytes, write, read_allowances_);
  if (runs.empty() && !write) runs = OverwrittenRuns(address, bytes);
  for (const IllegalRun& run : runs) LogRun(run, bytes, write);
  return !runs.empty();
}

void AccessInstrument::LogRun(const IllegalRun& run, std::size_t bytes, bool write) {
  Violation violation;
  violation.op = operator_;
  violation.write = write;
  violation.side = run.side;
  violation.distance_bytes = run.distance_bytes;
  violation.min_width_bytes = violation.max_width_bytes = bytes;
  violation.count = 1;
  if (run.operand >= 0) violation.operand = operands_[static_cast<std::size_t>(run.operand)];
  const std::uintptr_t start = AddressOf(violation.operand.data);
  violation.lowest_touched = static_cast<std::int64_t>(run.begin - start);
  violation.highest_touched = static_cast<std::int64_t>(run.end - 1 - start);
  // Naming and drawing takes longer than the access: only when the group's furthest byte moves.
  const Violation* group = log_.Find(violation);
  const RunningOperator running{operands_, scope_};
  if (group == nullptr || group->reserve != ReserveVerdict::kLeavesAllocation) {
    violation.reserve = registry_.CheckReserve(run.begin, run.end, running);
  }
  if (group == nullptr || violation.distance_bytes > group->distance_bytes) {
    const ByteOwner owner = registry_.OwnerOf(reinterpret_cast<const std::byte*>(run.furthest()), running);
    violation.state_kind = owner.state;
    violation.state = registry_.Describe(owner, running);
    violation.map = DrawArenaMap(registry_, running, run);
  }
  log_.Add(violation);
}

}  // namespace arenaproof
