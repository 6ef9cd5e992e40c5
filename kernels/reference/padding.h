// Where a window that slides over one axis lies. With the effective filter f' = (f - 1) * dilation + 1: SAME has
// ceil(in / stride) windows, VALID floor((in + stride - f') / stride); padding in all is what the windows reach beyond
// the input, half of it before. The sums are made in 64 bits, so that no stride, dilation or filter of 32 bits
// overflows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/status.h"
#include "core/model/operator_options.h"
#include "kernels/kernel_refusals.h"

namespace arenaproof::reference {

// Taps [begin, end) of a filter that lie inside the image.
struct Taps {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct WindowAxis {
  std::int64_t input = 0;
  std::int64_t filter = 0;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t output = 0;          // extent of the output that the rule gives
  std::int64_t padding_before = 0;  // the odd element of padding comes after

  // Input coordinate of tap 0 for an output coordinate below `output`; negative inside the padding.
  std::int64_t Origin(std::int64_t out) const { return out * stride - padding_before; }
  Taps TapsAt(std::int64_t out) const {
    const std::int64_t origin = Origin(out);
    const std::int64_t begin = origin < 0 ? (-origin + dilation - 1) / dilation : 0;
    const std::int64_t end = input > origin ? (input - origin + dilation - 1) / dilation : 0;
    return {begin, std::max(begin, std::min(filter, end))};
  }
};

struct WindowOptions {
  KernelOption filter;
  KernelOption stride;
  KernelOption dilation;
};
inline constexpr WindowOptions kWindowHeight{KernelOption::kFilterHeight, KernelOption::kStrideHeight,
                                             KernelOption::kDilationHeight};
inline constexpr WindowOptions kWindowWidth{KernelOption::kFilterWidth, KernelOption::kStrideWidth,
                                            KernelOption::kDilationWidth};

// Refuses stride, dilation or filter below 1, an unknown padding, and a VALID window wider than the input. With padding
// SAME every window keeps at least one tap inside an input that is not empty.
Status ReadWindowAxis(Padding padding, std::int64_t input, std::int64_t filter, std::int64_t stride,
                      std::int64_t dilation, const WindowOptions& options, WindowAxis* axis);

}  // namespace arenaproof::reference
