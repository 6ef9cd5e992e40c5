// The fields of a worker's events, from values of which each has its own.
#include "tools/worker/report_events.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tools/model_builder/model_builder.h"
#include "tools/text/refusal_code.h"

namespace arenaproof {
namespace {

using Json = nlohmann::json;

// x -> ADD -> y, and in another subgraph a, b -> MUL.
std::vector<std::byte> TwoSubgraphs() {
  ModelBuilder builder;
  for (const bool first : {true, false}) {
    SubgraphSpec& graph = builder.AddSubgraph();
    for (const char* name : {first ? "x" : "a", first ? "y" : "b"}) graph.AddTensor({.name = name, .shape = {{12}}});
    graph.AddOperator({.code = builder.AddCode(first ? BuiltinOperator::kAdd : BuiltinOperator::kMul),
                       .inputs = {0, 0},
                       .outputs = {1}});
    graph.inputs = {0};
    graph.outputs = {1};
  }
  return builder.Finish();
}

class ReportEvents : public ::testing::Test {
 protected:
  ReportEvents() { EXPECT_TRUE(ModelView::Open(file_, &model_).ok()); }

  const std::vector<std::byte> file_ = TwoSubgraphs();
  ModelView model_;
};

TEST_F(ReportEvents, OfARefusalHaveWhatIsKnown) {
  RunRefusal refusal = Refusal("allocate", Failure(StatusCode::kPlanUnplaced, 5, 6), {1, 0, OperatorPhase::kPrepare});
  refusal.small_arenas = {{"head", 10, 20}, {"tail", 30, 40}};
  refusal.overlap.emplace();
  refusal.overlap->first = {.subgraph = 0, .tensor = 1, .offset = 16, .bytes = 48, .first = 2, .last = 3};
  refusal.overlap->second = {.subgraph = 1, .tensor = 0, .offset = 32, .bytes = 47, .first = 4, .last = 5};
  const Json fields = RefusalFields(refusal, &model_);
  EXPECT_EQ(fields.at("code"), "plan_unplaced");
  EXPECT_EQ(fields.at("detail"), Json({5, 6, 0, 0}));
  EXPECT_EQ(fields.at("subgraph"), 1);
  EXPECT_EQ(fields.at("operator"), 0);
  EXPECT_EQ(fields.at("operator_name"), "MUL");
  EXPECT_NE(fields.at("sentence"), "");
  ASSERT_EQ(fields.at("small_arenas").size(), 2u);
  EXPECT_EQ(fields.at("small_arenas")[1], Json({{"arena", "tail"}, {"given_bytes", 30}, {"need_bytes", 40}}));
  ASSERT_EQ(fields.at("buffers").size(), 2u);
  EXPECT_EQ(fields.at("buffers")[0].at("name"), "y");
  EXPECT_EQ(fields.at("buffers")[1].at("name"), "a");
  EXPECT_EQ(fields.at("buffers")[1].at("offset"), 32);
  EXPECT_EQ(fields.at("buffers")[1].at("bytes"), 47);
  EXPECT_EQ(fields.at("buffers")[1].at("first_step"), 4);
  EXPECT_EQ(fields.at("buffers")[1].at("last_step"), 5);
  // Without a model there are no names.
  const Json bare = RefusalFields(refusal, nullptr);
  EXPECT_TRUE(bare.at("buffers").empty());
  EXPECT_EQ(bare.at("operator_name"), "");
}

TEST_F(ReportEvents, OfARefusalHaveTheSentenceAndCodeThatWereGiven) {
  const Json given = RefusalFields(Refusal("kernels", ToolRefusal::kKernelsUnknown, "a sentence"), &model_);
  EXPECT_EQ(given.at("code"), RefusalCode(ToolRefusal::kKernelsUnknown));
  EXPECT_EQ(given.at("sentence"), "a sentence");
  EXPECT_EQ(given.at("operator"), -1);
  EXPECT_EQ(given.at("larger_arena"), false);
  EXPECT_EQ(RefusalFields(Refusal("allocate", Failure(StatusCode::kLayoutMemory)), nullptr).at("stage"), "memory");
}

TEST_F(ReportEvents, OfASelfTestAreBlindForLegalAccessesThatWereReported) {
  SelfTestResult result;
  result.ran = true;
  result.seen = {"a read"};
  result.limits = {"nothing"};
  EXPECT_EQ(SelfTestFields(result).at("sees"), true);
  result.legal_reported = {"write"};
  const Json fields = SelfTestFields(result);
  EXPECT_EQ(fields.at("sees"), false);
  EXPECT_EQ(fields.at("what"), Json({"a read"}));
  EXPECT_EQ(fields.at("missed"), Json({"silence at a legal write"}));
  EXPECT_EQ(fields.at("limits"), Json({"nothing"}));
}

TEST_F(ReportEvents, OfBlindPairsCountAllAndListTwenty) {
  static std::array<std::byte, 7> bytes;
  std::vector<OperandRange> operands;
  for (std::int32_t i = 0; i < 7; ++i) {
    operands.push_back({bytes.data() + i, 1, AccessRight::kRead, OperandKind::kInput, i});
  }
  CheckingObserver observer;
  OperatorScope scope;
  scope.subgraph = 1;
  scope.operator_name = "MUL";
  scope.operands = operands;
  observer.OnOperatorBegins(scope);
  observer.OnOperatorEnds();
  scope.phase = OperatorPhase::kPrepare;
  scope.operands = std::span(operands).first(2);
  observer.OnOperatorBegins(scope);
  observer.OnOperatorEnds();
  const Json fields = BlindPairFields(observer);
  EXPECT_EQ(fields.at("count"), 21);
  EXPECT_EQ(fields.at("pairs").size(), 20u);
  EXPECT_EQ(fields.at("prepare_count"), 1);
  ASSERT_EQ(fields.at("prepare_pairs").size(), 1u);
  const Json& pair = fields.at("prepare_pairs")[0];
  EXPECT_EQ(pair.at("subgraph"), 1);
  EXPECT_EQ(pair.at("first_index"), 0);
  EXPECT_EQ(pair.at("second_index"), 1);
  EXPECT_EQ(pair.at("distance_bytes"), 0);
}

TEST_F(ReportEvents, OfOperandsThatAreNotExactHaveTheirPlaceInAGranule) {
  alignas(8) static std::array<std::byte, 32> bytes;
  const OperandRange operand = {bytes.data() + 3, 10, AccessRight::kRead, OperandKind::kInput, 1};
  OperandRange scratch = operand;
  scratch.kind = OperandKind::kScratch;
  const Json list = NotExactFields(model_, {{1, 0, "MUL", operand, 7, 8}, {0, 0, "ADD", scratch, 0, 0}}).at("operands");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].at("start_modulo_8"), 3);
  EXPECT_EQ(list[0].at("end_modulo_8"), 5);
  EXPECT_EQ(list[0].at("blind_before_bytes"), 7);
  EXPECT_EQ(list[0].at("blind_after_bytes"), 8);
  EXPECT_EQ(list[0].at("name"), "b");
  EXPECT_EQ(list[1].at("name"), "") << "its index is no tensor's";
}

