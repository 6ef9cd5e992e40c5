// What prepare functions have to refuse, in one place. Operands are named by their status number: inputs from 0,
// outputs from kFirstOutputOperand. Every check returns the kKernel* status with what was found and what would
// be right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>

#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/kernel_refusals.h"
#include "kernels/reference/fixed_point.h"

namespace arenaproof::reference {

inline constexpr std::size_t kOutput = kFirstOutputOperand;

// Products of int8 weights (up to 128) and int8 activations less their zero point (up to 255) that 32 bits hold.
inline constexpr std::size_t kMostInt8Products = 65793;

struct Affine {
  float scale = 0.0f;
  std::int32_t zero_point = 0;
};

// Precondition: the operand number exists (CheckOperandCounts).
const Operand& OperandAt(const PrepareContext& context, std::size_t operand);

// True if the input is there; optional inputs may be cut off or omitted.
bool HasInput(const PrepareContext& context, std::size_t input);
bool HasInput(const InvokeContext& context, std::size_t input);

inline constexpr std::size_t kNoInput = static_cast<std::size_t>(-1);

// Counts of listed operands; of each listed input before `least_inputs` and every output also that it is not omitted
// and sound: rank within kMaxOperandRank, no negative extent, bytes that fit shape and type, which has a size.
// Constants of int4, two elements in a byte, are sound for `packed_input` only.
Status CheckOperandCounts(const PrepareContext& context, std::size_t least_inputs, std::size_t most_inputs,
                          std::size_t output_count, std::size_t packed_input = kNoInput);
// The same soundness for one operand; optional inputs need it before they are used.
Status CheckSound(const PrepareContext& context, std::size_t operand, bool may_be_packed = false);

Status CheckType(const PrepareContext& context, std::size_t operand, TensorType expected);
Status UnsupportedType(const PrepareContext& context, std::size_t operand);
// The type is one of these.
Status CheckServed(const PrepareContext& context, std::size_t operand, std::initializer_list<TensorType> served);
Status CheckRank(const PrepareContext& context, std::size_t operand, std::size_t least, std::size_t most);
Status CheckExtent(const PrepareContext& context, std::size_t operand, std::size_t axis, std::int64_t expected);
// No extent is 0.
Status CheckNotEmpty(const PrepareContext& context, std::size_t operand);
Status CheckElementCount(const PrepareContext& context, std::size_t operand, std::size_t expected);
Status CheckShape(const PrepareContext& context, std::size_t operand, std::span<const std::int32_t> expected);
Status CheckSameShape(const PrepareContext& context, std::size_t operand, std::size_t model_operand);
// Its data is known. What is empty has none to know, which a file never has as a constant.
Status CheckConstant(const PrepareContext& context, std::size_t operand);
// One input, one output of the same shape and type, which is one of these; float32 or int8 when none is given.
Status CheckUnary(const PrepareContext& context, std::initializer_list<TensorType> served);
Status CheckUnary(const PrepareContext& context);

// Reads a per-tensor quantisation: exactly one scale, finite and positive, one zero point inside the type's range.
Status ReadAffine(const PrepareContext& context, std::size_t operand, Affine* affine);
Status CheckZeroPoint(std::size_t operand, std::int64_t found, std::int64_t expected);
Status ScaleMismatch(std::size_t operand, double found, double expected);
// Scales and zero points of both operands are equal to the bit.
Status CheckSameAffine(std::size_t operand, const Affine& found, const Affine& expected);

Status CheckOption(KernelOption option, std::int64_t found, std::int64_t least, std::int64_t most);

// The operator's options, or the status that they are missing or another operator's.
template <typename Options>
Status ReadOptions(const PrepareContext& context, const Options** options) {
  *options = context.options == nullptr ? nullptr : context.options_as<Options>();
  if (*options == nullptr) return Failure(StatusCode::kKernelUnsupported, KernelFeature::kMissingOptions);
  return Ok();
}

// The multiplier of `ratio`, which has to be finite, positive and below 2^30.
Status ReadMultiplier(double ratio, QuantizedMultiplier* multiplier);
// The same with a shift of at most `most_shift`, which is less than 30: the ratio is below 2^most_shift.
Status ReadSmallMultiplier(double ratio, std::int32_t most_shift, QuantizedMultiplier* multiplier);

// An axis counted from the end when negative, made an index below `rank`.
Status ResolveAxis(std::int64_t axis, std::size_t rank, std::size_t* resolved);

// Persistent memory for a kernel's own data, made context.op_data.
template <typename Data>
Status AllocateOpData(PrepareContext& context, Data** data) {
  static_assert(std::is_trivially_destructible_v<Data>);
  context.services->Announce(BytesOf<Data>(), 1);
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(sizeof(Data), &block));
  *data = new (block) Data{};
  context.op_data = *data;
  return Ok();
}

}  // namespace arenaproof::reference
