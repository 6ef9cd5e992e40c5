// O4 to O7: what must not depend on the plan's company, what every damaged plan leads to, and what a refusal leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/planner/linear_planner.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/generators/mutator/plan_object.h"
#include "engine/oracles/offline_plan/plan_oracle.h"
#include "kernels/reference/reference_kernels.h"
#include "plan_model_support.h"
#include "tests/support/shared_files.h"
#include "tools/model/model_options.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof::testing {
namespace {

// Two subgraphs that do not call each other, with a constant, variables, a tensor of no bytes and one of nobody.
std::vector<PlanSubgraph> ManyKinds() {
  return {{{{.bytes = 40},
            {.bytes = 24, .constant = true},
            {.bytes = 32, .variable = true},
            {.bytes = 100},
            {.bytes = 0},
            {.bytes = 16},
            {.bytes = 48}},
           {{{0, 1, 2}, {3}}, {{3, 4}, {5}}},
           {0},
           {5}},
          {{{.bytes = 40}, {.bytes = 16, .variable = true}, {.bytes = 64}}, {{{0, 1}, {2}}}, {0}, {2}}};
}
constexpr std::size_t kManyKindsCount = 10;

std::string PlanText(const std::vector<PlanEntry>& plan) {
  std::string text;
  for (const PlanEntry& buffer : plan) {
    for (const std::int64_t number :
         {std::int64_t{buffer.subgraph}, std::int64_t{buffer.tensor}, std::int64_t{buffer.scratch},
          std::int64_t{buffer.owner_operator}, static_cast<std::int64_t>(buffer.offset),
          static_cast<std::int64_t>(buffer.bytes), std::int64_t{buffer.first}, std::int64_t{buffer.last}}) {
      text += std::to_string(number) + " ";
    }
    text += "\n";
  }
  return text;
}

// ---- O4

TEST(OfflinePlanInvariants, O4APlanThatFixesNothingChangesNothing) {
  LinearPlanner linear;
  for (const std::size_t scratch_bytes : {std::size_t{0}, std::size_t{72}}) {
    if (scratch_bytes != 0) Behavior().scratch_bytes = {scratch_bytes, 16};
    for (const PlanSetUp& how : {PlanSetUp{}, PlanSetUp{.misalignment = 7}, PlanSetUp{.trust = true, .strict = true},
                                 PlanSetUp{.planner = &linear}, PlanSetUp{.shared_allocator = true}}) {
      PlanModel without(ManyKinds());
      PlanModel with(ManyKinds());
      with.WithPlan(Words(kManyKindsCount, -1));
      const PlanOutcome plain = SetUpModel(without.Build(), how);
      const PlanOutcome planned = SetUpModel(with.Build(), how);
      ASSERT_TRUE(plain.status.ok() && planned.status.ok()) << Text(plain.status) << Text(planned.status);
      EXPECT_EQ(PlanText(planned.plan), PlanText(plain.plan));
      EXPECT_EQ(planned.head_bytes, plain.head_bytes);
      EXPECT_EQ(planned.tail_bytes, plain.tail_bytes);
      EXPECT_TRUE(planned.recorded.warnings().empty());
    }
    Behavior() = {};
  }
}

// Set up by the reference kernels, and what two invokes leave in the outputs; the plan, head and tail in front.
std::string ResultOf(const std::vector<std::uint8_t>& file) {
  ValidationReport report;
  const std::optional<ValidatedModel> validated = ValidatedModel::Open(std::as_bytes(std::span(file)), &report);
  if (!validated) return "no model";
  const ValidatedModel& model = *validated;
  std::vector<std::byte> memory((1 << 20) + 64);
  std::byte* const start = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  PlanRecorder recorder;
  const auto interpreter = std::make_unique<Interpreter>(model, ReferenceKernels(), start, 1 << 20,
                                                         ForModel(model, {.observer = &recorder}));
  if (const Status status = interpreter->AllocateTensors(); !status.ok()) return Text(status);
  std::string result = PlanText(recorder.plan()) + std::to_string(interpreter->head_bytes()) + " " +
                       std::to_string(interpreter->tail_bytes());
  for (int i = 0; i < 2; ++i) {
    for (const Operand& input : interpreter->inputs()) std::fill_n(input.data, input.bytes, std::byte{1});
    if (const Status status = interpreter->Invoke(); !status.ok()) return result + Text(status);
    for (const Operand& output : interpreter->outputs()) {
      result += "\n" + std::string(reinterpret_cast<const char*>(output.data), output.bytes);
    }
  }
  return result;
}

TEST(OfflinePlanInvariants, O4EverySeedModelGivesTheSameBytesWithAPlanThatFixesNothing) {
  std::size_t model_count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SourceFolder() / "corpus" / "models")) {
    if (entry.path().extension() != ".tflite" || entry.file_size() > 100'000) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const std::vector<std::byte> bytes = ReadFileBytes(entry.path());
    std::vector<std::uint8_t> file(bytes.size());
    std::memcpy(file.data(), bytes.data(), bytes.size());
    ModelView model;
    ASSERT_TRUE(ModelView::Open(std::as_bytes(std::span(file)), &model).ok());
    const auto online = WithOfflinePlan(file, PlanBytes(Words(model.total_tensor_count(), -1)));
    if (online.empty()) continue;  // more than the fuzzers' editor of models takes
    // The file is written anew, so the plain one goes the same way: through a plan of another name.
    const std::string with = ResultOf(online);
    auto without = online;
    const auto name = std::search(without.begin(), without.end(), kOfflinePlanName.begin(), kOfflinePlanName.end());
    ASSERT_NE(name, without.end());
    *name = 'o';
    EXPECT_EQ(with, ResultOf(without));
    EXPECT_NE(with, "no model");
    ++model_count;
  }
  EXPECT_GE(model_count, 5u);
}

