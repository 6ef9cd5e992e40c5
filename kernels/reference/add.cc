#include "kernels/reference/addition.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

struct Addition {
  using Options = AddOptions;
  using Data = AdditionData;
  static constexpr bool kIntegersActivated = false;  // the reference ignores the activation
  static constexpr bool kSymmetricInt16 = false;

  static Status ReadMultipliers(TensorType type, const Affine& first, const Affine& second, const Affine& output,
                                Data* data) {
    return ReadAdditionMultipliers<double>(type, first, second, output, data);
  }
  static float Of(float a, float b) { return a + b; }
  static std::int32_t Of(std::int32_t a, std::int32_t b) { return WrappingAdd(a, b); }
  template <typename Element>
  static std::int32_t OfCentered(std::int32_t a, std::int32_t b, const Data& data) {
    const std::int32_t x = AtCommonScale<Element>(a, data.first);
    const std::int32_t y = AtCommonScale<Element>(b, data.second);
    return MultiplyByQuantizedMultiplier(x + y, data.output);
  }
};

}  // namespace

Status PrepareAdd(PrepareContext& context) { return PrepareBinary<Addition>(context); }
Status InvokeAdd(const InvokeContext& context) { return InvokeBinary<Addition>(context); }

}  // namespace arenaproof::reference
