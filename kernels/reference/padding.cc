#include "kernels/reference/padding.h"

#include <limits>

#include "kernels/reference/checks.h"

namespace arenaproof::reference {

Status ReadWindowAxis(Padding padding, std::int64_t input, std::int64_t filter, std::int64_t stride,
                      std::int64_t dilation, const WindowOptions& options, WindowAxis* axis) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(options.filter, filter, 1, kMost));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(options.stride, stride, 1, kMost));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(options.dilation, dilation, 1, kMost));
  ARENAPROOF_RETURN_IF_ERROR(CheckOption(KernelOption::kPadding, static_cast<std::int64_t>(padding), 0, 1));
  const std::int64_t reach = (filter - 1) * dilation + 1;
  std::int64_t output = 0;
  if (padding == Padding::kSame) {
    output = (input + stride - 1) / stride;
  } else {
    if (reach > input) {
      const std::int64_t widest = input == 0 ? 0 : (input - 1) / dilation + 1;
      return Failure(StatusCode::kKernelOption, options.filter, filter, std::int64_t{1}, widest);
    }
    output = (input + stride - reach) / stride;
  }
  const std::int64_t total = std::max(std::int64_t{0}, (output - 1) * stride + reach - input);
  *axis = {input, filter, stride, dilation, output, total / 2};
  return Ok();
}

}  // namespace arenaproof::reference
