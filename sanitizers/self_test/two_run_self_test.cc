#include "sanitizers/self_test/two_run_self_test.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/planted/planted_access.h"

namespace arenaproof {
namespace {

constexpr std::size_t kArenaBytes = 4096, kModelBytes = 512, kReserveBytes = 16, kHeadBytes = 1024;
constexpr std::size_t kMostReports = 24;
constexpr std::size_t kCopyBytes = 8;

class TwoRuns {
 public:
  explicit TwoRuns(AccessInstrument& instrument) : instrument_(instrument) {
    instrument_.Watch(arena_.region());
    instrument_.Watch(model_.region());
    instrument_.registry().SetReserve(arena_.reserve());
    instrument_.SkipSelfTest();
  }

  SelfTestResult Run() {
    if (arena_.data() == nullptr || model_.data() == nullptr) {
      result_.missed.emplace_back("no memory for the self-test");
      return result_;
    }
    AddLegalSteps();
    AddWrites();
    AddReadsOfClosedBytes();
    AddUnwrittenBytes();
    AddCalls();
    RunSteps();
    if (!instrument_.BeginOtherRun()) result_.missed.emplace_back("the other of two runs");
    RunSteps();
    for (std::size_t i = 0; i < steps_.size(); ++i) CompareWithReport(steps_[i], static_cast<std::int32_t>(i));
    result_.ran = true;
    return result_;
  }

 private:
  // One operator, and the bytes of its result that differ, or those without right that it writes: none, where it is
  // legal.
  struct Step {
    std::string what;
    std::vector<OperandRange> operands;
    std::function<void()> body;
    OperandRange result{};
    std::size_t first = 0, count = 0;
    const std::byte* written = nullptr;
  };

  OperandRange Range(std::size_t offset, std::size_t bytes, AccessRight right, OperandKind kind, std::int32_t index) {
    return {arena_.data() + offset, bytes, right, kind, index};
  }
  static std::byte* At(const OperandRange& range, std::ptrdiff_t offset = 0) {
    return const_cast<std::byte*>(range.data) + offset;
  }

  static void Copy(const std::byte* from, std::byte* to, std::size_t bytes) {
    const auto ranges = PlantedRanges();
    ranges[0].make(const_cast<std::byte*>(from), bytes);
    ranges[1].make(to, bytes);
  }
  // The whole output: first what was read elsewhere, then what the input has.
  void Answer(const std::byte* from, std::size_t bytes = kCopyBytes) {
    Copy(from, At(output_), bytes);
    for (std::size_t at = bytes; at < output_.bytes; ++at) Copy(input_.data, At(output_) + at, 1);
  }

  void Legal(std::string what, std::function<void()> body, std::vector<OperandRange> more = {}) {
    more.insert(more.end(), {input_, output_});
    steps_.push_back({std::move(what), std::move(more), std::move(body)});
  }
  void Illegal(const std::string& what, std::function<void()> body, std::vector<OperandRange> more = {},
               std::size_t first = 0, std::size_t count = kCopyBytes) {
    Legal(what, std::move(body), std::move(more));
    steps_.back().result = output_;
    steps_.back().first = first;
    steps_.back().count = count;
  }

  void AddLegalSteps() {
    const OperandRange shared = Range(64, 16, AccessRight::kReadInPlace, OperandKind::kInput, 0);
    OperandRange in_place = shared;
    in_place.right = AccessRight::kReadWriteInPlace;
    in_place.kind = OperandKind::kOutput;
    Legal("copy of the own input", [this] { Answer(At(input_, 3)); });
    Legal("copy of the own constant", [this] { Answer(constant_.data); }, {constant_});
    Legal("copy of the own persistent block", [this] { Answer(persistent_.data); }, {persistent_});
    Legal("use of scratch that was written",
          [this] {
            Copy(At(input_, 1), At(scratch_), kCopyBytes);
            Answer(scratch_.data);
          },
          {scratch_});
    Legal("use of an output that was written", [this] {
      Answer(input_.data);
      Copy(output_.data, At(output_, 20), kCopyBytes);
    });
    Legal("change in place", [shared] { Copy(shared.data, At(shared, 8), kCopyBytes); }, {shared, in_place});
    steps_.back().operands = {shared, in_place};
    Legal("change of a variable",
          [this] {
            Answer(variable_.data);
            Copy(At(input_, 2), At(variable_), kCopyBytes);
          },
          {variable_});
    Legal("output on both sides of a call of the runtime", [this] {
      Copy(input_.data, At(output_), 20);
      instrument_.OnRuntimeEnters();
      instrument_.OnRuntimeLeaves();
      Copy(input_.data, At(output_, 20), 20);
    });
    Legal("output that was written in prepare", [this] { Answer(handle_.data); }, {handle_});
    Legal("read outside that influences nothing",
          [this] {
            Copy(At(input_, -8), At(scratch_), kCopyBytes);
            Answer(input_.data);
          },
          {scratch_});
  }

