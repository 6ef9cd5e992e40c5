#include "props/lifecycle/lifecycle_system.h"

#include <algorithm>
#include <cstring>

#include "core/arena/invariants.h"
#include "core/runtime/storage/arena_image.h"
#include "props/failure_injection/injected_refusals.h"
#include "props/lifecycle/network_figures.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/model_options.h"
#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

std::string Text(StatusCode code) { return std::string(StatusName(code)); }
std::string Unexpected(const std::string& what, StatusCode found, StatusCode expected) {
  return what + ": status " + Text(found) + " instead of " + Text(expected);
}

std::string CheckArena(const Arena& arena) {
  if (const char* broken = FirstBroken(arena.state()); broken != nullptr) return broken;
  if (arena.state().temporary_count != 0) return "L3: a temporary is outstanding between two commands";
  if (arena.state().temporary_end != arena.state().head_end) return "L4: T is not at H between two commands";
  return "";
}

}  // namespace

LifecycleSystem::LifecycleSystem(World world) : world_(world), memory_(Shares(world)) {
  for (const Network& network : Networks()) files_.push_back(network.file);
  // What kernels find while figures are worked out is of no sequence.
  NeedBytes(0);
  OperationCount(0);
  Orders() = {};
  if (!Shares(world)) return;
  const InterpreterOptions options{.observer = &shared_plan_};
  const Status status = world == World::kOneAllocator
                            ? ModelAllocator::Create(memory_.ArenaOf(0), kSharedArenaBytes, options, &shared_)
                            : ModelAllocator::Create(memory_.PairOf(0, kSharedArenaBytes), options, &shared_);
  if (!status.ok()) std::abort();
  InjectedRefusals::ForgetArenas();  // one that built another is gone
}

