#include "sanitizers/self_test/guard_self_test.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/planted/planted_access.h"

namespace arenaproof {
namespace {

constexpr std::size_t kArenaBytes = 4096, kModelBytes = 512;
constexpr std::size_t kMostReports = 24, kMostSizes = 33;
constexpr std::size_t kAlignment = 16;
constexpr std::uint8_t kPlantedByte = 0x1a;  // of no fill

// An access by a kernel with one input, one constant, one output and one scratch buffer.
enum class Where : std::uint8_t { kInput, kConstant, kOutput, kScratch };
constexpr Where kEverywhere[] = {Where::kInput, Where::kConstant, Where::kOutput, Where::kScratch};

struct Step {
  Where where = Where::kInput;
  std::size_t bytes = 0;  // of the operand
  std::ptrdiff_t at = 0;
  bool write = false;
};

Step step_now;

Status MakeAccess(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  std::byte* const starts[] = {context.inputs[0].data, context.inputs[1].data, context.outputs[0].data,
                               context.scratch[0]};
  SetPlantedValue(kPlantedByte);
  for (const PlantedAccess& planted : PlantedAccesses()) {
    if (planted.bytes != 1 || planted.write != step_now.write) continue;
    planted.make(starts[static_cast<std::size_t>(step_now.where)] + step_now.at);
    break;
  }
  return Ok();
}

class GuardSelfTest {
 public:
  explicit GuardSelfTest(AccessInstrument& instrument) : instrument_(instrument) {
    instrument_.Watch(arena_.region());
    instrument_.Watch(model_.region());
    instrument_.SkipSelfTest();
  }

  SelfTestResult Run() {
    if (arena_.data() == nullptr || model_.data() == nullptr) {
      result_.missed.emplace_back("no memory for the self-test");
      return result_;
    }
    // The log holds 512 groups, and starts anew with a pair of runs.
    for (const Where where : kEverywhere) {
      for (std::size_t bytes = 1; bytes <= kMostSizes; ++bytes) AddSteps(where, bytes);
    }
    kernels_ = &instrument_.Wrap(planted_set_);
    RunSteps();
    if (!instrument_.BeginOtherRun()) result_.missed.emplace_back("the other of two runs");
    RunSteps();
    for (std::size_t i = 0; i < steps_.size(); ++i) CompareWithReport(steps_[i], static_cast<std::int32_t>(i));
    result_.ran = true;
    return result_;
  }

 private:
  void AddSteps(Where where, std::size_t bytes) {
    const auto end = static_cast<std::ptrdiff_t>(bytes);
    const auto closed = static_cast<std::ptrdiff_t>((bytes + kAlignment - 1) / kAlignment * kAlignment);
    // Of several operands and sizes each place is tried with reads and with writes in turn.
    const bool write = bytes % 2 == 0;
    const bool writable = where == Where::kOutput || where == Where::kScratch;
    steps_.push_back({where, bytes, -1 - static_cast<std::ptrdiff_t>(bytes % 20), write});
    steps_.push_back({where, bytes, closed + static_cast<std::ptrdiff_t>(bytes % 20), write});
    if (closed > end) steps_.push_back({where, bytes, closed - 1, true});
    if (bytes == kMostSizes || bytes == kAlignment) {
      steps_.push_back({where, bytes, -1, !write});
      steps_.push_back({where, bytes, -64, write});
      steps_.push_back({where, bytes, -66, write});
      steps_.push_back({where, bytes, closed + 80, !write});
      steps_.push_back({where, bytes, end - 1, false});
      steps_.push_back({where, bytes, 0, true});
      if (closed > end && !writable) steps_.push_back({where, bytes, end, false});
    }
  }

  // All lie side by side in the arena: a neighbour must not be taken for a right.
  std::vector<OperandRange> OperandsOf(std::size_t bytes) {
    const std::size_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    std::byte* const start = arena_.data() + 256;
    return {{start, bytes, AccessRight::kRead, OperandKind::kInput, 0},
            {model_.data() + 128, bytes, AccessRight::kRead, OperandKind::kConstant, 1},
            {start + room, bytes, AccessRight::kReadWrite, OperandKind::kOutput, 2},
            {start + 2 * room, bytes, AccessRight::kReadWrite, OperandKind::kScratch, 0}};
  }

