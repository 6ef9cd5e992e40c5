// Draws that do not look at how many cases there were before. RapidCheck's ranges grow from case to case, so that in
// the first ones a plain range gives its first number only: what is meant to be rare would come first, what is the
// second of two never. For what is shrunk as a whole, or not at all.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <span>

#include "engine/generators/random_source.h"
#include "engine/generators/reach.h"

namespace arenaproof::testing {

// Each number as likely from the first case on, and the same while a failure is made smaller.
class RapidCheckSource final : public RandomSource {
 public:
  std::size_t Below(std::size_t count) override {
    if (count == 0) return 0;
    return *rc::gen::resize(rc::kNominalSize, rc::gen::noShrink(rc::gen::inRange<std::size_t>(0, count)));
  }
};

// 0 <= result < end.
template <typename Number>
Number Below(Number end) {
  return static_cast<Number>(RapidCheckSource().Below(static_cast<std::size_t>(end)));
}

inline bool OneIn(int count) { return RapidCheckSource().OneIn(static_cast<std::size_t>(count)); }

// One of the numbers of engine/generators/reach.h up to `most`, each as likely from the first case on; shrinks to 1.
inline rc::Gen<std::size_t> Reach(std::size_t most = kFarthest) {
  const std::span<const std::size_t> numbers = ReachNumbersUpTo(most);
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, numbers.size())),
                      [numbers](std::size_t index) { return numbers[index]; });
}

}  // namespace arenaproof::testing
