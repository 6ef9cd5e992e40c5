// Whether the buffers fit below a capacity: a depth-first search that places them from the bottom up, each on what lies
// there, in the canonical order of offsets and, at equal offsets, of preference.
//
// It gives up a partial plan as soon as
//   - some section has no room for what is left of it, above any of the lowest offsets that these may have;
//   - a buffer was passed over whose place nobody left can take, or that fits entirely below what comes next;
//   - a buffer equal to this one failed at the same place, or one with nothing above it failed at all;
//   - what is left was left by another partial plan and failed (failed_states.h).
// What is left falls into parts wherever no open buffer lives across a border in time; parts are solved one by one.
//
// The canonical order, section inference, dominance, hatless buffers and decomposition are those of M. Moffitt,
// "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning"; inference above every offset
// instead of the lowest, the rule about passed-over buffers and the memory of failures go beyond it.
// Why nothing is lost: among all plans below the capacity take one with the least sum of offsets. In it no buffer can
// be lowered, so each rests on another, on a fixed one or on 0, and none of the rules excludes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/planner/optimal/failed_states.h"
#include "core/planner/optimal/section_problem.h"
#include "core/planner/optimal/stop_signal.h"

namespace arenaproof {

enum class SearchOutcome : std::uint8_t { kFound, kImpossible, kGaveUp };

class PlacementSearch {
 public:
  static constexpr std::size_t kMostBuffers = 4096;
  static constexpr Units kMostUnits = Units{1} << 50;

  static bool CanSearch(const SectionProblem& problem, Units capacity) {
    return problem.buffers.size() <= kMostBuffers && capacity < kMostUnits;
  }

  // The problem's buffers stand in the order of preference; it stays in place. Only when CanSearch.
  // `failed` is what searches of the same problem and order found before, at any
  // capacity: with it this one soon is where the
  // last one gave up.
  PlacementSearch(const SectionProblem& problem, Units capacity, std::uint64_t most_steps, const StopSignal& stop,
                  FailedStates& failed);

  // Gives up after `most_steps` placements or soon after `stop`. Once only.
  SearchOutcome Run();

  std::uint64_t steps() const { return steps_; }
  // One for each buffer, after kFound.
  std::span<const Units> offsets() const { return offsets_; }

 private:
  // An open buffer and the lowest offset that it may have: keys compare as the canonical order does.
  using Key = std::uint64_t;
  static constexpr unsigned kIndexBits = 12;
  static Key KeyOf(Units low, std::size_t index) { return static_cast<Key>(low) << kIndexBits | index; }
  static Units LowOf(Key key) { return static_cast<Units>(key >> kIndexBits); }
  static std::size_t IndexOf(Key key) { return key & ((1u << kIndexBits) - 1); }
  struct SectionRange {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  bool AreNear(std::size_t i, std::size_t j) const { return (near_[i * near_words_ + j / 64] >> j % 64 & 1) != 0; }
  SearchOutcome Descend(std::size_t depth, SectionRange range, Key least);
  SearchOutcome DescendIntoParts(std::size_t depth, SectionRange range, Key least, std::size_t placed);
  bool PassedOverAreLifted(std::span<const Key> open, std::size_t passed);
  bool SectionsHaveRoom(SectionRange range);
  Units BlockedAbove(std::size_t section, Units offset) const;
  // The open buffers once `placed` is placed, in order; whether each may still end below the capacity.
  bool LiftNeighbours(std::span<const Key> open, std::size_t placed, Units end, std::vector<Key>& next, bool* has_hat);
  bool AreEqual(std::size_t i, std::size_t j) const;

  const SectionProblem& problem_;
  const Units capacity_;
  const std::uint64_t most_steps_;
  const StopSignal& stop_;
  FailedStates& failed_;
  std::uint64_t steps_ = 0;

  std::size_t near_words_;
  std::vector<std::uint64_t> near_;      // a bit for each pair
  std::vector<SectionRange> spans_;      // from the first to the last section of each buffer
  std::vector<bool> is_plain_;           // no gap in its sections, no fixed buffer alive with it
  std::vector<std::uint32_t> crossing_;  // open buffers that live across the border after each section
  std::vector<Units> offsets_;
  std::vector<Units> above_;            // scratch of SectionsHaveRoom, for each section
  std::vector<Key> order_;              // scratch: open buffers with the offsets that they can really have
  std::vector<Key> kept_;               // scratch of LiftNeighbours
  std::vector<Key> lifted_;             // the same
  std::vector<std::vector<Key>> open_;  // for each depth
};

}  // namespace arenaproof
