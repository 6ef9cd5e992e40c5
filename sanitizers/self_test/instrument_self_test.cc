#include "sanitizers/self_test/instrument_self_test.h"

#include <algorithm>
#include <vector>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/planted/planted_access.h"
#include "sanitizers/self_test/gap_self_test.h"
#include "sanitizers/self_test/guard_self_test.h"
#include "sanitizers/self_test/log_self_test.h"
#include "sanitizers/self_test/planted_oracle.h"
#include "sanitizers/self_test/two_run_self_test.h"

namespace arenaproof {
namespace {

constexpr std::size_t kArenaBytes = 4096;
constexpr std::size_t kModelBytes = 512;
constexpr std::size_t kReserveBytes = 16;         // in front of the arena
constexpr std::uint8_t kPlantedByte = 0x1a;       // of no fill of an instrument's
constexpr std::size_t kMostReports = 24;          // of what was wrong; the first ones are enough
constexpr std::size_t kAccessesOfAnAttach = 400;  // each makes a group of the log, which holds 512

class SelfTest {
 public:
  explicit SelfTest(AccessInstrument& instrument) : instrument_(instrument) {
    instrument_.Watch(arena_.region());
    instrument_.Watch(model_.region());
    instrument_.registry().SetReserve(arena_.reserve());
    instrument_.SkipSelfTest();
  }

  SelfTestResult Run() {
    if (arena_.data() == nullptr || model_.data() == nullptr) {
      result_.missed.push_back("no memory for the self-test");
      return result_;
    }
    for (const std::string& wrong : RunViolationLogSelfTest()) Miss(wrong);
    Attach();
    RunPrepare();
    CommitPlan();
    TestEveryAccess();
    TestEveryByte();
    TestEveryState();
    TestGaps();
    TestThatWindowsClose();
    TestWriteBack();
    TestTemporaryState();
    TestAfterDetach();
    result_.ran = true;
    return result_;
  }

 private:
  OperandRange Range(std::size_t offset, std::size_t bytes, AccessRight right, OperandKind kind, std::int32_t index) {
    return {arena_.data() + offset, bytes, right, kind, index};
  }
  OperandRange Constant(std::size_t offset, std::size_t bytes, std::int32_t index) {
    return {model_.data() + offset, bytes, AccessRight::kRead, OperandKind::kConstant, index};
  }

  void Miss(const std::string& what) {
    if (result_.missed.size() < kMostReports) result_.missed.push_back(what);
  }
  void ReportLegal(const std::string& what) {
    if (result_.legal_reported.size() < kMostReports) result_.legal_reported.push_back(what);
  }

  void Attach() {
    instrument_.OnAttach({arena_.data(), kArenaBytes}, {model_.data(), kModelBytes});
    instrument_.registry().AddConstant(other_constant_.index, {other_constant_.data, other_constant_.bytes});
    instrument_.OnTailAllocated({bookkeeping_.data, bookkeeping_.bytes});
    access_count_ = 0;
  }

  void Begin(OperatorPhase phase, const std::vector<OperandRange>& operands) {
    instrument_.OnOperatorBegins({.phase = phase,
                                  .subgraph = subgraph_,
                                  .operator_index = ++operator_index_,
                                  .operator_name = "self-test",
                                  .kernel_name = "planted",
                                  .operands = operands});
    operands_ = operands;
  }
  void End() {
    instrument_.OnOperatorEnds();
    operands_.clear();
  }

