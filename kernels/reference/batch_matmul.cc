// BATCH_MATMUL: [.., rows, depth] times [.., depth, columns], leading dimensions broadcast; an adjoint operand is
// stored with its last two dimensions exchanged. Products are of rows of the first with rows of the second operand
// turned, so the first if it is adjoint, and the second unless it is, is turned into persistent memory at each invoke.
#include <array>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/dims_copy.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kFirst = 0;
constexpr std::size_t kSecond = 1;
constexpr std::size_t kLeastRank = 2;
constexpr std::size_t kMostRank = 5;
// Of int8 values less their zero points.
constexpr std::size_t kMostProducts = 33025;
// Of int16 values in the 47 bits that a sum of 64 may use.
constexpr std::size_t kMostWideProducts = (std::size_t{1} << 17) - 1;

struct BatchMatMulData {
  std::array<std::byte*, 2> turned{};  // null: used as it lies
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
  std::array<std::int32_t, 2> zero_points{};
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(BatchMatMulData, 64, 8, 40, 4);

// How the reference describes a turned operand. Nothing here reads it; it is taken all the same, so that an arena that
// is measured here is the device's.
struct TurnedTensor {
  void* data = nullptr;
  void* dims = nullptr;
  std::int32_t type = 0;
};
ARENAPROOF_PIN_BYTES(TurnedTensor, 24, 8, 12, 4);

// The extent `place` dimensions before the last two, 1 beyond the rank.
std::int32_t BatchExtent(const Operand& operand, std::size_t place) {
  return place + 2 < operand.rank ? operand.dims[operand.rank - 3u - place] : 1;
}

Status CheckBatches(const PrepareContext& context) {
  const Operand& first = context.inputs[kFirst];
  const Operand& second = context.inputs[kSecond];
  const std::size_t rank = std::max(first.rank, second.rank);
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, rank, rank));
  for (std::size_t place = 0; place + 2 < rank; ++place) {
    const std::int32_t one = BatchExtent(first, place);
    const std::int32_t other = BatchExtent(second, place);
    if (one != other && one != 1 && other != 1) {
      return Failure(StatusCode::kKernelDimension, kSecond, second.rank - 3 - place, std::int64_t{other},
                     std::int64_t{one});
    }
    ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, rank - 3 - place, one == 1 ? other : one));
  }
  return Ok();
}

Status ReadShapes(const PrepareContext& context, const BatchMatMulOptions& options, BatchMatMulData* data) {
  for (const std::size_t operand : {kFirst, kSecond}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, kLeastRank, kMostRank));
    ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, operand));
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckBatches(context));
  const Operand& first = context.inputs[kFirst];
  const Operand& second = context.inputs[kSecond];
  const std::size_t first_last = first.rank - 1u;
  const std::size_t second_last = second.rank - 1u;
  const std::size_t output_last = context.outputs[0].rank - 1u;
  const std::int32_t rows = first.dims[options.adj_x ? first_last : first_last - 1];
  const std::int32_t depth = first.dims[options.adj_x ? first_last - 1 : first_last];
  const std::int32_t columns = second.dims[options.adj_y ? second_last - 1 : second_last];
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kSecond, options.adj_y ? second_last : second_last - 1, depth));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, output_last - 1, rows));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, output_last, columns));
  data->rows = static_cast<std::size_t>(rows);
  data->columns = static_cast<std::size_t>(columns);
  data->depth = static_cast<std::size_t>(depth);
  return Ok();
}

Status ReadQuantization(const PrepareContext& context, BatchMatMulData* data) {
  const bool wide = context.outputs[0].type == TensorType::kInt16;
  Affine first;
  Affine second;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kFirst, &first));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kSecond, &second));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  if (wide) {
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kFirst, first.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kSecond, second.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, output.zero_point, 0));
  }
  if (data->depth > (wide ? kMostWideProducts : kMostProducts)) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
  }
  data->zero_points = {first.zero_point, second.zero_point};
  data->output_zero_point = output.zero_point;
  // The product of the scales in float, the quotient in double: last bits depend on it.
  return ReadSmallMultiplier(double{first.scale * second.scale} / double{output.scale},
                             wide ? kLargestWideShift : kLargestShift, &data->multiplier);
}

Status AllocateTurned(PrepareContext& context, std::size_t operand, BatchMatMulData* data) {
  const Operand& subject = context.inputs[operand];
  std::byte* description = nullptr;
  std::byte* dims = nullptr;
  context.services->Announce(BytesOf<TurnedTensor>(), 1);
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(sizeof(TurnedTensor), &description));
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent((1u + subject.rank) * sizeof(std::int32_t), &dims));
  return context.services->AllocatePersistent(subject.bytes, &data->turned[operand]);
}

