// The fields of an options structure one after another, whatever structure it is: to draw, to clear and to compare.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace arenaproof::testing {

namespace options_fields_internal {

struct Anything {
  template <typename Field>
  operator Field() const;
};

template <typename Options, std::size_t... kIndex>
constexpr bool CanBegin(std::index_sequence<kIndex...>) {
  return requires { Options{(static_cast<void>(kIndex), Anything{})...}; };
}

template <typename Options, std::size_t kCount = 8>
constexpr std::size_t FieldCount() {
  if constexpr (kCount == 0 || CanBegin<Options>(std::make_index_sequence<kCount>())) {
    return kCount;
  } else {
    return FieldCount<Options, kCount - 1>();
  }
}

}  // namespace options_fields_internal

// Calls `visit` with each field of the aggregate `options`, in order.
template <typename Options, typename Visit>
void ForEachField(Options& options, Visit&& visit) {
  constexpr std::size_t kCount = options_fields_internal::FieldCount<std::remove_const_t<Options>>();
  static_assert(kCount < 8, "one more case here");
  const auto all = [&](auto&... fields) { (visit(fields), ...); };
  if constexpr (kCount == 1) {
    auto& [a] = options;
    all(a);
  } else if constexpr (kCount == 2) {
    auto& [a, b] = options;
    all(a, b);
  } else if constexpr (kCount == 3) {
    auto& [a, b, c] = options;
    all(a, b, c);
  } else if constexpr (kCount == 4) {
    auto& [a, b, c, d] = options;
    all(a, b, c, d);
  } else if constexpr (kCount == 5) {
    auto& [a, b, c, d, e] = options;
    all(a, b, c, d, e);
  } else if constexpr (kCount == 6) {
    auto& [a, b, c, d, e, f] = options;
    all(a, b, c, d, e, f);
  } else if constexpr (kCount == 7) {
    auto& [a, b, c, d, e, f, g] = options;
    all(a, b, c, d, e, f, g);
  }
}

}  // namespace arenaproof::testing
