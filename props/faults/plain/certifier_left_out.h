// The linker gives this program the certifier below instead of the product's: it accepts every plan, as everybody does
// who has none.
#pragma once

#include <cstddef>

namespace arenaproof {

// How often a plan was accepted unseen. 0 after a model was prepared: the entry point has another name now, and this
// program would compare against an instrument of ours (see CMakeLists.txt).
std::size_t UncertifiedPlanCount();

}  // namespace arenaproof
