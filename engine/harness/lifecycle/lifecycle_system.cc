#include "engine/harness/lifecycle/lifecycle_system.h"

#include <cstring>

#include "engine/harness/injected_refusals/injected_refusals.h"
#include "engine/harness/lifecycle/network_figures.h"
#include "engine/harness/lifecycle/unexpected_status.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/model_options.h"

namespace arenaproof {
LifecycleSystem::LifecycleSystem(World world, const ArenaCuts& cuts) : world_(world), memory_(Shares(world), cuts) {
  for (const Network& network : Networks()) files_.push_back(network.file);
  // What kernels find while figures are worked out is of no sequence.
  NeedBytes(0);
  OperationCount(0);
  Orders() = {};
  if (!Shares(world)) return;
  const InterpreterOptions options{.observer = &shared_log_};
  const Status status = world == World::kOneAllocator
                            ? ModelAllocator::Create(memory_.ArenaOf(0), memory_.ArenaBytes(), options, &shared_)
                            : ModelAllocator::Create(memory_.PairOf(0), options, &shared_);
  if (!status.ok()) std::abort();
  InjectedRefusals::ForgetArenas();  // one that built another is gone
}

std::string LifecycleSystem::Create(const LifecycleModel& model, std::size_t slot, std::size_t network,
                                    ArenaSize size) {
  RealSlot& real = slots_[slot];
  if (real.interpreter != nullptr) Destroy(slot);
  real.place = 1 - real.place;
  std::byte* const place = real.places[real.place];
  real.log.Start(Ending::kNever);
  const ValidatedModel& view = *Networks()[network].view;
  const InterpreterOptions options =
      ForModel(view, {.observer = &real.log, .cancellation = &real.log, .profiler = &real.log});
  real.arena_bytes = memory_.ArenaBytes();
  if (size == ArenaSize::kExact) real.arena_bytes = memory_.FrontGap(slot) + NeedBytes(network);
  if (size == ArenaSize::kOneByteShort) real.arena_bytes = memory_.FrontGap(slot) + NeedBytes(network) - 1;
  switch (model.world) {
    case World::kOneArenaEach:
      real.interpreter.reset(new (place)
                                 Interpreter(view, NetworkKernels(), memory_.ArenaOf(slot), real.arena_bytes, options));
      break;
    case World::kTwoArenasEach:
      real.interpreter.reset(new (place) Interpreter(view, NetworkKernels(), memory_.PairOf(slot), options));
      break;
    default:
      real.interpreter.reset(new (place) Interpreter(view, NetworkKernels(), *shared_, options));
      break;
  }
  InjectedRefusals::ForgetArenas();
  return real.interpreter->state() == InterpreterState::kInit ? "" : "a new interpreter is not in its first state";
}

std::string LifecycleSystem::Destroy(std::size_t slot) {
  RealSlot& real = slots_[slot];
  real.interpreter.reset();
  real.saved.clear();
  InjectedRefusals::ForgetArenas();
  return "";
}

// While kernels run nothing can be registered.
Status LifecycleSystem::SetUp(std::size_t slot) {
  Interpreter& interpreter = *slots_[slot].interpreter;
  Orders().contexts = 0;
  Orders().meanwhile = [&] {
    const StatusCode code = interpreter.RegisterPreallocatedTensor(0, 0, memory_.BufferOf(slot, 0), kBufferBytes).code;
    if (code == StatusCode::kPreallocatedTooLate || !Orders().complaint.empty()) return;
    Orders().complaint = Unexpected("registering during a set-up", code, StatusCode::kPreallocatedTooLate);
  };
  const Status status = interpreter.AllocateTensors();
  Orders().meanwhile = nullptr;
  if (status.ok()) RememberPlan(slot);
  return status;
}

std::string LifecycleSystem::Register(const LifecycleModel& model, std::size_t slot, TensorKey tensor, Offer offer,
                                      std::size_t buffer) {
  std::byte* offered = memory_.BufferOf(slot, buffer);
  std::size_t bytes = kBufferBytes;
  if (offer == Offer::kNull) offered = nullptr;
  if (offer == Offer::kMisaligned) offered += 4;
  if (offer == Offer::kTooShort) bytes = 0;
  if (offer == Offer::kInTheArena) offered = memory_.AlignedIn(slot);
  const StatusCode expected = model.CheckOffer(slot, tensor, offer, buffer);
  const Status status = slots_[slot].interpreter->RegisterPreallocatedTensor(static_cast<std::int32_t>(tensor.first),
                                                                             tensor.second, offered, bytes);
  return status.code == expected ? "" : Unexpected("registering", status.code, expected);
}

std::string LifecycleSystem::Allocate(const LifecycleModel& model, std::size_t slot) {
  RealSlot& real = slots_[slot];
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  const Status status = SetUp(slot);
  if (model.slots[slot].size == ArenaSize::kOneByteShort) {
    if (status.ok()) return "L14: set-up succeeds with one byte less than the model needs";
    return AsksForALargerArena(status) ? "" : "L14: set-up failed with status " + std::string(StatusName(status.code));
  }
  if (!status.ok()) return Unexpected("allocating", status.code, StatusCode::kOk);
  if (std::string wrong = CheckFailed("a set-up", kNoOperator, {}, slot); !wrong.empty()) return wrong;
  const std::vector<PlanEntry>& plan = ObserverOf(slot).plan();
  const std::size_t planned_bytes = real.interpreter->head_bytes();
  if (std::string wrong = CheckPlan(plan, planned_bytes); !wrong.empty()) return wrong;
  std::set<TensorKey> outside;
  for (const auto& [tensor, buffer] : model.slots[slot].outside) outside.insert(tensor);
  for (const PlanEntry& buffer : plan) {
    if (outside.contains({static_cast<std::size_t>(buffer.subgraph), buffer.tensor})) {
      return "L18: the planner saw a preallocated tensor";
    }
  }
  std::vector<std::size_t> offsets;
  for (const PlanEntry& buffer : plan) offsets.push_back(buffer.offset);
  const auto [known, added] = offsets_.try_emplace({model.slots[slot].network, outside}, offsets);
  if (!added && known->second != offsets) return "L13: the same model has other offsets than before";
  return "";
}

std::string LifecycleSystem::AllocateRefused(const LifecycleModel&, std::size_t slot, std::size_t operation) {
  Interpreter& interpreter = *slots_[slot].interpreter;
  const std::size_t tail_bytes = interpreter.tail_bytes();
  const std::size_t head_bytes = interpreter.head_bytes();
  InjectedRefusals::Begin(operation);
  const Status status = SetUp(slot);
  const StatusCode expected = InjectedRefusals::refused_with();
  const bool refused = InjectedRefusals::refused();
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  if (!refused) return "operation " + std::to_string(operation) + " was never asked for";
  if (status.code != expected) return Unexpected("a refused set-up", status.code, expected);
  if (interpreter.tail_bytes() != tail_bytes) return "L2: the tail bytes of a refused set-up are lost";
  if (interpreter.head_bytes() != head_bytes) return "L2: after a refused set-up the head is not what it was";
  return "";
}

std::string LifecycleSystem::AllocateLeaking(const LifecycleModel& model, std::size_t slot, std::size_t prepare) {
  Orders().prepares = 0;
  Orders().leak_at_prepare = prepare;
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  const Status status = SetUp(slot);
  Orders().leak_at_prepare = KernelOrders::kNever;
  const OperatorPlace place = LifecycleModel::OwnKernels(model.NetworkOf(slot))[prepare];
  if (status.code != StatusCode::kTemporariesLeaked) {
    return Unexpected("L3: set-up with a kernel that keeps a temporary", status.code, StatusCode::kTemporariesLeaked);
  }
  if (status != Failure(StatusCode::kTemporariesLeaked, place.first, place.second, 1)) {
    return "L3: another operator is said to keep a temporary";
  }
  return CheckFailed("a set-up", place, OperatorPhase::kPrepare, slot);
}

std::string LifecycleSystem::Invoke(const LifecycleModel& model, std::size_t slot, std::uint32_t seed,
                                    const Ending& ending) {
  RealSlot& real = slots_[slot];
  const Network& network = model.NetworkOf(slot);
  Memory memory = model.slots[slot].memory;
  const InvokeResult expected = LifecycleModel::Invoke(network, memory, seed, ending);
  const NetworkGraph& main = network.graphs[0];
  for (std::size_t i = 0; i < main.inputs.size(); ++i) {
    const Bytes bytes = LifecycleModel::InputOf(main.tensors[static_cast<std::size_t>(main.inputs[i])], seed, i);
    std::memcpy(real.interpreter->inputs()[i].data, bytes.data(), bytes.size());
  }
  Orders().runs = 0;
  Orders().fail_at_run = ending.fail_at_run;
  ObserverOf(slot).Start(Ending::kNever);
  real.log.Start(ending.cancel_at_ask);
  const std::size_t used_bytes = real.interpreter->arena_used_bytes();
  const std::size_t tail_bytes = real.interpreter->tail_bytes();
  const Status status = real.interpreter->Invoke();
  Orders().fail_at_run = KernelOrders::kNever;
  if (status.code != expected.code) return Unexpected("invoking", status.code, expected.code);
  if (Orders().runs != expected.runs) return "another number of operators ran than should have";
  if (std::string wrong = CheckRun(network, expected, slot); !wrong.empty()) return wrong;
  if (std::string wrong = CheckFailed("an invoke", expected.failed, OperatorPhase::kInvoke, slot); !wrong.empty()) {
    return wrong;
  }
  const OperatorPlace asked_last = expected.asked.back();
  if (status.code == StatusCode::kInvokeCancelled &&
      status != Failure(StatusCode::kInvokeCancelled, asked_last.first, asked_last.second)) {
    return "an invoke is said to have been cancelled elsewhere";
  }
  if (used_bytes != real.interpreter->arena_used_bytes() || tail_bytes != real.interpreter->tail_bytes()) {
    return "L4: an invoke moved a cursor of the arena";
  }
  for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
    const Operand& output = real.interpreter->outputs()[i];
    if (std::memcmp(output.data, expected.outputs[i].data(), output.bytes) != 0) {
      return "L8, L11, L16: output " + std::to_string(i) + " is not what it has to be";
    }
  }
  return "";
}

