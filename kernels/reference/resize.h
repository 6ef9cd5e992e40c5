// What both resizing operators ask of their operands: an image [batches, height, width, channels] and the constant
// [height, width] that the output has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

struct ResizeData {
  bool align_corners = false;
  bool half_pixel_centers = false;
};
ARENAPROOF_PIN_BYTES(ResizeData, 2, 1, 2, 1);

// Operands and types; `data` is made the op data.
Status PrepareResize(PrepareContext& context, std::initializer_list<TensorType> types, bool align_corners,
                     bool half_pixel_centers, ResizeData** data);

// How far apart in the image neighbours of the output are.
float StepOfResize(std::int32_t from, std::int32_t to, bool align_corners);

}  // namespace arenaproof::reference
