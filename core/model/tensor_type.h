// Element types of a model file (wire values of the TFLite schema) and the bytes one element counts in the arena.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

enum class TensorType : std::int8_t {
  kFloat32 = 0,
  kFloat16 = 1,
  kInt32 = 2,
  kUInt8 = 3,
  kInt64 = 4,
  kString = 5,
  kBool = 6,
  kInt16 = 7,
  kComplex64 = 8,
  kInt8 = 9,
  kFloat64 = 10,
  kComplex128 = 11,
  kUInt64 = 12,
  kResource = 13,
  kVariant = 14,
  kUInt32 = 15,
  kUInt16 = 16,
  kInt4 = 17,
  kBFloat16 = 18,
  kInt2 = 19,
  kUInt4 = 20,
  kFloat8E4M3FN = 21,
  kFloat8E5M2 = 22,
};

// Bytes of one element as the arena counts them (int4 counts a whole byte); 0 for a type that has no such size
// (string, variant, int2, ...) or a value that is no type at all.
constexpr std::size_t ElementBytes(TensorType type) {
  switch (type) {
    case TensorType::kBool:
    case TensorType::kInt8:
    case TensorType::kUInt8:
    case TensorType::kInt4:
      return 1;
    case TensorType::kInt16:
    case TensorType::kUInt16:
    case TensorType::kFloat16:
    case TensorType::kBFloat16:
      return 2;
    case TensorType::kInt32:
    case TensorType::kUInt32:
    case TensorType::kFloat32:
    case TensorType::kResource:
      return 4;
    case TensorType::kInt64:
    case TensorType::kUInt64:
    case TensorType::kFloat64:
    case TensorType::kComplex64:
      return 8;
    case TensorType::kComplex128:
      return 16;
    default:
      return 0;
  }
}

// "INT8", "FLOAT32", ...; "unknown type" for a value outside the enumeration.
constexpr const char* TensorTypeName(TensorType type) {
  constexpr const char* kNames[] = {"FLOAT32",  "FLOAT16",  "INT32",     "UINT8",         "INT64",      "STRING",
                                    "BOOL",     "INT16",    "COMPLEX64", "INT8",          "FLOAT64",    "COMPLEX128",
                                    "UINT64",   "RESOURCE", "VARIANT",   "UINT32",        "UINT16",     "INT4",
                                    "BFLOAT16", "INT2",     "UINT4",     "FLOAT8_E4M3FN", "FLOAT8_E5M2"};
  const auto index = static_cast<std::int32_t>(type);
  if (index < 0 || index >= static_cast<std::int32_t>(sizeof kNames / sizeof kNames[0])) return "unknown type";
  return kNames[index];
}

}  // namespace arenaproof
