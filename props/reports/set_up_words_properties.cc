// Each option of a set-up does what it says and nothing else, in the command and in a worker: --trust-plan takes a plan
// in which live tensors overlap, --strict-plan refuses one that places constants, --no-sharing keeps outputs out of
// inputs, whatever the others say.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/run.h"
#include "tools/command/worker_words.h"
#include "tools/model_builder/model_builder.h"
#include "tools/worker/check_arguments.h"

namespace arenaproof::testing {
namespace {

// x -> ABS -> a -> a and the constant -> b -> ABS -> y, of 32 bytes each.
std::vector<std::byte> PlannedChain(bool overlaps, bool places_constant, bool has_plan) {
  ModelBuilder model;
  SubgraphSpec& graph = model.AddSubgraph();
  const auto value = [&] { return graph.AddTensor({.shape = {{8}}}); };
  const std::int32_t x = value(), a = value(), b = value(), y = value();
  const std::int32_t constant =
      graph.AddTensor({.shape = {{8}}, .buffer = model.AddBufferOf(std::vector<float>(8, 0.5f))});
  graph.AddOperator({.code = model.AddCode(BuiltinOperator::kAbs), .inputs = {x}, .outputs = {a}});
  graph.AddOperator(
      {.code = model.AddCode(BuiltinOperator::kAdd), .inputs = {a, constant}, .outputs = {b}, .options = AddOptions{}});
  graph.AddOperator({.code = model.AddCode(BuiltinOperator::kAbs), .inputs = {b}, .outputs = {y}});
  graph.inputs = {x};
  graph.outputs = {y};
  const std::vector<std::int32_t> plan{
      1, 0, 5, 0, overlaps ? 16 : 32, 64, kPlannedAtRunTime, places_constant ? 0 : kPlannedAtRunTime};
  if (has_plan) model.AddMetadata(std::string(kOfflinePlanName), std::as_bytes(std::span(plan)));
  return model.Finish();
}

SetUpOptions DrawSetUp() {
  SetUpOptions set_up;
  set_up.trust_plan = OneIn(2);
  set_up.strict_plan = OneIn(2);
  set_up.no_sharing = OneIn(2);
  return set_up;
}

// "rule V20" in what is said of a refusal.
bool Names(const std::string& problem, const char* rule) { return problem.find(rule) != std::string::npos; }

RC_GTEST_PROP(SetUpWords, DecideAboutOfflinePlansEachByItself, ()) {
  const bool overlaps = OneIn(2), places_constant = OneIn(2);
  RunOptions options;
  static_cast<SetUpOptions&>(options) = DrawSetUp();
  RC_LOG() << WordsOf(options) << (overlaps ? ", live tensors overlap" : "")
           << (places_constant ? ", a constant is placed" : "") << "\n";
  const std::vector<std::byte> file = PlannedChain(overlaps, places_constant, true);
  const RunResult run = RunModel(options, Validated(file), ReferenceKernels());
  RC_LOG() << run.problem << "\n";
  const bool untrusted = overlaps && !options.trust_plan, too_loose = places_constant && options.strict_plan;
  Require(run.problem.empty() == !(untrusted || too_loose),
          "an offline plan is refused when an option says so, and only then");
  if (run.problem.empty()) return;
  Require((untrusted && Names(run.problem, "V20")) || (too_loose && Names(run.problem, "V22")),
          "an offline plan is refused by the rule that it breaks");
}

RC_GTEST_PROP(SetUpWords, KeepOutputsOutOfInputs, ()) {
  RunOptions options;
  static_cast<SetUpOptions&>(options) = DrawSetUp();
  options.planner = "arena";
  RC_LOG() << WordsOf(options) << "\n";
  const std::vector<std::byte> file = PlannedChain(false, false, false);
  const RunResult run = RunModel(options, Validated(file), ReferenceKernels());
  Require(run.problem.empty(), "a sound model runs: " + run.problem);
  Require(run.sharing.empty() == options.no_sharing, "outputs lie in inputs unless --no-sharing is said");
}

// Everything is drawn, so that a word that is sent as another one, or not at all, differs in half of the draws.
CheckOptions DrawCheckOptions() {
  CheckOptions options;
  static_cast<SetUpOptions&>(options) = DrawSetUp();
  options.planner = *rc::gen::element<std::string>("greedy", "linear", "arena");
  options.kernels = *rc::gen::element<std::string>("reference", "./kernels.so");
  options.fallback = *rc::gen::element<std::string>("none", "reference");
  options.model = "m";
  if (OneIn(2)) options.file = "/dev/fd/9";
  if (OneIn(2)) options.arena_bytes = *rc::gen::inRange(0, 100000);
  if (OneIn(2)) options.persistent_arena_bytes = *rc::gen::inRange(0, 100000);
  options.two_arenas = OneIn(2);
  options.reserve_front_bytes = static_cast<std::uint32_t>(*rc::gen::inRange(0, 65537));
  options.seed = static_cast<std::uint32_t>(*rc::gen::inRange(1, 1000));
  options.runs = static_cast<std::uint32_t>(*rc::gen::inRange(1, 1000));
  if (OneIn(2)) options.inputs = {"0:x.bin", "name:y.npy"};
  options.extents = OneIn(2);
  return options;
}

RC_GTEST_PROP(SetUpWords, AreTheSameToAWorker, ()) {
  const CheckOptions options = DrawCheckOptions();
  const Instrument& instrument = *rc::gen::elementOf(AllInstruments());
  const bool dilated = OneIn(2);
  std::vector<std::string> words = WorkerCommand(options, instrument, dilated ? "dilated" : "faithful");
  Require(words.size() > 2 && words[1] == "check", "a worker is called to check");
  std::vector<char*> pointers;
  for (std::size_t i = 2; i < words.size(); ++i) pointers.push_back(words[i].data());
  CheckArguments arguments;
  const std::string problem = ParseCheckArguments(pointers, &arguments);
  Require(problem.empty(), "a worker takes the words of a set-up: " + problem);
  Require(arguments.trust_plan == options.trust_plan && arguments.strict_plan == options.strict_plan &&
              arguments.no_sharing == options.no_sharing && arguments.planner == options.planner,
          "a worker sets up as the command was told");
  Require(arguments.model == (options.file.empty() ? options.model : options.file) &&
              arguments.kernels == options.kernels && arguments.fallback == options.fallback,
          "a worker reads the files that the command was told");
  Require(arguments.instrument == instrument.name && (arguments.layout == Layout::kDilated) == dilated,
          "a worker runs the instrument and the layout of its part");
  Require(arguments.arena_bytes == options.arena_bytes &&
              arguments.persistent_arena_bytes == options.persistent_arena_bytes &&
              arguments.two_arenas == options.two_arenas &&
              arguments.reserve_front_bytes == options.reserve_front_bytes,
          "a worker's arenas are those that the command was told");
  Require(arguments.seed == options.seed && arguments.runs == options.runs && arguments.inputs == options.inputs &&
              arguments.result_descriptor > 2,
          "a worker runs as often, on the same values, and reports where the command reads");
  Require(arguments.extents == (options.extents && instrument.name == kExtentsInstrument),
          "the worker of one instrument measures extents, when that is asked for");
  for (const auto& [word, said] :
       {std::pair("--trust-plan", options.trust_plan), std::pair("--strict-plan", options.strict_plan),
        std::pair("--no-sharing", options.no_sharing)}) {
    Require(Names(WordsOf(options), word) == said, "what is repeated to the user is what was said");
  }
}

}  // namespace
}  // namespace arenaproof::testing
