#include "core/planner/optimal/fillers.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace arenaproof {
namespace {

struct OpenFiller {
  std::uint32_t begin = 0;
  Units size = 0;
};

class FillerWriter {
 public:
  FillerWriter(SectionProblem& problem, std::size_t guess) : problem_(problem), guess_(guess), random_(guess) {}

  void Rise(std::uint32_t section, Units size) { open_.push_back({section, size}); }

  // Ends fillers of `size` together: one of just that size, or two, or the latest ones.
  void Fall(std::uint32_t section, Units size) {
    // The first guess ends the latest ones; the engine's numbers are the same everywhere.
    for (std::size_t i = open_.size(); guess_ > 0 && i > 1; --i) std::swap(open_[i - 1], open_[random_() % i]);
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i].size == size) return End(i, section);
    }
    for (std::size_t i = open_.size(); i-- > 0;) {
      for (std::size_t j = i; j-- > 0;) {
        if (open_[i].size + open_[j].size != size) continue;
        End(i, section);
        return End(j, section);
      }
    }
    while (size > 0) {
      OpenFiller& last = open_.back();
      const Units ended = std::min(size, last.size);
      size -= ended;
      if (ended == last.size) {
        End(open_.size() - 1, section);
      } else {
        Write(last.begin, section, ended);
        last.size -= ended;
      }
    }
  }

 private:
  void End(std::size_t i, std::uint32_t section) {
    Write(open_[i].begin, section, open_[i].size);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void Write(std::uint32_t begin, std::uint32_t end, Units size) {
    FreeBuffer filler;
    filler.original = problem_.buffers.size();
    filler.size = size;
    filler.width = end - begin;
    filler.sections.resize(end - begin);
    std::iota(filler.sections.begin(), filler.sections.end(), begin);
    for (const std::uint32_t s : filler.sections) problem_.load[s] += size;
    problem_.buffers.push_back(std::move(filler));
  }

  SectionProblem& problem_;
  std::size_t guess_;
  std::mt19937_64 random_;
  std::vector<OpenFiller> open_;
};

bool IsPlain(const FreeBuffer& buffer) {
  return buffer.alignment == 1 && buffer.sections.size() == buffer.sections.back() + 1 - buffer.sections.front();
}

}  // namespace

bool CanBeFilled(const SectionProblem& problem, Units capacity) {
  const auto fits = [&](Units load) { return load <= capacity; };
  const auto is_empty = [](const auto& blocked) { return blocked.empty(); };
  return std::all_of(problem.load.begin(), problem.load.end(), fits) &&
         std::all_of(problem.blocked.begin(), problem.blocked.end(), is_empty) &&
         std::all_of(problem.buffers.begin(), problem.buffers.end(), IsPlain);
}

SectionProblem WithFillers(const SectionProblem& problem, Units capacity, std::size_t guess) {
  SectionProblem filled;
  filled.unit_bytes = problem.unit_bytes;
  filled.load = problem.load;
  filled.blocked = problem.blocked;
  filled.bound = problem.bound;
  for (const FreeBuffer& buffer : problem.buffers) {
    filled.buffers.push_back({buffer.original, buffer.size, buffer.alignment, buffer.width, buffer.sections, {}, {}});
  }
  FillerWriter writer(filled, guess);
  Units free = 0;
  const auto section_count = static_cast<std::uint32_t>(problem.load.size());
  for (std::uint32_t s = 0; s <= section_count; ++s) {
    const Units here = s < section_count ? capacity - problem.load[s] : 0;
    if (here > free) writer.Rise(s, here - free);
    if (here < free) writer.Fall(s, free - here);
    free = here;
  }
  return filled;
}

}  // namespace arenaproof
