// Images whose blocks become depth or batches, and back: where each element of the wide image lies in the other.
#include "engine/oracles/operators/definitions/movement_definitions.h"

namespace arenaproof::props {
namespace {

// Of a place of the wide image, in the deep one.
std::vector<std::int32_t> DeepPlace(const std::vector<std::int32_t>& wide, std::int32_t block, std::int32_t channels) {
  const std::int32_t y = wide[1], x = wide[2];
  return {wide[0], y / block, x / block, (y % block * block + x % block) * channels + wide[3]};
}

// The three numbers of a spatial dimension; a width that is not there has one block of one column.
struct BlockAxis {
  std::int32_t block = 1, before = 0, extent = 1;
};

BlockAxis BlockAxisOf(const OperatorCase& k, const CaseTensor& large, std::size_t which) {
  if (which >= large.shape.size() - 2) return {};
  return {IntegerAt(k.inputs[1], which), IntegerAt(k.inputs[2], 2 * which), large.shape[1 + which]};
}

// each(index in the large image or -1 outside it, index in the small ones) for every element of the small images.
template <typename Each>
void ForEachOfBatches(const OperatorCase& k, const CaseTensor& large, const CaseTensor& small, Each each) {
  const BlockAxis rows = BlockAxisOf(k, large, 0), columns = BlockAxisOf(k, large, 1);
  const std::int32_t batches = large.shape[0], channels = large.shape.back();
  for (std::size_t i = 0; i < small.count(); ++i) {
    auto place = PositionOf(small.shape, i);
    const std::int32_t small_x = place.size() == 4 ? place[2] : 0;
    const std::int32_t q = place[0] / batches;
    const std::int32_t y = place[1] * rows.block + q / columns.block - rows.before;
    const std::int32_t x = small_x * columns.block + q % columns.block - columns.before;
    const bool inside = y >= 0 && y < rows.extent && x >= 0 && x < columns.extent;
    const std::int32_t index = ((place[0] % batches * rows.extent + y) * columns.extent + x) * channels + place.back();
    each(inside ? index : -1, i);
  }
}

}  // namespace

std::vector<Expected> DefinedSpaceToDepth(const OperatorCase& subject) {
  const std::int32_t block = std::get<SpaceToDepthOptions>(subject.options).block_size;
  const CaseTensor& wide = subject.inputs[0];
  const Values values = StoredValues(wide);
  Values result(subject.output.count());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[At(subject.output.shape, DeepPlace(PositionOf(wide.shape, i), block, wide.shape[3]))] = values[i];
  }
  return {Exactly(std::move(result))};
}

std::vector<Expected> DefinedDepthToSpace(const OperatorCase& subject) {
  const std::int32_t block = std::get<DepthToSpaceOptions>(subject.options).block_size;
  const CaseTensor& wide = subject.output;
  const Values values = StoredValues(subject.inputs[0]);
  Values result(wide.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = values[At(subject.inputs[0].shape, DeepPlace(PositionOf(wide.shape, i), block, wide.shape[3]))];
  }
  return {Exactly(std::move(result))};
}

// Outside the image lies 0.
std::vector<Expected> DefinedSpaceToBatch(const OperatorCase& subject) {
  const bool quantized = subject.output.type == TensorType::kInt8;
  const Values values = StoredValues(subject.inputs[0]);
  Values result(subject.output.count(), quantized ? subject.output.zero_point : 0);
  ForEachOfBatches(subject, subject.inputs[0], subject.output, [&](std::int32_t large, std::size_t small) {
    if (large >= 0) result[small] = values[static_cast<std::size_t>(large)];
  });
  return {Exactly(std::move(result))};
}

std::vector<Expected> DefinedBatchToSpace(const OperatorCase& subject) {
  const Values values = StoredValues(subject.inputs[0]);
  Values result(subject.output.count());
  ForEachOfBatches(subject, subject.output, subject.inputs[0], [&](std::int32_t large, std::size_t small) {
    if (large >= 0) result[static_cast<std::size_t>(large)] = values[small];
  });
  return {Exactly(std::move(result))};
}

}  // namespace arenaproof::props
