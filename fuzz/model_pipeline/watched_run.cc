#include "fuzz/model_pipeline/watched_run.h"

#include <cstdio>
#include <cstring>
#include <memory>

#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter.h"
#include "fuzz/model_pipeline/defect.h"
#include "fuzz/model_pipeline/model_pipeline.h"
#include "fuzz/model_pipeline/plan_judge.h"
#include "fuzz/model_pipeline/work_estimate.h"
#include "sanitizers/checked_memory.h"
#include "sanitizers/dilating_planner.h"
#include "sanitizers/instrument_factory.h"
#include "tools/arena_need.h"
#include "tools/input_generator.h"
#include "tools/model_options.h"

namespace arenaproof {
namespace {

constexpr std::size_t kDilatedSpacingBytes = 64;
constexpr int kGarbage = 0xa5;  // an arena's bytes before anyone writes them

std::uint64_t Checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 0x100000001b3u;
  return sum ^ (sum >> 29);
}

// Mapped once: a mapping for each input would cost more than the input. What lies there is set anew for each.
CheckedMemory& ModelMemory() {
  static CheckedMemory memory(kMostModelBytes);
  return memory;
}
CheckedMemory& ArenaMemory() {
  static CheckedMemory memory(kPipelineArenaBytes);
  return memory;
}

// The instrument that this build can run; null when there is none.
std::unique_ptr<AccessInstrument> InstrumentOfThisBuild() {
  for (const char* const name : {"asan", "shadow"}) {
    std::unique_ptr<AccessInstrument> instrument = MakeInstrument(name);
    if (instrument->Available().ok()) return instrument;
  }
  return nullptr;
}

// Statuses of AllocateTensors that no model can bring about while planner, runtime and reference kernels are right.
bool IsDefect(StatusCode code) {
  switch (code) {
    case StatusCode::kPlannerBufferCount:
    case StatusCode::kPlanBadLifetime:
    case StatusCode::kPlanUnplaced:
    case StatusCode::kPlanMisaligned:
    case StatusCode::kPlanOutsideHead:
    case StatusCode::kPlanSharedBytes:
    case StatusCode::kTemporariesLeaked:
    case StatusCode::kForeignTemporary:
    case StatusCode::kRuntimeState:
    case StatusCode::kAllocatorBusy:
    case StatusCode::kAllocatorIdle:
    case StatusCode::kLifetimeSpan:
    case StatusCode::kLifetimeScratchOrder:
      return true;
    default:
      return false;
  }
}

// Statuses of an invoke that a model can bring about although its prepare was accepted: what they depend on is known
// when it runs.
bool IsRunTimeRefusal(StatusCode code) {
  switch (code) {
    case StatusCode::kResourceIndex:
    case StatusCode::kResourceEmpty:
    case StatusCode::kResourceBytes:
      return true;
    default:
      return false;
  }
}

// One model in one arena, from attach to detach.
class Session {
 public:
  // `arena` lies in ArenaMemory().
  Session(const ModelView& model, const KernelSet& kernels, std::span<std::byte> arena, bool dilated)
      : budget_(model, kMostInvokeWork), instrument_(InstrumentOfThisBuild()), judge_(model, instrument_.get()), arena_(arena) {
    std::memset(arena.data(), kGarbage, arena.size());
    InterpreterOptions options = ForModel(model, {.observer = &judge_});
    options.cancellation = &budget_;
    if (dilated) {
      options.planner = &dilating_;
      options.persistent_spacing_bytes = kDilatedSpacingBytes;
    }
    if (instrument_) {
      const MemoryRegion model_memory = ModelMemory().region().whole;
      const std::span<const std::byte> file = model.bytes();
      instrument_->Watch({model_memory, {file.data(), file.size()}});
      instrument_->Watch({ArenaMemory().region().whole, {arena.data(), arena.size()}});
      instrument_->SkipSelfTest();
    }
    interpreter_ = std::make_unique<Interpreter>(model, kernels, arena.data(), arena.size(), options);
  }

  Status Allocate() {
    const Status status = interpreter_->AllocateTensors();
    RefuseViolations();
    if (IsDefect(status.code)) Defect("AllocateTensors", status);
    return status;
  }