std::string LifecycleSystem::Create(const LifecycleModel& model, std::size_t slot, std::size_t network,
                                    ArenaSize size) {
  RealSlot& real = slots_[slot];
  if (real.interpreter != nullptr) Destroy(slot);
  real.place = 1 - real.place;
  std::byte* const place = real.places[real.place];
  real.cancellation = {};
  const ModelView& view = Networks()[network].view;
  const InterpreterOptions options = ForModel(view, {.observer = &real.plan, .cancellation = &real.cancellation});
  real.arena_bytes = kArenaBytes;
  if (size == ArenaSize::kExact) real.arena_bytes = NeedBytes(network);
  if (size == ArenaSize::kOneByteShort) real.arena_bytes = NeedBytes(network) - 1;
  switch (model.world) {
    case World::kOneArenaEach:
      real.interpreter.reset(new (place)
                                 Interpreter(view, NetworkKernels(), memory_.ArenaOf(slot), real.arena_bytes, options));
      break;
    case World::kTwoArenasEach:
      real.interpreter.reset(new (place)
                                 Interpreter(view, NetworkKernels(), memory_.PairOf(slot, kArenaBytes), options));
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
  if (offer == Offer::kInTheArena) offered = memory_.ArenaOf(slot);
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
    return AsksForALargerArena(status) ? "" : "L14: set-up failed with status " + Text(status.code);
  }
  if (!status.ok()) return Unexpected("allocating", status.code, StatusCode::kOk);
  const std::vector<PlanEntry>& plan = (Shares(world_) ? shared_plan_ : real.plan).plan();
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

// L7, L8: by the plan that the allocator announced.
std::string LifecycleSystem::CheckPlan(const std::vector<PlanEntry>& plan, std::size_t head_bytes) const {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const PlanEntry& one = plan[i];
    if (one.offset % 16 != 0 || one.offset + one.bytes > head_bytes) return "L7: a buffer is misaligned or outside";
    for (std::size_t j = 0; j < i; ++j) {
      const PlanEntry& other = plan[j];
      const bool together = one.first <= other.last && other.first <= one.last;
      if (together && one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes) {
        return "L8, L11: two buffers that are alive together share bytes";
      }
    }
  }
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

std::string LifecycleSystem::AllocateLeaking(const LifecycleModel&, std::size_t slot, std::size_t prepare) {
  Orders().prepares = 0;
  Orders().leak_at_prepare = prepare;
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  const Status status = SetUp(slot);
  Orders().leak_at_prepare = KernelOrders::kNever;
  if (status.code == StatusCode::kTemporariesLeaked) return "";
  return Unexpected("L3: set-up with a kernel that keeps a temporary", status.code, StatusCode::kTemporariesLeaked);
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
  real.cancellation.asks = 0;
  real.cancellation.at = ending.cancel_at_ask;
  const std::size_t used_bytes = real.interpreter->arena_used_bytes();
  const std::size_t tail_bytes = real.interpreter->tail_bytes();
  const Status status = real.interpreter->Invoke();
  Orders().fail_at_run = KernelOrders::kNever;
  real.cancellation.at = Ending::kNever;
  if (status.code != expected.code) return Unexpected("invoking", status.code, expected.code);
  if (Orders().runs != expected.runs) return "another number of operators ran than should have";
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
  // The first invoke allocates; what the inputs hold is nobody's business, so variables are reset afterwards.
  const Status status = interpreter.Invoke();
  if (!status.ok()) return Unexpected("an invoke that allocates", status.code, StatusCode::kOk);
  RememberPlan(slot);
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

std::string LifecycleSystem::Save(std::size_t slot) {
  RealSlot& real = slots_[slot];
  real.saved.assign(real.interpreter->image_bytes(), std::byte{0});
  std::size_t written_bytes = 0;
  const StatusCode inside =
      real.interpreter->SaveImage({memory_.ArenaOf(slot), real.saved.size()}, &written_bytes).code;
  if (inside != StatusCode::kArenaImageOverlaps) {
    return Unexpected("saving the arena in itself", inside, StatusCode::kArenaImageOverlaps);
  }
  const Status status = real.interpreter->SaveImage(real.saved, &written_bytes);
  if (!status.ok()) return Unexpected("saving", status.code, StatusCode::kOk);
  return written_bytes <= real.saved.size() ? "" : "an image is longer than it said";
}

std::string LifecycleSystem::MoveAwayAndBack(std::size_t slot) {
  Interpreter& interpreter = *slots_[slot].interpreter;
  ArenaSeal seal;
  Status status = interpreter.Suspend(&seal);
  if (Shares(world_)) {
    return status.code == StatusCode::kSuspendShared
               ? ""
               : Unexpected("suspending one of several", status.code, StatusCode::kSuspendShared);
  }
  if (!status.ok()) return Unexpected("suspending", status.code, StatusCode::kOk);
  const std::span<std::byte> all = memory_.Everything(slot);
  const std::vector<std::byte> kept(all.begin(), all.end());
  std::fill(all.begin(), all.end(), std::byte{0xA7});
  if (interpreter.Invoke().code != StatusCode::kRuntimeState) return "an invoke ran while the arena was elsewhere";
  if (interpreter.arena_used_bytes() != 0 || interpreter.planner() != nullptr || !interpreter.inputs().empty()) {
    return "a suspended interpreter tells of an arena that is elsewhere";
  }
  // The wrong way: only as many bytes as are used, from the start.
  const auto used_bytes = static_cast<std::ptrdiff_t>(seal.head_bytes + seal.tail_bytes);
  std::copy(kept.begin(), kept.begin() + used_bytes, all.begin());
  if (interpreter.Resume(seal).code != StatusCode::kArenaImageDamaged) return "half an arena was taken for a whole one";
  std::copy(kept.begin(), kept.end(), all.begin());
  status = interpreter.Resume(seal);
  return status.ok() ? "" : Unexpected("resuming", status.code, StatusCode::kOk);
}

std::string LifecycleSystem::Replace(const LifecycleModel& model, std::size_t slot) {
  RealSlot& real = slots_[slot];
  if (std::string wrong = Save(slot); !wrong.empty()) return wrong;
  const std::vector<std::byte> image = real.saved;
  if (std::string wrong = Create(model, slot, model.slots[slot].network, model.slots[slot].size); !wrong.empty()) {
    return wrong;
  }
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  if (const Status status = SetUp(slot); !status.ok())
    return Unexpected("a later set-up", status.code, StatusCode::kOk);
  const StatusCode found = world_ == World::kOneArenaEach
                               ? RestoreArena(image, memory_.ArenaOf(slot), real.arena_bytes).code
                               : RestoreArena(image, memory_.PairOf(slot, kArenaBytes)).code;
  // Stale when the one before had less in its head, or had been set up more than once.
  if (found == StatusCode::kArenaImageOtherSetUp || found == StatusCode::kArenaImageStale) return "";
  return Unexpected("restoring an earlier interpreter's image", found, StatusCode::kArenaImageOtherSetUp);
}

std::string LifecycleSystem::Restore(const LifecycleModel& model, std::size_t slot) {
  const RealSlot& real = slots_[slot];
  const bool one_arena = world_ == World::kOneArenaEach || world_ == World::kOneAllocator;
  const std::size_t bytes = Shares(world_) ? kSharedArenaBytes : real.arena_bytes;
  const Status status = one_arena ? RestoreArena(real.saved, memory_.ArenaOf(slot), bytes)
                                  : RestoreArena(real.saved, memory_.PairOf(slot, bytes));
  const StatusCode expected = model.SavedIsStale(slot) ? StatusCode::kArenaImageStale : StatusCode::kOk;
  return status.code == expected ? "" : Unexpected("restoring", status.code, expected);
}

std::string LifecycleSystem::StartTwice(std::size_t network) {
  const ModelView& view = Networks()[network].view;
  ModelAllocation allocation;
  if (shared_->FinishModelAllocation(view, &allocation).code != StatusCode::kAllocatorIdle) {
    return "L1: a finish without a start was not refused";
  }
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

// What the plan placed has its offset and its bytes there; constants, variables, handles and what the application
// serves have none.
std::string LifecycleSystem::CheckOffsets(const Network& network, std::size_t slot) const {
  const RealSlot& real = slots_[slot];
  for (std::size_t graph = 0; graph < network.graphs.size(); ++graph) {
    for (std::size_t i = 0; i < network.graphs[graph].tensors.size(); ++i) {
      const auto subgraph = static_cast<std::int32_t>(graph), tensor = static_cast<std::int32_t>(i);
      const auto planned = std::find_if(real.committed.begin(), real.committed.end(), [&](const PlanEntry& buffer) {
        return buffer.subgraph == subgraph && buffer.tensor == tensor;
      });
      std::size_t offset = 0;
      std::span<std::byte> bytes;
      const StatusCode code = real.interpreter->TensorOffset(tensor, &offset, subgraph).code;
      if (planned == real.committed.end()) {
        if (code == StatusCode::kTensorNotPlanned) continue;
        return network.graphs[graph].tensors[i].variable ? "L10: a variable lies in the head"
                                                         : "L7: a tensor that is not planned lies in the head";
      }
      const bool there = code == StatusCode::kOk && offset == planned->offset &&
                         real.interpreter->TensorBytes(tensor, &bytes, subgraph).ok() &&
                         bytes.size() == planned->bytes &&
                         bytes.data() == real.interpreter->allocator()->arena().OverlayAddress() + planned->offset;
      if (!there) return "L7: a tensor does not lie where the plan puts it";
    }
  }
  return "";
}

std::string LifecycleSystem::CheckReadySlot(const LifecycleModel& model, std::size_t slot) {
  const Interpreter& interpreter = *slots_[slot].interpreter;
  for (const auto& [key, expected] : model.slots[slot].memory.variables) {
    std::span<std::byte> bytes;
    if (!interpreter.TensorBytes(key.second, &bytes, static_cast<std::int32_t>(key.first)).ok()) {
      return "a variable has no bytes";
    }
    if (bytes.size() != expected.size() || std::memcmp(bytes.data(), expected.data(), bytes.size()) != 0) {
      return "L10, L12, L17: variable " + std::to_string(key.second) + " of subgraph " + std::to_string(key.first) +
             " of slot " + std::to_string(slot) + " is not what it has to be";
    }
  }
  for (const auto& [tensor, buffer] : model.slots[slot].outside) {
    std::span<std::byte> bytes;
    const auto subgraph = static_cast<std::int32_t>(tensor.first);
    if (!interpreter.TensorBytes(tensor.second, &bytes, subgraph).ok() ||
        bytes.data() != memory_.BufferOf(slot, buffer)) {
      return "L18: a preallocated tensor's pointer is not the registered one";
    }
  }
  return CheckOffsets(model.NetworkOf(slot), slot);
}

std::string LifecycleSystem::CheckInvariants(const LifecycleModel& model) {
  if (!Orders().complaint.empty()) return Orders().complaint;
  for (std::size_t i = 0; i < Networks().size(); ++i) {
    if (Networks()[i].file != files_[i]) return "L9: the model file was written";
  }
  for (const Arena* arena : InjectedRefusals::arenas()) {
    if (std::string wrong = CheckArena(*arena); !wrong.empty()) return wrong;
  }
  if (shared_ != nullptr) {
    for (const Arena* arena : {&shared_->arena().non_persistent(), &shared_->arena().persistent()}) {
      if (std::string wrong = CheckArena(*arena); !wrong.empty()) return wrong;
    }
    if (shared_->allocating()) return "L2: the allocator is allocating between two commands";
  }
  for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
    const SlotState state = model.slots[slot].state;
    if (state == SlotState::kEmpty) continue;
    const Interpreter& interpreter = *slots_[slot].interpreter;
    const bool ready = interpreter.state() == InterpreterState::kInvoke;
    if (ready != (state == SlotState::kReady)) return "slot " + std::to_string(slot) + " is in another state";
    if (state == SlotState::kReady) {
      if (std::string wrong = CheckReadySlot(model, slot); !wrong.empty()) return wrong;
    }
  }
  return "";
}

}  // namespace arenaproof
