#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/dims_copy.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/numbers.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kLookup = 0;
constexpr std::size_t kValue = 1;

struct EmbeddingLookupData {
  float scale = 0.0f;  // of int8 values that become floats
};
ARENAPROOF_PIN_BYTES(EmbeddingLookupData, 4, 4, 4, 4);

// Rows are int8 values of zero point 0 that become floats.
bool IsHybrid(const Operand& value, const Operand& output) {
  return value.type == TensorType::kInt8 && output.type == TensorType::kFloat32;
}

}  // namespace

Status PrepareEmbeddingLookup(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const Operand& lookup = context.inputs[kLookup];
  const Operand& value = context.inputs[kValue];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kLookup, TensorType::kInt32));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kLookup, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kValue, {TensorType::kFloat32, TensorType::kInt8}));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kValue, 2, kMaxOperandRank));
  if (value.dims[0] < 1) ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kValue, 0, 1));
  const bool hybrid = IsHybrid(value, context.outputs[0]);
  if (!hybrid) ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, value.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, value.rank, value.rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 0, lookup.dims[0]));
  for (std::size_t axis = 1; axis < value.rank; ++axis) {
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, axis, value.dims[axis]));
  }
  if (lookup.constant) ARENAPROOF_RETURN_IF_ERROR(CheckIndices(lookup, kLookup, value.dims[0]));
  EmbeddingLookupData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  if (hybrid) {
    Affine affine;
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kValue, &affine));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kValue, affine.zero_point, 0));
    data->scale = affine.scale;
  }
  return CopyOutputDims(context);
}

Status InvokeEmbeddingLookup(const InvokeContext& context) {
  const Operand& lookup = context.inputs[kLookup];
  const Operand& value = context.inputs[kValue];
  const Operand& output = context.outputs[0];
  ARENAPROOF_RETURN_IF_ERROR(CheckIndices(lookup, kLookup, value.dims[0]));
  if (output.bytes == 0) return Ok();
  const std::size_t row_count = lookup.element_count();
  const std::size_t row_bytes = value.bytes / static_cast<std::size_t>(value.dims[0]);
  const ElementReader<std::int32_t> index(lookup);
  const float scale = static_cast<const EmbeddingLookupData*>(context.op_data)->scale;
  const ElementReader<std::int8_t> from(value);
  const ElementWriter<float> to(output);
  for (std::size_t row = 0; row < row_count; ++row) {
    const std::size_t start = static_cast<std::size_t>(index[row]) * row_bytes;
    if (!IsHybrid(value, output)) {
      std::memcpy(output.data + row * row_bytes, value.data + start, row_bytes);
      continue;
    }
    for (std::size_t i = 0; i < row_bytes; ++i) {
      to.Store(row * row_bytes + i, static_cast<float>(from[start + i]) * scale);
    }
  }
  return Ok();
}

}  // namespace arenaproof::reference
