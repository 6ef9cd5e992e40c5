// Only validation makes what an interpreter takes.
#include "core/model/validated_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "core/embedding/arenaproof.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/support/shared_files.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

template <typename Model>
inline constexpr bool kSetsUp = std::is_constructible_v<Interpreter, const Model&, const KernelSet&, std::byte*, int> ||
                                std::is_constructible_v<Interpreter, const Model&, const KernelSet&, ArenaBuffers> ||
                                std::is_constructible_v<Interpreter, const Model&, const KernelSet&, ModelAllocator&>;
static_assert(kSetsUp<ValidatedModel>);
static_assert(!kSetsUp<ModelView>, "nobody has validated it");
template <typename Model>
inline constexpr bool kStarts = requires(ModelAllocator& allocator, const Model& model, ModelAllocation* allocation) {
  allocator.StartModelAllocation(model, allocation);
};
static_assert(kStarts<ValidatedModel>);
static_assert(!kStarts<ModelView>);

static_assert(!std::is_default_constructible_v<ValidatedModel>);
static_assert(!std::is_constructible_v<ValidatedModel, ModelView>);
static_assert(!std::is_assignable_v<ValidatedModel&, ModelView>);
static_assert(!std::is_assignable_v<ModelView&, ModelView>, "or another file comes under a validated model's base");
template <typename Model>
inline constexpr bool kOpensInto = requires(Model* model) { ModelView::Open({}, model); };
static_assert(kOpensInto<ModelView>);
static_assert(!kOpensInto<ValidatedModel>);
static_assert(std::is_trivially_copyable_v<ValidatedModel> && sizeof(ValidatedModel) == sizeof(ModelView));

// x -> y by IF; one branch copies, the other has no operator, and an output of its own if `output` says so.
std::vector<std::byte> FileWithABranchWithoutOperators(std::int32_t output) {
  ModelBuilder builder;
  SubgraphSpec& main = builder.AddSubgraph();
  main.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
  for (int i = 0; i < 2; ++i) main.AddTensor({.shape = {{4}}});
  main.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kIf), .inputs = {0, 1}, .outputs = {2}, .options = IfOptions{1, 2}});
  main.inputs = {0, 1};
  main.outputs = {2};
  for (const bool empty : {false, true}) {
    SubgraphSpec& branch = builder.AddSubgraph();
    for (int i = 0; i < 2; ++i) branch.AddTensor({.shape = {{4}}});
    if (!empty) branch.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1}});
    branch.inputs = {0};
    branch.outputs = {empty ? output : 1};
  }
  return builder.Finish();
}

TEST(ValidatedModel, IsNotMadeOfABranchWithoutOperatorsWhoseOutputNobodyWrites) {
  const std::vector<std::byte> file = FileWithABranchWithoutOperators(1);
  ValidationReport report;
  EXPECT_FALSE(ValidatedModel::Open(file, &report).has_value());
  EXPECT_EQ(report.status, Failure(StatusCode::kModelOutputNotProduced, 2, 0, 1));
}

TEST(ValidatedModel, IsMadeOfABranchWithoutOperatorsThatPassesItsInputOn) {
  const std::vector<std::byte> file = FileWithABranchWithoutOperators(0);
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open(file, &report);
  ASSERT_TRUE(model.has_value()) << static_cast<int>(report.status.code);
  alignas(16) static std::byte arena[16384];
  Interpreter interpreter(*model, ReferenceKernels(), arena, sizeof arena);
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  std::fill_n(interpreter.inputs()[0].data, 1, std::byte{0});
  std::fill_n(interpreter.inputs()[1].data, 16, std::byte{0x3c});
  ASSERT_EQ(interpreter.Invoke(), Ok());
  EXPECT_TRUE(std::all_of(interpreter.outputs()[0].data, interpreter.outputs()[0].data + 16,
                          [](std::byte byte) { return byte == std::byte{0x3c}; }));
}

TEST(ValidatedModel, SaysWhyThereIsNone) {
  ValidationReport report;
  EXPECT_FALSE(ValidatedModel::Open({}, &report).has_value());
  EXPECT_EQ(report.status.code, StatusCode::kModelTooSmall);
  const std::vector<std::byte> file = FileWithABranchWithoutOperators(0);
  const KernelSet none{.name = "none", .kernels = {}};
  const KernelSetSupport support(none);
  EXPECT_FALSE(ValidatedModel::Open(file, &report, &support).has_value());
  EXPECT_EQ(report.status.code, StatusCode::kModelUnsupported);
  EXPECT_EQ(report.unsupported().size(), 2u);
}

TEST(ValidatedModel, MovesToAnEqualCopyOnly) {
  const std::vector<std::byte> file = FileWithABranchWithoutOperators(0);
  const ValidatedModel model = Validated(file);
  alignas(16) static std::byte place[4096];
  ASSERT_LT(file.size() + 4, sizeof place);
  std::copy(file.begin(), file.end(), place);
  const auto copy = model.OfCopy({place, file.size()});
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(copy->bytes().data(), place);
  EXPECT_EQ(copy->outputs(2).size(), 1u);
  EXPECT_FALSE(model.OfCopy({place, file.size() - 1}).has_value());
  place[file.size() - 1] ^= std::byte{1};
  EXPECT_FALSE(model.OfCopy({place, file.size()}).has_value()) << "a byte differs";
  std::copy(file.begin(), file.end(), place + 4);
  EXPECT_FALSE(model.OfCopy({place + 4, file.size()}).has_value()) << "off the alignment";
}

TEST(ValidationRules, ThatTheDocsNameExist) {
  const std::vector<std::byte> page = ReadFileBytes(SourceFolder() / "docs" / "validation.md");
  const std::string text(reinterpret_cast<const char*>(page.data()), page.size());
  const std::set<std::string> codes = {
#define ARENAPROOF_STATUS(name, meaning) #name,
#include "core/base/status_codes.inc"
#undef ARENAPROOF_STATUS
  };
  std::set<std::string> named;
  const std::regex rule("`(kModel\\w+)`");
  for (std::sregex_iterator found(text.begin(), text.end(), rule); found != std::sregex_iterator(); ++found) {
    EXPECT_TRUE(codes.contains((*found)[1].str())) << (*found)[1];
    named.insert((*found)[1]);
  }
  EXPECT_TRUE(named.contains("kModelOutputNotProduced"));
}

}  // namespace
}  // namespace arenaproof::testing
