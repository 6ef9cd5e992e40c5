#include "kernels/reference/addition.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct Subtraction {
  using Options = SubOptions;
  using Data = AdditionData;
  static constexpr bool kIntegersActivated = true;
  static constexpr bool kSymmetricInt16 = true;

  // In float, unlike ADD's.
  static Status ReadMultipliers(TensorType type, const Affine& first, const Affine& second, const Affine& output,
                                Data* data) {
    return ReadAdditionMultipliers<float>(type, first, second, output, data);
  }
  static float Of(float a, float b) { return a - b; }
  static std::int32_t Of(std::int32_t a, std::int32_t b) { return WrappingSubtract(a, b); }
  template <typename Element>
  static std::int32_t OfCentered(std::int32_t a, std::int32_t b, const Data& data) {
    const std::int32_t x = AtCommonScale<Element>(a, data.first);
    const std::int32_t y = AtCommonScale<Element>(b, data.second);
    return MultiplyByQuantizedMultiplier(x - y, data.output);
  }
};

}  // namespace

Status PrepareSub(PrepareContext& context) { return PrepareBinary<Subtraction>(context); }
Status InvokeSub(const InvokeContext& context) { return InvokeBinary<Subtraction>(context); }

}  // namespace arenaproof::reference
