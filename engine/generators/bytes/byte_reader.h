// Numbers from a fuzzer's bytes. Past the end every number is 0 and `empty()` says so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/generators/random_source.h"

namespace arenaproof {

class ByteReader final : public RandomSource {
 public:
  ByteReader(const std::uint8_t* data, std::size_t bytes) : data_(data), left_(bytes) {}

  bool empty() const { return left_ == 0; }
  std::size_t left_bytes() const { return left_; }

  std::uint8_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }

  // Takes one byte, so that for counts above 256 not every number comes.
  std::size_t Below(std::size_t count) override { return count == 0 ? 0 : Byte() % count; }

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