  // Makes one access of the running operator and compares what the instrument reports about it with the oracle.
  void Plant(const PlantedAccess& planted, std::byte* address, const std::string& where,
             const PlantedPlace& place = {}) {
    if (planted.depends_on_bytes && !instrument_.SeesAccesses()) return;
    const std::uint64_t before = instrument_.log().access_count();
    const std::size_t groups_before = instrument_.log().groups().size();
    const PlantedExpectation expected = ExpectPlanted(planted, address, operands_);
    SetPlantedValue(kPlantedByte);
    planted.make(address);
    // Some backends understand a report when the next one comes, or when the operator's code stops running.
    instrument_.OnRuntimeEnters();
    const std::uint64_t count = instrument_.log().access_count() - before;
    const std::string what = std::string(planted.what) + " " + where;
    if (expected.illegal && expected.side == ViolationSide::kInside && !instrument_.SeesRights()) {
      // What it left behind is seen; where exactly, and what of the same byte is not, are limits of the instrument.
      const bool leaves_bytes = planted.write && !planted.depends_on_bytes;
      if (leaves_bytes && count == 0) Miss(what);
    } else if (!expected.illegal || (!planted.write && !instrument_.SeesAccesses())) {
      if (count != 0) ReportLegal(what);
    } else if (count == 0) {
      Miss(what);
    } else {
      result_.seen.push_back(what);
      const auto& groups = instrument_.log().groups();
      if (groups.size() <= groups_before) {
        Miss(what + ", seen but not kept as a group of its operator");
      } else {
        // An access over an edge of an operand without the right makes two groups.
        std::size_t group = groups_before;
        for (std::size_t i = groups_before; i < groups.size(); ++i) {
          if (groups[i].side == expected.side) group = i;
        }
        const Violation& found = groups[group];
        if (found.op.index != operator_index_ || found.op.subgraph != subgraph_ || found.op.name != "self-test") {
          Miss(what + ", charged to another operator");
        }
        const bool exact = instrument_.SeesExactDistances() || !planted.any_alignment;
        const bool widths = exact && instrument_.SeesAccesses();
        for (const std::string& wrong : CheckPlanted(planted, expected, place, found, {exact, widths})) {
          Miss(what + wrong);
        }
      }
    }
    instrument_.OnRuntimeLeaves();
    ++access_count_;
  }

  // Makes the access in an operator of its own, so that its group is its own.
  void PlantAlone(const std::vector<OperandRange>& operands, const PlantedAccess& planted, std::byte* address,
                  const std::string& where, const PlantedPlace& place = {}) {
    if (access_count_ >= kAccessesOfAnAttach) Renew();
    // What it lays in an operand that may only be read lies there already: no instrument is to see a write.
    if (planted.depends_on_bytes && !ExpectPlanted(planted, address, operands).illegal) planted.make(address);
    Begin(OperatorPhase::kInvoke, operands);
    Plant(planted, address, where, place);
    End();
  }

  // The log starts anew with an attach. The operators of one subgraph are followed by those of another one.
  void Renew() {
    instrument_.OnDetach();
    subgraph_ = 1 - subgraph_;
    Attach();
    instrument_.OnTailAllocated({other_persistent_.data, other_persistent_.bytes});
    CommitPlan();
  }

  const PlantedAccess& OneByte(bool write) const {
    const auto planted = PlantedAccesses();
    return *std::find_if(planted.begin(), planted.end(),
                         [&](const PlantedAccess& p) { return p.bytes == 1 && p.write == write; });
  }

  // All of them, or the one that stands for them.
  std::span<const PlantedAccess> Shapes() const {
    if (instrument_.AccessesAreCostly()) return {&OneByte(false), 1};
    return PlantedAccesses();
  }

  // The narrowest access that the instrument sees.
  const PlantedAccess& Narrow() const { return OneByte(!instrument_.SeesAccesses()); }

  // ---- the model's events

