// Elements of operands. A constant may lie anywhere in the model file, aligned or not, so every element wider than one
// byte goes through memcpy, which compiles to one plain load or store.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

template <typename Element>
class ElementReader {
 public:
  ElementReader() = default;
  explicit ElementReader(const std::byte* data) : data_(data) {}
  explicit ElementReader(const Operand& operand) : data_(operand.data) {}

  Element operator[](std::size_t index) const {
    Element element;
    std::memcpy(&element, data_ + index * sizeof(Element), sizeof(Element));
    return element;
  }
  ElementReader From(std::size_t index) const { return ElementReader(data_ + index * sizeof(Element)); }

 private:
  const std::byte* data_ = nullptr;
};

template <typename Element>
class ElementWriter {
 public:
  explicit ElementWriter(std::byte* data) : data_(data) {}
  explicit ElementWriter(const Operand& operand) : data_(operand.data) {}

  void Store(std::size_t index, Element element) const {
    std::memcpy(data_ + index * sizeof(Element), &element, sizeof(Element));
  }
  Element Load(std::size_t index) const { return ElementReader<Element>(data_)[index]; }

 private:
  std::byte* data_ = nullptr;
};

}  // namespace arenaproof::reference
