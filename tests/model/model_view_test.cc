#include "core/model/model_view.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/model/schema_generated.h"
#include "core/model/tensor_bytes.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

Status Open(std::span<const std::byte> bytes) {
  ModelView view;
  return ModelView::Open(bytes, &view);
}

std::vector<std::byte> Finished(flatbuffers::FlatBufferBuilder& file) {
  const auto* const begin = reinterpret_cast<const std::byte*>(file.GetBufferPointer());
  return {begin, begin + file.GetSize()};
}

TEST(ModelView, RefusesFilesTooShortForAHeader) {
  const auto file = SmallModel().builder.Finish();
  EXPECT_EQ(Open({}), Failure(StatusCode::kModelTooSmall, 0, 8));
  EXPECT_EQ(Open(std::span(file).first(7)), Failure(StatusCode::kModelTooSmall, 7, 8));
  EXPECT_EQ(Open(std::span(file).first(8)).code, StatusCode::kModelStructure);
}

TEST(ModelView, RefusesAFirstByteOffTheAlignment) {
  auto file = SmallModel().builder.Finish();
  file.insert(file.begin(), std::byte{0});
  EXPECT_EQ(Open(std::span(file).subspan(1)), Failure(StatusCode::kModelMisaligned, 1, 16));
}

TEST(ModelView, RefusesAnotherFileIdentifier) {
  auto file = SmallModel().builder.Finish();
  std::memcpy(file.data() + 4, "TFL2", 4);
  EXPECT_EQ(Open(file), Failure(StatusCode::kModelIdentifier, 0x324c4654, 0x334c4654));
}

TEST(ModelView, RefusesOffsetsThatLeaveTheFile) {
  auto file = SmallModel().builder.Finish();
  const std::uint32_t far = static_cast<std::uint32_t>(file.size());
  std::memcpy(file.data(), &far, sizeof far);
  EXPECT_EQ(Open(file), Failure(StatusCode::kModelStructure, file.size(), file.size() / 4 + 1, 16));
}

TEST(ModelView, LeavesTheViewAloneWhenItRefuses) {
  const auto file = SmallModel().builder.Finish();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  EXPECT_FALSE(ModelView::Open({}, &view).ok());
  EXPECT_EQ(view.bytes().data(), file.data());
}

// A file of a few kilobytes whose 1000 subgraphs are one and the same table of 1000 shared operators.
TEST(ModelView, RefusesTablesSharedByTheMillion) {
  flatbuffers::FlatBufferBuilder file;
  const auto op = wire::CreateOperator(file);
  const auto operators = file.CreateVector(std::vector(1000, op));
  const auto graph = wire::CreateSubGraph(file, 0, 0, 0, operators);
  const auto graphs = file.CreateVector(std::vector(1000, graph));
  file.Finish(wire::CreateModel(file, 3, 0, graphs), wire::ModelIdentifier());
  EXPECT_EQ(Open(Finished(file)).code, StatusCode::kModelStructure);
}

// Few tables, but each refers to the same long list.
TEST(ModelView, ValidationRefusesListsSharedByTheMillion) {
  flatbuffers::FlatBufferBuilder file;
  const auto list = file.CreateVector(std::vector<std::int32_t>(5000, 0));
  std::vector<flatbuffers::Offset<wire::Operator>> ops;
  for (int i = 0; i < 200; ++i) ops.push_back(wire::CreateOperator(file, 0, list));
  const auto operators = file.CreateVector(ops);
  const auto tensors = file.CreateVector(std::vector{wire::CreateTensor(file)});
  const auto graphs = file.CreateVector(std::vector{wire::CreateSubGraph(file, tensors, list, list, operators)});
  const auto buffers = file.CreateVector(std::vector{wire::CreateBuffer(file)});
  file.Finish(wire::CreateModel(file, 3, 0, graphs, 0, buffers), wire::ModelIdentifier());
  const auto bytes = Finished(file);
  const Outcome outcome = Validate(bytes);
  EXPECT_EQ(outcome.status.code, StatusCode::kModelListWork);
  EXPECT_EQ(outcome.status.detail[1], bytes.size());
}

// The file's own union byte says what the table is; a table that the union does not know is not looked into.
TEST(ModelView, DoesNotDecodeOptionsOfAnUnknownUnionMember) {
  SmallModel m;
  m.relu().union_type = 250;
  const auto file = m.builder.Finish();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  const OperatorView op = view.operator_at(0, 1);
  EXPECT_EQ(op.options_type, 250);
  EXPECT_EQ(std::get<OtherOptions>(op.options).union_type, 250);
}