  void FillInputs(std::uint64_t choice) {
    InputGenerator generator(static_cast<std::uint32_t>(choice | 1));
    const bool any_bits = choice % 4 == 0;  // of floats too: infinities, NaNs, denormals
    for (const Operand& input : interpreter_->inputs()) {
      const bool has_values = any_bits && input.type != TensorType::kBool;
      generator.Fill(has_values ? TensorType::kInt8 : input.type, {input.data, input.bytes});
    }
  }

  // False when the model's loops took more work than there is.
  bool Invoke() {
    const Status status = interpreter_->Invoke();
    RefuseViolations();
    if (status.code == StatusCode::kInvokeCancelled) return false;
    if (!IsRunTimeRefusal(status.code)) RequireOk(status, "invoke after a prepare that accepted everything");
    return true;
  }

  std::size_t used_bytes() const { return interpreter_->arena_used_bytes(); }

 private:
  void RefuseViolations() const {
    if (!instrument_ || instrument_->log().access_count() == 0) return;
    for (const Violation& violation : instrument_->log().groups()) {
      std::fprintf(stderr, "%s\n", ViolationSentence(violation, "").c_str());
      for (const std::string& line : violation.map) std::fprintf(stderr, "  %s\n", line.c_str());
    }
    Defect("violation", "a kernel touched what is not its operator's own");
  }

  WorkBudget budget_;
  GreedyPlanner greedy_;
  DilatingPlanner dilating_{greedy_};
  // Destroyed in reverse: the interpreter detaches the observer, then the instrument goes.
  std::unique_ptr<AccessInstrument> instrument_;
  PlanJudge judge_;
  std::span<std::byte> arena_;
  std::unique_ptr<Interpreter> interpreter_;
};

ModelStage PrepareAndInvoke(const ModelView& model, const KernelSet& kernels, std::uint64_t choice,
                            std::size_t* used_bytes) {
  Session session(model, kernels, ArenaMemory().span(), choice % 3 == 0);
  if (!session.Allocate().ok()) return ModelStage::kPlanned;
  *used_bytes = session.used_bytes();
  if (EstimateInvokeWork(model) > kMostInvokeWork) return ModelStage::kPrepared;
  session.FillInputs(choice >> 8);
  return session.Invoke() ? ModelStage::kInvoked : ModelStage::kPrepared;
}

// A model that was prepared is prepared in less memory, or refused because of the memory.
void PrepareInSmallerArena(const ModelView& model, const KernelSet& kernels, std::uint64_t choice,
                           std::size_t used_bytes) {
  const std::size_t misalignment = choice % 64;
  const std::size_t bytes = (choice >> 8) % (used_bytes + 64);
  const std::span<std::byte> memory = ArenaMemory().span();
  if (misalignment + bytes > memory.size()) return;
  Session session(model, kernels, memory.subspan(misalignment, bytes), false);
  const Status status = session.Allocate();
  if (!status.ok() && !AsksForALargerArena(status)) Defect("a smaller arena is refused for another reason", status);
}

}  // namespace

ModelStage RunWatched(std::span<const std::uint8_t> bytes, const KernelSet& kernels) {
  std::byte* const file = ModelMemory().data();
  if (file == nullptr || ArenaMemory().data() == nullptr) Defect("memory", "the system gave none");
  std::memcpy(file, bytes.data(), bytes.size());
  ModelView model;
  RequireOk(ModelView::Open({file, bytes.size()}, &model), "opening the copy of a model");
  const std::uint64_t choice = Checksum(bytes);
  std::size_t used_bytes = 0;
  const ModelStage stage = PrepareAndInvoke(model, kernels, choice, &used_bytes);
  if (stage != ModelStage::kPlanned) PrepareInSmallerArena(model, kernels, choice >> 20, used_bytes);
  if (std::memcmp(file, bytes.data(), bytes.size()) != 0) Defect("the model file", "a byte changed");
  return stage;
}

const char* ProveInstrument() {
  const std::unique_ptr<AccessInstrument> instrument = InstrumentOfThisBuild();
  if (!instrument) return "none";
  instrument->Watch(ArenaMemory().region());
  instrument->OnAttach({ArenaMemory().data(), kPipelineArenaBytes}, {});
  instrument->OnDetach();
  RequireOk(instrument->self_test().status(), "the instrument's self-test");
  return instrument->name();
}

}  // namespace arenaproof
