#include "kernels/reference/binary.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct MulData : BinaryData {
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(MulData, 36, 4, 36, 4);

Status ReadMultipliers(const Affine& first, const Affine& second, const Affine& output, MulData* data) {
  const double product = static_cast<double>(first.scale) * static_cast<double>(second.scale);
  return ReadMultiplier(product / static_cast<double>(output.scale), &data->multiplier);
}

std::int32_t MultiplyCentered(std::int32_t a, std::int32_t b, const MulData& data) {
  return MultiplyByQuantizedMultiplier(a * b, data.multiplier);
}

}  // namespace

Status PrepareMul(PrepareContext& context) { return PrepareBinary<MulOptions, MulData>(context, ReadMultipliers); }

Status InvokeMul(const InvokeContext& context) {
  return InvokeBinary<MulData>(context, [](float a, float b) { return a * b; }, MultiplyCentered);
}

}  // namespace arenaproof::reference
