#include "kernels/reference/lstm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/activation.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/logistic.h"
#include "kernels/reference/logistic_int16.h"
#include "kernels/reference/table_functions.h"
#include "kernels/reference/weights.h"

namespace arenaproof::reference {
namespace {

constexpr float kGateScale = 1.0f / 4096.0f;       // of the sums behind a gate
constexpr double kActivatedScale = 1.0 / 32768.0;  // of a gate's value
constexpr std::int32_t kMostTanhShift = 14;        // beyond, the argument leaves 32 bits
constexpr std::int32_t kLeastTanhShift = -31;      // up to here the argument is 0

// Weights of `count` values each time, which are quantised so.
struct GateInput {
  std::size_t first_weights;
  std::size_t count;
  Affine affine;
};

Status ReadGates(const PrepareContext& context, const GateInput& input, ProductSums sums,
                 std::array<QuantizedMultiplier, kLstmGateCount>* gates) {
  for (std::size_t gate = 0; gate < kLstmGateCount; ++gate) {
    Affine weights;
    const std::size_t operand = input.first_weights + gate;
    ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, operand, &weights));
    ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(operand, weights.zero_point, 0));
    ARENAPROOF_RETURN_IF_ERROR(CheckProducts(context.inputs[operand], 0, input.count, sums, input.affine));
    // The product in float, the quotient in double: last bits depend on it.
    const double ratio = double{input.affine.scale * weights.scale} / double{kGateScale};
    ARENAPROOF_RETURN_IF_ERROR(ReadSmallMultiplier(ratio, LargestShift(sums), &(*gates)[gate]));
  }
  return Ok();
}

// f(element of `vector`) times the row of weights, in order.
template <typename Sum, typename Element, typename Weight, typename Centered>
Sum Products(const ElementReader<Element>& vector, const ElementReader<Weight>& weights, std::size_t count,
             Centered centered) {
  Sum sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += weights[i] * centered(vector[i]);
  return sum;
}

// ---- float32

struct FloatLstm {
  using Gate = float;

  float Sum(std::size_t input, std::size_t weights, std::size_t vector, std::size_t unit, std::size_t count,
            float bias) const {
    const float sum = Products<float>(ElementReader<float>(context.inputs[input]).From(vector * count),
                                      ElementReader<float>(context.inputs[weights]).From(unit * count), count,
                                      [](float x) { return x; });
    constexpr float kMost = std::numeric_limits<float>::max();
    return Clamp(sum + bias, FloatRange{-kMost, kMost});
  }

  float GateOf(std::size_t gate, std::size_t place, std::size_t batch, std::size_t unit) const {
    const float bias = ElementReader<float>(context.inputs[kLstmBiases + gate])[unit];
    const float sum = Sum(kLstmInput, kLstmInputWeights + gate, place, unit, data.input_count, bias) +
                      Sum(kLstmHidden, kLstmHiddenWeights + gate, batch, unit, data.unit_count, 0.0f);
    return gate == kCellGate ? std::tanh(sum) : LogisticOfFloat(sum);
  }

  float CellOf(float forget, float old_cell, float input, float cell) const {
    const float sum = forget * old_cell + input * cell;
    return data.cell_clip > 0.0f ? std::min(std::max(sum, -data.cell_clip), data.cell_clip) : sum;
  }

  float OutputOf(float cell, float output) const { return std::tanh(cell) * output; }

  const InvokeContext& context;
  const LstmData& data;
};

// ---- int8 and int16 activations with their sums; gates and cell have 16 bits

std::int32_t Saturated16(std::int32_t value) { return Clamp(value, kRangeOf<std::int16_t>); }

template <typename Element, typename ProductSum>
struct IntegerLstm {
  using Gate = std::int16_t;

  std::int32_t Sum(std::size_t input, std::size_t weights, std::size_t vector, std::size_t unit, std::size_t count,
                   std::int32_t zero_point, ProductSum bias, QuantizedMultiplier factor) const {
    const ProductSum sum = Products<ProductSum>(ElementReader<Element>(context.inputs[input]).From(vector * count),
                                                ElementReader<std::int8_t>(context.inputs[weights]).From(unit * count),
                                                count, [&](Element x) { return x - zero_point; });
    return Saturated16(RescaledSum(sum, bias, factor));
  }

  std::int16_t GateOf(std::size_t gate, std::size_t place, std::size_t batch, std::size_t unit) const {
    const ProductSum bias = ElementReader<ProductSum>(context.inputs[kLstmBiases + gate])[unit];
    const std::int32_t sum = Saturated16(Sum(kLstmInput, kLstmInputWeights + gate, place, unit, data.input_count,
                                             data.input_zero_point, bias, data.of_input[gate]) +
                                         Sum(kLstmHidden, kLstmHiddenWeights + gate, batch, unit, data.unit_count,
                                             data.hidden_zero_point, ProductSum{0}, data.of_hidden[gate]));
    return gate == kCellGate ? TanhOfTable(3 * sum) : LogisticOfTable(3 * sum);
  }

  std::int16_t CellOf(std::int16_t forget, std::int16_t old_cell, std::int16_t input, std::int16_t cell) const {
    const std::int32_t kept = Saturated16(MultiplyByQuantizedMultiplier(forget * old_cell, data.of_old_cell));
    const std::int32_t added = Saturated16(MultiplyByQuantizedMultiplier(input * cell, data.of_new_cell));
    const std::int32_t sum = Saturated16(kept + added);
    const QuantizedRange clip{-data.quantized_cell_clip, data.quantized_cell_clip};
    return static_cast<std::int16_t>(data.cell_clip > 0.0f ? Clamp(sum, clip) : sum);
  }

