// Two networks in one allocator whose arena has all that the first needs and `spare_bytes` for the second: whatever the
// second is refused, the head is as large as the first needs, and the allocator is ready for the next.
#pragma once

#include <cstddef>
#include <string>

namespace arenaproof {

// Empty when all is well. Arenas, kernels and networks of anyone else are left as they were.
std::string SetUpTightly(std::size_t first, std::size_t second, std::size_t spare_bytes);

}  // namespace arenaproof