// ---- O5

TEST(OfflinePlanInvariants, O5OtherMetadataAndItsOrderChangeNothing) {
  const Words offsets = {0, -1, 160, 48, -1, -1, 200 / 16 * 16, 0, -1, 48};
  PlanModel alone(ManyKinds());
  alone.WithPlan(offsets);
  const PlanOutcome expected = SetUpModel(alone.Build());
  ASSERT_TRUE(expected.status.ok()) << Text(expected.status);
  std::array<std::string, 5> names = {std::string(kOfflinePlanName), "min_runtime_version", "", "CONVERSION_METADATA",
                                      "OnlineMemoryAllocation"};
  std::sort(names.begin(), names.end());
  int order_count = 0;
  do {
    PlanModel model(ManyKinds());
    for (const std::string& name : names) {
      const bool plan = name == kOfflinePlanName;
      // What is not the plan's holds another plan, and one that would be refused.
      model.WithPlanBytes(plan ? PlanBytes(offsets) : PlanBytes(Words(name.size() % 2 == 0 ? 10 : 3, 16)), name);
    }
    const PlanOutcome outcome = SetUpModel(model.Build());
    ASSERT_TRUE(outcome.status.ok()) << Text(outcome.status);
    EXPECT_EQ(PlanText(outcome.plan), PlanText(expected.plan));
    EXPECT_EQ(outcome.head_bytes, expected.head_bytes);
    EXPECT_EQ(outcome.tail_bytes, expected.tail_bytes);
    EXPECT_EQ(outcome.recorded.warnings().size(), expected.recorded.warnings().size());
    EXPECT_EQ(names[outcome.recorded.summary()->metadata_index], kOfflinePlanName);
    ++order_count;
  } while (std::next_permutation(names.begin(), names.end()));
  EXPECT_EQ(order_count, 120);
}

// ---- O6

