// How long something takes, for what compares speeds: what others on the machine take does not count.
#pragma once

#include <algorithm>
#include <ctime>

namespace arenaproof::testing {

// Processor time of this thread so far.
inline double ProcessorNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// How many times as long `large` takes as `small`, each at its best of some rounds; both say how many nanoseconds a
// round took. Work that grows with the square of its subject's length takes the square of the lengths' ratio.
template <typename Small, typename Large>
double GrowthOf(const Small& small, const Large& large) {
  constexpr int kRounds = 5;
  double least_small = 1e18, least_large = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    least_small = std::min(least_small, small());
    least_large = std::min(least_large, large());
  }
  return least_large / std::max(least_small, 1.0);
}

// Nanoseconds that the work takes.
template <typename Work>
double TimeOf(const Work& work) {
  const double start = ProcessorNanoseconds();
  work();
  return ProcessorNanoseconds() - start;
}

}  // namespace arenaproof::testing
