// What reports say: the words for whose bytes were touched and where they lie, the sentence of each kind of violation,
// and how a log puts violations together.
#include <gmock/gmock.h>

#include "sanitizers/report/byte_registry.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {
namespace {

const std::byte* Far(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

constexpr std::uintptr_t kArena = 0x100000, kPersistent = 0x200000, kModel = 0x300000, kConstant = 0x400000;

ByteRegistry EverythingRegistered() {
  ByteRegistry registry;
  registry.SetArena({Far(kArena), 0x1000}, {Far(kPersistent), 0x1000});
  registry.SetReserve({Far(kArena - 16), 16});
  registry.SetModel({Far(kModel), 0x1000});
  registry.AddConstant(7, {Far(kConstant), 32}, 2);
  registry.AddConstant(8, {Far(kModel + 64), 32});
  registry.AddQuantization(8, {Far(kModel + 128), 4});
  registry.AddQuantization(9, {Far(kModel + 256), 0});
  const PlanEntry plan[] = {{.tensor = 3, .offset = 0, .bytes = 64, .first = 1, .last = 2},
                            {.subgraph = 1, .tensor = 4, .offset = 32, .bytes = 64, .first = 3, .last = 4},
                            {.scratch = 5, .owner_operator = 6, .offset = 128, .bytes = 16, .first = 4, .last = 4},
                            {.tensor = 6, .offset = 192, .bytes = 0, .first = 0, .last = 9}};
  registry.SetPlan(Far(kArena), plan);
  registry.NameTensor(0, 3, "conv1");
  registry.NameTensor(2, 7, "weights");
  registry.AddTemporary({Far(kArena + 140), 20});
  registry.AddTailBlock({Far(kArena + 0xf00), 0x100}, -1);
  registry.AddTailBlock({Far(kPersistent + 0xff0), 16}, 5);
  return registry;
}

TEST(Owners, AreDescribedByWhatTheyAreAtTheTime) {
  const ByteRegistry registry = EverythingRegistered();
  const OperandRange own[] = {{Far(kArena + 512), 16, AccessRight::kRead, OperandKind::kVariable, 2}};
  struct {
    std::uintptr_t address;
    std::int32_t scope;
    const char* words;
  } const rows[] = {
      {kArena + 512, 4, "its own variable 2"},
      {kArena + 511, 4, "a gap of the arena that nothing owns"},
      {kArena + 192, 4, "a gap of the arena that nothing owns"},
      {kArena + 0, 0, "dead tensor 3 'conv1' (lives in steps 1 to 2; now step 0)"},
      {kArena + 0, 1, "live tensor 3 'conv1' of other operators (lives in steps 1 to 2; now step 1)"},
      {kArena + 0, 2, "live tensor 3 'conv1' of other operators (lives in steps 1 to 2; now step 2)"},
      {kArena + 0, 3, "dead tensor 3 'conv1' (lives in steps 1 to 2; now step 3)"},
      {kArena + 0, -1, "dead tensor 3 'conv1' (lives in steps 1 to 2)"},
      {kArena + 40, 1, "live tensor 3 'conv1' of other operators (lives in steps 1 to 2; now step 1)"},
      {kArena + 40, 3, "live tensor 4 of subgraph 1 of other operators (lives in steps 3 to 4; now step 3)"},
      {kArena + 40, 9, "dead tensor 3 'conv1' (lives in steps 1 to 2; now step 9)"},
      {kArena + 95, 5, "dead tensor 4 of subgraph 1 (lives in steps 3 to 4; now step 5)"},
      {kArena + 130, 4, "scratch buffer 5 of operator 6 (lives in steps 4 to 4; now step 4)"},
      {kArena + 130, 1, "scratch buffer 5 of operator 6 (lives in steps 4 to 4; now step 1)"},
      {kArena + 140, 4, "a temporary of the runtime"},
      {kArena + 0xf00, 4, "the allocator's bookkeeping in the tail"},
      {kArena + 0xeff, 4, "a gap of the arena that nothing owns"},
      {kPersistent + 0xfff, 4, "persistent memory of operator 5"},
      {kPersistent, 4, "a gap of the arena that nothing owns"},
      {kConstant + 31, 4, "constant tensor 7 'weights' of subgraph 2"},
      {kConstant + 32, 4, "a closed guard of the checker, outside of arena and model"},
      {kModel + 64, 4, "constant tensor 8"},
      {kModel + 131, 4, "the quantisation of tensor 8"},
      {kModel + 132, 4, "another part of the model file"},
      {kModel + 256, 4, "another part of the model file"},
      {kArena - 16, 4, "the 16 bytes reserved in front of the head"},
      {kArena - 17, 4, "a closed guard of the checker, outside of arena and model"},
      {kArena + 0x1000, 4, "a closed guard of the checker, outside of arena and model"},
  };
  for (const auto& row : rows) {
    const RunningOperator running{own, row.scope};
    EXPECT_EQ(registry.Describe(registry.OwnerOf(Far(row.address), running), running), row.words)
        << std::hex << row.address << " in scope " << row.scope;
  }
}

TEST(Owners, GoAsTheyCame) {
  ByteRegistry registry = EverythingRegistered();
  const auto state = [&](std::uintptr_t address) { return registry.OwnerOf(Far(address), {{}, 4}).state; };
  // Two temporaries at one address: the later one goes first.
  registry.AddTemporary({Far(kArena + 0x400), 8});
  registry.AddTemporary({Far(kArena + 0x400), 32});
  registry.RemoveTemporary(Far(kArena + 0x401));
  EXPECT_EQ(state(kArena + 0x41f), ByteState::kTemporary);
  registry.RemoveTemporary(Far(kArena + 0x400));
  EXPECT_EQ(state(kArena + 0x408), ByteState::kGap);
  EXPECT_EQ(state(kArena + 0x407), ByteState::kTemporary);
  registry.ClearTemporaries();
  EXPECT_EQ(state(kArena + 0x400), ByteState::kGap);
  EXPECT_EQ(state(kArena + 140), ByteState::kScratch);
  EXPECT_TRUE(registry.InTailBlock(Far(kArena + 0xfff)));
  EXPECT_FALSE(registry.InTailBlock(Far(kArena + 0xeff)));
  registry.RemoveTailBlocksBelow(Far(kArena + 0xf00));
  EXPECT_TRUE(registry.InTailBlock(Far(kArena + 0xf00)));
  registry.RemoveTailBlocksBelow(Far(kArena + 0xf01));
  EXPECT_FALSE(registry.InTailBlock(Far(kArena + 0xf01)));
  EXPECT_EQ(state(kPersistent + 0xff0), ByteState::kTail);
  registry.AddTemporary({Far(kArena + 0x400), 8});
  registry.ForgetPlan();
  for (const std::uintptr_t address : {kArena, kArena + 0x400, kPersistent + 0xff0}) {
    EXPECT_EQ(state(address), ByteState::kGap) << std::hex << address;
  }
  EXPECT_EQ(state(kConstant), ByteState::kConstant);
  EXPECT_EQ(registry.TensorName(0, 3), "conv1");
  EXPECT_EQ(registry.TensorName(1, 3), "");
}

// The clock of lifetimes: an operator's outputs say what it shows.
TEST(Owners, LiveByTheOutputsOfTheOperatorThatRuns) {
  ByteRegistry registry = EverythingRegistered();
  const auto output = [](std::int32_t tensor, OperandKind kind = OperandKind::kOutput) {
    return OperandRange{Far(kArena), 8, AccessRight::kWrite, kind, tensor};
  };
  const OperandRange first[] = {output(3)}, both[] = {output(6), output(3)},
                     inputs[] = {output(3, OperandKind::kInput)};
  EXPECT_EQ(registry.ScopeOf(0, 7, first), 1);
  EXPECT_EQ(registry.ScopeOf(0, 7, both), 1);
  EXPECT_EQ(registry.ScopeOf(1, 7, first), -1) << "of another subgraph, and there are several";
  EXPECT_EQ(registry.ScopeOf(0, 7, inputs), -1);
  registry.SetPlan(Far(kArena), std::vector<PlanEntry>{{.tensor = 3, .bytes = 8, .first = 4, .last = 5},
                                                       {.tensor = 6, .bytes = 8, .first = 0, .last = 5}});
  EXPECT_EQ(registry.ScopeOf(0, 7, first), 4);
  EXPECT_EQ(registry.ScopeOf(0, 7, both), 4);
  EXPECT_EQ(registry.ScopeOf(0, 7, inputs), 8) << "its place among the operators";
}

TEST(Places, AreNamedFromWhatTheyAreInOrNear) {
  const ByteRegistry registry = EverythingRegistered();
  struct {
    std::uintptr_t address;
    const char* words;
  } const rows[] = {
      {kArena, "arena+0x0000"},
      {kArena + 0xfff, "arena+0x0fff"},
      {kArena - 1, "arena-0x0001"},
      {kArena - 4096, "arena-0x1000"},
      {kArena - 4097, "0xfefff"},
      {kArena + 0x1fff, "arena+0x1fff"},
      {kArena + 0x2000, "0x102000"},
      {kPersistent + 1, "persistent+0x0001"},
      {kPersistent - 1, "persistent-0x0001"},
      {kModel + 0x10, "model+0x0010"},
      {kModel - 2, "model-0x0002"},
      {kConstant + 16, "constant 7+0x0010"},
      {kConstant - 16, "constant 7-0x0010"},
      {kConstant + 32 + 4096, "0x401020"},
  };
  for (const auto& row : rows) EXPECT_EQ(registry.Place(Far(row.address)), row.words);
  // Of neighbours the one that the byte lies in.
  ByteRegistry neighbours;
  neighbours.SetArena({Far(0x1000), 0x100}, {Far(0x1100), 0x100});
  neighbours.SetModel({Far(0x1200), 0x100});
  EXPECT_EQ(neighbours.Place(Far(0x1100)), "persistent+0x0000");
  EXPECT_EQ(neighbours.Place(Far(0x1200)), "model+0x0000");
  EXPECT_EQ(neighbours.Place(Far(0x1300)), "arena+0x0300");
  EXPECT_EQ(ByteRegistry().Place(Far(0x10)), "0x10");
}

TEST(States, HaveTheirNames) {
  EXPECT_STREQ(ByteStateName(ByteState::kGap), "gap");
  EXPECT_STREQ(ByteStateName(ByteState::kDeadTensor), "dead_tensor");
  EXPECT_STREQ(ByteStateName(ByteState::kLiveTensor), "live_tensor");
  EXPECT_STREQ(ByteStateName(ByteState::kOwnOperand), "own_operand");
  EXPECT_STREQ(ByteStateName(ByteState::kScratch), "scratch");
  EXPECT_STREQ(ByteStateName(ByteState::kTail), "tail");
  EXPECT_STREQ(ByteStateName(ByteState::kTemporary), "temporary");
  EXPECT_STREQ(ByteStateName(ByteState::kConstant), "constant");
  EXPECT_STREQ(ByteStateName(ByteState::kGuard), "guard");
  EXPECT_STREQ(ByteStateName(ByteState::kModelFile), "model_file");
  EXPECT_STREQ(ByteStateName(ByteState::kReserve), "reserve");
  EXPECT_STREQ(ByteStateName(ByteState::kQuantization), "quantization");
  EXPECT_STREQ(ReserveVerdictName(ReserveVerdict::kNoReserve), "none");
  EXPECT_STREQ(ReserveVerdictName(ReserveVerdict::kNotChecked), "not_checked");
  EXPECT_STREQ(ReserveVerdictName(ReserveVerdict::kContained), "contained");
  EXPECT_STREQ(ReserveVerdictName(ReserveVerdict::kReachesObject), "reaches_object");
  EXPECT_STREQ(ReserveVerdictName(ReserveVerdict::kLeavesAllocation), "leaves_allocation");
}

Violation AtSide(ViolationSide side) {
  Violation violation;
  violation.op = {.subgraph = 0, .index = 3, .phase = OperatorPhase::kPrepare, .name = "ADD", .kernel = "own"};
  violation.operand = {Far(kArena), 20, AccessRight::kRead, OperandKind::kInput, 7};
  violation.side = side;
  violation.distance_bytes = 12;
  violation.min_width_bytes = violation.max_width_bytes = 16;
  violation.count = 2;
  violation.lowest_touched = 5;
  violation.state = "a gap";
  return violation;
}

TEST(ViolationSentences, SayWhoDidWhatWhere) {
  const auto say = [](ViolationSide side, void (*change)(Violation&), const std::string& name = "") {
    Violation violation = AtSide(side);
    change(violation);
    return ViolationSentence(violation, name);
  };
  const auto as_it_is = [](Violation&) {};
  const std::string who = "ADD (operator 3, kernel own) ";
  const std::string rest = " in prepare, 2 accesses, 16 bytes wide; at the furthest byte lies a gap";
  EXPECT_EQ(say(ViolationSide::kBefore, as_it_is), who + "reads up to 12 bytes before input 7 (20 bytes)" + rest);
  EXPECT_EQ(say(ViolationSide::kAfter, as_it_is, "x"),
            who + "reads up to 12 bytes after input 7 'x' (20 bytes)" + rest);
  EXPECT_EQ(say(ViolationSide::kInside, as_it_is),
            who + "reads bytes of input 7 (20 bytes), which it may only write" + rest);
  EXPECT_EQ(say(ViolationSide::kInside, [](Violation& v) { v.write = true; }),
            who + "writes bytes of input 7 (20 bytes), which it may only read" + rest);
  EXPECT_EQ(say(ViolationSide::kOverwritten, as_it_is),
            who + "reads bytes of input 7 (20 bytes) that it has overwritten with its output" + rest);
  EXPECT_EQ(say(ViolationSide::kFar, as_it_is),
            who + "reads far from its operands, 12 bytes away from input 7 (20 bytes)" + rest);
  EXPECT_EQ(say(ViolationSide::kFar, [](Violation& v) { v.operand = {}; }),
            who + "reads far from its operands, 12 bytes away from any operand" + rest);
  EXPECT_EQ(say(ViolationSide::kBefore,
                [](Violation& v) {
                  v.op = {-1, -1, OperatorPhase::kRuntime, RuntimeWorkName(RuntimeWork::kTensorCopy), "runtime"};
                  v.count = v.min_width_bytes = v.distance_bytes = v.operand.bytes = 1;
                  v.max_width_bytes = 4;
                }),
            "the runtime, copying tensors, reads up to 1 byte before input 7 (1 byte), 1 access, 1 to 4 bytes wide; at "
            "the furthest byte lies a gap");
  EXPECT_EQ(say(ViolationSide::kUnwritten, as_it_is),
            who +
                "leaves bytes of input 7 (20 bytes) unwritten, or makes them from bytes that nobody has written: 16 "
                "bytes, the first is byte 5");
  EXPECT_EQ(say(ViolationSide::kUnwritten, [](Violation& v) { v.operand = {}; }),
            who + "decides, computes an address or calls the system by bytes that nobody has written");
  EXPECT_EQ(say(ViolationSide::kDiffers, [](Violation& v) { v.operand = {}; }),
            who +
                "fails, or is run, in one of two runs only, between which nothing but bytes outside of its operands or "
                "not yet written differs");
}

TEST(ViolationLogs, KeepTheWorksOfTheRuntimeApart) {
  ViolationLog log;
  Violation violation = AtSide(ViolationSide::kAfter);
  violation.op.phase = OperatorPhase::kRuntime;
  log.Add(violation);
  violation.op.name = RuntimeWorkName(RuntimeWork::kPlanning);
  EXPECT_EQ(log.Find(violation), nullptr);
  log.Add(violation);
  EXPECT_EQ(log.groups().size(), 2U);
  violation.op.phase = OperatorPhase::kInvoke;
  log.Add(violation);
  violation.op.name = "the same operator";
  violation.op.kernel = "by another name";
  log.Add(violation);
  EXPECT_EQ(log.groups().size(), 3U);
}

TEST(ViolationLogs, TakeThePictureOfTheFurthestAndOfTheFirstOfThese) {
  ViolationLog log;
  for (const auto& [distance, map] : {std::pair(3U, "near"), std::pair(9U, "far"), std::pair(9U, "as far")}) {
    Violation violation = AtSide(ViolationSide::kAfter);
    violation.distance_bytes = distance;
    violation.map = {map};
    log.Add(violation);
  }
  EXPECT_EQ(log.groups()[0].map, std::vector<std::string>{"far"});
  EXPECT_EQ(log.groups()[0].count, 6U);
}

TEST(ViolationLogs, GoOnWithWhatTheyHaveWhenTheyAreFullAndStartAnewWhenCleared) {
  ViolationLog log;
  Violation violation = AtSide(ViolationSide::kAfter);
  for (std::size_t i = 0; i <= ViolationLog::kMaxGroups; ++i) {
    violation.op.index = static_cast<std::int32_t>(i);
    log.Add(violation);
  }
  violation.op.index = 0;
  violation.distance_bytes = 40;
  log.Add(violation);
  EXPECT_EQ(log.groups()[0].count, 4U);
  EXPECT_EQ(log.groups()[0].distance_bytes, 40U);
  log.Clear();
  EXPECT_TRUE(log.groups().empty());
  EXPECT_EQ(log.access_count(), 0U);
  EXPECT_FALSE(log.capped());
}

}  // namespace
}  // namespace arenaproof
