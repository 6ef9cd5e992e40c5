// Kinds of operands that an operator never has, or not in this phase, and operators that the model never had: each is
// named for itself, also where nothing else is wrong with the list.
#include <gmock/gmock.h>

#include "engine/cases/validated.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

alignas(64) std::byte kinds_arena[1024];

class ListedKinds : public ::testing::Test {
 protected:
  ListedKinds() {
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    for (int i = 0; i < 2; ++i) {
      graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}, .quantization = Scale(0.5f, 3)});
    }
    graph.AddOperator({.code = builder.AddCustomCode("own"),
                       .inputs = {0},
                       .outputs = {1},
                       .custom_options = std::vector<std::byte>(8, std::byte{1})});
    graph.inputs = {0};
    graph.outputs = {1};
    file_ = builder.Finish();
    checker_.OnAttach({{kinds_arena, sizeof kinds_arena}, {}}, {});
    checker_.OnTailAllocated({kinds_arena + 960, 64});
    checker_.OnPlanCommitted(kinds_arena, {});
  }
  // What is found wrong, without the words that name the list.
  std::vector<std::string> Show(const OperandRange& operand, OperatorPhase phase = OperatorPhase::kInvoke) {
    const std::size_t before = checker_.inconsistencies().size();
    checker_.OnOperatorBegins({.phase = phase, .operands = {&operand, 1}});
    checker_.OnOperatorEnds();
    std::vector<std::string> found(checker_.inconsistencies().begin() + static_cast<std::ptrdiff_t>(before),
                                   checker_.inconsistencies().end());
    for (std::string& what : found) what.erase(0, what.find(": ") + 2);
    return found;
  }

  std::vector<std::byte> file_;
  EventStreamChecker checker_;
};

TEST_F(ListedKinds, AreNoneOfTheRuntimesOwnAndNoTemporaries) {
  for (const auto& [kind, name] :
       {std::pair{OperandKind::kWorkspace, "workspace 0"}, std::pair{OperandKind::kRecord, "record 0"},
        std::pair{OperandKind::kSource, "source 0"}, std::pair{OperandKind::kDestination, "destination 0"}}) {
    EXPECT_THAT(Show({kinds_arena, 16, AccessRight::kReadWrite, kind, 0}, OperatorPhase::kPrepare),
                ElementsAre(std::string(name) + " is of the runtime's own work, and no operator's"));
  }
  EXPECT_THAT(Show({kinds_arena, 16, AccessRight::kReadWrite, OperandKind::kTemporary, 0}, OperatorPhase::kPrepare),
              ElementsAre("temporary 0 is a temporary, and its operator only begins"));
  EXPECT_THAT(Show({kinds_arena + 960, 64, AccessRight::kReadWrite, OperandKind::kPersistent, 0}),
              ElementsAre("persistent 0 is a block of the runtime's own"));
}

TEST_F(ListedKinds, OfTheFileAreConstantsAloneInInvoke) {
  const ValidatedModel model = Validated(file_);
  const QuantizationView lists = model.tensor(0, 0).quantization;
  const std::span<const std::byte> options = model.operator_at(0, 0).custom_options;
  const auto* const scales = reinterpret_cast<const std::byte*>(lists.scales.data());
  for (const bool compares : {false, true}) {
    if (compares) checker_.CompareWith(&model);
    EXPECT_THAT(Show({scales, sizeof(float), AccessRight::kRead, OperandKind::kQuantization, 0}),
                ElementsAre("quantization 0 is open in invoke"));
    EXPECT_THAT(Show({options.data(), options.size(), AccessRight::kRead, OperandKind::kOptions, 0}),
                ElementsAre("options 0 is open in invoke"));
    EXPECT_THAT(
        Show({options.data(), options.size(), AccessRight::kRead, OperandKind::kOptions, 0}, OperatorPhase::kPrepare),
        IsEmpty());
  }
}

TEST_F(ListedKinds, LieInTheFileAndMayOnlyBeRead) {
  for (const auto& [kind, name] :
       {std::pair{OperandKind::kConstant, "constant 0"}, std::pair{OperandKind::kQuantization, "quantization 0"},
        std::pair{OperandKind::kOptions, "options 0"}}) {
    EXPECT_THAT(Show({kinds_arena, 16, AccessRight::kRead, kind, 0}, OperatorPhase::kPrepare),
                ElementsAre(std::string(name) + " lies in the arena"));
    EXPECT_THAT(Show({file_.data(), 16, AccessRight::kReadWrite, kind, 0}, OperatorPhase::kPrepare),
                ElementsAre(std::string(name) + " has a right too many"));
  }
}

TEST_F(ListedKinds, AreOfOperatorsThatTheModelHas) {
  const ValidatedModel model = Validated(file_);
  checker_.CompareWith(&model);
  for (const auto& [subgraph, index, what] :
       {std::tuple{1, 0, "an operator of a subgraph that the model lacks begins"},
        std::tuple{-1, 0, "an operator of a subgraph that the model lacks begins"},
        std::tuple{0, 1, "an operator that the model lacks begins"},
        std::tuple{0, -1, "an operator that the model lacks begins"}}) {
    const std::size_t before = checker_.inconsistencies().size();
    checker_.OnOperatorBegins({.subgraph = subgraph, .operator_index = index, .operands = {}});
    checker_.OnOperatorEnds();
    ASSERT_EQ(checker_.inconsistencies().size(), before + 1) << subgraph << " " << index;
    EXPECT_EQ(checker_.inconsistencies().back(), what);
  }
}

}  // namespace
}  // namespace arenaproof::testing
