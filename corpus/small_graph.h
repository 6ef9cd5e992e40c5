// Writes one subgraph of a small seed model: tensors and operators by what they are called.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/model_builder/model_builder.h"

namespace arenaproof {

inline constexpr std::int32_t kValueCount = 9;  // of most tensors; 36 bytes, which is no multiple of 16

class SmallGraph {
 public:
  using Shape = std::vector<std::int32_t>;
  using Indices = std::vector<std::int32_t>;

  SmallGraph(ModelBuilder& model, const char* name) : model_(model), graph_(model.AddSubgraph(name)) {}

  std::int32_t Tensor(const char* name, TensorType type, Shape shape) {
    return graph_.AddTensor({.name = name, .type = type, .shape = std::move(shape)});
  }
  std::int32_t Value(const char* name, std::int32_t count) { return Tensor(name, TensorType::kFloat32, {count}); }
  std::int32_t Int8(const char* name, std::int32_t count, float scale, std::int64_t zero_point) {
    return graph_.AddTensor(
        {.name = name, .type = TensorType::kInt8, .shape = Shape{count}, .quantization = Scale(scale, zero_point)});
  }
  std::int32_t Variable(const char* name, Shape shape) {
    return graph_.AddTensor(
        {.name = name, .type = TensorType::kFloat32, .shape = std::move(shape), .is_variable = true});
  }
  std::int32_t Constant(const char* name, const std::vector<float>& values) {
    return Constant(name, {static_cast<std::int32_t>(values.size())}, values);
  }
  std::int32_t Constant(const char* name, Shape shape, const std::vector<float>& values) {
    return graph_.AddTensor(
        {.name = name, .type = TensorType::kFloat32, .shape = std::move(shape), .buffer = model_.AddBufferOf(values)});
  }
  // A handle is a scalar of four bytes.
  std::int32_t Handle(const char* name, const char* shared_name) {
    const std::int32_t handle = graph_.AddTensor({.name = name, .type = TensorType::kResource});
    Apply(BuiltinOperator::kVarHandle, {}, {handle}, VarHandleOptions{"", shared_name});
    return handle;
  }
  void Apply(BuiltinOperator code, Indices inputs, Indices outputs, OperatorOptions options = {}) {
    graph_.AddOperator({.code = model_.AddCode(code),
                        .inputs = std::move(inputs),
                        .outputs = std::move(outputs),
                        .options = std::move(options)});
  }
  void Bounds(Indices inputs, Indices outputs) {
    graph_.inputs = std::move(inputs);
    graph_.outputs = std::move(outputs);
  }

 private:
  ModelBuilder& model_;
  SubgraphSpec& graph_;
};

}  // namespace arenaproof