// What happened to a plan, beside what the oracle says.
void ExpectAsTheOracleSays(const ValidatedModel& view, const OracleModel& facts, const PlanSetUp& how,
                           int* accepted_count) {
  const PlanOutcome outcome = SetUpModel(view, how);
  OracleQuestion question;
  question.model = &facts;
  question.trust = how.trust;
  question.strict = how.strict;
  question.room_bytes = outcome.room_bytes;
  const OracleAnswer answer = AskOracle(view, &question);
  ASSERT_EQ(Text(outcome.status), Text(answer.status));
  EXPECT_EQ(Texts(outcome.recorded.warnings()), Texts(answer.warnings));
  if (!outcome.status.ok()) {
    EXPECT_TRUE(outcome.plan.empty());
    EXPECT_EQ(outcome.head_bytes, 0u);
    EXPECT_EQ(outcome.lost_tail_bytes, 0u);
    return;
  }
  ++*accepted_count;
  EXPECT_EQ(FaultOfLayout(question, answer, outcome.plan, outcome.head_bytes), "");
  EXPECT_EQ(outcome.recorded.summary()->trusted_overlap_count, answer.trusted_overlap_count);
  EXPECT_EQ(outcome.recorded.trusted_overlaps().size(), answer.trusted_overlap_count);
}

TEST(OfflinePlanInvariants, O6EverySingleBitFlipOfAPlanIsRefusedByItsRuleOrPlacedAsTheOracleSays) {
  Behavior().scratch_bytes = {24};
  int flip_count = 0;
  int accepted_count = 0;
  // One that is sound, one that needs trust.
  for (const Words& offsets :
       {Words{0, -1, 160, 48, -1, 0, 192, 256, -1, 304}, Words{0, 16, 160, 0, 32, 48, 0, 256, 304, 256}}) {
    PlanModel model(ManyKinds());
    model.WithPlan(offsets, {.version = 0, .subgraph_count = 2});
    const ValidatedModel& view = model.Build();
    const OracleModel facts = OracleModelOf(view);
    const std::vector<std::byte> plan = PlanBytes(offsets, {.version = 0, .subgraph_count = 2});
    for (std::size_t bit = 0; bit < plan.size() * 8; ++bit) {
      std::vector<std::byte> flipped = plan;
      flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      model.OverwritePlan(flipped);
      for (const PlanSetUp& how : {PlanSetUp{}, PlanSetUp{.trust = true}, PlanSetUp{.strict = true},
                                   PlanSetUp{.arena_bytes = 4096, .misalignment = 33, .trust = true}}) {
        SCOPED_TRACE("bit " + std::to_string(bit));
        ASSERT_NO_FATAL_FAILURE(ExpectAsTheOracleSays(view, facts, how, &accepted_count));
        ++flip_count;
      }
    }
  }
  Behavior() = {};
  EXPECT_EQ(flip_count, 2 * 52 * 8 * 4);
  EXPECT_GT(accepted_count, 100);
  EXPECT_LT(accepted_count, flip_count / 2);
}

// ---- O7

// Adds one to every byte, and to the variable that it keeps what it has counted so far.
Status CountAndAdd(const InvokeContext& context) {
  std::byte count{};
  if (context.inputs.size() > 1) {
    count = context.inputs[1].data[0] = static_cast<std::byte>(std::to_integer<int>(context.inputs[1].data[0]) + 1);
  }
  const Operand& output = context.outputs[0];
  for (std::size_t i = 0; i < output.bytes; ++i) {
    output.data[i] =
        static_cast<std::byte>(std::to_integer<int>(context.inputs[0].data[i]) + 1 + std::to_integer<int>(count));
  }
  return Ok();
}

const KernelSet& CountingKernels() {
  static constexpr std::array kKernels = {
      Kernel{.op = BuiltinOperator::kConcatenation,
             .name = "counting",
             .init = [](PrepareContext&) { return Ok(); },
             .prepare = [](PrepareContext& context) { return context.services->RequestScratch(40); },
             .invoke = CountAndAdd}};
  static const KernelSet set{"counting", kKernels, nullptr};
  return set;
}

