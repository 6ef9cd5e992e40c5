// SVDF: input [batches, inputs], feature weights [filters, inputs], time weights [filters, memory], optional bias
// [units], state [batches, filters * memory]; output [batches, units], filters = units * rank.
//
// The state is a variable: it moves down by one element as one flat array, then each filter's newest feature takes its
// last place. What moves from one filter into the next is overwritten there.
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/byte_size.h"
#include "kernels/reference/activation.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kFeatureWeights = 1;
constexpr std::size_t kTimeWeights = 2;
constexpr std::size_t kBias = 3;
constexpr std::size_t kState = 4;

// One sum per filter and batch; int8 operators also one per unit and batch.
constexpr std::size_t kFilterSums = 0;
constexpr std::size_t kUnitSums = 1;

struct SvdfData {
  std::size_t batch_count = 0;
  std::size_t input_count = 0;
  std::size_t filter_count = 0;
  std::size_t unit_count = 0;
  std::size_t memory_count = 0;
  std::size_t rank = 0;
  // int8 only
  std::int32_t input_zero_point = 0;
  std::int32_t state_zero_point = 0;
  std::int32_t output_zero_point = 0;
  QuantizedMultiplier feature;
  QuantizedMultiplier output;
  // float only
  FloatRange float_range;
};
ARENAPROOF_PIN_BYTES(SvdfData, 88, 8, 60, 4);

Status CheckTypes(const PrepareContext& context) {
  const TensorType type = OperandAt(context, kInput).type;
  if (type != TensorType::kFloat32 && type != TensorType::kInt8) return UnsupportedType(context, kInput);
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kFeatureWeights, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  const TensorType time_type = OperandAt(context, kTimeWeights).type;
  if (type == TensorType::kFloat32) {
    ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kTimeWeights, type));
  } else if (time_type != TensorType::kInt8 && time_type != TensorType::kInt16) {
    return UnsupportedType(context, kTimeWeights);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kState, time_type));
  if (!HasInput(context, kBias)) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, kBias));
  return CheckType(context, kBias, type == TensorType::kInt8 ? TensorType::kInt32 : TensorType::kFloat32);
}

Status ReadShapes(const PrepareContext& context, std::int32_t rank, SvdfData* data) {
  for (const std::size_t operand : {kInput, kFeatureWeights, kTimeWeights, kState, kOutput}) {
    ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 2, 2));
    ARENAPROOF_RETURN_IF_ERROR(CheckNotEmpty(context, operand));
  }
  const std::int64_t batches = OperandAt(context, kInput).dims[0];
  const std::int64_t inputs = OperandAt(context, kInput).dims[1];
  const std::int64_t filters = OperandAt(context, kFeatureWeights).dims[0];
  const std::int64_t memory = OperandAt(context, kTimeWeights).dims[1];
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kSvdfRank, rank, 1, filters));
  const std::int64_t units = filters / rank;
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kFeatureWeights, 0, units * rank));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kFeatureWeights, 1, inputs));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kTimeWeights, 0, filters));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kState, 0, batches));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kState, 1, filters * memory));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 0, batches));
  ARENAPROOF_RETURN_IF_ERROR(CheckExtent(context, kOutput, 1, units));
  data->batch_count = static_cast<std::size_t>(batches);
  data->input_count = static_cast<std::size_t>(inputs);
  data->filter_count = static_cast<std::size_t>(filters);
  data->unit_count = static_cast<std::size_t>(units);
  data->memory_count = static_cast<std::size_t>(memory);
  data->rank = static_cast<std::size_t>(rank);
  if (!HasInput(context, kBias)) return Ok();
  return CheckElementCount(context, kBias, data->unit_count);
}

Status ReadQuantization(const PrepareContext& context, SvdfData* data) {
  Affine input;
  Affine feature;
  Affine time;
  Affine state;
  Affine output;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kInput, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kFeatureWeights, &feature));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kTimeWeights, &time));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kState, &state));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kOutput, &output));
  // The reference multiplies the raw weights: another zero point would be silently ignored.
  ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kFeatureWeights, feature.zero_point, 0));
  ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kTimeWeights, time.zero_point, 0));
  const float product = state.scale * time.scale;
  if (HasInput(context, kBias)) {
    Affine bias;
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kBias, &bias));
    if (!(std::fabs(double{bias.scale} - double{product}) < 1e-5)) return ScaleMismatch(kBias, bias.scale, product);
  }
  if (data->input_count > kMostInt8Products) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kAccumulatorRange);
  }
  data->input_zero_point = input.zero_point;
  data->state_zero_point = state.zero_point;
  data->output_zero_point = output.zero_point;
  // Both ratios in float, as the reference does: last bits depend on it.
  const float feature_ratio = input.scale * feature.scale / state.scale;
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(double{feature_ratio}, &data->feature));
  return ReadMultiplier(double{product / output.scale}, &data->output);
}

Status RequestSums(PrepareContext& context, std::size_t batch_count, std::size_t count) {
  std::size_t sums = 0;
  std::size_t bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(batch_count, count, &sums));
  ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(sums, sizeof(std::int32_t), &bytes));
  return context.services->RequestScratch(bytes);
}

void MoveStateDown(const Operand& state) {
  const std::size_t element_bytes = ElementBytes(state.type);
  std::memmove(state.data, state.data + element_bytes, state.bytes - element_bytes);
}

