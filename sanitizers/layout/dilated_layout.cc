#include "sanitizers/layout/dilated_layout.h"

#include <algorithm>
#include <numeric>

#include "core/planner/offline_overlap.h"
#include "sanitizers/layout/layout.h"

namespace arenaproof {
namespace {

std::size_t EndOf(const PlacedBuffer& buffer) { return buffer.offset + buffer.bytes; }

// As ShareBytes, but a buffer of zero bytes strictly inside another counts as sharing its bytes: there is no other room
// for it.
bool Overlap(const PlacedBuffer& a, const PlacedBuffer& b) { return a.offset < EndOf(b) && b.offset < EndOf(a); }

class Dilation {
 public:
  explicit Dilation(std::span<const PlacedBuffer> buffers)
      : buffers_(buffers), group_(buffers.size()), next_in_group_(buffers.size()) {
    std::iota(group_.begin(), group_.end(), std::uint32_t{0});
  }

  Status Run(DilatedLayout* layout) {
    GroupWhatSharesBytes();
    ListMembers();
    OrderGroups();
    return Shift(layout);
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;

  // Is `a` below `b`, with both alive together? Only asked of buffers of different groups, which share no bytes.
  bool Below(Index a, Index b) const {
    if (!AliveTogether(buffers_[a], buffers_[b]) || EndOf(buffers_[a]) > buffers_[b].offset) return false;
    // Two of zero bytes at one place: each ends where the other begins.
    return EndOf(buffers_[b]) > buffers_[a].offset || a < b;
  }

  Index Representative(Index i) {
    while (group_[i] != i) i = group_[i] = group_[group_[i]];
    return i;
  }

  // The lowest index represents a group.
  void Merge(Index a, Index b) {
    a = Representative(a);
    b = Representative(b);
    group_[std::max(a, b)] = std::min(a, b);
  }

  void GroupWhatSharesBytes() {
    for (Index a = 0; a < buffers_.size(); ++a) {
      for (Index b = a + 1; b < buffers_.size(); ++b) {
        if (AliveTogether(buffers_[a], buffers_[b]) && Overlap(buffers_[a], buffers_[b])) Merge(a, b);
      }
    }
  }

  // Afterwards group_[i] is i's representative, from which next_in_group_ leads through all members.
  void ListMembers() {
    for (Index i = 0; i < buffers_.size(); ++i) group_[i] = Representative(i);
    std::fill(next_in_group_.begin(), next_in_group_.end(), kNone);
    for (Index i = static_cast<Index>(buffers_.size()); i-- > 0;) {
      const Index representative = group_[i];
      if (representative == i) continue;
      next_in_group_[i] = next_in_group_[representative];
      next_in_group_[representative] = i;
    }
  }

  // Orders the groups from the lowest to the highest. Groups may be tied in a circle (one between two members of
  // another): such a circle becomes one group. Tarjan's strongly connected components, with a stack of its own.
  void OrderGroups() {
    struct Visit {
      Index group;
      Index member;  // whose upper neighbours are being looked at
      Index above;   // the next candidate
    };
    const Index count = static_cast<Index>(buffers_.size());
    std::vector<Index> number(count, 0), lowest(count, 0);
    std::vector<bool> open(count, false);
    std::vector<Index> open_groups;
    std::vector<Visit> visits;
    Index last_number = 0;
    const auto enter = [&](Index group) {
      number[group] = lowest[group] = ++last_number;
      open[group] = true;
      open_groups.push_back(group);
      visits.push_back({group, group, 0});
    };
    for (Index root = 0; root < count; ++root) {
      if (group_[root] != root || number[root] != 0) continue;
      enter(root);
      while (!visits.empty()) {
        Visit& visit = visits.back();
        const Index group = visit.group;
        if (visit.above == count) {
          visit.member = next_in_group_[visit.member];
          visit.above = 0;
        }
        if (visit.member != kNone) {
          const Index above = visit.above++;
          const Index other = group_[above];
          if (other == group || !Below(visit.member, above)) continue;
          if (number[other] == 0) {
            enter(other);
          } else if (open[other]) {
            lowest[group] = std::min(lowest[group], number[other]);
          }
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) {
          Index& parent = lowest[visits.back().group];
          parent = std::min(parent, lowest[group]);
        }
        if (lowest[group] != number[group]) continue;
        order_.push_back(group);
        for (Index member = kNone; member != group;) {
          member = open_groups.back();
          open_groups.pop_back();
          open[member] = false;
          tied_.push_back({group, member});
        }
      }
    }
    for (const auto& [group, member] : tied_) Merge(group, member);
    ListMembers();
    for (Index& group : order_) group = group_[group];
    std::reverse(order_.begin(), order_.end());
  }

  Status Shift(DilatedLayout* layout) const {
    std::vector<std::size_t> shift(buffers_.size(), kClosedBytes);  // of groups
    DilatedLayout result;
    result.offsets.resize(buffers_.size());
    result.groups = group_;
    for (const Index group : order_) {
      for (Index member = group; member != kNone; member = next_in_group_[member]) {
        const PlacedBuffer& buffer = buffers_[member];
        const std::size_t end = EndOf(buffer);
        // Shift, end and the closed bytes behind it have to fit.
        constexpr std::size_t kMost = SIZE_MAX - 4 * kClosedBytes;
        if (shift[group] > kMost || end > kMost - shift[group]) {
          return Failure(StatusCode::kPlannerOverflow, member, buffer.bytes);
        }
        result.offsets[member] = buffer.offset + shift[group];
        result.head_bytes = std::max(result.head_bytes, end + shift[group] + kClosedBytes);
        for (Index above = 0; above < buffers_.size(); ++above) {
          if (group_[above] == group || !Below(member, above)) continue;
          const std::size_t least = end + shift[group] + 2 * kClosedBytes;
          const std::size_t offset = buffers_[above].offset;
          if (least <= offset) continue;
          const std::size_t needed = (least - offset + kClosedBytes - 1) / kClosedBytes * kClosedBytes;
          shift[group_[above]] = std::max(shift[group_[above]], needed);
        }
      }
    }
    *layout = std::move(result);
    return Ok();
  }

  std::span<const PlacedBuffer> buffers_;
  std::vector<Index> group_;
  std::vector<Index> next_in_group_;
  std::vector<Index> order_;  // of groups, the lowest first
  std::vector<std::pair<Index, Index>> tied_;
};

}  // namespace

std::size_t DilatedLayout::grouped_count() const {
  std::vector<std::size_t> sizes(groups.size());
  for (const std::uint32_t group : groups) ++sizes[group];
  return static_cast<std::size_t>(
      std::count_if(groups.begin(), groups.end(), [&](std::uint32_t group) { return sizes[group] > 1; }));
}

Status Dilate(std::span<const PlacedBuffer> faithful, DilatedLayout* layout) { return Dilation(faithful).Run(layout); }

}  // namespace arenaproof
