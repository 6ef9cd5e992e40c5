// What models of no, one, two or a few tensors need of an arena, when planning is what needs most: in the reported
// bytes they are set up and run, in one byte less they are refused for the arena's size. On the other machine the need
// follows from the parts that are reported.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/size.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/model_options.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

// A chain of `planned` vectors, and constants, of which nobody plans anything but each has a record while the plan is
// made: with many of them planning needs more than all that comes after it.
std::vector<std::byte> SmallModel(std::size_t planned, std::size_t constants) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::int32_t length = 1 + Below(6);
  std::int32_t last = -1;
  for (std::size_t i = 0; i < planned; ++i) {
    const std::int32_t next = graph.AddTensor({.shape = {{1, length}}});
    if (last < 0) {
      graph.inputs = {next};
    } else {
      graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAdd),
                         .inputs = {last, last},
                         .outputs = {next},
                         .options = AddOptions{}});
    }
    last = next;
  }
  if (last >= 0) graph.outputs = {last};
  for (std::size_t i = 0; i < constants; ++i) {
    graph.AddTensor({.shape = {{1}}, .buffer = builder.AddBufferOf(std::vector<float>{1})});
  }
  return builder.Finish();
}

// A figure that it tried out and that does not stand is an exception of the command's.
SizeResult Measure(const SizeOptions& options, const ValidatedModel& model) {
  try {
    return MeasureModel(options, model, ReferenceKernels());
  } catch (const std::exception& exception) {
    Require(false, exception.what());
    return {};
  }
}

Status SetUpIn(const ValidatedModel& model, std::size_t bytes, bool runs) {
  // A need is reported for a start on a multiple of 16: one that is none of 32.
  const auto block = std::make_unique<std::byte[]>(bytes + 32);
  const std::size_t skipped = (48 - reinterpret_cast<std::uintptr_t>(block.get()) % 32) % 32;
  Interpreter interpreter(model, ReferenceKernels(), block.get() + skipped, bytes, ForModel(model, {}));
  const Status status = interpreter.AllocateTensors();
  return status.ok() && runs ? interpreter.Invoke() : status;
}

RC_GTEST_PROP(SmallModels, AreSetUpInWhatTheyAreReportedToNeedAndNotInAByteLess, ()) {
  const auto planned = Below<std::size_t>(6), constants = Below<std::size_t>(90);
  RC_LOG() << planned << " planned, " << constants << " constants\n";
  const std::vector<std::byte> file = SmallModel(planned, constants);
  const ValidatedModel model = Validated(file);
  SizeOptions options;
  options.model = "m.tflite";
  options.two_arenas = OneIn(3);
  const SizeResult own = Measure(options, model);
  RC_LOG() << own.problem << "\n";
  RC_ASSERT(own.problem.empty());
  RC_LOG() << own.faithful.need_bytes << " bytes, for " << own.faithful.limited_by << "\n";
  if (!options.two_arenas) {
    Require(SetUpIn(model, own.faithful.need_bytes, true).ok(), "a small model is not set up in what it needs");
    Require(AsksForALargerArena(SetUpIn(model, own.faithful.need_bytes - 1, false)),
            "a small model is set up in a byte less than it needs");
  }
  options.target = "arm32";
  const SizeResult other = Measure(options, model);
  RC_ASSERT(other.problem.empty());
  for (const MemoryNeed* need : {&own.faithful, &other.faithful}) {
    const PlanningBytes& reported = need->planning;
    for (const std::size_t part : {reported.planner, reported.certifier, reported.description}) {
      const std::size_t least = reported.records + part;
      Require(need->need_bytes >= least, "a model is reported to need less than a part of its planning does");
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
