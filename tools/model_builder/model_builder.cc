#include "tools/model_builder/model_builder.h"

#include <cstring>
#include <stdexcept>

#include "tools/model_builder/model_writer.h"

namespace arenaproof {

QuantizationSpec Scale(float scale, std::int64_t zero_point) { return {{scale}, {zero_point}}; }

QuantizationSpec ScalesAlong(std::int32_t dimension, std::vector<float> scales) {
  std::vector<std::int64_t> zero_points(scales.size(), 0);
  return {std::move(scales), std::move(zero_points), dimension};
}

std::int32_t SubgraphSpec::AddTensor(TensorSpec tensor) {
  tensors.push_back(std::move(tensor));
  return static_cast<std::int32_t>(tensors.size() - 1);
}

std::int32_t SubgraphSpec::AddOperator(OperatorSpec op) {
  operators.push_back(std::move(op));
  return static_cast<std::int32_t>(operators.size() - 1);
}

ModelBuilder::ModelBuilder() : buffers(1) {}

SubgraphSpec& ModelBuilder::AddSubgraph(std::string name) {
  subgraphs.push_back({});
  subgraphs.back().name = std::move(name);
  return subgraphs.back();
}

std::uint32_t ModelBuilder::AddCode(BuiltinOperator code, std::int32_t code_version) {
  const auto value = static_cast<std::int32_t>(code);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i].builtin_code == value && codes[i].version == code_version && !codes[i].custom_code) {
      return static_cast<std::uint32_t>(i);
    }
  }
  // Codes of the old field's range fill both fields, as converters do.
  codes.push_back({value, static_cast<std::int8_t>(value < 127 ? value : 127), std::nullopt, code_version});
  return static_cast<std::uint32_t>(codes.size() - 1);
}

std::uint32_t ModelBuilder::AddCustomCode(const std::string& name) {
  const auto value = static_cast<std::int32_t>(BuiltinOperator::kCustom);
  codes.push_back({value, static_cast<std::int8_t>(value), name});
  return static_cast<std::uint32_t>(codes.size() - 1);
}

std::uint32_t ModelBuilder::AddBuffer(std::span<const std::byte> data, bool aligned) {
  BufferSpec buffer;
  buffer.data.emplace(data.begin(), data.end());
  buffer.aligned = aligned;
  buffers.push_back(std::move(buffer));
  return static_cast<std::uint32_t>(buffers.size() - 1);
}

void ModelBuilder::AddMetadata(const std::string& name, std::span<const std::byte> data) {
  const std::uint32_t buffer = AddBuffer(data);
  metadata.push_back({name, buffer});
}

std::vector<std::byte> ModelBuilder::Finish() const { return WriteModel(*this); }

}  // namespace arenaproof