  void AddWrites() {
    const auto add = [this](const char* where, const std::byte* to, std::vector<OperandRange> more = {}) {
      Legal(
          std::string("write ") + where,
          [this, to] {
            Answer(input_.data);
            Copy(At(input_, 1), const_cast<std::byte*>(to), kCopyBytes);
          },
          std::move(more));
      steps_.back().written = to;
      steps_.back().count = kCopyBytes;
    };
    add("in a dead tensor", dead_tensor_.data);
    add("in the own input", input_.data + 8);
    add("in the own constant", constant_.data, {constant_});
    add("in another constant", constant_.data);
    add("in the model file", model_.data());
  }

  void AddReadsOfClosedBytes() {
    const auto add = [this](const std::byte* from, const std::string& where, std::size_t bytes = kCopyBytes) {
      Illegal("read " + where, [this, from, bytes] { Answer(from, bytes); }, {}, 0, bytes);
    };
    for (std::ptrdiff_t at = -34; at < static_cast<std::ptrdiff_t>(input_.bytes) + 34; ++at) {
      if (at >= 0 && at < static_cast<std::ptrdiff_t>(input_.bytes)) continue;
      add(At(input_, at), "at byte " + std::to_string(at) + " of an input of 21", 1);
    }
    add(dead_tensor_.data, "in a dead tensor");
    add(scratch_.data, "in another operator's scratch buffer");
    add(persistent_.data, "in another operator's persistent block");
    add(constant_.data, "in another constant");
    add(model_.data(), "in the model file");
    add(arena_.data() + kHeadBytes + 512, "in the gap");
    add(arena_.data() - kReserveBytes, "in the reserve");
    add(arena_.data() - kReserveBytes - kCopyBytes, "before the reserve");
    add(arena_.data() + kArenaBytes, "behind the arena");
    add(model_.data() + kModelBytes, "behind the model");
    // The first run's bytes were put back: what uses them is charged with nothing.
    Legal("use of what an operator before made of closed bytes", [this] { Answer(before_.data); }, {before_});
    steps_.insert(std::prev(steps_.end()), {"read of closed bytes for the next operator",
                                            {input_, before_written_},
                                            [this] { Copy(dead_tensor_.data, At(before_), kCopyBytes); },
                                            before_written_,
                                            0,
                                            kCopyBytes});
    steps_.push_back({"read of closed bytes for a variable",
                      {variable_},
                      [this] { Copy(dead_tensor_.data, At(variable_, 4), 4); },
                      variable_,
                      4,
                      4});
  }

  void AddUnwrittenBytes() {
    Illegal(
        "output whose last byte is not written",
        [this] { Copy(input_.data, At(output_), 21), Copy(input_.data, At(output_, 21), 18); }, {}, 39, 1);
    Illegal("use of scratch that was not written", [this] { Answer(scratch_.data); }, {scratch_});
    Illegal("use of an output that was not written", [this] { Answer(At(output_, 16)); });
  }

  // An operator of a subgraph that another one calls has other operands; afterwards it has its own again.
  void AddCalls() {
    const auto called = [this](const OperandRange& own, const std::function<void()>& body) {
      instrument_.OnRuntimeEnters();
      Begin(-1, {own});
      body();
      instrument_.OnOperatorEnds();
      instrument_.OnRuntimeLeaves();
    };
    Legal("output on both sides of an operator that is called", [this, called] {
      Copy(input_.data, At(output_), 20);
      called(before_written_, [this] { Copy(before_.data, At(before_), 0), Zero(before_); });
      Copy(input_.data, At(output_, 20), 20);
    });
    Illegal("read of what the operator that it called has written", [this, called] {
      called(before_written_, [this] { Zero(before_); });
      Answer(before_.data);
    });
  }
  static void Zero(const OperandRange& range) {
    SetPlantedValue(0);
    PlantedRanges()[4].make(At(range), range.bytes);
  }

