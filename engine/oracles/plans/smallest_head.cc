#include "engine/oracles/plans/smallest_head.h"

#include <algorithm>

#include "engine/oracles/plans/pairwise_plan.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof::testing {
namespace {

class EveryOrder {
 public:
  explicit EveryOrder(const std::vector<PlanBuffer>& buffers) : buffers_(buffers), offset_(buffers.size(), -1) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const PlanBuffer& buffer = buffers[i];
      if (buffer.offset) {
        offset_[i] = *buffer.offset;
        placed_.push_back(i);
      } else if (buffer.bytes > 0) {
        left_.push_back(i);
      }
      least_ = std::max(least_, buffer.offset.value_or(0) + buffer.bytes);
      sum += buffer.offset.value_or(0) + buffer.bytes + buffer.alignment;
    }
    best_ = std::max(sum, least_);
    Place(least_);
  }

  std::int64_t best() const { return best_; }

 private:
  void Place(std::int64_t head) {
    if (head > best_) return;
    if (left_.empty()) {
      best_ = head;
      return;
    }
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const std::size_t buffer = left_[k];
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k));
      offset_[buffer] = FirstFit(buffer);
      placed_.push_back(buffer);
      Place(std::max(head, offset_[buffer] + buffers_[buffer].bytes));
      placed_.pop_back();
      left_.insert(left_.begin() + static_cast<std::ptrdiff_t>(k), buffer);
      if (best_ == least_) return;
    }
  }

  std::int64_t FirstFit(std::size_t i) const {
    const PlanBuffer& buffer = buffers_[i];
    std::int64_t at = 0;
    for (std::size_t k = 0; k < placed_.size(); ++k) {
      const std::size_t j = placed_[k];
      const std::int64_t end = offset_[j] + buffers_[j].bytes;
      if (buffers_[j].bytes == 0 || offset_[j] >= at + buffer.bytes || at >= end) continue;
      if (!LiveTogether(buffer, buffers_[j])) continue;
      at = (end + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
      k = static_cast<std::size_t>(-1);  // it may have run into one that was passed
    }
    return at;
  }

  const std::vector<PlanBuffer>& buffers_;
  std::vector<std::int64_t> offset_;
  std::vector<std::size_t> placed_, left_;
  std::int64_t least_ = 0, best_ = 0;
};

}  // namespace

std::int64_t SmallestHead(const std::vector<PlanBuffer>& buffers) { return EveryOrder(buffers).best(); }

LoadMoment LargestLoad(const std::vector<PlanBuffer>& buffers, std::int64_t preferred_from) {
  std::vector<std::int64_t> times = {preferred_from};
  for (const PlanBuffer& buffer : buffers) {
    times.push_back(buffer.lifetime.lower);
    for (const TimeInterval& gap : buffer.gaps) times.push_back(gap.upper);
  }
  std::sort(times.begin(), times.end());
  std::rotate(times.begin(), std::lower_bound(times.begin(), times.end(), preferred_from), times.end());
  LoadMoment largest;
  for (const std::int64_t time : times) {
    LoadMoment moment{0, time, {}};
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].bytes == 0 || !LivesAt(buffers[i], time)) continue;
      moment.bytes += buffers[i].bytes;
      moment.buffers.push_back(i);
    }
    if (moment.bytes > largest.bytes) largest = moment;
  }
  return largest;
}

}  // namespace arenaproof::testing

ARENAPROOF_UNGUIDED_END
