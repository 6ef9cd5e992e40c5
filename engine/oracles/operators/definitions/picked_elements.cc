#include "engine/oracles/operators/definitions/picked_elements.h"

#include <numeric>

namespace arenaproof::props {
namespace {

void Append(const Values& values, const std::vector<std::int32_t>& shape, const std::vector<Places>& places,
            std::size_t axis, std::size_t before, Values& picked) {
  if (axis == shape.size()) {
    picked.push_back(values[before]);
    return;
  }
  for (const std::size_t place : places[axis]) {
    Append(values, shape, places, axis + 1, before * static_cast<std::size_t>(shape[axis]) + place, picked);
  }
}

}  // namespace

Places PlacesFrom(std::size_t begin, std::size_t count) {
  Places places(count);
  std::iota(places.begin(), places.end(), begin);
  return places;
}

std::vector<Places> AllPlaces(const std::vector<std::int32_t>& shape) {
  std::vector<Places> all;
  for (const std::int32_t extent : shape) all.push_back(PlacesFrom(0, static_cast<std::size_t>(extent)));
  return all;
}

Values Picked(const Values& values, const std::vector<std::int32_t>& shape, const std::vector<Places>& places) {
  Values picked;
  Append(values, shape, places, 0, 0, picked);
  return picked;
}

std::size_t AxisOf(double named, std::size_t rank) {
  return static_cast<std::size_t>(named < 0 ? named + static_cast<double>(rank) : named);
}

}  // namespace arenaproof::props