// Exchanges the last two dimensions.
template <typename Element>
void Turn(const Operand& operand, std::byte* turned) {
  const ElementReader<Element> from(operand);
  const ElementWriter<Element> to(turned);
  const auto rows = static_cast<std::size_t>(operand.dims[operand.rank - 2u]);
  const auto columns = static_cast<std::size_t>(operand.dims[operand.rank - 1u]);
  const std::size_t count = operand.element_count();
  for (std::size_t first = 0; first < count; first += rows * columns) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        to.Store(first + column * rows + row, from[first + row * columns + column]);
      }
    }
  }
}

// The matrix of an operand that belongs to a batch of the output, in matrices; the batch is counted over the output's
// leading dimensions.
std::size_t MatrixOf(const Operand& operand, const Operand& output, std::size_t batch) {
  std::size_t matrix = 0;
  std::size_t stride = 1;
  for (std::size_t place = 0; place + 2 < output.rank; ++place) {
    const auto extent = static_cast<std::size_t>(BatchExtent(output, place));
    const auto own = static_cast<std::size_t>(BatchExtent(operand, place));
    if (own != 1) matrix += stride * (batch % extent);
    batch /= extent;
    stride *= own;
  }
  return matrix;
}

template <typename Element, typename OfRows>
void ForEachElement(const InvokeContext& context, const BatchMatMulData& data, OfRows of_rows) {
  std::array<ElementReader<Element>, 2> operands;
  for (const std::size_t operand : {kFirst, kSecond}) {
    const Operand& subject = context.inputs[operand];
    if (data.turned[operand] != nullptr) Turn<Element>(subject, data.turned[operand]);
    operands[operand] = ElementReader<Element>(data.turned[operand] != nullptr ? data.turned[operand] : subject.data);
  }
  const Operand& output = context.outputs[0];
  const ElementWriter<Element> to(output);
  const std::size_t matrix_elements = data.rows * data.columns;
  const std::size_t batch_count = output.element_count() / matrix_elements;
  for (std::size_t batch = 0; batch < batch_count; ++batch) {
    const std::size_t first = MatrixOf(context.inputs[kFirst], output, batch) * data.rows * data.depth;
    const std::size_t second = MatrixOf(context.inputs[kSecond], output, batch) * data.columns * data.depth;
    for (std::size_t row = 0; row < data.rows; ++row) {
      for (std::size_t column = 0; column < data.columns; ++column) {
        to.Store(batch * matrix_elements + row * data.columns + column,
                 of_rows(operands[kFirst].From(first + row * data.depth),
                         operands[kSecond].From(second + column * data.depth)));
      }
    }
  }
}

void RunFloat(const InvokeContext& context, const BatchMatMulData& data) {
  ForEachElement<float>(context, data, [&](ElementReader<float> a, ElementReader<float> b) {
    float total = 0.0f;
    for (std::size_t i = 0; i < data.depth; ++i) total += a[i] * b[i];
    return total;
  });
}

template <typename Element, typename Sum>
void RunQuantized(const InvokeContext& context, const BatchMatMulData& data) {
  ForEachElement<Element>(context, data, [&](ElementReader<Element> a, ElementReader<Element> b) {
    Sum sum = 0;
    for (std::size_t i = 0; i < data.depth; ++i) {
      sum += (a[i] - data.zero_points[kFirst]) * (b[i] - data.zero_points[kSecond]);
    }
    return ClampTo<Element>(WrappingAdd(RescaledSum(sum, Sum{0}, data.multiplier), data.output_zero_point));
  });
}

}  // namespace

Status PrepareBatchMatmul(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const BatchMatMulOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kFirst, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kSecond, context.inputs[kFirst].type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, context.inputs[kFirst].type));
  BatchMatMulData found;
  ARENAPROOF_RETURN_IF_ERROR(ReadShapes(context, *options, &found));
  if (context.outputs[0].type != TensorType::kFloat32) ARENAPROOF_RETURN_IF_ERROR(ReadQuantization(context, &found));
  BatchMatMulData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  if (options->adj_x) ARENAPROOF_RETURN_IF_ERROR(AllocateTurned(context, kFirst, data));
  if (!options->adj_y) ARENAPROOF_RETURN_IF_ERROR(AllocateTurned(context, kSecond, data));
  return CopyOutputDims(context);
}

Status InvokeBatchMatmul(const InvokeContext& context) {
  const auto& data = *static_cast<const BatchMatMulData*>(context.op_data);
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      RunFloat(context, data);
      break;
    case TensorType::kInt8:
      RunQuantized<std::int8_t, std::int32_t>(context, data);
      break;
    default:
      RunQuantized<std::int16_t, std::int64_t>(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
