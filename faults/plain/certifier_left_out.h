// The linker gives this program the certifier below instead of the product's: it accepts every plan, as everybody does
// who has none.
#pragma once

#include <cstddef>

namespace arenaproof {

// Of a plan that the model's file brings along the certifier is left in: where a file lays one tensor over another on
// purpose, what a sanitizer says of it says nothing about the program.
void SayWhosePlanItIs(bool is_the_files);

// How often a plan came to the certifier. 0 after a model was prepared: the entry point has another name now, and this
// program would compare against an instrument of ours (see CMakeLists.txt).
std::size_t UncertifiedPlanCount();

}  // namespace arenaproof
