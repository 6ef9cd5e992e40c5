// The linker gives this program the certifier below instead of the product's: it accepts every plan, like a
// product that has none.
#pragma once

#include <cstddef>

namespace arenaproof {

// The certifier stays in for a plan that the model's file brings along: where a file lays one tensor over another on
// purpose, a sanitizer's report is no finding about the program.
void SetPlanIsFromFile(bool is_from_file);

// How often a plan came to the certifier. It is 0 after a model was prepared when the entry point has another name now,
// so that this program would compare against an instrument of ours (see CMakeLists.txt).
std::size_t UncertifiedPlanCount();

}  // namespace arenaproof
