#include "props/control_flow/control_program.h"

#include <algorithm>
#include <cstddef>
#include <ostream>

#include "engine/generators/number_list_source.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostFunctions = 12;
constexpr int kMostDepth = 4;
constexpr int kMostVariables = 3;
// An operator has at most 64 inputs and outputs: an IF also a condition and up to two results, a WHILE each value
// twice.
constexpr int kMostHanded = 61;
constexpr int kMostCarried = 32;

class Maker {
 public:
  explicit Maker(std::span<const std::uint8_t> choices) : choices_({choices.begin(), choices.end()}) {}

  Program Make() {
    program_.variable_count = Below(kMostVariables + 1);
    MakeFunction(1 + Below(3), 1 + Below(3), 0, false);
    // Whatever is read has a size, and whatever happened to a variable shows: at its end the main function adds an
    // input to every variable and gives the sum.
    Function& main = program_.functions[0];
    int values = main.input_count;
    for (const Statement& statement : main.statements) values += statement.result_count;
    for (int variable = 0; variable < program_.variable_count; ++variable) {
      main.statements.push_back({StatementKind::kRead, {}, -1, -1, variable, 1});
      main.statements.push_back({StatementKind::kAdd, {values, variable % main.input_count}, -1, -1, -1, 1});
      main.statements.push_back({StatementKind::kAssign, {values + 1}, -1, -1, variable, 0});
      main.outputs.push_back(values + 1);
      values += 2;
    }
    return std::move(program_);
  }

 private:
  int Below(int bound) { return static_cast<int>(choices_.Below(static_cast<std::size_t>(bound))); }

  // Numbers of functions in the order in which they are begun: a caller's is smaller.
  int MakeFunction(int input_count, int output_count, int depth, bool counts) {
    const auto number = program_.functions.size();
    program_.functions.emplace_back();
    Function function;
    function.input_count = input_count;
    function.counts = counts;
    int values = input_count;
    const int statements = Below(5);
    for (int i = 0; i < statements; ++i) {
      function.statements.push_back(MakeStatement(values, depth));
      values += function.statements.back().result_count;
    }
    for (int i = 0; i < output_count; ++i) function.outputs.push_back(values == 0 ? 0 : Below(values));
    program_.functions[number] = std::move(function);
    return static_cast<int>(number);
  }

  // Something that shows how often it ran.
  int MakeOnce(int depth) {
    const int number = MakeFunction(0, 0, depth + 1, false);
    if (program_.variable_count == 0) return number;
    const int variable = Below(program_.variable_count);
    Function& once = program_.functions[static_cast<std::size_t>(number)];
    int values = 0;
    for (const Statement& statement : once.statements) values += statement.result_count;
    once.statements.push_back({StatementKind::kRead, {}, -1, -1, variable, 1});
    once.statements.push_back({StatementKind::kOne, {}, -1, -1, -1, 1});
    once.statements.push_back({StatementKind::kAdd, {values, values + 1}, -1, -1, -1, 1});
    once.statements.push_back({StatementKind::kAssign, {values + 2}, -1, -1, variable, 0});
    return number;
  }

  int MakeCondition(int input_count, float limit) {
    Function function;
    function.input_count = input_count;
    function.is_condition = true;
    function.limit = limit;
    program_.functions.push_back(std::move(function));
    return static_cast<int>(program_.functions.size()) - 1;
  }

  std::vector<int> Operands(int count, int values) {
    std::vector<int> operands;
    for (int i = 0; i < count; ++i) operands.push_back(Below(values));
    return operands;
  }

  Statement MakeStatement(int values, int depth) {
    const bool may_call = depth < kMostDepth && program_.functions.size() + 2 <= kMostFunctions;
    const int choice = Below(16);
    if (values == 0) return MakeSimple(StatementKind::kRead, values);  // of a function without inputs
    if (may_call && choice >= 12) return MakeIf(values, depth);
    if (may_call && choice >= 9) return MakeWhile(values, depth);
    if (may_call && choice >= 7) return {StatementKind::kCallOnce, {}, MakeOnce(depth), -1, -1, 0};
    constexpr StatementKind kSimple[] = {StatementKind::kAdd,  StatementKind::kHalve, StatementKind::kRelu,
                                         StatementKind::kRead, StatementKind::kRead,  StatementKind::kAssign,
                                         StatementKind::kOne};
    return MakeSimple(kSimple[choice % 7], values);
  }

  // There is little to do without variables or values.
  Statement MakeSimple(StatementKind kind, int values) {
    const bool wants_variable = kind == StatementKind::kRead || kind == StatementKind::kAssign;
    if (wants_variable && program_.variable_count > 0) {
      const int variable = Below(program_.variable_count);
      if (kind == StatementKind::kRead) return {kind, {}, -1, -1, variable, 1};
      return {kind, Operands(1, values), -1, -1, variable, 0};
    }
    if (values == 0 || kind == StatementKind::kOne) return {StatementKind::kOne, {}, -1, -1, -1, 1};
    if (wants_variable) kind = StatementKind::kRelu;
    return {kind, Operands(kind == StatementKind::kAdd ? 2 : 1, values), -1, -1, -1, 1};
  }