  Element OutputOf(std::int16_t cell, std::int16_t output) const {
    const std::int32_t shift = data.tanh_shift;
    const std::int32_t argument =
        shift >= 0 ? 3 * cell * (1 << shift)
                   : static_cast<std::int32_t>((std::int64_t{3} * cell + (std::int64_t{1} << (-shift - 1))) >> -shift);
    const std::int32_t scaled = MultiplyByQuantizedMultiplier(TanhOfTable(argument) * output, data.of_output);
    return ClampTo<Element>(WrappingAdd(scaled, data.hidden_zero_point));
  }

  const InvokeContext& context;
  const LstmData& data;
};

// One step of one batch row, whose input is the row `place` of the input.
template <typename Element, typename Arithmetic>
void RunStep(const InvokeContext& context, const Arithmetic& arithmetic, const LstmData& data, std::size_t batch,
             std::size_t place) {
  using Gate = typename Arithmetic::Gate;
  const auto gate_values = [&](std::size_t gate) { return ElementWriter<Gate>(context.scratch[gate]); };
  const ElementWriter<Gate> cell(context.inputs[kLstmCell]);
  const ElementWriter<Element> hidden(context.inputs[kLstmHidden]);
  const ElementWriter<Element> output(context.outputs[0]);
  const std::size_t first = batch * data.unit_count;
  // All gates see the hidden state of the step before.
  for (std::size_t gate = 0; gate < kLstmGateCount; ++gate) {
    for (std::size_t unit = 0; unit < data.unit_count; ++unit) {
      gate_values(gate).Store(first + unit, arithmetic.GateOf(gate, place, batch, unit));
    }
  }
  for (std::size_t unit = 0; unit < data.unit_count; ++unit) {
    const std::size_t i = first + unit;
    cell.Store(i, arithmetic.CellOf(gate_values(kForgetGate).Load(i), cell.Load(i), gate_values(kInputGate).Load(i),
                                    gate_values(kCellGate).Load(i)));
    const Element value = arithmetic.OutputOf(cell.Load(i), gate_values(kOutputGate).Load(i));
    hidden.Store(i, value);
    output.Store(place * data.unit_count + unit, value);
  }
}

template <typename Element, typename Arithmetic>
void Run(const InvokeContext& context, const LstmData& data) {
  const Arithmetic arithmetic{context, data};
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) {
    for (std::size_t step = 0; step < data.step_count; ++step) {
      const std::size_t place = data.time_major ? step * data.batch_count + batch : batch * data.step_count + step;
      RunStep<Element>(context, arithmetic, data, batch, place);
    }
  }
}

}  // namespace

Status ReadLstmQuantization(const PrepareContext& context, LstmData* data) {
  const bool wide = context.inputs[kLstmInput].type == TensorType::kInt16;
  const ProductSums sums = wide ? ProductSums::kInt16 : ProductSums::kInt8;
  Affine input;
  Affine hidden;
  Affine cell;
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kLstmInput, &input));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kLstmHidden, &hidden));
  ARENAPROOF_RETURN_IF_ERROR(ReadAffine(context, kLstmCell, &cell));
  ARENAPROOF_RETURN_IF_ERROR(CheckZeroPoint(kLstmCell, cell.zero_point, 0));
  data->input_zero_point = input.zero_point;
  data->hidden_zero_point = hidden.zero_point;
  ARENAPROOF_RETURN_IF_ERROR(ReadGates(context, {kLstmInputWeights, data->input_count, input}, sums, &data->of_input));
  ARENAPROOF_RETURN_IF_ERROR(
      ReadGates(context, {kLstmHiddenWeights, data->unit_count, hidden}, sums, &data->of_hidden));
  const double cell_scale = cell.scale;
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(kActivatedScale * cell_scale / cell_scale, &data->of_old_cell));
  ARENAPROOF_RETURN_IF_ERROR(ReadMultiplier(kActivatedScale * kActivatedScale / cell_scale, &data->of_new_cell));
  ARENAPROOF_RETURN_IF_ERROR(
      ReadMultiplier(kActivatedScale * kActivatedScale / double{hidden.scale}, &data->of_output));
  if (data->cell_clip > 0.0f) {
    constexpr double kMost = std::numeric_limits<std::int16_t>::max();
    data->quantized_cell_clip = static_cast<std::int32_t>(std::min(double{data->cell_clip} / cell_scale, kMost));
  }
  // Of a scale that is no power of two the one next to it, as the reference does.
  std::int32_t exponent = 0;
  static_cast<void>(IsPowerOfTwo(cell.scale, &exponent));
  data->tanh_shift = 12 + exponent;
  if (data->tanh_shift < kLeastTanhShift || data->tanh_shift > kMostTanhShift) {
    return Failure(StatusCode::kKernelUnsupported, KernelFeature::kOperatorRatio);
  }
  return Ok();
}

void RunLstm(const InvokeContext& context, const LstmData& data) {
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      return Run<float, FloatLstm>(context, data);
    case TensorType::kInt8:
      return Run<std::int8_t, IntegerLstm<std::int8_t, std::int32_t>>(context, data);
    default:
      return Run<std::int16_t, IntegerLstm<std::int16_t, std::int64_t>>(context, data);
  }
}

}  // namespace arenaproof::reference
