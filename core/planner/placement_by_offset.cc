#include "core/planner/placed_rows.h"
#include "core/planner/placement.h"
#include "core/planner/placement_order.h"

namespace arenaproof {

std::size_t PlaceByOffset(const BufferColumns& rows, std::size_t count) {
  const std::size_t fixed_count =
      rows.has_room() ? ArrangeForPlacement(rows, count) : ArrangeFewForPlacement(rows, count);
  PlacedRows placed(rows, count, fixed_count);
  while (placed.placed_count() < fixed_count) placed.PlaceFixed();
  while (placed.placed_count() < count) {
    if (!placed.PlaceInLowestGap()) return rows.NumberOf(placed.placed_count());
  }
  return kAllPlaced;
}

}  // namespace arenaproof
