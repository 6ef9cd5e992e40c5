// Access lists by the rules that the self-test's network does not touch: bytes that an input and an output share, many
// scratch buffers, where variables stay, options of custom operators, constants that were moved.
#include <gmock/gmock.h>

#include "core/runtime/kernel_interface/limits.h"
#include "engine/cases/validated.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

alignas(64) std::byte listed_arena[4096];

std::byte* InArena(std::size_t offset) { return listed_arena + offset; }

OperandRange Listed(OperandKind kind, std::size_t offset, std::int32_t index, AccessRight right,
                    std::size_t bytes = 32) {
  return {InArena(offset), bytes, right, kind, index};
}

class AccessListRules : public ::testing::Test {
 protected:
  void SetUp() override { Attach(); }
  void Attach() { checker_.OnAttach({{listed_arena, sizeof listed_arena}, {}}, {}); }
  void Plan(std::vector<PlanEntry> plan, std::vector<BufferAlias> aliases = {}) {
    if (!aliases.empty()) checker_.OnBytesShared(aliases);
    checker_.OnPlanCommitted(listed_arena, plan);
    checker_.OnHeadResized({listed_arena, 1024});
  }
  // What is found wrong in the list of operator 0, without the words that name it.
  std::vector<std::string> Show(std::vector<OperandRange> operands, OperatorPhase phase = OperatorPhase::kInvoke,
                                std::int32_t index = 0) {
    const std::size_t before = checker_.inconsistencies().size();
    checker_.OnOperatorBegins({.phase = phase, .operator_index = index, .operands = operands});
    checker_.OnOperatorEnds();
    std::vector<std::string> found(checker_.inconsistencies().begin() + static_cast<std::ptrdiff_t>(before),
                                   checker_.inconsistencies().end());
    for (std::string& what : found) what.erase(0, what.find(": ") + 2);
    return found;
  }

  EventStreamChecker checker_;
};

constexpr auto kIn = OperandKind::kInput, kOut = OperandKind::kOutput;
constexpr auto kRead = AccessRight::kRead, kBoth = AccessRight::kReadWrite;
constexpr auto kReadHere = AccessRight::kReadInPlace, kBothHere = AccessRight::kReadWriteInPlace;

// Tensors 0 to 2 in the same bytes, 3 behind them; of these 0 and 1 are one group.
std::vector<PlanEntry> SharingPlan() {
  return {{.tensor = 0, .offset = 0, .bytes = 32, .first = 0, .last = 1},
          {.tensor = 1, .offset = 0, .bytes = 32, .first = 1, .last = 2},
          {.tensor = 2, .offset = 0, .bytes = 32, .first = 5, .last = 6},
          {.tensor = 3, .offset = 32, .bytes = 32, .first = 0, .last = 6}};
}

TEST_F(AccessListRules, LetAnInputAndTheOutputShareWhereThePlanDoes) {
  Plan(SharingPlan(), {{.buffer = 1, .owner = 0}});
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kReadHere), Listed(kOut, 0, 1, kBothHere)}), IsEmpty());
  EXPECT_THAT(Show({Listed(kOut, 0, 1, kBothHere), Listed(kIn, 0, 0, kReadHere)}),
              ElementsAre("input 0 is in place and no output in the very bytes of an input"));
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kReadHere), Listed(kOut, 0, 2, kBothHere)}),
              ElementsAre("output 2 is in place where the plan lets no bytes be shared"));
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kReadHere), Listed(kOut, 32, 3, kBothHere)}),
              ElementsAre("output 3 is in place and no output in the very bytes of an input"));
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kRead), Listed(kOut, 0, 1, kBoth)}), ElementsAre("operands 0 and 1 share bytes"));
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kReadHere), Listed(kOut, 0, 1, kBoth)}),
              ElementsAre("operands 0 and 1 share bytes"));
  Plan(SharingPlan(), {{.buffer = 2, .owner = 0}});
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kReadHere), Listed(kOut, 0, 2, kBothHere)}), IsEmpty());
}

TEST_F(AccessListRules, LetTwoInputsBeOneWhereThePlanDoes) {
  Plan(SharingPlan(), {{.buffer = 1, .owner = 0}});
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kRead), Listed(kIn, 0, 1, kRead)}), IsEmpty());
  EXPECT_THAT(Show({Listed(kIn, 0, 0, kRead), Listed(kIn, 0, 2, kRead)}), ElementsAre("operands 0 and 1 share bytes"));
  EXPECT_THAT(Show({Listed(kIn, 32, 3, kRead), Listed(kIn, 0, 0, kRead), Listed(kIn, 0, 1, kRead)}), IsEmpty());
}

