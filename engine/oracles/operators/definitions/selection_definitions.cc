// Windows, mirrors and repetitions: each axis by itself.
#include <algorithm>

#include "engine/oracles/operators/definitions/movement_definitions.h"
#include "engine/oracles/operators/definitions/picked_elements.h"

namespace arenaproof::props {
namespace {

std::vector<Expected> PickedOfFirst(const OperatorCase& subject, const std::vector<Places>& places) {
  return {Exactly(Picked(StoredValues(subject.inputs[0]), subject.inputs[0].shape, places))};
}

bool HasBit(std::int32_t mask, std::size_t axis) { return (mask & (1 << axis)) != 0; }

// Where the walk along an axis of `extent` places stands after each step, from begin up to before end.
Places Walked(const StridedSliceOptions& options, std::size_t axis, std::int64_t extent, std::int64_t begin,
              std::int64_t end, std::int64_t stride) {
  if (begin < 0) begin += extent;
  if (end < 0) end += extent;
  const std::int64_t first = stride > 0 ? 0 : -1, last = stride > 0 ? extent : extent - 1;
  begin = std::clamp(begin, first, last);
  end = std::clamp(end, first, last);
  if (HasBit(options.begin_mask, axis)) begin = stride > 0 ? first : last;
  if (HasBit(options.end_mask, axis)) end = stride > 0 ? last : first;
  if (HasBit(options.shrink_axis_mask, axis)) end = begin + 1;
  Places places;
  while (stride > 0 ? begin < end : begin > end) {
    places.push_back(static_cast<std::size_t>(begin));
    begin += stride;
  }
  return places;
}

}  // namespace

std::vector<Expected> DefinedSlice(const OperatorCase& subject) {
  const auto& shape = subject.inputs[0].shape;
  const Values begins = StoredValues(subject.inputs[1]), sizes = StoredValues(subject.inputs[2]);
  std::vector<Places> places;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const double size = sizes[axis] == -1 ? shape[axis] - begins[axis] : sizes[axis];
    places.push_back(PlacesFrom(static_cast<std::size_t>(begins[axis]), static_cast<std::size_t>(size)));
  }
  return PickedOfFirst(subject, places);
}

std::vector<Expected> DefinedStridedSlice(const OperatorCase& subject) {
  const auto& options = std::get<StridedSliceOptions>(subject.options);
  const auto& shape = subject.inputs[0].shape;
  std::vector<Places> places;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    places.push_back(Walked(options, axis, shape[axis], IntegerAt(subject.inputs[1], axis),
                            IntegerAt(subject.inputs[2], axis), IntegerAt(subject.inputs[3], axis)));
  }
  return PickedOfFirst(subject, places);
}

// SYMMETRIC repeats the first and the last place, REFLECT does not.
std::vector<Expected> DefinedMirrorPad(const OperatorCase& subject) {
  const bool symmetric = std::get<MirrorPadOptions>(subject.options).mode == MirrorPadMode::kSymmetric;
  const auto& shape = subject.inputs[0].shape;
  const Values paddings = StoredValues(subject.inputs[1]);
  std::vector<Places> places;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int32_t extent = shape[axis];
    Places& along = places.emplace_back();
    for (std::int32_t place = 0; place < subject.output.shape[axis]; ++place) {
      const std::int32_t k = place - static_cast<std::int32_t>(paddings[2 * axis]);
      std::int32_t from = k;
      if (k < 0) from = symmetric ? -1 - k : -k;
      if (k >= extent) from = symmetric ? 2 * extent - 1 - k : 2 * extent - 2 - k;
      along.push_back(static_cast<std::size_t>(from));
    }
  }
  return PickedOfFirst(subject, places);
}

std::vector<Expected> DefinedReverse(const OperatorCase& subject) {
  std::vector<Places> places = AllPlaces(subject.inputs[0].shape);
  for (const double axis : StoredValues(subject.inputs[1])) {
    Places& along = places[AxisOf(axis, places.size())];
    std::reverse(along.begin(), along.end());
  }
  return PickedOfFirst(subject, places);
}

std::vector<Expected> DefinedBroadcastTo(const OperatorCase& subject) {
  const auto& to = subject.output.shape;
  auto from = subject.inputs[0].shape;
  from.insert(from.begin(), to.size() - from.size(), 1);
  std::vector<Places> places = AllPlaces(to);
  for (std::size_t axis = 0; axis < to.size(); ++axis) {
    if (from[axis] == 1) std::fill(places[axis].begin(), places[axis].end(), 0);
  }
  return {Exactly(Picked(StoredValues(subject.inputs[0]), from, places))};
}

}  // namespace arenaproof::props
