#include "kernels/reference/binary.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

// Head room of the int8 sum: both terms are brought to this many fraction bits before they are added.
constexpr int kLeftShift = 20;

struct AddData : BinaryData {
  QuantizedMultiplier first;
  QuantizedMultiplier second;
  QuantizedMultiplier output;
};
ARENAPROOF_PIN_BYTES(AddData, 52, 4, 52, 4);

// Every ratio of an addition is below 1: the shift never goes left, so no intermediate leaves 32 bits.
Status ReadFraction(double ratio, QuantizedMultiplier* multiplier) {
  if (ratio >= 1.0) return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMultiplierRange);
  return ReadMultiplier(ratio, multiplier);
}

Status ReadMultipliers(const Affine& first, const Affine& second, const Affine& output, AddData* data) {
  const double twice_largest = 2.0 * static_cast<double>(std::max(first.scale, second.scale));
  ARENAPROOF_RETURN_IF_ERROR(ReadFraction(static_cast<double>(first.scale) / twice_largest, &data->first));
  ARENAPROOF_RETURN_IF_ERROR(ReadFraction(static_cast<double>(second.scale) / twice_largest, &data->second));
  return ReadFraction(twice_largest / ((1 << kLeftShift) * static_cast<double>(output.scale)), &data->output);
}

std::int32_t AddCentered(std::int32_t a, std::int32_t b, const AddData& data) {
  const std::int32_t x = MultiplyByQuantizedMultiplier(a * (1 << kLeftShift), data.first);
  const std::int32_t y = MultiplyByQuantizedMultiplier(b * (1 << kLeftShift), data.second);
  return MultiplyByQuantizedMultiplier(x + y, data.output);
}

}  // namespace

Status PrepareAdd(PrepareContext& context) { return PrepareBinary<AddOptions, AddData>(context, ReadMultipliers); }

Status InvokeAdd(const InvokeContext& context) {
  return InvokeBinary<AddData>(context, [](float a, float b) { return a + b; }, AddCentered);
}

}  // namespace arenaproof::reference