std::string LifecycleSystem::InvokeUnready(const LifecycleModel& model, std::size_t slot) {
  Interpreter& interpreter = *slots_[slot].interpreter;
  if (model.slots[slot].state == SlotState::kFailed) {
    const Status status = interpreter.Invoke();
    if (status.code == StatusCode::kRuntimeState) return "";
    return Unexpected("invoking after a failure", status.code, StatusCode::kRuntimeState);
  }
  Orders().contexts = 0;
  slots_[slot].log.Start(Ending::kNever);
  // The first invoke allocates; what the inputs hold is nobody's business, so variables are reset afterwards.
  const Status status = interpreter.Invoke();
  if (!status.ok()) return Unexpected("an invoke that allocates", status.code, StatusCode::kOk);
  RememberPlan(slot);
  if (std::string wrong = CheckFailed("a first invoke", kNoOperator, {}, slot); !wrong.empty()) return wrong;
  const Status reset = interpreter.Reset();
  return reset.ok() ? "" : Unexpected("a reset", reset.code, StatusCode::kOk);
}

std::string LifecycleSystem::Reset(const LifecycleModel& model, std::size_t slot) {
  const Status status = slots_[slot].interpreter->Reset();
  const StatusCode expected =
      model.slots[slot].state == SlotState::kReady ? StatusCode::kOk : StatusCode::kRuntimeState;
  return status.code == expected ? "" : Unexpected("a reset", status.code, expected);
}

