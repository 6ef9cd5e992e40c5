// Parts of an input, each of so many bytes and for one thing: what takes more or fewer numbers out of one part leaves
// the others as they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/generators/bytes/byte_reader.h"

namespace arenaproof {

template <std::size_t kBytes>
class BytePart {
 public:
  explicit BytePart(ByteReader& input) {
    for (std::uint8_t& byte : bytes_) byte = input.Byte();
  }
  // Of its bytes, which stay where they are.
  ByteReader reader() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<std::uint8_t, kBytes> bytes_;
};

template <std::size_t kBytes>
std::vector<BytePart<kBytes>> TakeParts(ByteReader& input, std::size_t count) {
  std::vector<BytePart<kBytes>> parts;
  while (parts.size() < count) parts.emplace_back(input);
  return parts;
}

}  // namespace arenaproof
