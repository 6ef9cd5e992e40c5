// Which powers of two the extents, counts and sizes reached that were drawn, each dimension by itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/generators/reach.h"
#include "engine/unguided.h"

namespace arenaproof {

ARENAPROOF_UNGUIDED_BEGIN

class ReachTally {
 public:
  // 0 is counted with no power.
  void Count(std::string_view dimension, std::size_t number) {
    auto found = counts_.find(dimension);
    if (found == counts_.end()) found = counts_.emplace(dimension, Counts{}).first;
    if (number > 0) ++found->second[ReachPowerOf(number)];
  }

  std::size_t dimension_count() const { return counts_.size(); }

  // "arena bytes: 2^13", one for each power that a dimension did not reach.
  std::vector<std::string> Missing() const {
    std::vector<std::string> missing;
    for (const auto& [dimension, counts] : counts_) {
      for (std::size_t power = 0; power < counts.size(); ++power) {
        if (counts[power] == 0) missing.push_back(dimension + ": 2^" + std::to_string(power));
      }
    }
    return missing;
  }

  // A line for each dimension: how many numbers were counted, and of how many powers of two; which ones are named if
  // few are, which are missing if few of those are.
  std::string Lines() const {
    std::string lines;
    for (const auto& [dimension, counts] : counts_) {
      std::uint64_t total = 0;
      std::size_t reached_count = 0;
      std::string reached, missing;
      for (std::size_t power = 0; power < counts.size(); ++power) {
        total += counts[power];
        reached_count += counts[power] > 0 ? 1 : 0;
        (counts[power] > 0 ? reached : missing) += " 2^" + std::to_string(power);
      }
      lines += "reach: " + dimension + ": " + std::to_string(total) + " numbers, " + std::to_string(reached_count) +
               " of " + std::to_string(counts.size()) + " powers of two";
      if (2 * reached_count < counts.size()) {
        lines += ":" + reached;
      } else if (!missing.empty()) {
        lines += ", none of" + missing;
      }
      lines += "\n";
    }
    return lines;
  }

 private:
  using Counts = std::array<std::uint64_t, kReachPowerCount>;

  std::map<std::string, Counts, std::less<>> counts_;
};

ARENAPROOF_UNGUIDED_END

}  // namespace arenaproof