TEST_F(AccessListRules, LetATrustedPlanShare) {
  EventStreamChecker trusting({.distance_bytes = 128, .trust_plan = true});
  trusting.OnAttach({{listed_arena, sizeof listed_arena}, {}}, {});
  trusting.OnPlanCommitted(listed_arena, SharingPlan());
  trusting.OnHeadResized({listed_arena, 1024});
  const OperandRange operands[] = {Listed(kIn, 0, 0, kRead), Listed(kOut, 0, 1, kBoth), Listed(kOut, 32, 3, kBoth)};
  trusting.OnOperatorBegins({.operands = operands});
  EXPECT_THAT(trusting.inconsistencies(), IsEmpty());
}

// More than the runtime's own frame holds: the list of their addresses may be read, all of it and nothing else.
TEST_F(AccessListRules, LetAnOperatorWithManyScratchBuffersReadTheirAddresses) {
  for (const std::size_t count : {kScratchOutsideArena, kScratchOutsideArena + 1}) {
    checker_.OnDetach();
    Attach();
    checker_.OnTailAllocated({InArena(2048), 2048});  // the runtime's own
    std::vector<PlanEntry> plan;
    for (std::size_t i = 0; i < count; ++i) {
      const auto index = static_cast<std::int32_t>(i);
      plan.push_back({.scratch = index, .owner_operator = 0, .offset = 0, .bytes = 0, .first = 1, .last = 1});
    }
    Plan(plan);
    const auto list = [&](std::size_t at, std::size_t addresses, AccessRight right) {
      return std::vector<OperandRange>{Listed(OperandKind::kPersistent, at, 0, right, addresses * sizeof(std::byte*))};
    };
    const char* const wrong = "persistent 0 is no tail block that was announced";
    const bool many = count > kScratchOutsideArena;
    EXPECT_EQ(Show(list(2048, count, kRead)).empty(), many);
    EXPECT_EQ(Show(list(2064, count, kRead)).empty(), many);
    EXPECT_THAT(Show(list(2048, count, kBoth)), ElementsAre(wrong));
    EXPECT_THAT(Show(list(2048, count - 1, kRead)), ElementsAre(wrong, "persistent 0 lacks the right to write"));
    EXPECT_THAT(Show(list(1024, count, kRead)), ElementsAre(wrong, "persistent 0 lacks the right to write"));
  }
}

TEST_F(AccessListRules, KeepVariablesWhereTheyWereUntilTheNextPlan) {
  checker_.OnTailAllocated({InArena(4064), 32});
  checker_.OnTailAllocated({InArena(4032), 32});
  const auto variable = [&](std::int32_t index, std::size_t offset) {
    return std::vector<OperandRange>{Listed(OperandKind::kVariable, offset, index, kBoth)};
  };
  const char* const moved = "does not lie where it lay, or where another variable lies";
  Plan({});
  EXPECT_THAT(Show(variable(0, 4064)), IsEmpty());
  EXPECT_THAT(Show(variable(0, 4064)), IsEmpty());
  EXPECT_THAT(Show(variable(0, 4032)), ElementsAre(HasSubstr(moved)));
  EXPECT_THAT(Show(variable(1, 4064)), ElementsAre(HasSubstr(moved)));
  Plan({});
  EXPECT_THAT(Show(variable(0, 4032)), IsEmpty());
  EXPECT_THAT(Show(variable(1, 4064)), IsEmpty());
  checker_.OnDetach();
  Attach();
  checker_.OnTailAllocated({InArena(4064), 32});
  Plan({});
  EXPECT_THAT(Show(variable(0, 4064)), IsEmpty());
}

TEST_F(AccessListRules, LetAnOutputLieInABlockOfAnOperatorFromPrepareOn) {
  checker_.OnTailAllocated({InArena(4064), 32});  // the runtime's own
  checker_.OnOperatorBegins({.phase = OperatorPhase::kPrepare, .operands = {}});
  checker_.OnRuntimeEnters();
  checker_.OnTailAllocated({InArena(4032), 32});
  checker_.OnRuntimeLeaves();
  checker_.OnOperatorEnds();
  for (const OperatorPhase phase : {OperatorPhase::kPrepare, OperatorPhase::kInvoke}) {
    if (phase == OperatorPhase::kInvoke) Plan({});
    EXPECT_THAT(Show({Listed(kOut, 4032, 5, kBoth, 32)}, phase), IsEmpty());
    EXPECT_THAT(Show({Listed(kOut, 4040, 5, kBoth, 8)}, phase), IsEmpty()) << "a part of it";
    EXPECT_EQ(Show({Listed(kOut, 4072, 5, kBoth, 8)}, phase).size(), 1U) << "a part of the runtime's";
  }
}

