// Whether buffers that fill a capacity to the last byte at every moment fit below it: no byte may stay free, so that
// every step of the profile that two higher neighbours (or the ends of time) enclose has to be filled by a buffer that
// begins at its left end, and by one that ends at its right end. The search takes the end that fewest buffers can fill,
// and one that none can fill ends it; that is why hundreds of buffers are no more than some thousand steps where
// PlacementSearch, which may leave bytes free, has to try billions. Of those that can fill an end it tries first which
// leave no new step: they end level with a neighbour.
//
// Nothing wasted means that which buffers are placed says how high each section is filled: a set of placed buffers that
// led nowhere is known by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/planner/optimal/failed_states.h"
#include "core/planner/optimal/placement_search.h"
#include "core/planner/optimal/section_problem.h"
#include "core/planner/optimal/stop_signal.h"

namespace arenaproof {

class TightSearch {
 public:
  // Every section of the problem is full at the capacity, and CanBeFilled; it stays in place. Of several buffers that
  // can fill an end equally well the first in its order is tried first.
  TightSearch(const SectionProblem& problem, Units capacity, std::uint64_t most_steps, const StopSignal& stop,
              FailedStates& failed);

  // Gives up after `most_steps` placements or soon after `stop`. Once only.
  SearchOutcome Run();

  std::uint64_t steps() const { return steps_; }
  // One for each buffer, after kFound.
  std::span<const Units> offsets() const { return offsets_; }

 private:
  struct Span {
    std::uint32_t begin = 0, end = 0;  // sections, half-open

    friend bool operator==(const Span&, const Span&) = default;
  };
  struct Corner {
    Span step;
    bool at_end = false;  // filled from its right end
  };
  // What is tried at one depth.
  struct Choice {
    std::size_t first_candidate = 0;  // in candidates_, up to those of the next choice
    std::size_t next = 0;
    std::uint64_t steps_before = 0;
    std::uint32_t placed = 0;
  };

  void Open();
  bool IsRepeated(const Choice& choice) const;
  Corner NarrowestCorner() const;
  void AddCandidates(const Corner& corner);
  bool Fills(std::uint32_t buffer, const Corner& corner) const;
  std::span<const std::uint32_t> At(const Corner& corner) const;
  void Place(std::uint32_t buffer);
  void TakeBack(std::uint32_t buffer);
  void GiveUpChoice();

  const SectionProblem& problem_;
  const Units capacity_;
  const std::uint64_t most_steps_;
  const StopSignal& stop_;
  FailedStates& failed_;
  std::uint64_t steps_ = 0;

  std::vector<Span> spans_;
  std::vector<std::vector<std::uint32_t>> beginning_;  // buffers, for the first section of each
  std::vector<std::vector<std::uint32_t>> ending_;     // for the last one
  std::vector<bool> is_placed_;
  std::size_t placed_count_ = 0;
  StateHash placed_;
  std::vector<Units> height_;  // of each section
  std::vector<Choice> choices_;
  std::vector<std::uint32_t> candidates_;  // of all choices, one behind the other
  std::vector<Units> offsets_;
};

}  // namespace arenaproof
