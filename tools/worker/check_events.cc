#include "tools/worker/check_events.h"

#include <vector>

#include "tools/model/step_operators.h"
#include "tools/text/operator_text.h"
#include "tools/worker/protocol.h"
#include "tools/worker/report_events.h"

namespace arenaproof {

void WriteStarted(EventWriter& events, const CheckArguments& arguments) {
  events.Write(protocol::kStarted, {{protocol::kInstrument, arguments.instrument},
                                    {protocol::kLayout, LayoutName(arguments.layout)},
                                    {protocol::kPreset, ARENAPROOF_PRESET_NAME},
                                    {protocol::kKernels, arguments.kernels},
                                    {protocol::kModel, arguments.model},
                                    {protocol::kSeed, arguments.seed},
                                    {protocol::kRuns, arguments.runs}});
}

void WriteOperators(EventWriter& events, const ModelView& model, const Interpreter& interpreter,
                    const CheckingObserver& observer, const ChosenKernels& kernels) {
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    const auto number = static_cast<std::int32_t>(subgraph);
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      const auto index = static_cast<std::int32_t>(i);
      const Kernel* kernel = interpreter.kernel_of(index, number);
      CheckingObserver::Invokes invokes = observer.InvokesOf(number, index);
      const bool without_hooks = kernels.Hides(kernel);
      if (without_hooks) invokes.seen = 0;
      events.Write(protocol::kOperator, {{protocol::kIndex, i},
                                         {protocol::kSubgraph, subgraph},
                                         {protocol::kName, OperatorName(model.operator_at(subgraph, i))},
                                         {protocol::kKernel, kernel == nullptr ? "" : kernel->name},
                                         {protocol::kSeenByInstrument, invokes.all_seen()},
                                         {protocol::kInvokes, invokes.count},
                                         {protocol::kInvokesSeen, invokes.seen},
                                         {protocol::kWithoutHooks, without_hooks}});
    }
  }
  if (const auto& place = observer.capped_at()) {
    events.Write(protocol::kCapped, {{protocol::kSubgraph, place->subgraph},
                                     {protocol::kOperator, place->operator_index},
                                     {protocol::kOperatorName, place->operator_name},
                                     {protocol::kPhase, OperatorPhaseName(place->phase)}});
  }
}

void WriteBlindness(EventWriter& events, const ModelView& model, const CheckingObserver& observer) {
  events.Write(protocol::kBlindPairs, BlindPairFields(observer));
  if (!observer.not_exact().empty()) {
    events.Write(protocol::kNotExact, NotExactFields(model, observer.not_exact()));
  }
}

void WriteViolations(EventWriter& events, const ModelView& model, const ViolationLog& log) {
  if (log.groups().empty()) return;
  const std::vector<StepOperator> steps = StepOperators(model);
  for (const Violation& violation : log.groups()) {
    events.Write(protocol::kViolation, ViolationFields(model, steps, violation));
  }
}

bool WriteInconsistencies(EventWriter& events, const EventStreamChecker& checker) {
  for (const std::string& inconsistency : checker.inconsistencies()) {
    events.Write(protocol::kInternalError,
                 {{protocol::kSentence, "events, arena and model do not fit: " + inconsistency}});
  }
  return !checker.inconsistencies().empty();
}

}  // namespace arenaproof