  // Blocks and temporaries are open from the call that gave them to the one that took them back.
  void RunPrepare() {
    Begin(OperatorPhase::kPrepare, {own_constant_});
    Plant(OneByte(false), const_cast<std::byte*>(own_constant_.data), "of an own constant in prepare");
    Plant(Narrow(), const_cast<std::byte*>(own_persistent_.data), "of persistent memory before it is given");
    instrument_.OnRuntimeEnters();
    OneByte(true).make(const_cast<std::byte*>(bookkeeping_.data));  // the runtime's own, in its own time
    instrument_.OnTailAllocated({own_persistent_.data, own_persistent_.bytes});
    instrument_.OnTemporaryAllocated({temporary_.data, temporary_.bytes});
    instrument_.OnRuntimeLeaves();
    operands_.push_back(own_persistent_);
    operands_.push_back(temporary_);
    Plant(OneByte(true), const_cast<std::byte*>(own_persistent_.data), "to an own persistent block");
    Plant(OneByte(true), const_cast<std::byte*>(temporary_.data) + temporary_.bytes - 1, "to an own temporary");
    Plant(OneByte(true), const_cast<std::byte*>(temporary_.data) + temporary_.bytes, "behind an own temporary");
    instrument_.OnRuntimeEnters();
    instrument_.OnTemporaryFreed(temporary_.data);
    instrument_.OnRuntimeLeaves();
    operands_.pop_back();
    const std::uint64_t before = instrument_.log().access_count();
    SetPlantedValue(kPlantedByte);
    Narrow().make(const_cast<std::byte*>(temporary_.data));
    End();
    if (instrument_.log().access_count() == before) Miss(std::string(Narrow().what) + " of a freed temporary");
    instrument_.OnTemporariesReset();

    Begin(OperatorPhase::kPrepare, {});
    instrument_.OnRuntimeEnters();
    instrument_.OnTailAllocated({other_persistent_.data, other_persistent_.bytes});
    instrument_.OnRuntimeLeaves();
    operands_.push_back(other_persistent_);
    const ByteState tail = ByteState::kTail;
    Plant(Narrow(), const_cast<std::byte*>(own_persistent_.data), "of another operator's persistent block",
          {.state = &tail});
    End();
  }

  void CommitPlan() {
    std::vector<PlanEntry> plan;
    const auto add = [&](const OperandRange& range, std::int32_t first, std::int32_t last, std::int32_t owner = -1) {
      PlanEntry buffer;
      (owner < 0 ? buffer.tensor : buffer.scratch) = range.index;
      buffer.owner_operator = owner;
      buffer.bytes = range.bytes;
      // The other subgraph numbers its own in the same way. They live at other times; where they lie is not checked.
      buffer.subgraph = 1 - subgraph_;
      buffer.offset = kElsewhere;
      for (const std::int32_t later : {kLater, -1}) {
        buffer.first = later < 0 ? 0 : first + later;
        buffer.last = later < 0 ? 0 : last + later;
        if (later >= 0 || first > 0) plan.push_back(buffer);
      }
      buffer.subgraph = subgraph_;
      buffer.offset = static_cast<std::size_t>(range.data - arena_.data());
      buffer.first = first;
      buffer.last = last;
      plan.push_back(buffer);
    };
    add(input_, 0, 1);
    add(output_, 1, 2);
    add(dead_tensor_, 5, 6);
    add(live_tensor_, 0, 9);
    add(own_scratch_, 1, 1, 0);
    add(other_scratch_, 2, 2, 1);
    instrument_.OnPlanCommitted(arena_.data(), plan);
    instrument_.OnHeadResized({arena_.data(), 0});
    instrument_.OnHeadResized({arena_.data(), kHeadBytes});
  }

  void TestEveryAccess() {
    for (const PlantedAccess& planted : Shapes()) {
      for (const OperandRange& operand : all_operands_) {
        std::byte* const start = const_cast<std::byte*>(operand.data);
        const std::string name = OperandKindName(operand.kind);
        PlantAlone(all_operands_, planted, start, "inside the own " + name);
        PlantAlone(all_operands_, planted, start - 16, "before the own " + name);
        PlantAlone(all_operands_, planted, start + operand.bytes / 16 * 16 + 16, "behind the own " + name);
        if (!planted.any_alignment) continue;
        PlantAlone(all_operands_, planted, start - planted.bytes / 2, "across the start of the own " + name);
        PlantAlone(all_operands_, planted, start + operand.bytes - planted.bytes / 2,
                   "across the end of the own " + name);
      }
    }
  }

  // Byte by byte around operands that end inside a granule.
  void TestEveryByte() {
    if (instrument_.AccessesAreCostly()) return;
    for (const OperandRange& operand : {input_, own_scratch_}) {
      const std::vector<OperandRange> alone{operand};
      for (const bool write : {false, true}) {
        for (std::ptrdiff_t at = -34; at < static_cast<std::ptrdiff_t>(operand.bytes) + 34; ++at) {
          const std::size_t blind = instrument_.BlindBytesBefore(operand, {});
          if (at < 0 && static_cast<std::size_t>(-at) <= blind) continue;
          PlantAlone(alone, OneByte(write), const_cast<std::byte*>(operand.data) + at,
                     "at byte " + std::to_string(at) + " of an " + OperandKindName(operand.kind) + " of " +
                         std::to_string(operand.bytes));
        }
      }
    }
  }

