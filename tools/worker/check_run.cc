#include "tools/worker/check_run.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/model/given_inputs.h"
#include "tools/model/model_file.h"
#include "tools/model/unproduced_tensors.h"
#include "tools/text/operator_text.h"
#include "tools/text/sentences.h"
#include "tools/worker/check_events.h"
#include "tools/worker/checked_interpreter.h"
#include "tools/worker/crash_reporter.h"
#include "tools/worker/head_garbage.h"
#include "tools/worker/operand_extents.h"
#include "tools/worker/protocol.h"
#include "tools/worker/report_events.h"

namespace arenaproof {
namespace {

class Check final : public CrashReporter {
 public:
  Check(const CheckArguments& arguments, EventWriter& events, CheckMeans means)
      : arguments_(arguments), events_(events), checked_(arguments, std::move(means)) {}

  int Run() {
    WriteStarted(events_, arguments_);
    const std::optional<RunRefusal> refusal = SetUpAndInvoke();
    ReportCrashesTo(nullptr);
    if (refusal) WriteRefusal(*refusal);
    if (checked_.checker() != nullptr && WriteInconsistencies(events_, *checked_.checker())) {
      return protocol::kExitInternalError;
    }
    return refusal ? refusal->exit_status : Finish();
  }

  void ReportBeforeCrash() override {
    // The model, whose names are read now, is closed while an operator runs.
    if (checked_.instrument() != nullptr) checked_.instrument()->OnDetach();
    ReportViolations();
    ReportOperators();
  }

 private:
  using Refused = std::optional<RunRefusal>;

  const ModelView& model() const { return checked_.model().view(); }

  Refused SetUpAndInvoke() {
    if (Refused refused = checked_.MakeMemory()) return refused;
    if (std::string problem = inputs_.Read(arguments_.inputs, model()); !problem.empty()) {
      return Refusal("input_file", ToolRefusal::kInputFile, std::move(problem));
    }
    ReportCrashesTo(this);
    Refused refused = SetUpAndInvokeOnce(events_);
    if (!refused && checked_.BeginOtherRun()) {
      // All but operators and violations was reported of the first.
      EventWriter nowhere(EventWriter::kNowhere);
      refused = SetUpAndInvokeOnce(nowhere);
      if (refused && ChargedToOperator(refused->location)) return {};
    }
    if (!refused) return {};
    if (refused->stage == "invoke") ReportOperators();
    ReportViolations();
    return refused;
  }

  bool ChargedToOperator(const OperatorLocation& location) {
    return checked_.instrument()->ChargeFailure(location.subgraph, location.operator_index);
  }

  Refused SetUpAndInvokeOnce(EventWriter& events) {
    if (Refused refused = checked_.Attach(events)) return refused;
    if (Refused refused = checked_.Allocate(events)) return refused;
    for (std::uint32_t run = 0; run < arguments_.runs; ++run) {
      if (Refused refused = Invoke(run, events)) return refused;
    }
    return {};
  }

  Refused Invoke(std::uint32_t run, EventWriter& events) {
    Interpreter& interpreter = *checked_.interpreter();
    // An answer that depends on the garbage differs between the layouts.
    const std::byte garbage{arguments_.layout == Layout::kDilated ? std::uint8_t{0x5a} : std::uint8_t{0xa5}};
    FillHeadWithGarbage(model(), interpreter, checked_.checker()->head(), garbage);
    const std::uint32_t seed = arguments_.seed + run == 0 ? 1 : arguments_.seed + run;
    if (std::string problem = inputs_.Fill(interpreter.inputs(), seed); !problem.empty()) {
      return Refusal("input", ToolRefusal::kInputType, std::move(problem));
    }
    ClearUnproducedTensors(model(), interpreter);
    const Status status = interpreter.Invoke();
    if (run == 0) WriteBlindness(events, model(), checked_.observer());
    if (!status.ok()) return Refusal("invoke", status, EndOfInvoke(status, interpreter.failed_operator()));
    for (std::size_t i = 0; i < interpreter.outputs().size(); ++i) {
      events.Write(protocol::kOutput, OutputFields(model(), run, i, interpreter.outputs()[i]));
    }
    return {};
  }

  void WriteRefusal(RunRefusal refusal) {
    // The other stages are not about the opened file, or name it themselves.
    static constexpr std::string_view kAboutTheFile[] = {"kernels", "layout", "allocate", "certify", "input", "invoke"};
    const ModelView* const file = checked_.model().file();
    if (file != nullptr &&
        std::find(std::begin(kAboutTheFile), std::end(kAboutTheFile), refusal.stage) != std::end(kAboutTheFile)) {
      const std::string sentence = refusal.sentence.empty() ? Sentence(refusal.status) : refusal.sentence;
      refusal.sentence = InFile(arguments_.model, Located(refusal.location, sentence));
    }
    events_.Write(protocol::kRefused, RefusalFields(refusal, file));
  }

  void ReportOperators() {
    if (checked_.interpreter() == nullptr) return;
    WriteOperators(events_, model(), *checked_.interpreter(), checked_.observer(), checked_.model().chosen_kernels());
  }

  void ReportViolations() {
    if (checked_.instrument() != nullptr) WriteViolations(events_, model(), checked_.instrument()->log());
  }

  int Finish() {
    ReportOperators();
    if (arguments_.extents && checked_.instrument() != nullptr) {
      events_.Write(protocol::kExtents, ExtentFields(model(), *checked_.instrument(), *checked_.interpreter(),
                                                     checked_.model().chosen_kernels()));
    }
    ReportViolations();
    const ViolationLog log = checked_.instrument() == nullptr ? ViolationLog() : checked_.instrument()->log();
    if (const std::string refusal = checked_.Free(); !refusal.empty()) {
      events_.Write(protocol::kInternalError, {{protocol::kSentence, refusal}});
      return protocol::kExitInternalError;
    }
    events_.Write(protocol::kFinished, {{protocol::kViolationCount, log.access_count()},
                                        {protocol::kGroups, log.groups().size()},
                                        {protocol::kCapped, log.capped()}});
    return log.access_count() == 0 ? protocol::kExitClean : protocol::kExitViolations;
  }

  const CheckArguments& arguments_;
  EventWriter& events_;
  CheckedInterpreter checked_;
  GivenInputs inputs_;
};

}  // namespace

int RunCheckInThisProcess(const CheckArguments& arguments, EventWriter& events, CheckMeans means) {
  return Check(arguments, events, std::move(means)).Run();
}

}  // namespace arenaproof
