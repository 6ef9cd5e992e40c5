#include "kernels/reference/binary.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct MulData : BinaryData {
  QuantizedMultiplier multiplier;
};
ARENAPROOF_PIN_BYTES(MulData, 36, 4, 36, 4);

struct Multiplication {
  using Options = MulOptions;
  using Data = MulData;
  static constexpr bool kIntegersActivated = true;
  static constexpr bool kSymmetricInt16 = true;  // so that a product stays within 32 bits

  static Status ReadMultipliers(TensorType, const Affine& first, const Affine& second, const Affine& output,
                                Data* data) {
    const double product = static_cast<double>(first.scale) * static_cast<double>(second.scale);
    return ReadMultiplier(product / static_cast<double>(output.scale), &data->multiplier);
  }
  static float Of(float a, float b) { return a * b; }
  static std::int32_t Of(std::int32_t a, std::int32_t b) { return WrappingMultiply(a, b); }
  template <typename Element>
  static std::int32_t OfCentered(std::int32_t a, std::int32_t b, const Data& data) {
    return MultiplyByQuantizedMultiplier(a * b, data.multiplier);
  }
};

}  // namespace

Status PrepareMul(PrepareContext& context) { return PrepareBinary<Multiplication>(context); }
Status InvokeMul(const InvokeContext& context) { return InvokeBinary<Multiplication>(context); }

}  // namespace arenaproof::reference