  void TestGaps() {
    if (instrument_.AccessesAreCostly()) return;
    if (access_count_ + kGapSelfTestGroups >= kAccessesOfAnAttach) Renew();
    access_count_ += kGapSelfTestGroups;
    SelfTestResult found;
    RunGapSelfTest(instrument_, arena_.data() + kElsewhere, ++operator_index_, &found);
    for (const std::string& missed : found.missed) Miss(missed);
    for (const std::string& legal : found.legal_reported) ReportLegal(legal);
    result_.seen.insert(result_.seen.end(), found.seen.begin(), found.seen.end());
  }

  struct Place {
    std::byte* address;
    ByteState state;
    ReserveVerdict reserve;
    const char* where;
  };

  void TestEveryState() {
    const auto at = [](const OperandRange& range) { return const_cast<std::byte*>(range.data) + 8; };
    constexpr auto contained = ReserveVerdict::kContained, object = ReserveVerdict::kReachesObject,
                   leaves = ReserveVerdict::kLeavesAllocation;
    const Place places[] = {
        {at(dead_tensor_), ByteState::kDeadTensor, object, "in a dead tensor"},
        {at(live_tensor_), ByteState::kLiveTensor, object, "in another live tensor"},
        {at(other_scratch_), ByteState::kScratch, object, "in another operator's scratch buffer"},
        {at(bookkeeping_), ByteState::kTail, object, "in the allocator's bookkeeping"},
        {at(other_persistent_), ByteState::kTail, object, "in another operator's persistent block"},
        {at(other_constant_), ByteState::kConstant, object, "in another constant"},
        {arena_.data() + kHeadBytes + 512, ByteState::kGap, object, "in the gap"},
        {arena_.data() + 240, ByteState::kGap, object, "between two tensors"},
        {model_.data(), ByteState::kModelFile, object, "in the model file"},
        {arena_.data() - kReserveBytes, ByteState::kReserve, contained, "in the reserve"},
        {arena_.data() - 2 * kReserveBytes, ByteState::kGuard, leaves, "before the reserve"},
        {arena_.data() + kArenaBytes, ByteState::kGuard, leaves, "behind the arena"},
        {model_.data() + kModelBytes, ByteState::kGuard, leaves, "behind the model"},
    };
    for (const Place& place : places) {
      for (const PlantedAccess& planted : Shapes()) {
        if (planted.any_alignment && !instrument_.SeesExactDistances()) continue;
        PlantAlone(all_operands_, planted, place.address, place.where,
                   {.state = &place.state, .reserve = &place.reserve});
      }
    }
    // When an access crosses an edge of the reserve, what lies beyond it counts.
    for (const PlantedAccess& planted : Shapes()) {
      if (!planted.any_alignment || !instrument_.SeesExactDistances()) continue;
      std::byte* const edge = arena_.data() - planted.bytes / 2;
      PlantAlone(all_operands_, planted, edge, "across the end of the reserve", {.reserve = &object});
      PlantAlone(all_operands_, planted, edge - kReserveBytes, "across the start of the reserve", {.reserve = &leaves});
    }
  }

  // What one operator may touch is closed to the next.
  void TestThatWindowsClose() {
    for (const OperandRange& operand : all_operands_) {
      PlantAlone(all_operands_, OneByte(false), const_cast<std::byte*>(operand.data), "inside");
      PlantAlone({live_tensor_}, OneByte(false), const_cast<std::byte*>(operand.data),
                 std::string("of the ") + OperandKindName(operand.kind) + " of the operator before");
      PlantAlone({}, OneByte(true), const_cast<std::byte*>(operand.data),
                 std::string("to the ") + OperandKindName(operand.kind) + " of the operator before");
    }
  }

