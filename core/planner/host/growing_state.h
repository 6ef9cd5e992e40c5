// The whole state of a growing arena: how far its plan reaches, how large its memory is, and which allocations new ones
// have to keep clear of. Offsets are planned first, memory is made as large as the plan afterwards.
#pragma once

#include <vector>

#include "core/base/word.h"
#include "core/planner/host/allocation_record.h"

namespace arenaproof {

template <typename Word>
struct GrowingState {
  Word alignment{};     // of the memory's start; no allocation may ask for more
  Word high_water{};    // largest end of an allocation since the plan was cleared
  Word buffer_bytes{};  // size of the memory, 0 when there is none
  ConditionOf<Word> committed = Flag<Word>(false);
  std::vector<AllocationRecord<Word>> active;  // by offset; of equal offsets the one added later is later

  friend bool operator==(const GrowingState&, const GrowingState&) = default;
};

}  // namespace arenaproof
