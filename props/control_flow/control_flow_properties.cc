// Programs give as models what they give as programs: over any sequence of invokes, resets and new allocations, in an
// arena full of garbage, with every planner.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <memory>

#include "core/model/call_tree.h"
#include "core/model/validate.h"
#include "core/runtime/interpreter/cancellation.h"
#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "props/control_flow/control_program.h"
#include "props/control_flow/control_program_model.h"
#include "tools/model/model_options.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kArenaBytes = 256 * 1024;

bool Has(const Program& program, StatementKind kind) {
  for (const Function& function : program.functions) {
    for (const Statement& statement : function.statements) {
      if (statement.kind == kind) return true;
    }
  }
  return false;
}

// A program's loops end; a model whose loops do not is stopped.
class StepLimit final : public Cancellation {
 public:
  bool Cancelled(const OperatorLocation&) override { return ++step_count_ > kMostSteps; }
  void StartAgain() { step_count_ = 0; }

 private:
  static constexpr std::size_t kMostSteps = 20000;
  std::size_t step_count_ = 0;
};

std::vector<float> InvokeModel(Interpreter& interpreter, const std::vector<float>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::memcpy(interpreter.inputs()[i].data, &inputs[i], sizeof inputs[i]);
  }
  RC_ASSERT(interpreter.Invoke().ok());
  std::vector<float> outputs;
  for (const Operand& output : interpreter.outputs()) {
    float value = 0.0f;
    std::memcpy(&value, output.data, sizeof value);
    outputs.push_back(value);
  }
  return outputs;
}

// Three keys that are alike for as long as can be: in their ends, in their starts, as a whole but for a last character,
// and as container and name written one after the other.
std::vector<ModelStyle::Key> DrawKeys() {
  const auto length = *rc::gen::weightedOneOf<std::size_t>(
      {{2, rc::gen::inRange<std::size_t>(0, 6)}, {1, rc::gen::inRange<std::size_t>(6, 300)}});
  const std::string same(length, 'n');
  std::vector<ModelStyle::Key> keys = *rc::gen::element<std::vector<ModelStyle::Key>>(
      std::vector<ModelStyle::Key>{{"", same + "a"}, {"box", same + "a"}, {"", same + "b"}},
      std::vector<ModelStyle::Key>{{"c", "a" + same}, {"c", "b" + same}, {"c", same}},
      std::vector<ModelStyle::Key>{{same, "v"}, {same + "a", "v"}, {same + "b", "v"}},
      std::vector<ModelStyle::Key>{{"an" + same, "v"}, {"a", "n" + same + "v"}, {"", "an" + same + "v"}},
      std::vector<ModelStyle::Key>{{same + "x", same + "y"}, {same + "y", same + "x"}, {same + "x", same + "x"}});
  return keys;
}

// Model files have at most kMaxSubgraphCount subgraphs.
int DrawUnusedFunctions(std::size_t function_count) {
  const auto most = static_cast<int>(kMaxSubgraphCount - function_count);
  const auto rarely = *rc::gen::inRange(0, 6).as("unused functions");
  return rarely > 0 ? 0 : *rc::gen::weightedOneOf<int>({{2, rc::gen::inRange(0, most + 1)}, {1, rc::gen::just(most)}});
}

void RunBoth(bool preserve_all_tensors) {
  const auto choices = *rc::gen::resize(120, rc::gen::arbitrary<std::vector<std::uint8_t>>());
  const Program program = MakeProgram(choices);
  RC_LOG() << program << "\n";
  RC_CLASSIFY(Has(program, StatementKind::kIf), "branches");
  RC_CLASSIFY(Has(program, StatementKind::kWhile), "loops");
  RC_CLASSIFY(Has(program, StatementKind::kCallOnce), "calls once");
  RC_CLASSIFY(Has(program, StatementKind::kRead), "reads variables");
  RC_CLASSIFY(program.functions.size() >= 5, "five functions or more");
  const ModelStyle style{DrawUnusedFunctions(program.functions.size()), DrawKeys()};
  RC_LOG() << style.unused_function_count << " unused functions, keys";
  for (const ModelStyle::Key& key : style.keys) RC_LOG() << " '" << key.container << "'/'" << key.name << "'";
  RC_LOG() << "\n";
  const std::vector<std::byte> file = ModelOf(program, style);
  const ValidatedModel model = Validated(file);

  StepLimit steps;
  std::vector<std::byte> arena(kArenaBytes, std::byte{0xA5});
  Interpreter interpreter(model, ReferenceKernels(), arena.data(), arena.size(),
                          ForModel(model, {.preserve_all_tensors = preserve_all_tensors, .cancellation = &steps}));
  RC_ASSERT(interpreter.AllocateTensors().ok());
  ProgramRun expected(program);
  const int step_count = *rc::gen::inRange(1, 6);
  for (int step = 0; step < step_count; ++step) {
    const int what = *rc::gen::inRange(0, 6);
    if (what == 0) {
      RC_ASSERT(interpreter.Reset().ok());
      expected.Reset(program);
    } else if (what == 1) {
      RC_ASSERT(interpreter.AllocateTensors().ok());
      expected.Allocate(program);
    }
    std::vector<float> inputs;
    for (int i = 0; i < program.functions[0].input_count; ++i) {
      inputs.push_back(static_cast<float>(*rc::gen::inRange(-64, 64)) * 0.25f);
    }
    steps.StartAgain();
    RC_ASSERT(InvokeModel(interpreter, inputs) == expected.Invoke(program, inputs));
  }
}

RC_GTEST_PROP(ControlPrograms, ComputeTheSameAsModels, ()) { RunBoth(false); }

RC_GTEST_PROP(ControlPrograms, ComputeTheSameWithEveryTensorKept, ()) { RunBoth(true); }

}  // namespace
}  // namespace arenaproof::testing
