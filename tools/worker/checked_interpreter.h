// The set-up of a check: a model's interpreter in memory with closed bytes around it, its events compared with arena
// and model and passed to an instrument.
#pragma once

#include <memory>
#include <optional>

#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "sanitizers/layout/dilating_planner.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/model_options.h"
#include "tools/model/offline_plan_report.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/check_run.h"
#include "tools/worker/checked_arenas.h"
#include "tools/worker/checked_model.h"
#include "tools/worker/checking_observer.h"
#include "tools/worker/event_writer.h"
#include "tools/worker/run_refusal.h"
#include "tools/worker/tested_instrument.h"

namespace arenaproof {

class CheckedInterpreter {
 public:
  using Refused = std::optional<RunRefusal>;

  CheckedInterpreter(const CheckArguments& arguments, CheckMeans means);

  // The steps of the set-up, each after success of the one before it. The checked kernels run in Allocate() with the
  // instrument watching; MakeMemory() runs them too, to find the arena's size.
  Refused MakeMemory();
  Refused Attach(EventWriter& events);    // shows the instrument its planted accesses and writes "self_test"
  Refused Allocate(EventWriter& events);  // writes "plan" and "offline_plan"

  // For an instrument that compares two runs, behind the first: gives the interpreter up, and what lay in the arenas.
  // False when the instrument asks for no other run, or nothing can be concluded from the first.
  bool BeginOtherRun();

  const CheckedModel& model() const { return model_; }
  const CheckingObserver& observer() const { return observer_; }
  AccessInstrument* instrument() const { return instrument_.get(); }                     // null: none
  Interpreter* interpreter() const { return interpreter_.get(); }                        // null before Attach()
  const EventStreamChecker* checker() const { return checker_ ? &*checker_ : nullptr; }  // null before Attach()

  // Everything on the arena first, then the arena by its original pointer, as an application does when it is done.
  // Empty, or why that was refused.
  [[nodiscard]] std::string Free();

 private:
  bool dilated() const { return arguments_.layout == Layout::kDilated; }
  InterpreterOptions set_up() { return InterpreterOptionsOf(arguments_, planner_, &offline_plan_); }
  // `arenas`: the device's.
  RunRefusal SetUpRefusal(const Status& status, const OperatorLocation& location, const ArenaSizes& arenas);

  const CheckArguments& arguments_;
  const KernelSet* given_kernels_;
  SelfTestRecord* self_test_;
  CheckedModel model_;
  CheckedArenas arenas_;
  ChosenPlanner planner_;
  DevicePlanner device_;
  std::optional<DilatingPlanner> dilating_;
  OfflinePlanRecorder offline_plan_;
  // The order of destruction: the interpreter detaches the observer, then the instrument goes, then the memory.
  TestedInstrument instrument_;
  CheckingObserver observer_;
  std::optional<EventStreamChecker> checker_;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace arenaproof