class RefusedOnASharedAllocator : public ::testing::Test {
 protected:
  void SetUp() override {
    std::byte* const start = memory_.data() + (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) % 64;
    ASSERT_TRUE(ModelAllocator::Create(start, 1 << 15, {}, &allocator_).ok());
    // A chain with a variable, which lives in the tail.
    first_model_.WithPlan({0, -1, 48, -1});
    first_ = std::make_unique<Interpreter>(first_model_.Build(), CountingKernels(), *allocator_);
    ASSERT_TRUE(first_->AllocateTensors().ok());
  }
  // The n-th invoke answers 7 + (1 + n) + 1 in every byte.
  void ExpectTheFirstGoesOn() {
    ++invoke_count_;
    std::memset(first_->inputs()[0].data, 7, first_->inputs()[0].bytes);
    ASSERT_TRUE(first_->Invoke().ok());
    const Operand& output = first_->outputs()[0];
    for (std::size_t i = 0; i < output.bytes; ++i) {
      ASSERT_EQ(std::to_integer<int>(output.data[i]), 9 + invoke_count_) << "byte " << i;
    }
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>((1 << 15) + 64);
  ModelAllocator* allocator_ = nullptr;
  PlanModel first_model_{std::vector<PlanSubgraph>{
      {{{}, {.bytes = 16, .variable = true}, {}, {}}, {{{0, 1}, {2}}, {{2}, {3}}}, {0}, {3}}}};
  std::unique_ptr<Interpreter> first_;
  int invoke_count_ = 0;
};

TEST_F(RefusedOnASharedAllocator, O7TheEarlierModelGoesOnAndACorrectedOneIsSetUpNext) {
  ExpectTheFirstGoesOn();
  const TensorArena& arena = allocator_->arena();
  const std::size_t head_bytes = arena.NonPersistentUsedBytes();
  const std::size_t tail_bytes = arena.PersistentUsedBytes();
  for (const auto& [offsets, code] : {std::pair{Words{0, 48}, StatusCode::kOfflinePlanTensorCount},
                                      {Words{0, -2, -1, -1}, StatusCode::kOfflinePlanNegativeOffset},
                                      {Words{0, 40, -1, -1}, StatusCode::kOfflinePlanMisaligned},
                                      {Words{0, 0x7FFFFFF0, -1, -1}, StatusCode::kOfflinePlanOffsetOverflow},
                                      {Words{0, 1 << 16, -1, -1}, StatusCode::kOfflinePlanOutsideHead},
                                      {Words{512, 1024, 528, -1}, StatusCode::kOfflinePlanLiveOverlap},
                                      {Words{512, 1024, -1, 1024}, StatusCode::kOfflinePlanSharedVariable}}) {
    SCOPED_TRACE(Text(Failure(code)));
    PlanModel model({{{{}, {.variable = true}, {}, {}}, {{{0, 1}, {2}}, {{2}, {3}}}, {0}, {3}}});
    model.WithPlan(offsets);
    const ValidatedModel& view = model.Build();
    const std::vector<std::byte> file = model.file();
    const auto refused = std::make_unique<Interpreter>(view, CountingKernels(), *allocator_);
    ASSERT_EQ(refused->AllocateTensors().code, code);
    EXPECT_EQ(arena.NonPersistentUsedBytes(), head_bytes);
    EXPECT_EQ(arena.PersistentUsedBytes(), tail_bytes);
    EXPECT_EQ(refused->lost_tail_bytes(), 0u);
    EXPECT_EQ(model.file(), file);
    std::span<std::byte> bytes;
    EXPECT_FALSE(refused->TensorBytes(0, &bytes).ok()) << "a refused model has no tensors";
    EXPECT_TRUE(refused->inputs().empty());
    ExpectTheFirstGoesOn();
    ExpectTheFirstGoesOn();
  }
  PlanModel corrected({{{{}, {.variable = true}, {}, {}}, {{{0, 1}, {2}}, {{2}, {3}}}, {0}, {3}}});
  corrected.WithPlan({512, 1024, 560, -1});
  const auto second = std::make_unique<Interpreter>(corrected.Build(), CountingKernels(), *allocator_);
  ASSERT_TRUE(second->AllocateTensors().ok());
  ExpectTheFirstGoesOn();
  EXPECT_TRUE(second->Invoke().ok());
  ExpectTheFirstGoesOn();
}

}  // namespace
}  // namespace arenaproof::testing