std::string LifecycleSystem::ResetVariable(const LifecycleModel&, std::size_t slot, TensorKey variable) {
  const Status status =
      slots_[slot].interpreter->ResetVariable(variable.second, static_cast<std::int32_t>(variable.first));
  return status.ok() ? "" : Unexpected("the reset of a variable", status.code, StatusCode::kOk);
}

std::string LifecycleSystem::StartTwice(std::size_t network) {
  const ValidatedModel& view = *Networks()[network].view;
  ModelAllocation allocation;
  const TensorArena::State idle = shared_->arena().state();
  if (shared_->FinishModelAllocation(view, &allocation).code != StatusCode::kAllocatorIdle) {
    return "L1: a finish without a start was not refused";
  }
  for (const Status& answer : {shared_->RequestScratch(16), shared_->FinishPrepareNodeAllocations(0, 0)}) {
    if (answer.code == StatusCode::kAllocatorIdle) continue;
    return Unexpected("a step of a set-up without a start", answer.code, StatusCode::kAllocatorIdle);
  }
  if (!(shared_->arena().state() == idle)) return "L1: a step of a set-up without a start has an effect";
  const std::size_t head_bytes = shared_->arena().NonPersistentUsedBytes();
  Status status = shared_->StartModelAllocation(view, &allocation);
  if (!status.ok()) return Unexpected("L2: starting", status.code, StatusCode::kOk);
  const TensorArena::State before = shared_->arena().state();
  ModelAllocation second;
  status = shared_->StartModelAllocation(view, &second);
  if (status.code != StatusCode::kAllocatorBusy) {
    return Unexpected("L1: a second start", status.code, StatusCode::kAllocatorBusy);
  }
  if (!(shared_->arena().state() == before)) return "L1: a second start has an effect";
  shared_->AbortModelAllocation();
  if (shared_->allocating() || shared_->arena().NonPersistentUsedBytes() != head_bytes) {
    return "L2: after an abort the head is not what it was";
  }
  return "";
}

}  // namespace arenaproof
