// What holds of plans, arenas and tensors between any two commands.
#include <algorithm>
#include <cstring>

#include "core/arena/invariants.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "engine/harness/lifecycle/lifecycle_system.h"

namespace arenaproof {
namespace {

std::string CheckArena(const Arena& arena) {
  if (const char* broken = FirstBroken(arena.state()); broken != nullptr) return broken;
  if (arena.state().temporary_count != 0) return "L3: a temporary is outstanding between two commands";
  if (arena.state().temporary_end != arena.state().head_end) return "L4: T is not at H between two commands";
  return "";
}

}  // namespace

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
  if (std::string wrong = CheckQueries(model, slot); !wrong.empty()) return wrong;
  return CheckOffsets(model.NetworkOf(slot), slot);
}

std::string LifecycleSystem::CheckRun(const Network& network, const InvokeResult& expected, std::size_t slot) {
  const RunLog& log = slots_[slot].log;
  if (log.asked != expected.asked) return "an invoke asks at other operators whether to go on";
  if (ObserverOf(slot).events != expected.events) return "an invoke's operators begin and end in another order";
  std::vector<std::string> names, running;
  for (const OperatorPlace& event : expected.events) {
    if (event == kNoOperator) {
      names.push_back("end of " + running.back());
      running.pop_back();
      continue;
    }
    const NetworkGraph& graph = network.graphs[static_cast<std::size_t>(event.first)];
    names.emplace_back(NameOf(graph.operators[static_cast<std::size_t>(event.second)].operation));
    running.push_back(names.back());
  }
  return log.profiled == names ? "" : "an invoke's profile has other events than operators that ran";
}

std::string LifecycleSystem::CheckFailed(const std::string& what, OperatorPlace expected, OperatorPhase phase,
                                         std::size_t slot) const {
  const OperatorLocation& failed = slots_[slot].interpreter->failed_operator();
  if (expected == kNoOperator) return failed.known() ? what + " in which none failed names a failed operator" : "";
  if (failed.subgraph == expected.first && failed.operator_index == expected.second && failed.phase == phase) return "";
  return what + " names operator " + std::to_string(failed.operator_index) + " of subgraph " +
         std::to_string(failed.subgraph) + " as the failed one instead of " + std::to_string(expected.second) + " of " +
         std::to_string(expected.first);
}

std::string LifecycleSystem::CheckGivenMemory(const Arena& arena) const {
  const ArenaState<std::uintptr_t>& state = arena.state();
  for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
    for (const bool other : {false, true}) {
      const bool is_cut = !other && slots_[slot].interpreter != nullptr;
      const auto begin = reinterpret_cast<std::uintptr_t>(memory_.ArenaOf(slot, other));
      const std::size_t bytes = is_cut ? slots_[slot].arena_bytes : memory_.ArenaBytes(other);
      const std::uintptr_t end = begin + bytes;
      // The persistent one of a pair ends at a multiple of 16.
      const std::uintptr_t expected = state.kind == ArenaKind::kPersistent ? end - end % 16 : end;
      if (begin <= state.begin && state.end == expected) return "";
    }
  }
  return "an arena ends elsewhere than the memory that was given for it";
}

std::string LifecycleSystem::CheckInvariants(const LifecycleModel& model) {
  if (!Orders().complaint.empty()) return Orders().complaint;
  for (std::size_t i = 0; i < Networks().size(); ++i) {
    if (Networks()[i].file != files_[i]) return "L9: the model file was written";
  }
  for (const Arena* arena : InjectedRefusals::arenas()) {
    if (std::string wrong = CheckArena(*arena); !wrong.empty()) return wrong;
    if (std::string wrong = CheckGivenMemory(*arena); !wrong.empty()) return wrong;
  }
  if (shared_ != nullptr) {
    for (const Arena* arena : {&shared_->arena().non_persistent(), &shared_->arena().persistent()}) {
      if (std::string wrong = CheckArena(*arena); !wrong.empty()) return wrong;
      if (std::string wrong = CheckGivenMemory(*arena); !wrong.empty()) return wrong;
    }
    if (shared_->allocating()) return "L2: the allocator is allocating between two commands";
  }
  for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
    const SlotState state = model.slots[slot].state;
    if (state == SlotState::kEmpty) continue;
    const Interpreter& interpreter = *slots_[slot].interpreter;
    const bool ready = interpreter.state() == InterpreterState::kInvoke;
    if (ready != (state == SlotState::kReady)) return "slot " + std::to_string(slot) + " is in another state";
    std::string wrong = ready ? CheckReadySlot(model, slot) : CheckUnreadySlot(slot);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace arenaproof