  // A write of the value that was just read, to an operand that may only be read.
  void TestWriteBack() {
    if (!instrument_.SeesRights() || !instrument_.SeesAccesses()) return;
    if (access_count_ >= kAccessesOfAnAttach) Renew();
    for (const OperandRange& operand : {input_, own_constant_}) {
      const std::uint64_t before = instrument_.log().access_count();
      Begin(OperatorPhase::kInvoke, all_operands_);
      PlantWriteBack(const_cast<std::byte*>(operand.data));
      End();
      if (instrument_.log().access_count() == before) {
        Miss(std::string("a byte of the own ") + OperandKindName(operand.kind) + " written back where it was read");
      }
    }
  }

  void TestTemporaryState() {
    const ByteState temporary = ByteState::kTemporary, gap = ByteState::kGap;
    std::byte* const address = const_cast<std::byte*>(temporary_.data) + 8;
    if (access_count_ + 2 >= kAccessesOfAnAttach) Renew();
    instrument_.OnTemporaryAllocated({temporary_.data, temporary_.bytes});
    PlantAlone({output_}, Narrow(), address, "of a temporary of the runtime", {.state = &temporary});
    instrument_.OnTemporariesReset();
    PlantAlone({output_}, Narrow(), address, "where a temporary was before the reset", {.state = &gap});
  }

  // Nothing is closed before the first operator, between two, and after the detach.
  void TestAfterDetach() {
    const auto touch_all = [&](const char* when) {
      const std::uint64_t before = instrument_.log().access_count();
      for (std::size_t at = 0; at < kArenaBytes; at += 32) OneByte(true).make(arena_.data() + at);
      if (instrument_.log().access_count() != before) ReportLegal(std::string("write of the runtime ") + when);
    };
    touch_all("between operators");
    Begin(OperatorPhase::kInvoke, all_operands_);
    End();
    touch_all("after an operator");
    instrument_.OnDetach();
    touch_all("after the detach");
  }

  static constexpr std::size_t kHeadBytes = 1024;
  static constexpr std::size_t kElsewhere = 2048;  // in the arena, and in no place that a test looks at
  static constexpr std::int32_t kLater = 20;       // scopes in which the other subgraph runs

  AccessInstrument& instrument_;
  SelfTestResult result_;
  CheckedMemory arena_{kArenaBytes, 0, kReserveBytes}, model_{kModelBytes};
  std::int32_t subgraph_ = 0;
  std::int32_t operator_index_ = -1;
  std::size_t access_count_ = 0;
  std::vector<OperandRange> operands_;  // of the running operator

  // 128 bytes or more lie between two of them: a crossing of 64 is charged to the right one.
  const OperandRange input_ = Range(64, 21, AccessRight::kRead, OperandKind::kInput, 0);
  const OperandRange output_ = Range(256, 40, AccessRight::kReadWrite, OperandKind::kOutput, 1);
  const OperandRange dead_tensor_ = Range(448, 32, AccessRight::kNone, OperandKind::kInput, 2);
  const OperandRange live_tensor_ = Range(608, 32, AccessRight::kRead, OperandKind::kInput, 3);
  const OperandRange own_scratch_ = Range(768, 20, AccessRight::kReadWrite, OperandKind::kScratch, 0);
  const OperandRange other_scratch_ = Range(960, 32, AccessRight::kNone, OperandKind::kScratch, 1);
  const OperandRange temporary_ = Range(1280, 24, AccessRight::kReadWrite, OperandKind::kTemporary, 0);
  const OperandRange own_persistent_ = Range(3520, 24, AccessRight::kReadWrite, OperandKind::kPersistent, 0);
  const OperandRange other_persistent_ = Range(3712, 32, AccessRight::kReadWrite, OperandKind::kPersistent, 0);
  const OperandRange bookkeeping_ = Range(3968, 128, AccessRight::kNone, OperandKind::kPersistent, 1);
  const OperandRange own_constant_ = Constant(128, 24, 4);
  const OperandRange other_constant_ = Constant(320, 32, 5);
  const std::vector<OperandRange> all_operands_{input_, output_, own_constant_, own_scratch_, own_persistent_};
};

}  // namespace

SelfTestResult RunInstrumentSelfTest(AccessInstrument& instrument) {
  if (instrument.NeedsWrappedKernels()) return RunGuardSelfTest(instrument);
  return instrument.ComparesRuns() ? RunTwoRunSelfTest(instrument) : SelfTest(instrument).Run();
}

}  // namespace arenaproof
