#include "tools/worker/checked_interpreter.h"

#include <utility>

#include "sanitizers/event_checks/allocation_audit.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/small_arenas.h"
#include "tools/model/model_options.h"
#include "tools/text/refusal_status.h"
#include "tools/worker/arena_size.h"
#include "tools/worker/protocol.h"
#include "tools/worker/read_room.h"
#include "tools/worker/report_events.h"

namespace arenaproof {

CheckedInterpreter::CheckedInterpreter(const CheckArguments& arguments, CheckMeans means)
    : arguments_(arguments),
      given_kernels_(means.kernels),
      self_test_(means.self_test),
      instrument_(std::move(means.instrument)) {}

CheckedInterpreter::Refused CheckedInterpreter::MakeMemory() {
  if (Refused refused = instrument_.Choose(arguments_)) return refused;
  observer_.Use(instrument_.get());
  if (Refused refused = model_.Load(arguments_, given_kernels_)) return refused;
  // Before kernels run, which may overwrite anything.
  instrument_.TestBeforeAttach(arguments_, self_test_);
  if (Refused refused = model_.Place(arguments_.layout, instrument_.get())) return refused;
  if (std::string problem = planner_.Choose(arguments_.planner, !arguments_.no_sharing); !problem.empty()) {
    return Refusal("planner", ToolRefusal::kPlannerUnusable, std::move(problem));
  }
  const GivenArenas given{arguments_.arena_bytes, arguments_.persistent_arena_bytes, arguments_.two_arenas};
  const ArenaSize size =
      FindArenaSize(model_.view(), model_.kernels(), given, dilated(), &model_.relocated(), set_up());
  if (!size.status.ok()) return SetUpRefusal(size.status, size.location, size.faithful);
  // Kernels have run unwatched: a byte that they wrote would lie there already when they write it again.
  model_.Refresh();
  return arenas_.Make(arguments_, size, instrument_.get());
}

CheckedInterpreter::Refused CheckedInterpreter::Attach(EventWriter& events) {
  EventStreamOptions stream_options{.trust_plan = arguments_.trust_plan};
  InterpreterOptions options = ForModel(model_.view(), set_up());
  options.constants = &model_.relocated();
  if (dilated()) {
    dilating_.emplace(device_.Of(options), arguments_.trust_plan);
    stream_options.distance_bytes = 2 * kClosedBytes;
    stream_options.persistent_spacing_bytes = kPersistentSpacingBytes;
    options.planner = &*dilating_;
    options.persistent_spacing_bytes = kPersistentSpacingBytes;
  }
  checker_.emplace(stream_options);
  checker_->CompareWith(&model_.view(), &model_.relocated());
  checker_->ForwardTo(&observer_);
  options.observer = &*checker_;
  offline_plan_.Clear();
  const KernelSet& kernels = instrument() == nullptr ? model_.kernels() : instrument()->Wrap(model_.kernels());
  interpreter_ = arenas_.MakeInterpreter(model_.view(), kernels, options);
  if (instrument() == nullptr) return {};
  const SelfTestResult self_test = instrument_.SelfTest();
  events.Write(protocol::kSelfTest, SelfTestFields(self_test));
  const Status status = self_test.status();
  if (!status.ok()) return Refusal("instrument", status);
  return {};
}

CheckedInterpreter::Refused CheckedInterpreter::Allocate(EventWriter& events) {
  const Status status = interpreter_->AllocateTensors();
  if (!status.ok()) return SetUpRefusal(status, interpreter_->failed_operator(), arenas_.device_sizes());
  observer_.Allow(AllowedReadsOf(model_.view(), *interpreter_));
  if (!dilated()) {
    const DeviceBytes device{arenas_.allocation(), observer_.head_start(), observer_.plan()};
    if (std::string problem = MissingRoom(observer_.allowed(), model_.view(), device); !problem.empty()) {
      return Refusal("allocate", ToolRefusal::kReadRoom, std::move(problem));
    }
  }
  AuditAllocation(model_.view(), *interpreter_, *checker_);
  events.Write(protocol::kPlan, PlanFields(model_.view(), observer_, *interpreter_, arenas_.start(), arenas_.sizes(),
                                           arenas_.device_sizes()));
  if (!observer_.allowed().empty()) events.Write(protocol::kReadAllowances, AllowedReadFields(observer_.allowed()));
  const OfflinePlanReport offline_plan = MakeOfflinePlanReport(model_.view(), offline_plan_);
  if (!offline_plan.empty()) events.Write(protocol::kOfflinePlan, OfflinePlanJson(offline_plan));
  return {};
}

bool CheckedInterpreter::BeginOtherRun() {
  if (instrument() == nullptr || !checker_->inconsistencies().empty() || !instrument()->BeginOtherRun()) return false;
  interpreter_.reset();
  arenas_.Overwrite(std::byte{0x5c});  // zeros when the first run began
  observer_.ForgetInvokes();
  return true;
}

// A plan in which tensors share bytes is no unusable input: it is a violation found.
RunRefusal CheckedInterpreter::SetUpRefusal(const Status& status, const OperatorLocation& location,
                                            const ArenaSizes& arenas) {
  if (status.code == StatusCode::kLayoutMemory) return Refusal(protocol::kStageMemory, status);
  const bool violation = ExitStatusOf(status) == ExitStatus::kViolations;
  RunRefusal refusal{violation ? "certify" : "allocate", status, location,
                     planner_.Refused(model_.view(), status, offline_plan_.RefusalSentence(model_.view(), status)),
                     violation ? protocol::kExitViolations : protocol::kExitCouldNotRun};
  if (violation) refusal.overlap = offline_plan_.refused_overlap();
  if ((!arguments_.arena_bytes && !arguments_.persistent_arena_bytes) || !AsksForALargerArena(status)) return refusal;
  refusal.small_arenas = FindSmallArenas(model_.view(), model_.kernels(), arenas,
                                         ForModel(model_.view(), InterpreterOptionsOf(arguments_, planner_)));
  refusal.sentence += refusal.small_arenas.empty() ? kHintAtALargerArena : SmallArenasText(refusal.small_arenas);
  return refusal;
}

std::string CheckedInterpreter::Free() {
  interpreter_.reset();
  instrument_.Discard();
  return arenas_.Free();
}

}  // namespace arenaproof
