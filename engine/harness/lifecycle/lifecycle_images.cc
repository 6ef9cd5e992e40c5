// Arenas that are saved, moved away and restored.
#include <algorithm>

#include "core/runtime/storage/arena_image.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "engine/harness/lifecycle/lifecycle_system.h"
#include "engine/harness/lifecycle/unexpected_status.h"

namespace arenaproof {

std::string LifecycleSystem::Save(std::size_t slot) {
  RealSlot& real = slots_[slot];
  real.saved.assign(real.interpreter->image_bytes(), std::byte{0});
  std::size_t written_bytes = 0;
  if (std::string wrong = SaveInTheArena(slot); !wrong.empty()) return wrong;
  const Status status = real.interpreter->SaveImage(real.saved, &written_bytes);
  if (!status.ok()) return Unexpected("saving", status.code, StatusCode::kOk);
  if (written_bytes > real.saved.size()) return "an image is longer than it said";
  return RestoreElsewhere(slot);
}

// Nothing is written where an image would share but its last or its first byte with an arena.
std::string LifecycleSystem::SaveInTheArena(std::size_t slot) {
  const Interpreter& interpreter = *slots_[slot].interpreter;
  const TensorArena& arena = interpreter.allocator()->arena();
  const std::size_t image_bytes = interpreter.image_bytes();
  for (const Arena* each : {&arena.non_persistent(), &arena.persistent()}) {
    for (const std::uintptr_t address : {each->state().begin + 1 - image_bytes, each->state().end - 1}) {
      std::size_t written_bytes = 0;
      // NOLINTNEXTLINE(performance-no-int-to-ptr): cursors are addresses
      auto* const place = reinterpret_cast<std::byte*>(address);
      const StatusCode inside = interpreter.SaveImage({place, image_bytes}, &written_bytes).code;
      if (inside == StatusCode::kArenaImageOverlaps) continue;
      return Unexpected("saving the arena in itself", inside, StatusCode::kArenaImageOverlaps);
    }
  }
  return "";
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
  const auto start = memory_.ArenaOf(slot) - all.data();
  std::copy(kept.begin() + start, kept.begin() + start + used_bytes, all.begin() + start);
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
                               : RestoreArena(image, memory_.PairOf(slot)).code;
  // Stale when the one before had less in its head, or had been set up more than once.
  if (found == StatusCode::kArenaImageOtherSetUp || found == StatusCode::kArenaImageStale) return "";
  return Unexpected("restoring an earlier interpreter's image", found, StatusCode::kArenaImageOtherSetUp);
}

// Memory in which an arena lacks a byte of what it managed, has a multiple of 16 more, or begins elsewhere is another.
std::string LifecycleSystem::RestoreElsewhere(std::size_t slot) const {
  const RealSlot& real = slots_[slot];
  const TensorArena& arena = real.interpreter->allocator()->arena();
  const bool pair = arena.separate();
  const ArenaBuffers right = memory_.PairOf(slot);
  const std::size_t bytes = Shares(world_) ? memory_.ArenaBytes() : real.arena_bytes;
  for (const bool other : {false, true}) {
    if (other && !pair) break;
    std::byte* const begin = other ? right.non_persistent : right.persistent;
    const std::size_t given_bytes = other ? right.non_persistent_bytes : pair ? right.persistent_bytes : bytes;
    const std::uintptr_t managed_end = (other ? arena.non_persistent() : arena.persistent()).state().end;
    const std::size_t least_bytes = managed_end - reinterpret_cast<std::uintptr_t>(begin);
    const std::pair<std::byte*, std::size_t> wrong[] = {
        {begin, least_bytes - 1}, {begin, least_bytes + 16}, {begin + 16, given_bytes - 16}, {begin - 16, given_bytes}};
    for (const auto& [place, length] : wrong) {
      ArenaBuffers both = right;
      (other ? both.non_persistent : both.persistent) = place;
      (other ? both.non_persistent_bytes : both.persistent_bytes) = length;
      const StatusCode code = pair ? RestoreArena(real.saved, both).code : RestoreArena(real.saved, place, length).code;
      if (code == StatusCode::kArenaImageRelocated) continue;
      return Unexpected("restoring elsewhere", code, StatusCode::kArenaImageRelocated);
    }
  }
  return "";
}

Status LifecycleSystem::RestoreSaved(std::size_t slot) const {
  const RealSlot& real = slots_[slot];
  const bool one_arena = world_ == World::kOneArenaEach || world_ == World::kOneAllocator;
  const std::size_t bytes = Shares(world_) ? memory_.ArenaBytes() : real.arena_bytes;
  return one_arena ? RestoreArena(real.saved, memory_.ArenaOf(slot), bytes)
                   : RestoreArena(real.saved, memory_.PairOf(slot));
}

std::string LifecycleSystem::Restore(const LifecycleModel& model, std::size_t slot) {
  if (std::string wrong = RestoreElsewhere(slot); !wrong.empty()) return wrong;
  const Status status = RestoreSaved(slot);
  const StatusCode expected = model.SavedIsStale(slot) ? StatusCode::kArenaImageStale : StatusCode::kOk;
  return status.code == expected ? "" : Unexpected("restoring", status.code, expected);
}

}  // namespace arenaproof
