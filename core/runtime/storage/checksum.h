// FNV-1a, 64 bits: each step is a bijection, so one changed byte is always seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenaproof {

class Checksum {
 public:
  void Add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ byte[i]) * kPrime;
  }
  // An address or a number: a value without padding.
  template <typename Word>
  void AddWord(Word word) {
    for (const std::byte byte : std::as_bytes(std::span(&word, 1))) {
      value_ = (value_ ^ std::to_integer<unsigned char>(byte)) * kPrime;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001B3ULL;
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

}  // namespace arenaproof
