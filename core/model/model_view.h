// A verified, typed view of a .tflite file in memory. It owns nothing and uses no heap: every span and string lies in
// the file, which has to stay in place.
//
// Open() makes sure that every table, list and string lies inside the file. What the numbers in them mean is
// unchecked until validation has made a ValidatedModel of the view (validated_model.h); accessors are safe before that
// too (a buffer index out of range reads as "no data"), as long as their own arguments are in range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/status.h"
#include "core/model/builtin_operator.h"
#include "core/model/operator_options.h"
#include "core/model/quantization_view.h"
#include "core/model/tensor_type.h"

namespace arenaproof {

// The model's first byte has to be aligned to this: lists and constants are used in place.
inline constexpr std::size_t kModelAlignment = 16;
// Nesting of tables that the verifier follows; the format itself needs five.
inline constexpr std::uint32_t kModelMaxTableDepth = 16;

struct TensorView {
  std::string_view name;
  TensorType type = TensorType::kFloat32;
  bool is_variable = false;
  bool has_shape = false;  // false: a scalar
  std::span<const std::int32_t> shape;
  std::span<const std::int32_t> shape_signature;
  std::uint32_t buffer = 0;
  std::span<const std::byte> data;  // of its buffer
  bool has_quantization = false;    // the table is there; QuantizationView::present() says whether it counts
  QuantizationView quantization;
  std::uint8_t quantization_details = 0;  // 0 none, 1 custom, 2 blockwise, 3 multi-axis
  bool has_sparsity = false;
  std::uint32_t external_buffer = 0;

  // A variable's data is dropped: it is memory, whatever the file holds for it.
  bool is_constant() const;
};

struct OperatorView {
  std::uint32_t opcode_index = 0;
  bool has_opcode = false;                       // opcode_index is in range; otherwise the next four are defaults
  BuiltinOperator code = BuiltinOperator::kAdd;  // the larger of the old and the new code field
  std::string_view custom_name;
  bool has_custom_name = false;
  std::int32_t version = 1;
  std::span<const std::int32_t> inputs;  // -1: optional input, omitted
  std::span<const std::int32_t> outputs;
  std::span<const std::int32_t> intermediates;
  std::span<const std::byte> custom_options;
  std::size_t mutating_input_count = 0;  // entries of mutating_variable_inputs
  bool has_large_custom_options = false;
  std::uint8_t options_type = 0;    // union BuiltinOptions
  bool has_options = false;         // the options table is there
  std::uint8_t options_2_type = 0;  // union BuiltinOptions2
  // Decoded by options_type. Without a table: the defaults of the operator's options where the reference runs it so
  // (an absent table reads as zeros), else std::monostate.
  OperatorOptions options;
};

struct BufferView {
  std::span<const std::byte> data;
  std::uint64_t outside_offset = 0;  // > 1: the data lies outside the flatbuffer
  std::uint64_t outside_size = 0;
};

struct MetadataView {
  std::string_view name;
  std::uint32_t buffer = 0;
  std::span<const std::byte> data;
};

struct SignatureView {
  std::uint32_t subgraph = 0;
  std::size_t input_count = 0;
  std::size_t output_count = 0;
};

class ValidatedModel;

// Copied, never assigned to: what was found out about a view stays true of it. Only Open() gives it another file.
class ModelView {
 public:
  ModelView() = default;
  ModelView(const ModelView&) = default;

  // Checks alignment, size, identifier and structure. kModelTooSmall, kModelTooLarge, kModelMisaligned,
  // kModelIdentifier, kModelStructure. On failure *view is left as it was.
  static Status Open(std::span<const std::byte> bytes, ModelView* view);
  static Status Open(std::span<const std::byte> bytes, ValidatedModel* model) = delete;  // nobody has validated these
  // What Open checks before it looks at the structure, of the file's first eight bytes alone.
  static Status CheckHeader(std::span<const std::byte> first_bytes);

  // The view of a copy of bytes() at another address, aligned as they are; equal bytes are not verified again.
  ModelView OfCopy(std::span<const std::byte> copy) const;

  std::span<const std::byte> bytes() const { return bytes_; }
  std::uint32_t version() const;
  std::string_view description() const;

  std::size_t operator_code_count() const;
  std::size_t subgraph_count() const;
  bool has_buffers() const;
  std::size_t buffer_count() const;
  BufferView buffer(std::size_t index) const;
  std::size_t metadata_count() const;
  MetadataView metadata(std::size_t index) const;
  std::size_t signature_count() const;
  SignatureView signature(std::size_t index) const;
  std::uint32_t signature_input(std::size_t signature, std::size_t position) const;
  std::uint32_t signature_output(std::size_t signature, std::size_t position) const;

  // Missing lists read as empty; the has_ functions distinguish the two.
  bool has_tensors(std::size_t subgraph) const;
  bool has_inputs(std::size_t subgraph) const;
  bool has_outputs(std::size_t subgraph) const;
  std::string_view subgraph_name(std::size_t subgraph) const;
  std::size_t tensor_count(std::size_t subgraph) const;
  std::size_t operator_count(std::size_t subgraph) const;
  std::span<const std::int32_t> inputs(std::size_t subgraph) const;
  std::span<const std::int32_t> outputs(std::size_t subgraph) const;
  TensorView tensor(std::size_t subgraph, std::size_t index) const;
  OperatorView operator_at(std::size_t subgraph, std::size_t index) const;

  // Tensors of all subgraphs; tensor i of subgraph s is number (tensors of the subgraphs before s) + i.
  std::size_t total_tensor_count() const;
  std::size_t total_operator_count() const;
  std::size_t first_tensor_of(std::size_t subgraph) const;

 protected:
  ModelView& operator=(const ModelView&) = default;

 private:
  std::span<const std::byte> bytes_;
  const void* root_ = nullptr;  // the Model table; the generated types stay out of this header
};

}  // namespace arenaproof
