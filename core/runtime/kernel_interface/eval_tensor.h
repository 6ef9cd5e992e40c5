// A tensor as the runtime keeps it in the tail (32 bytes): what a kernel's view is made of when the operator runs, so
// that invoke reads no table of the model file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/constant_placement.h"

namespace arenaproof {

struct EvalTensor {
  std::byte* data = nullptr;  // a constant's bytes, a place in the head, or a variable's block; null when empty
  const std::int32_t* dims = nullptr;  // in the model file
  std::size_t bytes = 0;               // of a constant: as the file packs it
  TensorType type = TensorType::kFloat32;
  std::uint8_t rank = 0;
  bool constant : 1 = false;
  bool variable : 1 = false;
  bool preallocated : 1 = false;  // `data` is the application's
  bool in_place : 1 = false;      // the plan lets it lie in the bytes of an input of the operator that writes it

  // Whether the head has to hold it.
  bool needs_planning() const;
};
ARENAPROOF_PIN_BYTES(EvalTensor, 32, 8, 16, 4);

// The tensor before planning: only a constant has an address, served by `constants` (null: the file).
// kOperandRankLimit; kSizeOverflow.
Status DescribeTensor(const TensorView& tensor, std::size_t index, ConstantPlacement* constants, EvalTensor* described);

}  // namespace arenaproof
