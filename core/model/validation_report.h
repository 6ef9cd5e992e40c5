// What validation found: the first thing that is wrong as a status, and, separately, everything the file asks for that
// is not served here, gathered over the whole file with counts. Plain data, no heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/status.h"

namespace arenaproof {

enum class UnsupportedKind : std::uint8_t {
  kBuiltinOperator,  // value: the builtin code
  kCustomOperator,   // name: the custom code
  kTensorType,       // value: the type
  kFeature,          // value: UnsupportedFeature
};

enum class UnsupportedFeature : std::int32_t {
  kSparseTensor,
  kExternalBuffer,       // a tensor's data in a file of its own
  kBufferOutsideFile,    // a buffer's data behind the flatbuffer
  kQuantizationDetails,  // custom, blockwise or multi-axis quantisation of a tensor
  kLargeCustomOptions,   // custom options behind the flatbuffer
  kMaxValue = kLargeCustomOptions,
};

// "sparse tensor", ...
const char* UnsupportedFeatureName(UnsupportedFeature feature);

struct UnsupportedItem {
  UnsupportedKind kind = UnsupportedKind::kFeature;
  std::int32_t value = 0;
  std::string_view name;  // in the model file
  std::uint32_t count = 0;
  std::uint32_t first_subgraph = 0;
  std::uint32_t first_index = 0;  // of the operator, tensor or buffer
};

class ValidationReport {
 public:
  static constexpr std::size_t kMaxItems = 48;

  // ok, or the first rule that is broken, or, in a file that breaks none, kModelUnsupported.
  Status status;
  // Constants whose data does not start on the 16 bytes that producers promise: no error.
  std::uint32_t unaligned_constant_count = 0;

  // Counts one more occurrence. Kinds beyond kMaxItems are only counted in omitted_count.
  void AddUnsupported(UnsupportedKind kind, std::int32_t value, std::string_view name, std::size_t subgraph,
                      std::size_t index);

  std::span<const UnsupportedItem> unsupported() const { return {items_.data(), item_count_}; }
  std::uint32_t unsupported_occurrence_count() const { return occurrence_count_; }
  std::uint32_t omitted_count() const { return omitted_count_; }

 private:
  std::array<UnsupportedItem, kMaxItems> items_{};
  std::size_t item_count_ = 0;
  std::uint32_t occurrence_count_ = 0;
  std::uint32_t omitted_count_ = 0;
};

}  // namespace arenaproof
