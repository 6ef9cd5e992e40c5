// Arrays as numpy saves them (.npy, versions 1.0, 2.0 and 3.0): the header as data, and whether a tensor's values can
// be in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/tensor_type.h"

namespace arenaproof {

struct NpyHeader {
  std::string type;  // such as "<f4"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  // in the file
};

// More is in the header of no array of numbers.
inline constexpr std::size_t kMostNpyDictionaryBytes = 65535;
// What ReadNpyHeader looks at.
inline constexpr std::size_t kMostNpyHeaderBytes = 12 + kMostNpyDictionaryBytes;

// Reads the header at the start of a file, of which these are the first bytes: all, or kMostNpyHeaderBytes at least.
// Only a header of the form that numpy writes is taken, also with a comma behind the last extent. Empty, or what is
// wrong with it: "it has ...".
std::string ReadNpyHeader(std::span<const std::byte> file, NpyHeader* header);

// "<f4" for FLOAT32; empty for a type of which numpy has none.
std::string NpyTypeOf(TensorType type);

// Empty, or why the array does not hold a tensor of this type and shape: "it has ...".
std::string WhyNotOfTensor(const NpyHeader& header, TensorType type, std::span<const std::int32_t> shape);

}  // namespace arenaproof
