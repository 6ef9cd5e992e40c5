// Draws that do not look at how many cases there were before. RapidCheck's ranges grow from case to case, so that in
// the first ones a plain range gives its first number only: what is meant to be rare would come first, what is the
// second of two never. For what is shrunk as a whole, or not at all.
#pragma once

#include <rapidcheck.h>

namespace arenaproof::testing {

// 0 <= result < end, each as likely from the first case on, and the same while a failure is made smaller.
template <typename Number>
Number Below(Number end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::noShrink(rc::gen::inRange<Number>(0, end)));
}

inline bool OneIn(int count) { return Below(count) == count - 1; }

}  // namespace arenaproof::testing
