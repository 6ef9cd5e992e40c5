// Rows of options from the fields of the option structures.
#pragma once

#include <limits>
#include <type_traits>

#include "core/operators/operator_row.h"

namespace arenaproof {

template <typename Field>
struct OptionField;
template <typename Options, typename Value>
struct OptionField<Value Options::*> {
  using Struct = Options;
  using Type = Value;
};

inline constexpr std::int64_t kMillionths = 1'000'000;

// To the nearest; the far ends of 64 bits for what lies beyond them, the lower one for what is no number.
constexpr std::int64_t InMillionths(double value) {
  constexpr double kEnd = 9.2e18;
  const double millionths = value * static_cast<double>(kMillionths);
  if (!(millionths > -kEnd)) return std::numeric_limits<std::int64_t>::min();
  if (millionths > kEnd) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(millionths + (millionths < 0 ? -0.5 : 0.5));
}

// Option<&ConcatenationOptions::axis>("axis", least, most): the field as a row.
template <auto kField>
consteval OptionRow Option(const char* name, std::int64_t least, std::int64_t most, bool by_shape_rule = false) {
  using Struct = typename OptionField<decltype(kField)>::Struct;
  using Type = typename OptionField<decltype(kField)>::Type;
  return {name,
          least,
          most,
          by_shape_rule,
          [](const OperatorOptions& options) {
            const Type value = std::get<Struct>(options).*kField;
            if constexpr (std::is_floating_point_v<Type>) {
              return InMillionths(double{value});
            } else {
              return static_cast<std::int64_t>(value);
            }
          },
          [](OperatorOptions& options, std::int64_t value) {
            if constexpr (std::is_floating_point_v<Type>) {
              std::get<Struct>(options).*kField = static_cast<Type>(value) / static_cast<Type>(kMillionths);
            } else {
              std::get<Struct>(options).*kField = static_cast<Type>(value);
            }
          }};
}

consteval OptionRow Unread(OptionRow option) {
  option.read = false;
  return option;
}

consteval OptionRow OfMore(OptionRow option) {
  option.more = true;
  return option;
}

// Fused activations: none, RELU, RELU_N1_TO_1, RELU6. The two beyond them are refused.
template <auto kField>
consteval OptionRow ActivationOption() {
  return Option<kField>("fused activation", 0, 3);
}

}  // namespace arenaproof
