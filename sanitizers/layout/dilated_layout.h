// Room between the buffers of a plan, so that an access beside one operand lands in closed bytes and not in the next.
//
// When two buffers are alive together the lower one stays lower, and 128 bytes or more lie between them: 64 closed ones
// on each side, so that a crossing of up to 64 bytes is charged to the right operand. At least 64 lie before the first
// and after the last buffer. Every offset is the faithful one plus a multiple of 64, never less, and the smallest that
// these rules allow.
//
// Buffers that share bytes while alive together (trusted offline overlaps) form a group, which moves rigidly: all its
// faithful gaps stay. So do buffers whose vertical order ties them between members of one group. A buffer that no
// operator touches (lifetime before scope 0) only gets its 64 bytes at both ends of the head.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof {

struct DilatedLayout {
  std::vector<std::size_t> offsets;
  std::size_t head_bytes = 0;
  // One for each buffer: the lowest index of its group, its own index when it moves alone.
  std::vector<std::uint32_t> groups;

  std::size_t grouped_count() const;  // buffers that do not move alone
};

// `faithful` is a certified plan, the overlaps of trusted buffers aside. kPlannerOverflow when an offset does not fit.
// Time O(n * n), memory O(n).
Status Dilate(std::span<const PlacedBuffer> faithful, DilatedLayout* layout);

}  // namespace arenaproof