  // Now and then as many as an operator may have.
  Statement MakeIf(int values, int depth) {
    const int handed = Below(16) == 15 ? kMostHanded - Below(30) : Below(4);
    const int results = 1 + Below(2);
    Statement statement{StatementKind::kIf, Operands(2 + handed, values), -1, -1, -1, results};
    statement.first_function = MakeFunction(handed, handed == 0 ? 0 : results, depth + 1, false);
    statement.second_function =
        Below(4) == 0 ? statement.first_function : MakeFunction(handed, handed == 0 ? 0 : results, depth + 1, false);
    if (handed == 0) statement.result_count = 0;
    return statement;
  }

  Statement MakeWhile(int values, int depth) {
    const int handed = Below(16) == 15 ? kMostCarried - Below(15) : 1 + Below(3);
    const auto limit = static_cast<float>(Below(4));
    Statement statement{StatementKind::kWhile, Operands(handed, values), -1, -1, -1, handed};
    statement.first_function = MakeCondition(handed, limit);
    statement.second_function = MakeFunction(handed, handed, depth + 1, true);
    return statement;
  }

  NumberListSource choices_;
  Program program_;
};

}  // namespace

Program MakeProgram(std::span<const std::uint8_t> choices) { return Maker(choices).Make(); }

std::vector<float> ProgramRun::Invoke(const Program& program, const std::vector<float>& inputs) {
  return Call(program, 0, inputs);
}

std::vector<float> ProgramRun::Call(const Program& program, int number, const std::vector<float>& inputs) {
  const Function& function = program.functions[static_cast<std::size_t>(number)];
  std::vector<float> values = inputs;
  const auto value = [&](int index) { return values[static_cast<std::size_t>(index)]; };
  for (std::size_t i = 0; i < function.statements.size(); ++i) {
    const Statement& statement = function.statements[i];
    std::vector<float> handed;
    for (const int operand : statement.operands) handed.push_back(value(operand));
    switch (statement.kind) {
      case StatementKind::kOne:
        values.push_back(1.0f);
        break;
      case StatementKind::kAdd:
        values.push_back(handed[0] + handed[1]);
        break;
      case StatementKind::kHalve:
        values.push_back(handed[0] * 0.5f);
        break;
      case StatementKind::kRelu:
        values.push_back(std::max(handed[0], 0.0f));
        break;
      case StatementKind::kIf: {
        const int branch = handed[0] < handed[1] ? statement.first_function : statement.second_function;
        handed.erase(handed.begin(), handed.begin() + 2);
        const std::vector<float> results = Call(program, branch, handed);
        values.insert(values.end(), results.begin(), results.end());
        break;
      }
      case StatementKind::kWhile: {
        // Counted from 0, whatever the first operand was.
        handed[0] = 0.0f;
        const float limit = program.functions[static_cast<std::size_t>(statement.first_function)].limit;
        while (handed[0] < limit) handed = Call(program, statement.second_function, handed);
        values.insert(values.end(), handed.begin(), handed.end());
        break;
      }
      case StatementKind::kCallOnce: {
        bool& has_run = has_run_[{number, i}];
        if (!has_run && statement.first_function >= 0) Call(program, statement.first_function, {});
        has_run = true;
        break;
      }
      case StatementKind::kRead:
        values.push_back(variables_[static_cast<std::size_t>(statement.variable)]);
        break;
      case StatementKind::kAssign:
        variables_[static_cast<std::size_t>(statement.variable)] = handed[0];
        break;
    }
  }
  std::vector<float> outputs;
  for (const int output : function.outputs) outputs.push_back(value(output));
  if (function.counts) outputs[0] = inputs[0] + 1.0f;
  return outputs;
}

std::ostream& operator<<(std::ostream& stream, const Program& program) {
  static const char* const kNames[] = {"one", "add", "halve", "relu", "if", "while", "call once", "read", "assign"};
  stream << program.variable_count << " variables";
  for (std::size_t number = 0; number < program.functions.size(); ++number) {
    const Function& function = program.functions[number];
    stream << "\nfunction " << number << " of " << function.input_count;
    if (function.is_condition) stream << ": value 0 < " << function.limit;
    if (function.counts) stream << ", a body";
    for (const Statement& statement : function.statements) {
      stream << "\n  " << kNames[static_cast<int>(statement.kind)];
      for (const int operand : statement.operands) stream << " " << operand;
      if (statement.first_function >= 0) stream << ", function " << statement.first_function;
      if (statement.second_function >= 0) stream << ", function " << statement.second_function;
      if (statement.variable >= 0) stream << ", variable " << statement.variable;
    }
    stream << "\n  gives";
    for (const int output : function.outputs) stream << " " << output;
  }
  return stream;
}

}  // namespace arenaproof::testing
