#include "tools/model/npy_file.h"

#include <algorithm>
#include <string_view>

#include "tools/model/npy_dictionary.h"
#include "tools/text/extents_text.h"
#include "tools/text/names.h"

namespace arenaproof {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = kMagic.size() + 2;

// Of version 1.0, 2 bytes for the dictionary's length; of 2.0 and 3.0, 4. 0: there is no such version.
std::size_t LengthBytes(unsigned char major, unsigned char minor) {
  if (minor != 0 || major < 1 || major > 3) return 0;
  return major == 1 ? 2 : 4;
}

}  // namespace

std::string ReadNpyHeader(std::span<const std::byte> file, NpyHeader* header) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) return "its header is not that of a .npy file";
  const std::string ends = "it ends at byte " + std::to_string(text.size()) + ", within its header";
  if (text.size() < kVersionEnd) return ends;
  const auto major = static_cast<unsigned char>(text[kMagic.size()]);
  const auto minor = static_cast<unsigned char>(text[kMagic.size() + 1]);
  const std::size_t length_bytes = LengthBytes(major, minor), begin = kVersionEnd + length_bytes;
  if (length_bytes == 0) {
    return "it has version " + std::to_string(major) + "." + std::to_string(minor) +
           " of the format .npy; 1.0, 2.0 or 3.0 would be right";
  }
  if (text.size() < begin) return ends;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::to_integer<std::size_t>(file[kVersionEnd + i]) << (8 * i);
  }
  if (length > kMostNpyDictionaryBytes) {
    return "it has a header of " + std::to_string(length) + " bytes; at most " +
           std::to_string(kMostNpyDictionaryBytes) + " would be right";
  }
  if (length > text.size() - begin) {
    return ends + ", which would end at byte " + std::to_string(begin + length);
  }
  header->data_offset = begin + length;
  return ReadNpyDictionary(text.substr(begin, length), begin, header);
}

std::string NpyTypeOf(TensorType type) {
  switch (type) {
    case TensorType::kBool:
      return "|b1";
    case TensorType::kInt4:  // a byte each, as in the arena
    case TensorType::kInt8:
      return "|i1";
    case TensorType::kUInt8:
      return "|u1";
    case TensorType::kInt16:
      return "<i2";
    case TensorType::kUInt16:
      return "<u2";
    case TensorType::kInt32:
      return "<i4";
    case TensorType::kUInt32:
      return "<u4";
    case TensorType::kInt64:
      return "<i8";
    case TensorType::kUInt64:
      return "<u8";
    case TensorType::kFloat16:
      return "<f2";
    case TensorType::kFloat32:
      return "<f4";
    case TensorType::kFloat64:
      return "<f8";
    case TensorType::kComplex64:
      return "<c8";
    case TensorType::kComplex128:
      return "<c16";
    default:
      return {};
  }
}

std::string WhyNotOfTensor(const NpyHeader& header, TensorType type, std::span<const std::int32_t> shape) {
  const std::string right = NpyTypeOf(type);
  if (right.empty()) {
    return std::string("numpy has no type for ") + TensorTypeName(type) + "; a file of raw bytes would be right";
  }
  if (header.type != right) {
    return "it has elements of type '" + Printable(header.type) + "'; '" + right + "' would be right, for " +
           TensorTypeName(type);
  }
  const auto is_extent = [](std::uint64_t found, std::int32_t expected) {
    return found == static_cast<std::uint64_t>(expected);
  };
  if (!std::equal(header.shape.begin(), header.shape.end(), shape.begin(), shape.end(), is_extent)) {
    return "it has the shape " + ExtentsText(header.shape) + "; " + ExtentsText(shape) + " would be right";
  }
  if (header.fortran_order && shape.size() > 1) {
    return "its elements lie in the order of Fortran; numpy.ascontiguousarray makes that of C";
  }
  return {};
}

}  // namespace arenaproof
