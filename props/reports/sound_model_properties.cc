// A sound model is clean, whatever it calls, keeps and plans for itself: in both layouts, over any number of runs, its
// outputs are those of a run in which nobody moves or fills anything.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "engine/generators/models/model_choices.h"
#include "engine/generators/models/sharing_model_text.h"
#include "engine/generators/models/sharing_models.h"
#include "kernels/reference/reference_kernels.h"
#include "props/model/model_generators.h"
#include "props/reports/chain_model.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "tools/command/worker_report.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"
#include "tools/text/sha256.h"
#include "tools/worker/check_run.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kArenaBytes = 512 * 1024;

std::vector<std::string> PlainOutputs(const std::vector<std::byte>& file, std::uint32_t seed, std::uint32_t runs) {
  const ValidatedModel model = Validated(file);
  std::vector<std::byte> arena(kArenaBytes, std::byte{0});
  Interpreter interpreter(model, ReferenceKernels(), arena.data(), arena.size(),
                          ForModel(model, {.preserve_all_tensors = true}));
  RC_ASSERT(interpreter.AllocateTensors().ok());
  std::vector<std::string> outputs;
  for (std::uint32_t run = 0; run < runs; ++run) {
    InputGenerator generator(seed + run);
    for (const Operand& input : interpreter.inputs()) RC_ASSERT(generator.Fill(input.type, {input.data, input.bytes}));
    RC_ASSERT(interpreter.Invoke().ok());
    for (const Operand& output : interpreter.outputs()) outputs.push_back(Sha256Hex({output.data, output.bytes}));
  }
  return outputs;
}

CheckArguments DrawArguments(const std::vector<std::byte>& file) {
  static const ScratchFile model_file;
  model_file.Replace({reinterpret_cast<const char*>(file.data()), file.size()});
  CheckArguments arguments;
  arguments.model = model_file.path();
  arguments.seed = 1 + Below(999u);
  arguments.runs = 1 + Below(3u);
  arguments.two_arenas = Below(2u) != 0;
  // Those that need nothing of the build; one that proves itself takes longer than a model.
  if (OneIn(4)) arguments.instrument = OneIn(3) ? "canary" : "twofill";
  return arguments;
}

void RequireCleanAndAsEver(CheckArguments arguments, const std::vector<std::byte>& file_without_plan) {
  static const ScratchFile words;
  const std::vector<std::string> expected = PlainOutputs(file_without_plan, arguments.seed, arguments.runs);
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    words.Replace("");
    arguments.layout = layout;
    EventWriter events(words.descriptor());
    const int status = RunCheckInThisProcess(arguments, events);
    const WorkerReport report = ReadWorkerReport(words.Text());
    RC_LOG() << LayoutName(layout) << "\n";
    if (report.refusal) RC_LOG() << report.refusal->sentence << "\n";
    RC_ASSERT(!report.refusal);
    RC_ASSERT(report.malformed.empty());
    RC_ASSERT(report.internal_errors.empty());
    RC_ASSERT(status == 0);
    RC_ASSERT(report.finished);
    RC_ASSERT(report.outputs.size() == expected.size());
    const std::string other = "VIOLATED: a sound model answers otherwise when its arena is checked";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (report.outputs[i].sha256 != expected[i]) RC_FAIL(other);
    }
  }
}

RC_GTEST_PROP(SoundModels, AreCleanInBothLayoutsAndAnswerAsEver, ()) {
  const ChainModel model = DrawChainModel();
  RC_LOG() << model.described << "\n";
  RequireCleanAndAsEver(DrawArguments(model.file), model.file_without_plan);
}

RC_GTEST_PROP(SoundModels, ThatShareAreCleanByEveryPlanner, ()) {
  Choices choices(*rc::gen::noShrink(Numbers(400)));  // a check takes too long to be run for each smaller model
  ModelBuilder builder = MakeSharingModel(choices);
  RC_LOG() << SharingModelText(builder);
  const std::vector<std::byte> file = builder.Finish();
  CheckArguments arguments = DrawArguments(file);
  constexpr const char* kPlanners[] = {"arena", "greedy", "linear"};
  arguments.planner = kPlanners[OneIn(2) ? 0 : Below(std::size(kPlanners))];
  arguments.no_sharing = OneIn(4);
  RC_LOG() << arguments.planner << (arguments.no_sharing ? " without sharing\n" : "\n");
  RequireCleanAndAsEver(std::move(arguments), file);
}

}  // namespace
}  // namespace arenaproof::testing
