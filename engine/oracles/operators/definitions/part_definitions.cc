// Parts that make a whole, and a whole that is cut.
#include "engine/oracles/operators/definitions/movement_definitions.h"
#include "engine/oracles/operators/definitions/picked_elements.h"
#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

// Each output takes as many places along the axis as it is long, behind those of the outputs before it.
std::vector<Expected> Cut(const OperatorCase& subject, const CaseTensor& data, const CaseTensor& axis_operand) {
  const std::size_t axis = AxisOf(StoredValues(axis_operand)[0], data.shape.size());
  const Values values = StoredValues(data);
  std::vector<Places> places = AllPlaces(data.shape);
  std::vector<Expected> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < subject.output_count(); ++i) {
    places[axis] = PlacesFrom(begin, static_cast<std::size_t>(subject.output_at(i).shape[axis]));
    begin += places[axis].size();
    parts.push_back(Exactly(Picked(values, data.shape, places)));
  }
  return parts;
}

}  // namespace

std::vector<Expected> DefinedConcatenation(const OperatorCase& subject) {
  std::vector<Values> operands;
  for (const CaseTensor& input : subject.inputs) operands.push_back(StoredValues(input));
  return {Exactly(Concatenation<double>(subject, operands))};
}

// Of each input in turn the elements behind the axis.
std::vector<Expected> DefinedPack(const OperatorCase& subject) {
  const auto& shape = subject.output.shape;
  const std::size_t axis = AxisOf(std::get<PackOptions>(subject.options).axis, shape.size());
  std::size_t behind = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) behind *= static_cast<std::size_t>(shape[i]);
  std::vector<Values> inputs;
  for (const CaseTensor& input : subject.inputs) inputs.push_back(StoredValues(input));
  Values packed(subject.output.count());
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const std::size_t n = i / behind % inputs.size(), before = i / behind / inputs.size();
    packed[i] = inputs[n][before * behind + i % behind];
  }
  return {Exactly(std::move(packed))};
}

std::vector<Expected> DefinedUnpack(const OperatorCase& subject) {
  const CaseTensor& data = subject.inputs[0];
  const std::size_t axis = AxisOf(std::get<UnpackOptions>(subject.options).axis, data.shape.size());
  const Values values = StoredValues(data);
  std::vector<Places> places = AllPlaces(data.shape);
  std::vector<Expected> parts;
  for (std::size_t n = 0; n < subject.output_count(); ++n) {
    places[axis] = {n};
    parts.push_back(Exactly(Picked(values, data.shape, places)));
  }
  return parts;
}

std::vector<Expected> DefinedSplit(const OperatorCase& subject) {
  return Cut(subject, subject.inputs[1], subject.inputs[0]);
}

std::vector<Expected> DefinedSplitV(const OperatorCase& subject) {
  return Cut(subject, subject.inputs[0], subject.inputs[2]);
}

}  // namespace arenaproof::props