template <typename State>
void RunInt8(const InvokeContext& context, const SvdfData& data) {
  const auto* feature_weights = context.inputs[kFeatureWeights].as<std::int8_t>();
  const ElementReader<State> time_weights(context.inputs[kTimeWeights]);
  const bool has_bias = HasInput(context, kBias);
  const ElementReader<std::int32_t> bias(has_bias ? context.inputs[kBias].data : nullptr);
  const ElementWriter<State> state(context.inputs[kState]);
  const ElementWriter<std::int32_t> filter_sums(context.scratch[kFilterSums]);
  const ElementWriter<std::int32_t> unit_sums(context.scratch[kUnitSums]);
  auto* output = context.outputs[0].mutable_as<std::int8_t>();
  constexpr QuantizedRange kStateRange{std::numeric_limits<State>::min(), std::numeric_limits<State>::max()};

  MoveStateDown(context.inputs[kState]);
  std::size_t filter = 0;  // over all batches
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) {
    const std::int8_t* vector = context.inputs[kInput].as<std::int8_t>() + batch * data.input_count;
    for (std::size_t row = 0; row < data.filter_count; ++row, ++filter) {
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < data.input_count; ++i) {
        sum += feature_weights[row * data.input_count + i] * (vector[i] - data.input_zero_point);
      }
      const std::int32_t newest = Clamp(MultiplyByQuantizedMultiplier(sum, data.feature), kStateRange);
      state.Store(filter * data.memory_count + data.memory_count - 1,
                  static_cast<State>(newest + data.state_zero_point));
      std::int32_t remembered = 0;
      for (std::size_t i = 0; i < data.memory_count; ++i) {
        const std::int32_t value = state.Load(filter * data.memory_count + i) - data.state_zero_point;
        remembered = WrappingAdd(remembered, time_weights[row * data.memory_count + i] * value);
      }
      filter_sums.Store(filter, remembered);
    }
  }
  for (std::size_t unit = 0; unit < data.batch_count * data.unit_count; ++unit) {
    std::int32_t sum = has_bias ? bias[unit % data.unit_count] : 0;
    for (std::size_t i = 0; i < data.rank; ++i) sum = WrappingAdd(sum, filter_sums.Load(unit * data.rank + i));
    unit_sums.Store(unit, sum);
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(sum, data.output);
    output[unit] = ClampToInt8(WrappingAdd(scaled, data.output_zero_point), QuantizedRange{});
  }
}

void RunFloat(const InvokeContext& context, const SvdfData& data) {
  const ElementReader<float> input(context.inputs[kInput]);
  const ElementReader<float> feature_weights(context.inputs[kFeatureWeights]);
  const ElementReader<float> time_weights(context.inputs[kTimeWeights]);
  const bool has_bias = HasInput(context, kBias);
  const ElementReader<float> bias(has_bias ? context.inputs[kBias].data : nullptr);
  const ElementWriter<float> state(context.inputs[kState]);
  const ElementWriter<float> filter_sums(context.scratch[kFilterSums]);
  const ElementWriter<float> output(context.outputs[0]);

  MoveStateDown(context.inputs[kState]);
  std::size_t filter = 0;  // over all batches
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::size_t row = 0; row < data.filter_count; ++row, ++filter) {
      float sum = 0.0f;
      for (std::size_t i = 0; i < data.input_count; ++i) {
        sum += feature_weights[row * data.input_count + i] * input[batch * data.input_count + i];
      }
      state.Store(filter * data.memory_count + data.memory_count - 1, sum);
      float remembered = 0.0f;
      for (std::size_t i = 0; i < data.memory_count; ++i) {
        remembered += time_weights[row * data.memory_count + i] * state.Load(filter * data.memory_count + i);
      }
      filter_sums.Store(filter, remembered);
    }
  }
  for (std::size_t unit = 0; unit < data.batch_count * data.unit_count; ++unit) {
    float sum = has_bias ? bias[unit % data.unit_count] : 0.0f;
    for (std::size_t i = 0; i < data.rank; ++i) sum += filter_sums.Load(unit * data.rank + i);
    output.Store(unit, Clamp(sum, data.float_range));
  }
}

}  // namespace

Status PrepareSvdf(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 3, 5, 1));
  if (context.inputs.size() != 5) return Failure(StatusCode::kKernelOperandCount, context.inputs.size(), 5, 1, 1);
  ARENAPROOF_RETURN_IF_ERROR(CheckSound(context, kState));
  const SvdfOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckTypes(context));
  if (!context.inputs[kState].variable) return Failure(StatusCode::kKernelNotVariable, kState);
  SvdfData found;
  ARENAPROOF_RETURN_IF_ERROR(ReadShapes(context, options->rank, &found));
  SvdfData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  *data = found;
  ARENAPROOF_RETURN_IF_ERROR(RequestSums(context, data->batch_count, data->filter_count));
  if (context.inputs[kInput].type == TensorType::kFloat32) {
    return ReadActivationRange(options->activation, &data->float_range);
  }
  // The reference ignores an int8 operator's activation.
  ARENAPROOF_RETURN_IF_ERROR(ReadQuantization(context, data));
  return RequestSums(context, data->batch_count, data->unit_count);
}

Status InvokeSvdf(const InvokeContext& context) {
  const auto& data = *static_cast<const SvdfData*>(context.op_data);
  switch (context.inputs[kState].type) {
    case TensorType::kInt8:
      RunInt8<std::int8_t>(context, data);
      break;
    case TensorType::kInt16:
      RunInt8<std::int16_t>(context, data);
      break;
    default:
      RunFloat(context, data);
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
