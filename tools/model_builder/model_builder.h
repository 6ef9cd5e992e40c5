// Builds .tflite files from plain descriptions: for tests, fuzz seeds and the corpus. Nothing is checked: whatever the
// description says is written, wrong indices included, so that refusals can be tested. Host only; throws
// std::length_error when a file would pass 2 GB.
//
//   ModelBuilder builder;
//   auto& graph = builder.AddSubgraph();
//   const auto x = graph.AddTensor({.name = "x", .type = TensorType::kInt8, .shape = {{1, 4}}, .quantization =
//   Scale(0.5f, 3)}); const auto y = graph.AddTensor({...}); graph.AddOperator({.code =
//   builder.AddCode(BuiltinOperator::kRelu), .inputs = {x}, .outputs = {y}}); graph.inputs = {x}; graph.outputs = {y};
//   const std::vector<std::byte> file = builder.Finish();
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/model/builtin_operator.h"
#include "core/model/operator_options.h"
#include "core/model/tensor_type.h"

namespace arenaproof {

struct BufferSpec {
  std::optional<std::vector<std::byte>> data = std::nullopt;  // nothing: no list at all; empty: a list of no bytes
  std::uint64_t outside_offset = 0;
  std::uint64_t outside_size = 0;
  bool aligned = true;  // false: data starts on 4 bytes but not on 8, as some producers leave it
};

struct QuantizationSpec {
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  std::int32_t dimension = 0;
  std::uint8_t details_type = 0;  // of the union; an empty table goes with it
};

QuantizationSpec Scale(float scale, std::int64_t zero_point);
// Zero points of 0 throughout.
QuantizationSpec ScalesAlong(std::int32_t dimension, std::vector<float> scales);

struct TensorSpec {
  std::string name = {};
  TensorType type = TensorType::kFloat32;
  std::optional<std::vector<std::int32_t>> shape = std::nullopt;  // nothing: a scalar without a shape list
  std::uint32_t buffer = 0;
  std::optional<QuantizationSpec> quantization = std::nullopt;
  bool is_variable = false;
  std::vector<std::int32_t> shape_signature = {};
  bool sparse = false;
  std::uint32_t external_buffer = 0;
};

struct OperatorSpec {
  std::uint32_t code = 0;  // index into the model's operator codes
  std::vector<std::int32_t> inputs = {};
  std::vector<std::int32_t> outputs = {};
  OperatorOptions options = {};
  std::vector<std::int32_t> intermediates = {};
  std::vector<std::byte> custom_options = {};
  std::optional<std::uint8_t> union_type = std::nullopt;  // written instead of the one that goes with `options`
  bool omit_options_table = false;                        // the union's type without its table
  std::uint8_t union_2_type = 0;                          // an empty table goes with it
  std::vector<std::uint8_t> mutating_inputs = {};
  std::uint64_t large_custom_options_offset = 0;
};

struct OperatorCodeSpec {
  std::int32_t builtin_code = 0;
  std::int8_t deprecated_builtin_code = 0;
  std::optional<std::string> custom_code = std::nullopt;
  std::int32_t version = 1;
};

struct MetadataSpec {
  std::string name;
  std::uint32_t buffer = 0;
};

struct SignatureSpec {
  std::string key;
  std::uint32_t subgraph = 0;
  std::vector<std::uint32_t> inputs = {};
  std::vector<std::uint32_t> outputs = {};
};

struct SubgraphSpec {
  std::string name;
  std::vector<TensorSpec> tensors;
  std::vector<OperatorSpec> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  bool omit_tensors = false;  // leave the list out of the file
  bool omit_inputs = false;
  bool omit_outputs = false;

  // The new tensor's or operator's index.
  std::int32_t AddTensor(TensorSpec tensor);
  std::int32_t AddOperator(OperatorSpec op);
};

class ModelBuilder {
 public:
  // Starts with the empty buffer 0 that every model has.
  ModelBuilder();

  // References stay valid.
  SubgraphSpec& AddSubgraph(std::string name = {});
  // Index of the code; one entry for each (code, version), however often it is asked for.
  std::uint32_t AddCode(BuiltinOperator code, std::int32_t version = 1);
  std::uint32_t AddCustomCode(const std::string& name);
  std::uint32_t AddBuffer(std::span<const std::byte> data, bool aligned = true);
  template <typename Element>
  std::uint32_t AddBufferOf(const std::vector<Element>& elements) {
    static_assert(std::is_trivially_copyable_v<Element>);
    return AddBuffer(std::as_bytes(std::span<const Element>(elements)));
  }
  void AddMetadata(const std::string& name, std::span<const std::byte> data);

  // The file, its first byte 16-aligned, buffer data 16-aligned unless asked otherwise. The same description gives
  // the same bytes.
  std::vector<std::byte> Finish() const;

  std::uint32_t version = 3;
  std::string description;
  std::deque<SubgraphSpec> subgraphs;
  std::vector<OperatorCodeSpec> codes;
  std::vector<BufferSpec> buffers;
  std::vector<MetadataSpec> metadata;
  std::vector<SignatureSpec> signatures;
  bool omit_buffers = false;
  bool omit_subgraphs = false;
};

}  // namespace arenaproof
