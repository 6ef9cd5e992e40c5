// Tensor structs that the application asks an interpreter for, in whatever state it is.
#include "engine/harness/lifecycle/lifecycle_system.h"
#include "engine/harness/lifecycle/unexpected_status.h"

namespace arenaproof {

std::string LifecycleSystem::Describe(const LifecycleModel& model, std::size_t slot, TensorKey tensor) {
  Interpreter& interpreter = *slots_[slot].interpreter;
  const auto subgraph = static_cast<std::int32_t>(tensor.first);
  const Operand* described = nullptr;
  StatusCode expected = StatusCode::kOk;
  const auto& tensors = model.NetworkOf(slot).graphs[tensor.first].tensors;
  if (static_cast<std::size_t>(tensor.second) >= tensors.size()) expected = StatusCode::kRuntimeTensorIndex;
  if (model.slots[slot].state != SlotState::kReady) expected = StatusCode::kRuntimeState;
  const std::size_t used_bytes = interpreter.arena_used_bytes();
  const Status status = interpreter.AllocateTemporaryTensor(tensor.second, &described, subgraph);
  const bool full = status.code == StatusCode::kArenaTemporaryDoesNotFit && model.slots[slot].size != ArenaSize::kLarge;
  if (status.code != expected && !full) return Unexpected("describing a tensor", status.code, expected);
  if (!status.ok()) {
    return interpreter.arena_used_bytes() == used_bytes ? "" : "a refused struct takes bytes of the arena";
  }
  if (described->bytes != tensors[static_cast<std::size_t>(tensor.second)].bytes &&
      described->type != TensorType::kResource) {
    return "a struct describes another tensor";
  }
  std::span<std::byte> bytes;
  if (!interpreter.TensorBytes(tensor.second, &bytes, subgraph).ok() || bytes.data() != described->data) {
    return "a struct has another address than its tensor";
  }
  const std::size_t held_bytes = interpreter.arena_used_bytes();
  if (const Status again = interpreter.AllocateTensors(); again.code != StatusCode::kArenaTemporariesLive) {
    return Unexpected("allocating while a struct is held", again.code, StatusCode::kArenaTemporariesLive);
  }
  std::size_t image_bytes = 0;
  if (const Status saved = interpreter.SaveImage({}, &image_bytes); saved.code != StatusCode::kArenaImageBusy) {
    return Unexpected("saving while a struct is held", saved.code, StatusCode::kArenaImageBusy);
  }
  if (model.slots[slot].saved.has_value()) {
    const Status restored = RestoreSaved(slot);
    if (restored.code != StatusCode::kArenaImageBusy) {
      return Unexpected("restoring while a struct is held", restored.code, StatusCode::kArenaImageBusy);
    }
  }
  if (interpreter.state() != InterpreterState::kInvoke || interpreter.arena_used_bytes() != held_bytes) {
    return "a refusal while a struct is held has an effect";
  }
  if (const Status freed = interpreter.FreeTemporaryTensor(described); !freed.ok()) {
    return Unexpected("freeing a struct", freed.code, StatusCode::kOk);
  }
  if (const Status twice = interpreter.FreeTemporaryTensor(described); twice.code != StatusCode::kForeignTemporary) {
    return Unexpected("freeing a struct twice", twice.code, StatusCode::kForeignTemporary);
  }
  return interpreter.arena_used_bytes() == used_bytes ? "" : "L4: a struct that was freed still takes bytes";
}

}  // namespace arenaproof