  void Begin(std::int32_t index, const std::vector<OperandRange>& operands) {
    instrument_.OnOperatorBegins(
        {.operator_index = index, .operator_name = "self-test", .kernel_name = "planted", .operands = operands});
  }

  void RunSteps() {
    std::ranges::fill(arena_.span(), std::byte{0x11});
    std::ranges::fill(model_.span(), std::byte{0x22});
    for (std::size_t i = 0; i < input_.bytes; ++i) At(input_)[i] = static_cast<std::byte>(i);
    instrument_.OnAttach({arena_.data(), kArenaBytes}, {model_.data(), kModelBytes});
    instrument_.OnTailAllocated({handle_.data, handle_.bytes});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      Begin(static_cast<std::int32_t>(i), steps_[i].operands);
      steps_[i].body();
      instrument_.OnOperatorEnds();
    }
    instrument_.OnDetach();
  }

  void CompareWithReport(const Step& step, std::int32_t index) {
    const auto wrong = [&](std::vector<std::string>& list, const char* how) {
      if (list.size() < kMostReports) list.push_back(step.what + how);
    };
    const Violation* found = nullptr;
    for (const Violation& group : instrument_.log().groups()) {
      if (group.op.index != index) continue;
      if (found != nullptr || step.count == 0) return wrong(result_.legal_reported, "");
      found = &group;
    }
    if (step.count == 0) return;
    if (found == nullptr) return wrong(result_.missed, "");
    result_.seen.push_back(step.what);
    if (step.written != nullptr) {
      if (!found->write || found->operand.data + found->lowest_touched != step.written) {
        wrong(result_.missed, ", with the wrong bytes");
      }
      if (found->max_width_bytes != step.count) wrong(result_.missed, ", of the wrong width");
      return;
    }
    if (found->side != ViolationSide::kDiffers || found->operand.data != step.result.data ||
        found->operand.kind != step.result.kind || found->op.name != "self-test") {
      wrong(result_.missed, ", with the wrong result");
    }
    if (found->lowest_touched != static_cast<std::int64_t>(step.first) || found->max_width_bytes != step.count) {
      wrong(result_.missed, ", with the wrong bytes");
    }
  }

  AccessInstrument& instrument_;
  SelfTestResult result_;
  CheckedMemory arena_{kArenaBytes, 0, kReserveBytes}, model_{kModelBytes};
  std::vector<Step> steps_;

  const OperandRange input_ = Range(128, 21, AccessRight::kRead, OperandKind::kInput, 0);
  const OperandRange output_ = Range(256, 40, AccessRight::kReadWrite, OperandKind::kOutput, 1);
  const OperandRange dead_tensor_ = Range(448, 32, AccessRight::kNone, OperandKind::kInput, 2);
  const OperandRange before_ = Range(608, 8, AccessRight::kRead, OperandKind::kInput, 3);
  const OperandRange before_written_ = Range(608, 8, AccessRight::kReadWrite, OperandKind::kOutput, 3);
  const OperandRange scratch_ = Range(768, 24, AccessRight::kReadWrite, OperandKind::kScratch, 0);
  const OperandRange variable_ = Range(3200, 8, AccessRight::kReadWrite, OperandKind::kVariable, 6);
  const OperandRange handle_ = Range(3968, 8, AccessRight::kReadWrite, OperandKind::kOutput, 7);
  const OperandRange persistent_ = Range(3520, 24, AccessRight::kReadWrite, OperandKind::kPersistent, 0);
  const OperandRange constant_{model_.data() + 128, 24, AccessRight::kRead, OperandKind::kConstant, 4};
};

}  // namespace

SelfTestResult RunTwoRunSelfTest(AccessInstrument& instrument) { return TwoRuns(instrument).Run(); }

}  // namespace arenaproof
