// Arenas that are saved, moved away and restored.
#include <algorithm>

#include "core/runtime/storage/arena_image.h"
#include "props/failure_injection/injected_refusals.h"
#include "props/lifecycle/lifecycle_system.h"
#include "props/lifecycle/unexpected_status.h"

namespace arenaproof {

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
    return "a suspended interpreter reports an arena that is elsewhere";
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

}  // namespace arenaproof
