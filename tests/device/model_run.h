// One model in an arena on the device: how much arena it needs, and what it does with that.
#pragma once

#include <cstddef>
#include <span>

#include "core/arena/observer.h"
#include "core/embedding/arenaproof.h"

namespace arenaproof::device {

// The fewest bytes of `memory`, from its first on, in which the model is set up; by trying.
Status FindNeed(const ValidatedModel& model, const KernelSet& kernels, std::span<std::byte> memory, std::size_t* need);

// Sets the model up in exactly `arena`, gives it inputs that the host makes in the same way, invokes it once, and
// prints a line for each output. `what` is the lines' first word. With `prints_need` first what head and tail take.
Status RunOnce(const ValidatedModel& model, const KernelSet& kernels, std::span<std::byte> arena,
               ArenaObserver& observer, const char* what, bool prints_need);

}  // namespace arenaproof::device
