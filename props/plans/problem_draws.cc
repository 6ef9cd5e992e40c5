#include "props/plans/problem_draws.h"

#include <algorithm>
#include <array>
#include <limits>

#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

constexpr std::int64_t kMoments = 9;

class ProblemMaker {
 public:
  ProblemMaker() {
    constexpr std::array<std::int64_t, 6> kUnits{1, 1, 3, 12, 24, 64};
    constexpr std::array<std::int64_t, 6> kBegins{
        0, 0, -4, 1'000'000'007, kEarliest_, std::numeric_limits<std::int64_t>::max() - kMoments};
    unit_ = kUnits[Below(kUnits.size())];
    begin_ = OneIn(2) ? 0 : kBegins[Below(kBegins.size())];
    first_ = 1 + Below(4);
    second_ = 1 + Below(5);
    aligned_ = OneIn(2);
    for (std::int64_t& alignment : few_alignments_) alignment = AnyAlignment();
    fixed_ = OneIn(2);
    gaps_ = OneIn(2);
  }

  std::vector<PlanBuffer> Make(std::size_t most) {
    for (std::size_t left = 1 + Below(most); left > 0; --left) {
      buffers_.push_back(!buffers_.empty() && OneIn(3) ? NearlyEqual() : Any());
    }
    return buffers_;
  }

 private:
  std::int64_t Size() {
    switch (Below(8)) {
      case 0:
        return unit_ * (1 + Below<std::int64_t>(6));
      case 1:
        return OneIn(3) ? 0 : unit_;
      case 2:
        return unit_ * (first_ + second_);
      case 3:
        return unit_ * 2 * first_;
      case 4:
      case 5:
        return unit_ * second_;
      default:
        return unit_ * first_;
    }
  }

  // Of units or of bytes: then some divide the unit, or no size does.
  std::int64_t AnyAlignment() const {
    constexpr std::array<std::int64_t, 9> kAlignments{1, 2, 2, 3, 4, 6, 8, 8, 9};
    return kAlignments[Below(kAlignments.size())] * (OneIn(2) ? unit_ : 1);
  }

  // Mostly one of two, which meet again and again and may have little in common.
  void DrawAlignment(PlanBuffer& buffer) {
    buffer.alignment = OneIn(4) ? AnyAlignment() : few_alignments_[Below(few_alignments_.size())];
  }

  // Mostly just where one or two others could end, so that what lies below it fits or does not.
  void Fix(PlanBuffer& buffer) {
    std::int64_t offset = 0;
    for (int left = Below(4); left > 0; --left) offset += Size();
    if (OneIn(6)) offset += 1;
    buffer.offset = (offset + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
  }

  void DrawGaps(PlanBuffer& buffer) {
    buffer.gaps.clear();
    std::int64_t from = buffer.lifetime.lower;
    for (int left = 1 + Below(2); left > 0 && from < buffer.lifetime.upper; --left) {
      const std::int64_t lower = from + Below(buffer.lifetime.upper - from);
      const std::int64_t width = OneIn(8) ? 0 : 1 + Below<std::int64_t>(2);
      const std::int64_t upper = lower + std::min(buffer.lifetime.upper - lower, width);
      buffer.gaps.push_back({lower, upper});
      if (upper == buffer.lifetime.upper) return;
      from = upper + (OneIn(4) ? 0 : 1);
    }
  }

  PlanBuffer Any() {
    PlanBuffer buffer;
    const std::int64_t lower = Below(kMoments), upper = lower + Below(kMoments + 1 - lower);
    buffer.lifetime = {begin_ + lower, begin_ + (upper == lower && !OneIn(8) ? lower + 1 : upper)};
    buffer.bytes = Size();
    if (aligned_ && OneIn(2)) DrawAlignment(buffer);
    if (fixed_ && OneIn(3)) Fix(buffer);
    if (gaps_ && OneIn(2)) DrawGaps(buffer);
    return buffer;
  }

  PlanBuffer NearlyEqual() {
    PlanBuffer buffer = buffers_[Below(buffers_.size())];
    buffer.offset.reset();
    switch (Below(5)) {
      case 0:
      case 1:
        DrawAlignment(buffer);
        break;
      case 2:
        if (gaps_) DrawGaps(buffer);
        break;
      case 3:
        buffer.bytes = Size();
        break;
      default:
        break;
    }
    return buffer;
  }

  static constexpr std::int64_t kEarliest_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t unit_ = 1, begin_ = 0, first_ = 1, second_ = 1;
  std::array<std::int64_t, 2> few_alignments_{};
  bool aligned_ = false, fixed_ = false, gaps_ = false;
  std::vector<PlanBuffer> buffers_;
};

void Spoil(PlanBuffer& buffer) {
  switch (Below(7)) {
    case 0:
      std::swap(buffer.lifetime.lower, buffer.lifetime.upper);
      break;
    case 1:
      buffer.bytes = -1 - buffer.bytes;
      break;
    case 2:
      buffer.alignment = -Below<std::int64_t>(3);
      break;
    case 3:
      buffer.offset = OneIn(2) ? -buffer.alignment : -1;
      break;
    case 4:
      buffer.alignment = 4;
      buffer.offset = 1 + Below<std::int64_t>(7);
      break;
    case 5: {
      const auto [lower, upper] = buffer.lifetime;
      const std::int64_t begin = lower == std::numeric_limits<std::int64_t>::min() ? lower : lower - Below(2);
      const std::int64_t end = upper == std::numeric_limits<std::int64_t>::max() ? upper : upper + Below(2);
      const auto at = buffer.gaps.begin() + static_cast<std::ptrdiff_t>(Below(buffer.gaps.size() + 1));
      buffer.gaps.insert(at, OneIn(2) ? TimeInterval{begin, begin + 1} : TimeInterval{end - 1, end});
      break;
    }
    default:
      buffer.bytes = std::numeric_limits<std::int64_t>::max() >> Below(3);
      break;
  }
}

}  // namespace

std::vector<PlanBuffer> DrawProblem(std::size_t most) { return ProblemMaker().Make(most); }

std::vector<PlanBuffer> DrawFaultyProblem(std::size_t most) {
  std::vector<PlanBuffer> buffers = DrawProblem(most);
  for (int left = 1 + Below(2); left > 0; --left) Spoil(buffers[Below(buffers.size())]);
  return buffers;
}

std::vector<PlanBuffer> DrawSoundProblem(std::size_t most) {
  std::vector<PlanBuffer> buffers = DrawProblem(most);
  while (CheckProblem(buffers).fault != ProblemFault::kNone) buffers.pop_back();
  return buffers;
}

std::string ProblemText(const std::vector<PlanBuffer>& buffers) {
  std::string text;
  for (const PlanBuffer& buffer : buffers) {
    text += "  [" + std::to_string(buffer.lifetime.lower) + ", " + std::to_string(buffer.lifetime.upper) + ") " +
            std::to_string(buffer.bytes) + " bytes, alignment " + std::to_string(buffer.alignment);
    if (buffer.offset) text += ", fixed at " + std::to_string(*buffer.offset);
    for (const TimeInterval& gap : buffer.gaps) {
      text += ", gap [" + std::to_string(gap.lower) + ", " + std::to_string(gap.upper) + ")";
    }
    text += "\n";
  }
  return text;
}

}  // namespace arenaproof::testing
