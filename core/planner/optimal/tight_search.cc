#include "core/planner/optimal/tight_search.h"

#include <algorithm>

namespace arenaproof {

TightSearch::TightSearch(const SectionProblem& problem, Units capacity, std::uint64_t most_steps,
                         const StopSignal& stop, FailedStates& failed)
    : problem_(problem),
      capacity_(capacity),
      most_steps_(most_steps),
      stop_(stop),
      failed_(failed),
      beginning_(problem.load.size()),
      ending_(problem.load.size()),
      is_placed_(problem.buffers.size()),
      height_(problem.load.size()),
      offsets_(problem.buffers.size()) {
  for (std::uint32_t i = 0; i < problem.buffers.size(); ++i) {
    const FreeBuffer& buffer = problem.buffers[i];
    spans_.push_back({buffer.sections.front(), buffer.sections.back() + 1});
    beginning_[spans_[i].begin].push_back(i);
    ending_[spans_[i].end - 1].push_back(i);
  }
}

// A loop, because a recursion over thousands of buffers would need a deep stack.
SearchOutcome TightSearch::Run() {
  if (problem_.buffers.empty()) return SearchOutcome::kFound;
  Open();
  while (!choices_.empty()) {
    Choice& choice = choices_.back();
    while (choice.next < candidates_.size() && IsRepeated(choice)) ++choice.next;
    if (choice.next == candidates_.size()) {
      GiveUpChoice();
      continue;
    }
    if (steps_ == most_steps_ || (steps_ % 1024 == 0 && stop_.IsStopped())) return SearchOutcome::kGaveUp;
    ++steps_;
    choice.placed = candidates_[choice.next++];
    Place(choice.placed);
    if (placed_count_ == problem_.buffers.size()) return SearchOutcome::kFound;
    if (failed_.Contains(placed_, 0, capacity_)) {
      TakeBack(choice.placed);
    } else {
      Open();
    }
  }
  return SearchOutcome::kImpossible;
}

void TightSearch::Open() {
  choices_.push_back({candidates_.size(), candidates_.size(), steps_, 0});
  AddCandidates(NarrowestCorner());
}

void TightSearch::GiveUpChoice() {
  failed_.Insert(placed_, 0, capacity_, steps_ - choices_.back().steps_before);
  candidates_.resize(choices_.back().first_candidate);
  choices_.pop_back();
  if (!choices_.empty()) TakeBack(choices_.back().placed);
}

// One that is equal to the next candidate led nowhere.
bool TightSearch::IsRepeated(const Choice& choice) const {
  const std::uint32_t buffer = candidates_[choice.next];
  return std::any_of(candidates_.begin() + static_cast<std::ptrdiff_t>(choice.first_candidate),
                     candidates_.begin() + static_cast<std::ptrdiff_t>(choice.next), [&](std::uint32_t before) {
                       return spans_[before] == spans_[buffer] &&
                              problem_.buffers[before].size == problem_.buffers[buffer].size;
                     });
}

// Of all enclosed steps of the profile the end that fewest buffers can fill.
TightSearch::Corner TightSearch::NarrowestCorner() const {
  Corner best;
  std::size_t fewest = problem_.buffers.size() + 1;
  const auto count = static_cast<std::uint32_t>(height_.size());
  for (std::uint32_t begin = 0; begin < count && fewest > 0;) {
    std::uint32_t end = begin + 1;
    while (end < count && height_[end] == height_[begin]) ++end;
    const bool enclosed = (begin == 0 || height_[begin - 1] > height_[begin]) &&
                          (end == count || height_[end] > height_[begin]) && height_[begin] < capacity_;
    for (const bool at_end : {false, true}) {
      if (!enclosed) continue;
      const Corner corner{{begin, end}, at_end};
      std::size_t candidate_count = 0;
      for (const std::uint32_t buffer : At(corner)) {
        candidate_count += Fills(buffer, corner) ? 1 : 0;
        if (candidate_count == fewest) break;
      }
      if (candidate_count < fewest) best = corner;
      fewest = std::min(fewest, candidate_count);
    }
    begin = end;
  }
  return best;
}

// Those first that end level with what is beside the step, or are as wide as it.
void TightSearch::AddCandidates(const Corner& corner) {
  const auto [begin, end] = corner.step;
  Units beside = capacity_;
  if (corner.at_end ? end < height_.size() : begin > 0) beside = height_[corner.at_end ? end : begin - 1];
  const auto is_level = [&](std::uint32_t buffer) {
    return spans_[buffer] == corner.step || height_[begin] + problem_.buffers[buffer].size == beside;
  };
  for (const bool level : {true, false}) {
    for (const std::uint32_t buffer : At(corner)) {
      if (Fills(buffer, corner) && is_level(buffer) == level) candidates_.push_back(buffer);
    }
  }
}

std::span<const std::uint32_t> TightSearch::At(const Corner& corner) const {
  return corner.at_end ? ending_[corner.step.end - 1] : beginning_[corner.step.begin];
}

bool TightSearch::Fills(std::uint32_t buffer, const Corner& corner) const {
  const Span span = spans_[buffer];
  return !is_placed_[buffer] && corner.step.begin <= span.begin && span.end <= corner.step.end &&
         height_[corner.step.begin] + problem_.buffers[buffer].size <= capacity_;
}

void TightSearch::Place(std::uint32_t buffer) {
  is_placed_[buffer] = true;
  ++placed_count_;
  placed_.Add(buffer);
  offsets_[buffer] = height_[spans_[buffer].begin];
  for (std::uint32_t s = spans_[buffer].begin; s < spans_[buffer].end; ++s) height_[s] += problem_.buffers[buffer].size;
}

void TightSearch::TakeBack(std::uint32_t buffer) {
  is_placed_[buffer] = false;
  --placed_count_;
  placed_.Remove(buffer);
  for (std::uint32_t s = spans_[buffer].begin; s < spans_[buffer].end; ++s) height_[s] -= problem_.buffers[buffer].size;
}

}  // namespace arenaproof
