#include "tools/model/npy_file.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "tools/text/extents_text.h"

namespace arenaproof {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr const char* kNoHeader = "its header is not that of a .npy file";

// The text behind "'key':", without spaces in front; empty when there is no such key.
std::string_view ValueOf(std::string_view dictionary, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  const std::size_t at = dictionary.find(quoted);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = dictionary.find_first_not_of(" :", at + quoted.size());
  return begin == std::string_view::npos ? std::string_view() : dictionary.substr(begin);
}

// "(1, 20)", "(3,)", "()".
bool ReadShape(std::string_view text, std::vector<std::uint64_t>* shape) {
  if (!text.starts_with('(')) return false;
  text.remove_prefix(1);
  while (true) {
    while (text.starts_with(' ') || text.starts_with(',')) text.remove_prefix(1);
    if (text.starts_with(')')) return true;
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc()) return false;
    shape->push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

}  // namespace

std::string ReadNpyHeader(std::span<const std::byte> file, NpyHeader* header) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::size_t kVersionEnd = kMagic.size() + 2;
  if (!text.starts_with(kMagic) || text.size() < kVersionEnd) return kNoHeader;
  const auto version = static_cast<unsigned char>(text[kMagic.size()]);
  if (version < 1 || version > 3) {
    return "it has version " + std::to_string(version) + " of the format .npy; 1 to 3 would be right";
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (text.size() < kVersionEnd + length_bytes) return kNoHeader;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::to_integer<std::size_t>(file[kVersionEnd + i]) << (8 * i);
  }
  header->data_offset = kVersionEnd + length_bytes + length;
  if (header->data_offset > text.size()) return kNoHeader;
  const std::string_view dictionary = text.substr(kVersionEnd + length_bytes, length);
  std::string_view type = ValueOf(dictionary, "descr");
  if (!type.starts_with('\'')) {
    return type.starts_with('[') ? "it has an array of structures; one of numbers would be right" : kNoHeader;
  }
  type.remove_prefix(1);
  header->type = type.substr(0, type.find('\''));
  const std::string_view order = ValueOf(dictionary, "fortran_order");
  header->fortran_order = order.starts_with("True");
  if (!header->fortran_order && !order.starts_with("False")) return kNoHeader;
  header->shape.clear();
  return ReadShape(ValueOf(dictionary, "shape"), &header->shape) ? std::string() : kNoHeader;
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
    return "it has elements of type '" + header.type + "'; '" + right + "' would be right, for " + TensorTypeName(type);
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