Json Violated(const ModelView& model, std::int32_t subgraph, std::int32_t index, OperandKind kind,
              std::int32_t operand) {
  const std::array<StepOperator, 4> steps = {StepOperator{}, StepOperator{{0, 0, OperatorPhase::kInit}},
                                             StepOperator{{1, 0, OperatorPhase::kInit}},
                                             StepOperator{{1, 0, OperatorPhase::kInit}}};
  static std::byte byte;
  Violation violation;
  violation.op.subgraph = subgraph;
  violation.op.index = index;
  violation.operand = {&byte, 1, AccessRight::kRead, kind, operand};
  return ViolationFields(model, steps, violation);
}

TEST_F(ReportEvents, OfAViolationHaveTheFirstStepOfItsOperator) {
  EXPECT_EQ(Violated(model_, 0, 0, OperandKind::kInput, 1).at("step"), 1);
  EXPECT_EQ(Violated(model_, 1, 0, OperandKind::kInput, 1).at("step"), 2);
  EXPECT_EQ(Violated(model_, 1, 1, OperandKind::kInput, 1).at("step"), -1);
  EXPECT_EQ(Violated(model_, -1, -1, OperandKind::kRecord, 1).at("step"), -1) << "the runtime's own work has none";
}

TEST_F(ReportEvents, OfAViolationNameTheTensorOfTheOperatorsSubgraph) {
  EXPECT_EQ(Violated(model_, 0, 0, OperandKind::kOutput, 1).at("operand_name"), "y");
  EXPECT_EQ(Violated(model_, 1, 0, OperandKind::kOutput, 1).at("operand_name"), "b");
  for (const auto& [subgraph, tensor] : {std::pair{0, 2}, {0, -1}, {2, 0}, {-1, 0}}) {
    EXPECT_EQ(Violated(model_, subgraph, 0, OperandKind::kInput, tensor).at("operand_name"), "") << subgraph << tensor;
  }
  EXPECT_EQ(Violated(model_, 0, 0, OperandKind::kScratch, 1).at("operand_name"), "");
  Violation none;
  none.operand.data = nullptr;
  EXPECT_EQ(ViolationFields(model_, {}, none).at("operand_kind"), "none");
}

TEST_F(ReportEvents, OfAnOutputHaveItsFirstValuesAndAllOfItsBytes) {
  std::array<float, 12> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Operand output;
  output.data = reinterpret_cast<std::byte*>(values.data());
  output.bytes = sizeof values;
  output.rank = 1;
  output.dims = {12};
  output.tensor_index = 1;
  const Json fields = OutputFields(model_, 4, 0, output);
  EXPECT_EQ(fields.at("run"), 4);
  EXPECT_EQ(fields.at("index"), 0);
  EXPECT_EQ(fields.at("tensor"), 1);
  EXPECT_EQ(fields.at("name"), "y");
  EXPECT_EQ(fields.at("bytes"), 48);
  EXPECT_EQ(fields.at("shape"), Json({12}));
  EXPECT_EQ(fields.at("first_values"), Json({0, 1, 2, 3, 4, 5, 6, 7}));
  const std::string before = fields.at("sha256");
  values[11] = 99;
  EXPECT_NE(OutputFields(model_, 4, 0, output).at("sha256"), before);
}

TEST_F(ReportEvents, OfAllowedReadsHaveBothSides) {
  const AllowedRead read = {1, 2, "MUL", "mine", OperandKind::kConstant, 3, "w", 4, 5};
  const Json list = AllowedReadFields({&read, 1}).at("operands");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0], Json({{"subgraph", 1},
                           {"operator", 2},
                           {"operator_name", "MUL"},
                           {"kernel", "mine"},
                           {"kind", "constant"},
                           {"index", 3},
                           {"name", "w"},
                           {"before_bytes", 4},
                           {"after_bytes", 5}}));
}

}  // namespace
}  // namespace arenaproof
