// AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D (float32). Windows are cut at the image's border; every window keeps at
// least one tap (ReadWindowAxis), so no average divides by zero.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/dims_copy.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/padding.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;

struct PoolData {
  WindowAxis height;
  WindowAxis width;
  std::int64_t batch_count = 0;
  std::int64_t depth = 0;
  bool quantized = false;
  QuantizedRange range;
  FloatRange float_range;
};
ARENAPROOF_PIN_BYTES(PoolData, 136, 8, 136, 8);

Status PreparePool(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  const Pool2DOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  const Operand& input = OperandAt(context, kInput);
  ARENAPROOF_RETURN_IF_ERROR(
      CheckServed(context, kInput, {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16}));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  for (const std::size_t operand : {kInput, kOutput}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 4, 4));
    ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, operand));
  }
  PoolData found;
  ARENAPROOF_RETURN_IF_ERROR(ReadWindowAxis(options->padding, input.dims[1], options->filter_height, options->stride_h,
                                            1, kWindowHeight, &found.height));
  ARENAPROOF_RETURN_IF_ERROR(ReadWindowAxis(options->padding, input.dims[2], options->filter_width, options->stride_w,
                                            1, kWindowWidth, &found.width));
  found.batch_count = input.dims[0];
  found.depth = input.dims[3];
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 0, found.batch_count));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 1, found.height.output));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 2, found.width.output));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 3, found.depth));
  found.quantized = input.type != TensorType::kFloat32;
  if (found.quantized) {
    Affine in;
    Affine out;
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &in));
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &out));
    if (!(std::fabs(in.scale - out.scale) <= 1.0e-6f)) return ScaleMismatch(kOutput, out.scale, in.scale);
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kOutput, out.zero_point, in.zero_point));
    ARENAPROOF_RETURN_IF_ERROR(ReadActivationRange(options->activation, out, TypeRange(input.type), &found.range));
  } else {
    ARENAPROOF_RETURN_IF_ERROR(ReadActivationRange(options->activation, &found.float_range));
  }
  PoolData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  return Ok();
}

// For every output element in memory order: a fresh Window takes each tap (window row, then column) and is finished.
template <typename Element, typename Window>
void RunPool(const InvokeContext& context, const PoolData& data) {
  const ElementReader<Element> input(context.inputs[kInput]);
  const ElementWriter<Element> output(context.outputs[0]);
  std::size_t index = 0;
  for (std::int64_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::int64_t out_y = 0; out_y < data.height.output; ++out_y) {
      for (std::int64_t out_x = 0; out_x < data.width.output; ++out_x) {
        const Taps rows = data.height.TapsAt(out_y);
        const Taps columns = data.width.TapsAt(out_x);
        for (std::int64_t channel = 0; channel < data.depth; ++channel) {
          Window window(data);
          for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            const std::int64_t in_y = data.height.Origin(out_y) + row;
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
              const std::int64_t in_x = data.width.Origin(out_x) + column;
              const std::int64_t pixel = (batch * data.height.input + in_y) * data.width.input + in_x;
              window.Take(input[static_cast<std::size_t>(pixel * data.depth + channel)]);
            }
          }
          output.Store(index++, window.Finish((rows.end - rows.begin) * (columns.end - columns.begin), data));
        }
      }
    }
  }
}

template <typename Element>
struct AverageQuantized {
  explicit AverageQuantized(const PoolData&) {}
  void Take(Element value) { sum += value; }
  Element Finish(std::int64_t taps, const PoolData& data) const {
    const std::int64_t average = sum > 0 ? (sum + taps / 2) / taps : (sum - taps / 2) / taps;
    return ClampTo<Element>(static_cast<std::int32_t>(average), data.range);
  }
  std::int64_t sum = 0;
};

struct AverageFloat {
  explicit AverageFloat(const PoolData&) {}
  void Take(float value) { total += value; }
  float Finish(std::int64_t taps, const PoolData& data) const {
    return Clamp(total / static_cast<float>(taps), data.float_range);
  }
  float total = 0.0f;
};

struct RootMeanSquareFloat {
  explicit RootMeanSquareFloat(const PoolData&) {}
  void Take(float value) { total += value * value; }
  float Finish(std::int64_t taps, const PoolData& data) const {
    return Clamp(std::sqrt(total / static_cast<float>(taps)), data.float_range);
  }
  float total = 0.0f;
};

template <typename Element>
struct MaximumQuantized {
  explicit MaximumQuantized(const PoolData&) {}
  void Take(Element value) { most = std::max(most, value); }
  Element Finish(std::int64_t, const PoolData& data) const { return ClampTo<Element>(most, data.range); }
  Element most = std::numeric_limits<Element>::min();
};

struct MaximumFloat {
  explicit MaximumFloat(const PoolData&) {}
  void Take(float value) { most = std::max(most, value); }
  float Finish(std::int64_t, const PoolData& data) const { return Clamp(most, data.float_range); }
  float most = std::numeric_limits<float>::lowest();
};

template <template <typename> typename Quantized, typename Float>
Status InvokePool(const InvokeContext& context) {
  const auto& data = *static_cast<const PoolData*>(context.op_data);
  switch (context.inputs[kInput].type) {
    case TensorType::kFloat32:
      RunPool<float, Float>(context, data);
      break;
    case TensorType::kInt8:
      RunPool<std::int8_t, Quantized<std::int8_t>>(context, data);
      break;
    default:
      RunPool<std::int16_t, Quantized<std::int16_t>>(context, data);
      break;
  }
  return Ok();
}

}  // namespace

Status PrepareAveragePool2d(PrepareContext& context) { return PreparePool(context); }
Status PrepareMaxPool2d(PrepareContext& context) { return PreparePool(context); }

Status InvokeAveragePool2d(const InvokeContext& context) { return InvokePool<AverageQuantized, AverageFloat>(context); }
Status InvokeMaxPool2d(const InvokeContext& context) { return InvokePool<MaximumQuantized, MaximumFloat>(context); }

Status PrepareL2Pool2d(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kInput, {TensorType::kFloat32}));
  ARENAPROOF_RETURN_IF_ERROR(PreparePool(context));
  return CopyOutputDims(context);
}

Status InvokeL2Pool2d(const InvokeContext& context) {
  RunPool<float, RootMeanSquareFloat>(context, *static_cast<const PoolData*>(context.op_data));
  return Ok();
}

}  // namespace arenaproof::reference
