#include "props/control_flow/control_program_model.h"

#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using Indices = std::vector<std::int32_t>;

class Writer {
 public:
  Writer(const Program& program, const ModelStyle& style) : program_(program), style_(style) {}

  std::vector<std::byte> Write() {
    WriteFunction(program_.functions[0]);
    for (int i = 0; i < style_.unused_function_count; ++i) {
      graph_ = &builder_.AddSubgraph();
      graph_->inputs = graph_->outputs = {Value()};
    }
    for (std::size_t i = 1; i < program_.functions.size(); ++i) WriteFunction(program_.functions[i]);
    return builder_.Finish();
  }

 private:
  // Nobody calls the main one.
  std::int32_t SubgraphOf(int function) const { return function + style_.unused_function_count; }
  std::int32_t Value() { return graph_->AddTensor({.shape = {{kValueElements}}}); }
  std::int32_t Constant(float value) {
    return graph_->AddTensor(
        {.shape = {{kValueElements}}, .buffer = builder_.AddBufferOf(std::vector<float>(kValueElements, value))});
  }
  void Apply(BuiltinOperator code, Indices inputs, Indices outputs, OperatorOptions options = {}) {
    graph_->AddOperator({.code = builder_.AddCode(code),
                         .inputs = std::move(inputs),
                         .outputs = std::move(outputs),
                         .options = std::move(options)});
  }
  std::int32_t Less(std::int32_t a, std::int32_t b) {
    const std::int32_t result = graph_->AddTensor({.type = TensorType::kBool, .shape = {{kValueElements}}});
    Apply(BuiltinOperator::kLess, {a, b}, {result});
    return result;
  }
  std::int32_t Handle(int variable) {
    const ModelStyle::Key& key = style_.keys[static_cast<std::size_t>(variable)];
    const std::int32_t handle = graph_->AddTensor({.type = TensorType::kResource});
    Apply(BuiltinOperator::kVarHandle, {}, {handle}, VarHandleOptions{key.container.c_str(), key.name.c_str()});
    return handle;
  }

  void WriteFunction(const Function& function) {
    graph_ = &builder_.AddSubgraph();
    Indices values;
    for (int i = 0; i < function.input_count; ++i) values.push_back(Value());
    graph_->inputs = values;
    if (function.is_condition) {
      graph_->outputs = {Less(values[0], Constant(function.limit))};
      return;
    }
    for (const Statement& statement : function.statements) WriteStatement(statement, values);
    for (const int output : function.outputs) graph_->outputs.push_back(values[static_cast<std::size_t>(output)]);
    if (function.counts) {
      graph_->outputs[0] = Value();
      Apply(BuiltinOperator::kAdd, {values[0], Constant(1.0f)}, {graph_->outputs[0]}, AddOptions{});
    }
  }

  void WriteStatement(const Statement& statement, Indices& values) {
    Indices handed;
    for (const int operand : statement.operands) handed.push_back(values[static_cast<std::size_t>(operand)]);
    Indices results;
    for (int i = 0; i < statement.result_count; ++i) {
      results.push_back(statement.kind == StatementKind::kOne ? Constant(1.0f) : Value());
    }
    switch (statement.kind) {
      case StatementKind::kOne:
        break;
      case StatementKind::kAdd:
        Apply(BuiltinOperator::kAdd, handed, results, AddOptions{});
        break;
      case StatementKind::kHalve:
        Apply(BuiltinOperator::kMul, {handed[0], Constant(0.5f)}, results, MulOptions{});
        break;
      case StatementKind::kRelu:
        Apply(BuiltinOperator::kRelu, handed, results);
        break;
      case StatementKind::kIf: {
        const std::int32_t condition = Less(handed[0], handed[1]);
        handed.erase(handed.begin());
        handed[0] = condition;
        Apply(BuiltinOperator::kIf, handed, results,
              IfOptions{SubgraphOf(statement.first_function), SubgraphOf(statement.second_function)});
        break;
      }
      case StatementKind::kWhile:
        handed[0] = Constant(0.0f);
        Apply(BuiltinOperator::kWhile, handed, results,
              WhileOptions{SubgraphOf(statement.first_function), SubgraphOf(statement.second_function)});
        break;
      case StatementKind::kCallOnce:
        if (statement.first_function >= 0) {
          Apply(BuiltinOperator::kCallOnce, {}, {}, CallOnceOptions{SubgraphOf(statement.first_function)});
        }
        break;
      case StatementKind::kRead:
        Apply(BuiltinOperator::kReadVariable, {Handle(statement.variable)}, results);
        break;
      case StatementKind::kAssign:
        Apply(BuiltinOperator::kAssignVariable, {Handle(statement.variable), handed[0]}, {});
        break;
    }
    values.insert(values.end(), results.begin(), results.end());
  }

  const Program& program_;
  const ModelStyle& style_;
  ModelBuilder builder_;
  SubgraphSpec* graph_ = nullptr;
};

}  // namespace

std::vector<std::byte> ModelOf(const Program& program, const ModelStyle& style) {
  return Writer(program, style).Write();
}

}  // namespace arenaproof::testing