class OwnPlacement final : public ConstantPlacement {
 public:
  const std::byte* Locate(std::uint32_t buffer, const std::byte* in_file) override {
    return in_file != nullptr && buffer == moved_buffer ? moved : in_file;
  }
  std::uint32_t moved_buffer = 0;
  std::byte moved[16] = {};
};

TEST_F(AccessListRules, KnowTheOfflinePlanOfTheModelThatTheyCompareWith) {
  ModelBuilder with, without;
  for (ModelBuilder* const builder : {&with, &without}) builder->AddSubgraph();
  with.AddMetadata("OfflineMemoryAllocation", {});
  with.AddMetadata("another", {});
  const std::vector<std::byte> planned = with.Finish(), unplanned = without.Finish();
  const ValidatedModel of_planned = Validated(planned), of_unplanned = Validated(unplanned);
  checker_.CompareWith(&of_planned);
  EXPECT_TRUE(checker_.has_offline_plan());
  checker_.CompareWith(&of_unplanned);
  EXPECT_FALSE(checker_.has_offline_plan());
  checker_.CompareWith(&of_planned);
  checker_.CompareWith(nullptr);
  EXPECT_FALSE(checker_.has_offline_plan());
}

// A custom operator with options and a constant, then one without options, then a builtin one.
TEST_F(AccessListRules, OpenExactlyTheOptionsOfCustomOperatorsAndConstantsWhereTheyAre) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::uint32_t buffer = builder.AddBuffer(std::vector<std::byte>(16, std::byte{7}));
  for (int i = 0; i < 4; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}});
  const std::int32_t constant = graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}, .buffer = buffer});
  const std::uint32_t code = builder.AddCustomCode("own");
  graph.AddOperator({.code = code,
                     .inputs = {0, constant},
                     .outputs = {1},
                     .custom_options = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}}});
  graph.AddOperator({.code = code, .inputs = {1}, .outputs = {2}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {2}, .outputs = {3}});
  graph.inputs = {0};
  graph.outputs = {3};
  const std::vector<std::byte> file = builder.Finish();
  const ValidatedModel model = Validated(file);
  checker_.CompareWith(&model);
  const std::span<const std::byte> own = model.operator_at(0, 0).custom_options;
  const std::span<const std::byte> data = model.buffer(buffer).data;
  const auto options = [](const std::byte* bytes, std::size_t count, std::int32_t index = 0) {
    return OperandRange{bytes, count, kRead, OperandKind::kOptions, index};
  };
  const auto at = [&](const std::byte* bytes, std::size_t count) {
    return OperandRange{bytes, count, kRead, OperandKind::kConstant, constant};
  };
  constexpr auto kPrepare = OperatorPhase::kPrepare;
  EXPECT_THAT(Show({options(own.data(), 5)}, kPrepare), IsEmpty());
  EXPECT_THAT(Show({options(own.data(), 5)}, OperatorPhase::kInit), IsEmpty());
  EXPECT_THAT(Show({}, kPrepare), ElementsAre("its options are not listed"));
  EXPECT_THAT(Show({options(own.data(), 4)}, kPrepare), ElementsAre("options 0 is not exactly the operator's options"));
  EXPECT_THAT(Show({options(own.data() + 1, 5)}, kPrepare),
              ElementsAre("options 0 is not exactly the operator's options"));
  EXPECT_THAT(Show({options(own.data(), 5, 1)}, kPrepare),
              ElementsAre("options 1 is not exactly the operator's options"));
  EXPECT_THAT(Show({}, kPrepare, 1), IsEmpty());
  for (const std::int32_t other : {1, 2}) {
    EXPECT_THAT(Show({options(own.data(), 5)}, kPrepare, other),
                ElementsAre("options 0 is not exactly the operator's options"));
  }
  EXPECT_THAT(Show({options(own.data(), 5), at(data.data(), 16)}, kPrepare), IsEmpty());

  OwnPlacement placement;
  placement.moved_buffer = buffer;
  checker_.CompareWith(&model, &placement);
  EXPECT_THAT(Show({options(own.data(), 5), at(placement.moved, 16)}, kPrepare), IsEmpty());
  EXPECT_THAT(Show({options(own.data(), 5), at(data.data(), 16)}, kPrepare),
              ElementsAre("tensor 4 is a constant, and not exactly its bytes are open"));
  checker_.CompareWith(&model);
  EXPECT_THAT(Show({options(own.data(), 5), at(data.data(), 16)}, kPrepare), IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
