// Builds small models of several subgraphs: float tensors, operators with options, the first subgraph is the main one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

class ControlModel {
 public:
  // Every subgraph has its tensors first; the functions below speak of the subgraph added last.
  ControlModel& Subgraph() {
    graph_ = &builder_.AddSubgraph();
    return *this;
  }
  std::int32_t Value(std::int32_t count) {
    return graph_->AddTensor({.type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{count}});
  }
  std::int32_t Bool(std::int32_t count = 1) {
    return graph_->AddTensor({.type = TensorType::kBool, .shape = std::vector<std::int32_t>{count}});
  }
  std::int32_t Add(TensorSpec tensor) { return graph_->AddTensor(std::move(tensor)); }
  std::int32_t Constant(const std::vector<float>& values) {
    return graph_->AddTensor({.type = TensorType::kFloat32,
                              .shape = std::vector<std::int32_t>{static_cast<std::int32_t>(values.size())},
                              .buffer = builder_.AddBufferOf(values)});
  }
  std::int32_t Handle(const char* shared_name, const char* container = "") {
    const std::int32_t handle = graph_->AddTensor({.type = TensorType::kResource});
    Apply(BuiltinOperator::kVarHandle, {}, {handle}, VarHandleOptions{container, shared_name});
    return handle;
  }
  ControlModel& Apply(BuiltinOperator code, std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs,
                      OperatorOptions options = {}) {
    graph_->AddOperator({.code = builder_.AddCode(code),
                         .inputs = std::move(inputs),
                         .outputs = std::move(outputs),
                         .options = std::move(options)});
    return *this;
  }
  ControlModel& Bounds(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs) {
    graph_->inputs = std::move(inputs);
    graph_->outputs = std::move(outputs);
    return *this;
  }
  ModelBuilder& builder() { return builder_; }

  // To be called after everything was added; the file stays in place as long as this object.
  const ValidatedModel& view() {
    if (!view_) {
      file_ = builder_.Finish();
      view_ = Validated(file_);
    }
    return *view_;
  }

 private:
  ModelBuilder builder_;
  SubgraphSpec* graph_ = nullptr;
  std::vector<std::byte> file_;
  std::optional<ValidatedModel> view_;
};

}  // namespace arenaproof::testing
