// Numbers from a fuzzer's bytes. Past the end every number is 0 and `empty()` says so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

class ByteReader {
 public:
  ByteReader(const std::uint8_t* data, std::size_t bytes) : data_(data), left_(bytes) {}

  bool empty() const { return left_ == 0; }
  std::size_t left_bytes() const { return left_; }

  std::uint8_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }

  // Little-endian, `byte_count` <= 8.
  std::uint64_t Number(unsigned byte_count) {
    std::uint64_t number = 0;
    for (unsigned i = 0; i < byte_count; ++i) number |= std::uint64_t{Byte()} << (8 * i);
    return number;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace arenaproof
