// How tensors, scratch buffers and constants are laid out while a model is checked. Every layout keeps addresses modulo
// 64, so that kernels take the same paths in each.
//   faithful  the very offsets that a device would use; operands of one operator may be neighbours.
//   dilated   the vertical order of buffers alive together is kept, with closed bytes between them (dilated_layout.h),
//             constants too (relocated_model.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arenaproof {

enum class Layout : std::uint8_t { kFaithful, kDilated };

// Closed bytes that the dilated layout keeps on each side of an operand: the widest vector access. Also the distance
// below which two operands of one operator are a blind pair.
inline constexpr std::size_t kClosedBytes = 64;

constexpr std::string_view LayoutName(Layout layout) { return layout == Layout::kFaithful ? "faithful" : "dilated"; }

constexpr std::optional<Layout> LayoutOfName(std::string_view name) {
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    if (name == LayoutName(layout)) return layout;
  }
  return std::nullopt;
}

}  // namespace arenaproof