// The verifier aligns a list's count only, so a producer may leave its 64-bit elements on four bytes.
TEST(ModelView, ReadsZeroPointsThatStartOnFourBytes) {
  flatbuffers::FlatBufferBuilder file;
  file.ForceVectorAlignment(16, 1, 16);
  while (file.GetSize() % 8 != 4) file.PushElement<std::uint8_t>(0);
  file.StartVector(2, sizeof(std::int32_t));
  file.PushElement<std::int32_t>(0x11223344);
  file.PushElement<std::int32_t>(0x55667788);
  const flatbuffers::Offset<flatbuffers::Vector<std::int64_t>> zero_points(file.EndVector(1));
  const auto quantization = wire::CreateQuantizationParameters(file, 0, 0, 0, zero_points);
  const auto tensors = file.CreateVector(std::vector{wire::CreateTensor(file, 0, {}, 0, 0, quantization)});
  const auto graphs = file.CreateVector(std::vector{wire::CreateSubGraph(file, tensors)});
  file.Finish(wire::CreateModel(file, 3, 0, graphs), wire::ModelIdentifier());
  const auto bytes = Finished(file);
  ModelView view;
  ASSERT_TRUE(ModelView::Open(bytes, &view).ok());
  const QuantizationView read = view.tensor(0, 0).quantization;
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(read.zero_point_bytes) % 8, 4u);
  EXPECT_EQ(read.zero_point(), 0x1122334455667788);
}

TEST(ModelView, TakesTheLargerOfBothOperatorCodes) {
  SmallModel m;
  struct Case {
    std::int32_t code;
    std::int8_t old_code;
    std::int32_t expected;
  };
  for (const Case& c : {Case{0, 9, 9}, Case{9, 9, 9}, Case{150, 127, 150}, Case{9, -1, 9}, Case{3, 9, 9}}) {
    m.builder.codes[0].builtin_code = c.code;
    m.builder.codes[0].deprecated_builtin_code = c.old_code;
    const auto file = m.builder.Finish();
    ModelView view;
    ASSERT_TRUE(ModelView::Open(file, &view).ok());
    EXPECT_EQ(static_cast<std::int32_t>(view.operator_at(0, 0).code), c.expected);
  }
}

TEST(ModelView, GivesTheReferencesZerosForAbsentOptions) {
  SmallModel m;
  m.relu().code = m.builder.AddCode(BuiltinOperator::kAdd);
  auto file = m.builder.Finish();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  EXPECT_FALSE(std::get<AddOptions>(view.operator_at(0, 1).options).pot_scale_int16);
  m.relu().options = AddOptions{};
  file = m.builder.Finish();
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  EXPECT_TRUE(std::get<AddOptions>(view.operator_at(0, 1).options).pot_scale_int16);
}

TEST(ModelView, TellsAMissingShapeFromAnEmptyOne) {
  SmallModel m;
  m.tensor(SmallModel::kX).shape = std::nullopt;
  m.tensor(SmallModel::kY).shape = std::vector<std::int32_t>{};
  const auto file = m.builder.Finish();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  EXPECT_FALSE(view.tensor(0, SmallModel::kX).has_shape);
  EXPECT_TRUE(view.tensor(0, SmallModel::kY).has_shape);
  EXPECT_TRUE(view.tensor(0, SmallModel::kY).shape.empty());
}

TEST(TensorBytes, CountsInt4AsAByteInTheArenaAndAsHalfInTheFile) {
  const std::int32_t shape[] = {3, 5};
  TensorView tensor;
  tensor.shape = shape;
  tensor.type = TensorType::kInt4;
  std::size_t bytes = 0;
  ASSERT_TRUE(TensorArenaBytes(tensor, &bytes).ok());
  EXPECT_EQ(bytes, 15u);
  ASSERT_TRUE(TensorFileBytes(tensor, &bytes).ok());
  EXPECT_EQ(bytes, 8u);
  tensor.type = TensorType::kInt64;
  ASSERT_TRUE(TensorArenaBytes(tensor, &bytes).ok());
  EXPECT_EQ(bytes, 120u);
}

TEST(TensorBytes, CountsAScalarAsOneElement) {
  TensorView tensor;
  tensor.type = TensorType::kFloat32;
  std::size_t bytes = 0;
  ASSERT_TRUE(TensorArenaBytes(tensor, &bytes).ok());
  EXPECT_EQ(bytes, 4u);
}

}  // namespace
}  // namespace arenaproof::testing