  void RunSteps() {
    instrument_.OnAttach({arena_.data(), kArenaBytes}, {model_.data(), kModelBytes});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      step_now = steps_[i];
      const std::vector<OperandRange> ranges = OperandsOf(step_now.bytes);
      Operand operands[3];
      for (std::size_t k = 0; k < 3; ++k) {
        operands[k].data = const_cast<std::byte*>(ranges[k].data);
        operands[k].bytes = ranges[k].bytes;
        operands[k].present = true;
      }
      std::byte* const scratch[] = {const_cast<std::byte*>(ranges[3].data)};
      InvokeContext context;
      context.inputs = {operands, 2};
      context.outputs = {operands + 2, 1};
      context.scratch = scratch;
      instrument_.OnOperatorBegins({.operator_index = static_cast<std::int32_t>(i),
                                    .operator_name = "self-test",
                                    .kernel_name = "planted",
                                    .operands = ranges});
      if (!kernels_->kernels[0].invoke(context).ok()) result_.missed.emplace_back("a kernel's status");
      instrument_.OnOperatorEnds();
    }
    instrument_.OnDetach();
  }

  void CompareWithReport(const Step& step, std::int32_t index) {
    const OperandRange operand = OperandsOf(step.bytes)[static_cast<std::size_t>(step.where)];
    const std::string what = std::string(step.write ? "write" : "read") + " at byte " + std::to_string(step.at) +
                             " of " + OperandKindName(operand.kind) + " of " + std::to_string(step.bytes);
    const auto end = static_cast<std::ptrdiff_t>(step.bytes);
    const auto blind = static_cast<std::ptrdiff_t>(instrument_.BlindBytesAfter(operand, {}));
    const bool inside = step.at >= 0 && step.at < end;
    bool illegal = !inside || (step.write && operand.right == AccessRight::kRead);
    if (!step.write && step.at >= end && step.at < end + blind) illegal = false;  // which it says
    const Violation* found = nullptr;
    for (const Violation& group : instrument_.log().groups()) {
      if (group.op.index != index) continue;
      if (found != nullptr) result_.legal_reported.push_back(what + ", reported twice");
      found = &group;
    }
    const auto miss = [&](const char* how) {
      if (result_.missed.size() < kMostReports) result_.missed.push_back(what + how);
    };
    if (!illegal) {
      if (found != nullptr && result_.legal_reported.size() < kMostReports) result_.legal_reported.push_back(what);
      return;
    }
    if (found == nullptr) return miss("");
    result_.seen.push_back(what);
    const std::ptrdiff_t gap = inside ? 0 : step.at < 0 ? -step.at - 1 : step.at - end;
    const bool far = gap >= static_cast<std::ptrdiff_t>(kFarBytes);
    const ViolationSide side = inside        ? ViolationSide::kInside
                               : far         ? ViolationSide::kFar
                               : step.at < 0 ? ViolationSide::kBefore
                                             : ViolationSide::kAfter;
    if (found->side != side) miss(", on the wrong side");
    if (found->operand.data != operand.data) miss(", charged to another operand");
    if (found->write != step.write) miss(", reads and writes confused");
    if (found->lowest_touched != step.at || found->highest_touched != step.at) miss(", at another byte");
    if (found->distance_bytes != static_cast<std::size_t>(inside || far ? gap : gap + 1)) miss(", at another distance");
  }

  AccessInstrument& instrument_;
  SelfTestResult result_;
  CheckedMemory arena_{kArenaBytes}, model_{kModelBytes};
  // An instrument that wraps nothing gives back what it was given.
  const Kernel planted_[1] = {{.op = BuiltinOperator::kRelu, .name = "planted", .invoke = MakeAccess}};
  const KernelSet planted_set_ = {.name = "planted", .kernels = planted_};
  const KernelSet* kernels_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace

SelfTestResult RunGuardSelfTest(AccessInstrument& instrument) { return GuardSelfTest(instrument).Run(); }

}  // namespace arenaproof
