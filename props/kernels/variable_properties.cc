// Resource variables and CALL_ONCE, in any order and however often an invoke ends early: what was never assigned holds
// what the definition fills it with, what was assigned holds that, and what runs once has run when it has come to its
// end, not before.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/interpreter/cancellation.h"
#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/kernels/type_checks.h"
#include "kernels/reference/reference_kernels.h"
#include "props/support/draws.h"
#include "tools/model/model_options.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int kMostSteps = 6;

std::size_t PlaceIn(std::size_t count) { return Below(count); }

struct Variable {
  TensorType type{};
  std::int32_t count = 1;
  std::optional<std::int64_t> zero_point;

  std::size_t bytes() const { return static_cast<std::size_t>(count) * ElementBytes(type); }
  TensorSpec spec() const {
    TensorSpec tensor{.type = type, .shape = {{count}}};
    if (zero_point) tensor.quantization = Scale(0.5f, *zero_point);
    return tensor;
  }
  // What it holds before anything is assigned: its zero point if it is int8, else nothing.
  Bytes first_value() const {
    const bool filled = type == TensorType::kInt8 && zero_point.has_value();
    return Bytes(bytes(), filled ? static_cast<std::byte>(*zero_point) : std::byte{0});
  }
};

enum class Kind { kRead, kAssign, kCallOnce };

struct Statement {
  Kind kind = Kind::kRead;
  std::size_t subject = 0;  // the variable, or the function that is called
  Bytes value;              // assigned
};

using Function = std::vector<Statement>;

struct Program {
  std::vector<Variable> variables;
  std::vector<Function> functions;  // the first one is the main one
};

Variable DrawVariable() {
  constexpr TensorType kTypes[] = {TensorType::kInt8, TensorType::kUInt8, TensorType::kInt16, TensorType::kInt32,
                                   TensorType::kFloat32};
  Variable variable{kTypes[Below(5)], 1 + Below(5), std::nullopt};
  if (variable.type == TensorType::kFloat32 || Below(4) == 0) return variable;
  const bool is_unsigned = variable.type == TensorType::kUInt8;
  variable.zero_point = is_unsigned ? Below(256) : Below(256) - 128;
  return variable;
}

Statement DrawAssignment(const Program& program, std::size_t variable) {
  Statement statement{Kind::kAssign, variable, Bytes(program.variables[variable].bytes())};
  constexpr std::size_t kDrawnBytes = 1021;  // many repeat
  for (std::size_t i = 0; i < statement.value.size(); ++i) {
    statement.value[i] = i < kDrawnBytes ? static_cast<std::byte>(Below(256)) : statement.value[i - kDrawnBytes];
  }
  return statement;
}

Program DrawProgram() {
  Program program;
  for (int left = 1 + Below(3); left > 0; --left) program.variables.push_back(DrawVariable());
  if (OneIn(16)) program.variables[0].count = static_cast<std::int32_t>(*Reach());
  CountReach("elements of a variable", static_cast<std::size_t>(program.variables[0].count));
  program.functions.resize(1 + PlaceIn(3));
  for (std::size_t number = 0; number < program.functions.size(); ++number) {
    Function& function = program.functions[number];
    for (int left = 1 + Below(4); left > 0; --left) {
      const std::size_t variable = PlaceIn(program.variables.size());
      const bool reads = number == 0 && Below(2) == 0;
      function.push_back(reads ? Statement{Kind::kRead, variable, {}} : DrawAssignment(program, variable));
    }
    if (number == 0) continue;
    // Called once somewhere in the main one, perhaps twice.
    for (int calls = 1 + (Below(4) == 0 ? 1 : 0); calls > 0; --calls) {
      Function& main = program.functions[0];
      main.insert(main.begin() + Below(static_cast<int>(main.size()) + 1), Statement{Kind::kCallOnce, number, {}});
    }
  }
  // Every variable has to be assigned somewhere: its size is known from that.
  Function& main = program.functions[0];
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    main.push_back(Statement{Kind::kRead, i, {}});
    if (Below(2) == 0) main.push_back(DrawAssignment(program, i));
    const bool assigned = std::any_of(program.functions.begin(), program.functions.end(), [i](const Function& each) {
      return std::any_of(each.begin(), each.end(),
                         [i](const Statement& s) { return s.kind == Kind::kAssign && s.subject == i; });
    });
    if (!assigned) main.push_back(DrawAssignment(program, i));
  }
  return program;
}

