// One model in one arena, from attach to detach, watched by the instrument of this build and by a checker of the
// event stream. Whatever must not happen ends the process (defect.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/interpreter.h"
#include "engine/harness/model_pipeline/committed_plan_checker.h"
#include "engine/harness/model_pipeline/placed_model.h"
#include "engine/harness/model_pipeline/work_estimate.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/layout/dilating_planner.h"

namespace arenaproof {

// Mapped once, as the model's is.
CheckedMemory& PipelineArenaMemory();

// The instrument that this build can run; null when there is none.
std::unique_ptr<AccessInstrument> InstrumentOfThisBuild();

struct SessionOptions {
  bool dilated = false;
  int garbage = 0xa5;     // what the arena holds before anyone writes it
  bool recorded = false;  // the arena records what it hands out, by category
};

struct RunResult {
  StatusCode code = StatusCode::kOk;  // of the invoke
  std::vector<std::byte> outputs;     // of the graph, one after another; empty when the invoke failed

  // The model's loops took more work than there is: nothing can be said.
  bool cancelled() const { return code == StatusCode::kInvokeCancelled; }
  bool operator==(const RunResult&) const = default;
};

class WatchedSession {
 public:
  // `model` outlives the session; `arena` lies in PipelineArenaMemory().
  WatchedSession(const PlacedModel& model, const KernelSet& kernels, std::span<std::byte> arena,
                 const SessionOptions& options);
  // Ends the interpreter, and checks that too.
  ~WatchedSession();
  WatchedSession(const WatchedSession&) = delete;
  WatchedSession& operator=(const WatchedSession&) = delete;

  // May be called again, in the same arena. What succeeds is audited; a status that no model can bring about is a
  // defect.
  Status Allocate();

  // Fills the head with `garbage`, the variables with their first values, the inputs with values that `choice` stands
  // for, and runs the model within the budget of work.
  RunResult Run(std::uint64_t choice, int garbage);
  // The same with these values, one entry for each input of the graph, each of the input's size.
  RunResult Run(std::span<const std::vector<std::byte>> inputs, int garbage);

  // Asks for the struct of one tensor, in whatever state the interpreter is, and gives it back.
  void DescribeTensor(std::uint64_t choice);

  std::size_t used_bytes() const { return interpreter_->arena_used_bytes(); }
  const AccessInstrument* instrument() const { return instrument_.get(); }
  const EventStreamChecker& event_checker() const { return event_checker_; }

 private:
  std::vector<std::uint64_t> InvokeCounts() const;
  void StartAfresh(int garbage);
  void FillInputs(std::uint64_t choice);
  RunResult InvokeOnce();
  void RefuseOtherVariables() const;
  void RefuseViolations() const;
  void RefuseInconsistencies() const;

  const PlacedModel& placed_;
  const ValidatedModel& model_;   // its view
  std::size_t set_up_count_ = 0;  // not refused
  GreedyPlanner greedy_;
  DilatingPlanner dilating_{greedy_};
  std::optional<WorkBudget> budget_;
  // Destroyed in reverse: the interpreter detaches the observers, then they go.
  std::unique_ptr<AccessInstrument> instrument_;
  EventStreamChecker event_checker_;
  // Receives the interpreter's events and passes them on to the event checker, which does so to the instrument.
  CommittedPlanChecker plan_checker_;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace arenaproof
