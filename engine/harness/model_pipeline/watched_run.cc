#include "engine/harness/model_pipeline/watched_run.h"

#include <memory>

#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/harness/model_pipeline/watched_session.h"
#include "engine/harness/model_pipeline/work_estimate.h"
#include "engine/oracles/defect.h"
#include "sanitizers/self_test/instrument_self_test.h"
#include "tools/memory/larger_arena.h"

namespace arenaproof {
namespace {

// Two kinds of garbage without a byte in common: a value that depends on either is seen.
constexpr int kGarbage = 0xa5;
constexpr int kOtherGarbage = 0x5a;

bool RunsSomethingOnce(const ModelView& model) {
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      if (model.operator_at(s, i).code == BuiltinOperator::kCallOnce) return true;
    }
  }
  return false;
}

// One input's way, with what is known of it so far.
class PipelineRun {
 public:
  PipelineRun(const PlacedModel& model, const KernelSet& kernels, bool dear)
      : placed_(model),
        model_(model.view),
        kernels_(kernels),
        dear_(dear),
        choice_(ModelChecksum(model.original)),
        dilated_(choice_ % 3 == 0),
        values_(choice_ >> 8) {}

  ModelStage Run() {
    const ModelStage stage = PrepareAndInvoke();
    if (stage == ModelStage::kPlanned || !dear_) return stage;
    if (stage == ModelStage::kInvoked && choice_ % 4 == 1) {
      RunInTheOtherLayout();
    } else {
      PrepareInSmallerArena(choice_ >> 20);
    }
    return stage;
  }

 private:
  ModelStage PrepareAndInvoke() {
    // Half of the large arenas do not begin where one would.
    const std::size_t misalignment = (choice_ >> 40) % 2 == 0 ? 0 : (choice_ >> 41) % 64;
    WatchedSession session(placed_, kernels_, PipelineArenaMemory().span().subspan(misalignment),
                           {.dilated = dilated_, .garbage = kGarbage, .recorded = (choice_ >> 12) % 3 == 0});
    const Status allocated = session.Allocate();
    if (dear_) session.DescribeTensor(values_);
    CountRefusal(ModelStage::kPlanned, allocated);
    if (!allocated.ok()) return ModelStage::kPlanned;
    used_bytes_ = session.used_bytes();
    if (EstimateInvokeWork(model_) > kMostInvokeWork) return ModelStage::kPrepared;
    first_ = session.Run(values_, kGarbage);
    if (first_.cancelled()) return ModelStage::kPrepared;
    if (!dear_) return ModelStage::kInvoked;
    // What has run once stays run.
    if (!RunsSomethingOnce(model_)) Compare(session.Run(values_, kOtherGarbage), "a second run over other garbage");
    if (choice_ % 8 == 2) RunAfterAnotherSetUp(session);
    return ModelStage::kInvoked;
  }

  // The tail of the first set-up is lost, so the second one may need a larger arena.
  void RunAfterAnotherSetUp(WatchedSession& session) {
    const Status again = session.Allocate();
    if (again.ok()) return Compare(session.Run(values_, kGarbage), "a run after a second AllocateTensors");
    if (!AsksForALargerArena(again)) Defect("a second AllocateTensors is refused", again);
  }

  void RunInTheOtherLayout() {
    const std::size_t misalignment = 16 * (choice_ >> 16) % 64;
    WatchedSession session(placed_, kernels_, PipelineArenaMemory().span().subspan(misalignment),
                           {.dilated = !dilated_, .garbage = kOtherGarbage});
    const Status status = session.Allocate();
    if (!status.ok()) {
      if (!AsksForALargerArena(status)) Defect("the other layout is refused for another reason than its size", status);
      return;
    }
    Compare(session.Run(values_, kGarbage), "a run in the other layout");
  }

  // A model that was prepared is prepared in less memory, or refused because of the memory, and refused again so.
  void PrepareInSmallerArena(std::uint64_t choice) {
    const std::size_t misalignment = choice % 64;
    const std::size_t bytes = (choice >> 8) % (used_bytes_ + 64);
    const std::span<std::byte> memory = PipelineArenaMemory().span();
    if (misalignment + bytes > memory.size()) return;
    WatchedSession session(placed_, kernels_, memory.subspan(misalignment, bytes),
                           {.garbage = kGarbage, .recorded = true});
    const Status status = session.Allocate();
    if (status.ok()) return;
    if (!AsksForALargerArena(status)) Defect("a smaller arena is refused for another reason", status);
    if (choice_ % 4 != 0) return;
    const Status again = session.Allocate();
    if (!AsksForALargerArena(again)) Defect("AllocateTensors again in a smaller arena", again);
  }

  void Compare(const RunResult& found, const char* of) const {
    if (found.cancelled() || found == first_) return;
    Defect("the outputs differ from those of the first run", of);
  }

  const PlacedModel& placed_;
  const ModelView& model_;  // its view
  const KernelSet& kernels_;
  const bool dear_;
  const std::uint64_t choice_;
  const bool dilated_;
  const std::uint64_t values_;  // of the inputs
  std::size_t used_bytes_ = 0;
  RunResult first_;
};

}  // namespace

std::uint64_t ModelChecksum(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes) sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3u;
  return sum ^ (sum >> 29);
}

ModelStage RunWatched(const ValidatedModel& model, const KernelSet& kernels, bool dear) {
  if (PipelineArenaMemory().data() == nullptr) Defect("memory", "the system gave none");
  const PlacedModel placed = PlaceModel(model);
  return PipelineRun(placed, kernels, dear).Run();
}

const char* ProveInstrument() {
  const std::unique_ptr<AccessInstrument> instrument = InstrumentOfThisBuild();
  if (!instrument) return "none";
  instrument->Watch(PipelineArenaMemory().region());
  instrument->OnAttach({PipelineArenaMemory().data(), kPipelineArenaBytes}, {});
  instrument->OnDetach();
  RequireOk(instrument->self_test().status(), "the instrument's self-test");
  const std::unique_ptr<AccessInstrument> tested = InstrumentOfThisBuild();
  const SelfTestResult result = RunInstrumentSelfTest(*tested);
  if (!result.missed.empty()) Defect("the instrument is blind", result.missed.front().c_str());
  if (!result.legal_reported.empty())
    Defect("the instrument reports what is legal", result.legal_reported.front().c_str());
  return instrument->name();
}

}  // namespace arenaproof
