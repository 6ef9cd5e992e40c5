// What the rules of invalid_cases.h share: which operator it is, its options, its numbers.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <variant>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/invalid_cases.h"
#include "kernels/kernel_refusals.h"

namespace arenaproof::props {

using enum BuiltinOperator;
using ExpectedRefusal = std::optional<Refusal>;  // none: the case was left alone

inline constexpr std::uint64_t kOutputOperand = kFirstOutputOperand;

inline std::uint64_t Number(KernelOption option) { return static_cast<std::uint64_t>(option); }
inline std::uint64_t Number(KernelFeature feature) { return static_cast<std::uint64_t>(feature); }

inline bool IsOneOf(BuiltinOperator code, std::initializer_list<BuiltinOperator> codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}
inline bool IsConvolution(const OperatorCase& k) { return IsOneOf(k.code, {kConv2d, kDepthwiseConv2d}); }
inline bool HasFilter(const OperatorCase& k) { return IsConvolution(k) || k.code == kFullyConnected; }
inline bool IsPool(const OperatorCase& k) { return IsOneOf(k.code, {kAveragePool2d, kMaxPool2d}); }
inline bool IsInt8(const OperatorCase& k) { return k.inputs[0].type == TensorType::kInt8; }
inline bool IsComparison(const OperatorCase& k) {
  return IsOneOf(k.code, {kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual});
}

// Calls change(options) if the options are of a kind that it takes; true if so.
template <typename Change>
bool ChangeOptions(OperatorCase& k, Change change) {
  return std::visit(
      [&](auto& options) {
        if constexpr (requires { change(options); }) {
          change(options);
          return true;
        } else {
          return false;
        }
      },
      k.options);
}

inline void SetIntegers(CaseTensor& tensor, std::size_t index, std::int32_t value) {
  std::memcpy(tensor.bytes.data() + 4 * index, &value, 4);
}

}  // namespace arenaproof::props
