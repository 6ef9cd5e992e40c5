// A builtin operator's options in the form that kernels from outside get: a list of keys and values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/model/operator_options.h"
#include "kernels/vendor/kernel_abi.h"

namespace arenaproof {

class OptionList {
 public:
  static constexpr std::size_t kMostOptions = 8;

  // Options that the header has no key for are left out.
  explicit OptionList(const OperatorOptions& options);

  std::span<const ArenaproofOption> options() const { return {options_.data(), count_}; }

  // A flag or an enumerator is its number.
  template <typename Value>
  OptionList& Add(std::int32_t key, Value value) {
    const bool real = std::is_floating_point_v<Value>;
    Append({key, real ? 0 : static_cast<std::int32_t>(value), static_cast<float>(value)});
    return *this;
  }

 private:
  void Append(const ArenaproofOption& option);

  std::array<ArenaproofOption, kMostOptions> options_{};
  std::size_t count_ = 0;
};

}  // namespace arenaproof
