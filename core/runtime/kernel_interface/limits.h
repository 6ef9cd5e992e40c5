// Capacities of the storage that the interpreter keeps outside the arena for the running operator. A model that needs
// more is refused with a status that names the limit, except for scratch buffers: their number is not limited.
#pragma once

#include <cstddef>

namespace arenaproof {

// Inputs and outputs of one operator together.
inline constexpr std::size_t kMaxOperandsPerOperator = 64;
// Persistent blocks that one operator takes in init and prepare together.
inline constexpr std::size_t kMaxPersistentBlocksPerOperator = 64;
// Up to so many scratch addresses are handed out from outside the arena; an operator with more reads them in the tail.
inline constexpr std::size_t kScratchOutsideArena = 64;
// Free request slots that the head block offers at the start of every operator's prepare. Requests beyond them are
// chained in the tail (16 bytes each) until the prepare ends.
inline constexpr std::size_t kScratchSlotsPerPrepare = 12;
// Tensors that one interpreter serves from buffers of the application.
inline constexpr std::size_t kMaxPreallocatedTensors = 32;

}  // namespace arenaproof
