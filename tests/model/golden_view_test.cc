// The view of every shared model says what the reference's schema reads in it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/model/model_view.h"
#include "core/model/tensor_bytes.h"
#include "tests/model/models_support.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using nlohmann::json;

void CompareQuantization(const TensorView& tensor, const json& expected) {
  if (expected.is_null()) {
    EXPECT_TRUE(tensor.quantization.scales.empty());
    return;
  }
  const QuantizationView& found = tensor.quantization;
  ASSERT_EQ(found.scales.size(), expected.at("scale").size());
  ASSERT_EQ(found.zero_point_count, expected.at("zero_point").size());
  for (std::size_t i = 0; i < found.scales.size(); ++i) {
    EXPECT_EQ(found.scales[i], static_cast<float>(expected.at("scale")[i].get<double>()));
  }
  for (std::size_t i = 0; i < found.zero_point_count; ++i) {
    EXPECT_EQ(found.zero_point(i), expected.at("zero_point")[i].get<std::int64_t>());
  }
  EXPECT_EQ(found.dimension, expected.at("dimension").get<std::int32_t>());
}

void CompareTensor(const TensorView& tensor, const json& expected) {
  EXPECT_EQ(tensor.name, expected.at("name").get<std::string>());
  EXPECT_EQ(TensorTypeName(tensor.type), expected.at("type").get<std::string>());
  EXPECT_EQ(tensor.has_shape, !expected.at("shape").is_null());
  if (tensor.has_shape) {
    EXPECT_EQ(Listed(tensor.shape), expected.at("shape").get<std::vector<std::int32_t>>());
  }
  std::size_t bytes = 0;
  EXPECT_TRUE(TensorArenaBytes(tensor, &bytes).ok());
  EXPECT_EQ(bytes, expected.at("bytes").get<std::size_t>());
  EXPECT_EQ(tensor.is_variable, expected.at("is_variable").get<bool>());
  EXPECT_EQ(!tensor.data.empty(), expected.at("is_const").get<bool>());
  EXPECT_EQ(tensor.buffer, expected.at("buffer").get<std::uint32_t>());
  EXPECT_EQ(tensor.data.size(), expected.at("buffer_bytes").get<std::size_t>());
  CompareQuantization(tensor, expected.at("quantization"));
}

void CompareOperator(const OperatorView& op, const json& expected) {
  EXPECT_EQ(op.opcode_index, expected.at("opcode_index").get<std::uint32_t>());
  EXPECT_EQ(BuiltinOperatorName(op.code), expected.at("name").get<std::string>());
  EXPECT_EQ(static_cast<std::int32_t>(op.code), expected.at("builtin_code").get<std::int32_t>());
  EXPECT_EQ(op.version, expected.at("version").get<std::int32_t>());
  EXPECT_EQ(Listed(op.inputs), expected.at("inputs").get<std::vector<std::int32_t>>());
  EXPECT_EQ(Listed(op.outputs), expected.at("outputs").get<std::vector<std::int32_t>>());
  EXPECT_EQ(Listed(op.intermediates), expected.at("intermediates").get<std::vector<std::int32_t>>());
}

void CompareModel(const ModelView& view, const json& expected) {
  EXPECT_EQ(view.version(), expected.at("schema_version").get<std::uint32_t>());
  EXPECT_EQ(view.description(), expected.at("description").get<std::string>());
  ASSERT_EQ(view.metadata_count(), expected.at("metadata").size());
  ASSERT_EQ(view.subgraph_count(), expected.at("subgraphs").size());
  for (std::size_t s = 0; s < view.subgraph_count(); ++s) {
    const json& subgraph = expected.at("subgraphs")[s];
    EXPECT_EQ(Listed(view.inputs(s)), subgraph.at("inputs").get<std::vector<std::int32_t>>());
    EXPECT_EQ(Listed(view.outputs(s)), subgraph.at("outputs").get<std::vector<std::int32_t>>());
    ASSERT_EQ(view.tensor_count(s), subgraph.at("tensors").size());
    for (std::size_t i = 0; i < view.tensor_count(s); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i));
      CompareTensor(view.tensor(s, i), subgraph.at("tensors")[i]);
    }
    ASSERT_EQ(view.operator_count(s), subgraph.at("operators").size());
    for (std::size_t i = 0; i < view.operator_count(s); ++i) {
      SCOPED_TRACE("operator " + std::to_string(i));
      CompareOperator(view.operator_at(s, i), subgraph.at("operators")[i]);
    }
  }
}

TEST(GoldenView, ReadsTheSameAsTheReference) {
  const auto golden = SharedFile("golden/models");
  const auto models = SharedFile("models");
  if (!golden || !models) GTEST_SKIP() << SharedAbsent("golden/models");
  for (const auto& path : ModelFilesIn(*models)) {
    SCOPED_TRACE(path.stem().string());
    std::ifstream text(*golden / (path.stem().string() + ".json"));
    ASSERT_TRUE(text);
    const auto bytes = ReadFileBytes(path);
    ModelView view;
    ASSERT_TRUE(ModelView::Open(bytes, &view).ok());
    CompareModel(view, json::parse(text));
  }
}

}  // namespace
}  // namespace arenaproof::testing