// A handle for each variable, then an operator for each statement.
void AddFunction(ModelBuilder& builder, const Program& program, const Function& function) {
  SubgraphSpec& graph = builder.AddSubgraph();
  std::vector<std::int32_t> handles;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    static const std::string kNames[] = {"a", "b", "c"};
    handles.push_back(graph.AddTensor({.type = TensorType::kResource, .shape = {{1}}}));
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kVarHandle),
                       .outputs = {handles.back()},
                       .options = VarHandleOptions{"", kNames[i].c_str()}});
  }
  for (const Statement& statement : function) {
    if (statement.kind == Kind::kCallOnce) {
      graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kCallOnce),
                         .options = CallOnceOptions{static_cast<std::int32_t>(statement.subject)}});
      continue;
    }
    TensorSpec tensor = program.variables[statement.subject].spec();
    if (statement.kind == Kind::kAssign) {
      tensor.buffer = builder.AddBuffer(statement.value);
      const std::int32_t value = graph.AddTensor(tensor);
      graph.AddOperator(
          {.code = builder.AddCode(BuiltinOperator::kAssignVariable), .inputs = {handles[statement.subject], value}});
    } else {
      graph.outputs.push_back(graph.AddTensor(tensor));
      graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kReadVariable),
                         .inputs = {handles[statement.subject]},
                         .outputs = {graph.outputs.back()}});
    }
  }
}

// What a value that is read goes back to.
enum class Origin { kNobody, kMain, kRunOnce };

struct Value {
  Bytes bytes;
  Origin origin = Origin::kNobody;
};

// What the program does. Before each function and each of its operators the runtime asks whether to go on; the ask with
// number `cancelled_ask` is answered with no.
class Run {
 public:
  explicit Run(const Program& program) : program_(program) { Allocate(); }

  void Allocate() {
    Reset();
    has_run_.clear();
  }
  void Reset() {
    values_.clear();
    for (const Variable& variable : program_.variables) values_.push_back({variable.first_value()});
  }
  // The values that are read, in their order; nothing when it was cancelled.
  std::optional<std::vector<Value>> Invoke(int cancelled_ask) {
    asks_left_ = cancelled_ask;
    read_.clear();
    if (!Call(0)) return std::nullopt;
    return read_;
  }

 private:
  bool GoesOn() { return asks_left_-- != 0; }

  bool Call(std::size_t number) {
    if (!GoesOn()) return false;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      if (!GoesOn()) return false;  // its handle
    }
    const Function& function = program_.functions[number];
    for (std::size_t i = 0; i < function.size(); ++i) {
      if (!GoesOn() || !Do(function[i], {number, i})) return false;
    }
    return true;
  }

  bool Do(const Statement& statement, std::pair<std::size_t, std::size_t> place) {
    switch (statement.kind) {
      case Kind::kRead:
        read_.push_back(values_[statement.subject]);
        return true;
      case Kind::kAssign:
        values_[statement.subject] = {statement.value, place.first == 0 ? Origin::kMain : Origin::kRunOnce};
        return true;
      case Kind::kCallOnce:
        break;
    }
    if (std::find(has_run_.begin(), has_run_.end(), place) != has_run_.end()) return true;
    if (!Call(statement.subject)) return false;
    has_run_.push_back(place);
    return true;
  }

  const Program& program_;
  std::vector<Value> values_;
  std::vector<std::pair<std::size_t, std::size_t>> has_run_;
  std::vector<Value> read_;
  int asks_left_ = 0;
};

