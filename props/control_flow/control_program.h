// Programs of a small language with branches, loops, calls and variables: what they compute is said here, in plain
// loops over plain values, and once more by the runtime, to which they are given as models of several subgraphs.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace arenaproof::testing {

enum class StatementKind : std::uint8_t { kOne, kAdd, kHalve, kRelu, kIf, kWhile, kCallOnce, kRead, kAssign };

// A function's values are numbered: its inputs, then what its statements give, in order.
struct Statement {
  StatementKind kind = StatementKind::kAdd;
  std::vector<int> operands;  // IF: the two that are compared (first < second), then those handed on
  int first_function = -1;    // then, condition, once
  int second_function = -1;   // else, body
  int variable = -1;
  int result_count = 0;
};

struct Function {
  int input_count = 0;
  std::vector<Statement> statements;
  std::vector<int> outputs;
  float limit = 0.0f;  // of a loop's condition: first input < limit; its only output is that
  bool is_condition = false;
  bool counts = false;  // a loop's body: its first output is its first input and 1
};

struct Program {
  std::vector<Function> functions;  // the first one is the main one
  int variable_count = 0;
};

std::ostream& operator<<(std::ostream& stream, const Program& program);

// A program for any choices; it ends, and every variable is assigned somewhere.
Program MakeProgram(std::span<const std::uint8_t> choices);

// What a program does.
class ProgramRun {
 public:
  explicit ProgramRun(const Program& program) { Allocate(program); }

  void Allocate(const Program& program) {
    Reset(program);
    has_run_.clear();
  }
  void Reset(const Program& program) { variables_.assign(static_cast<std::size_t>(program.variable_count), 0.0f); }
  std::vector<float> Invoke(const Program& program, const std::vector<float>& inputs);

 private:
  std::vector<float> Call(const Program& program, int function, const std::vector<float>& inputs);

  std::vector<float> variables_;
  std::map<std::pair<int, std::size_t>, bool> has_run_;  // by function and statement
};

}  // namespace arenaproof::testing
