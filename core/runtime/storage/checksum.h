// FNV-1a, 64 bits: each step is a bijection, so one changed byte is always seen.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

class Checksum {
 public:
  void Add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ byte[i]) * 0x100000001B3ULL;
  }
  // An address or a number: a value without padding.
  template <typename Word>
  void AddWord(Word word) {
    Add(&word, sizeof word);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

}  // namespace arenaproof