const char* Complaint(Origin origin) {
  switch (origin) {
    case Origin::kNobody:
      return "VIOLATED: a variable that nobody assigned is not what its definition fills it with";
    case Origin::kMain:
      return "VIOLATED: a variable does not hold what was assigned to it";
    case Origin::kRunOnce:
      return "VIOLATED: a variable does not hold what was assigned by what runs once";
  }
  return "";
}

// Everything fits but the type of the handle, or of the value.
TEST(Variables, HaveHandlesOfNoOtherType) {
  const TestTensor handle = Tensor(TensorType::kResource, {1}), value = Tensor(TensorType::kInt8, {3});
  const TestOperator subjects[] = {
      {BuiltinOperator::kVarHandle, VarHandleOptions{"", "a"}, {}, {handle}},
      {BuiltinOperator::kReadVariable, std::monostate{}, {handle}, {value}},
      {BuiltinOperator::kAssignVariable, std::monostate{}, {handle, value}, {}},
  };
  for (const TestOperator& subject : subjects) {
    for (std::size_t operand = 0; operand < OperandCount(subject); ++operand) {
      EXPECT_EQ(WrongAboutTypes(ReferenceKernels(), subject, operand), "");
    }
  }
}

class CancelAt final : public Cancellation {
 public:
  bool Cancelled(const OperatorLocation&) override { return asks_left_-- == 0; }
  void Set(int ask) { asks_left_ = ask; }

 private:
  int asks_left_ = -1;
};

RC_GTEST_PROP(Variables, HoldWhatWasAssignedAndWhatRunsOnceComesToItsEnd, ()) {
  const Program program = DrawProgram();
  ModelBuilder builder;
  for (const Function& function : program.functions) AddFunction(builder, program, function);
  const Bytes file = builder.Finish();
  const ValidatedModel model = Validated(file);
  CancelAt cancellation;
  // Of a far variable there are its value, once more after each new set-up, and as many outputs as read it.
  std::size_t far_count = std::size_t{kMostSteps} + 2;
  for (const Function& function : program.functions) far_count += function.size();
  const std::size_t arena_bytes = 64 * 1024 + far_count * (program.variables[0].bytes() + 16);
  Bytes arena(arena_bytes, std::byte{0xA5});
  Interpreter interpreter(model, ReferenceKernels(), arena.data(), arena.size(),
                          ForModel(model, {.cancellation = &cancellation}));
  RC_ASSERT(interpreter.AllocateTensors().ok());
  Run expected(program);
  for (int step = 1 + Below(kMostSteps); step > 0; --step) {
    const int what = Below(8);
    if (what == 0) {
      RC_ASSERT(interpreter.Reset().ok());
      expected.Reset();
    } else if (what == 1) {
      RC_ASSERT(interpreter.AllocateTensors().ok());
      expected.Allocate();
    }
    const int cancelled_ask = Below(2) == 0 ? -1 : Below(24);
    RC_LOG() << (what == 0   ? "reset, "
                 : what == 1 ? "allocated again, "
                             : "")
             << "invoked, ask " << cancelled_ask << " cancelled\n";
    cancellation.Set(cancelled_ask);
    const Status status = interpreter.Invoke();
    const std::optional<std::vector<Value>> outputs = expected.Invoke(cancelled_ask);
    RC_ASSERT(status.code == (outputs ? StatusCode::kOk : StatusCode::kInvokeCancelled));
    if (!outputs) continue;
    RC_ASSERT(interpreter.outputs().size() == outputs->size());
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      const Operand& found = interpreter.outputs()[i];
      const Value& value = (*outputs)[i];
      const std::string complaint = Complaint(value.origin);
      if (Bytes(found.data, found.data + found.bytes) != value.bytes) RC_FAIL(complaint);
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
