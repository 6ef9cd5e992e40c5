#include "engine/harness/kernel_services/granted_memory.h"

#include "engine/oracles/defect.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof {
namespace {

bool IsHandedOn(const GrantedBlock& block, std::size_t position) {
  for (const MemoryRegion& part : block.handed_on) {
    if (LiesIn({block.data + position, 1}, part)) return true;
  }
  return false;
}

}  // namespace

void GrantedMemory::Take(std::vector<GrantedBlock>& owner, MemoryRegion block, MemoryRegion room) {
  if (!LiesIn(block, room)) Defect("granted memory", "it does not lie in the room that there was");
  for (const std::vector<GrantedBlock>* const blocks : owners_) {
    for (const GrantedBlock& other : *blocks) {
      if (ShareBytes(block, {other.data, other.bytes})) Defect("granted memory", "it shares bytes with another block");
    }
  }
  GrantedBlock& taken = owner.emplace_back();
  taken = {const_cast<std::byte*>(block.data), block.bytes, next_seed_++, {}};
  for (std::size_t i = 0; i < taken.bytes; ++i) taken.data[i] = taken.pattern(i);
}

void GrantedMemory::RequireUntouched() const {
  for (const std::vector<GrantedBlock>* const blocks : owners_) {
    for (const GrantedBlock& block : *blocks) {
      for (std::size_t i = 0; i < block.bytes; ++i) {
        if (block.data[i] != block.pattern(i) && !IsHandedOn(block, i)) {
          Defect("granted memory", "somebody else wrote into an operator's own block");
        }
      }
    }
  }
}

}  // namespace arenaproof

ARENAPROOF_UNGUIDED_END
