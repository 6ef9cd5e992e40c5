// CUMSUM: sums along one axis, in float32 or int8.
#include "kernels/reference/activation.h"
#include "kernels/reference/axis.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"
#include "kernels/reference/finer_sum.h"

namespace arenaproof::reference {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kAxis = 1;

struct CumsumData {
  bool exclusive = false;
  bool reverse = false;
  FinerSum sum;
};
ARENAPROOF_PIN_BYTES(CumsumData, 20, 4, 20, 4);

// Step::Start() is a line's sum before its first element, Step::Add(sum, element) with it, Step::Store(index, sum).
template <typename Step>
void SumLines(const AxisLines& lines, const CumsumData& data, const Step& step) {
  for (std::size_t outer = 0; outer < lines.outer; ++outer) {
    for (std::size_t inner = 0; inner < lines.inner; ++inner) {
      auto sum = step.Start();
      for (std::size_t i = 0; i < lines.length; ++i) {
        const std::size_t place = data.reverse ? lines.length - 1 - i : i;
        const std::size_t index = (outer * lines.length + place) * lines.inner + inner;
        if (data.exclusive) step.Store(index, sum);
        sum = step.Add(sum, index);
        if (!data.exclusive) step.Store(index, sum);
      }
    }
  }
}

struct FloatStep {
  float Start() const { return 0.0f; }
  float Add(float sum, std::size_t index) const { return sum + from[index]; }
  void Store(std::size_t index, float sum) const { to.Store(index, sum); }

  ElementReader<float> from;
  ElementWriter<float> to;
};

struct Int8Step {
  std::int64_t Start() const { return data.Start(); }
  std::int64_t Add(std::int64_t sum, std::size_t index) const { return sum + data.Term(from[index]); }
  void Store(std::size_t index, std::int64_t sum) const { to[index] = data.Finish(sum); }

  const std::int8_t* from;
  std::int8_t* to;
  const FinerSum& data;
};

}  // namespace

Status PrepareCumsum(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const CumsumOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, kInput, {TensorType::kFloat32, TensorType::kInt8}));
  const Operand& input = context.inputs[kInput];
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, input.type));
  ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, kInput));
  ARENAPROOF_RETURN_IF_ERROR(CheckAxis(context, kAxis, input.rank));
  CumsumData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  data->exclusive = options->exclusive;
  data->reverse = options->reverse;
  return input.type == TensorType::kFloat32 ? Ok() : ReadFinerSum(context, kInput, &data->sum);
}

Status InvokeCumsum(const InvokeContext& context) {
  const auto& data = *static_cast<const CumsumData*>(context.op_data);
  const Operand& input = context.inputs[kInput];
  const Operand& output = context.outputs[0];
  std::size_t axis = 0;
  ARENAPROOF_RETURN_IF_ERROR(ReadAxisAt(context, kAxis, 0, input.rank, &axis));
  if (input.bytes == 0) return Ok();  // there may be 2^31 lines without elements
  const AxisLines lines = LinesAlong(input, axis);
  if (input.type == TensorType::kFloat32) {
    SumLines(lines, data, FloatStep{ElementReader<float>(input), ElementWriter<float>(output)});
  } else {
    SumLines(lines, data, Int8Step{input.as<std::int8_t>(), output.mutable_as<std::int8_t>(), data.sum});
  }
  return Ok();
}

}  // namespace arenaproof::reference
