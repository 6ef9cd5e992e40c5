#include "engine/generators/mutator/model_object.h"

#include <cstring>

#include "core/model/model_view.h"
#include "core/model/schema_generated.h"
#include "engine/generators/mutator/shared_byte.h"

namespace arenaproof {
namespace {

bool HasMisalignedZeroPoints(const ModelView& model) {
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      const std::byte* const list = model.tensor(s, i).quantization.zero_point_bytes;
      if (reinterpret_cast<std::uintptr_t>(list) % alignof(std::int64_t) != 0) return true;
    }
  }
  return false;
}

template <typename Union>
void DropTypeWithoutTable(Union& options) {
  if (options.value == nullptr) options.Reset();
}

// Copies and files of unions expect a table wherever there is a type.
void DropTypesWithoutTables(wire::ModelT& object) {
  for (const auto& subgraph : object.subgraphs) {
    for (const auto& op : subgraph->operators) {
      DropTypeWithoutTable(op->builtin_options);
      DropTypeWithoutTable(op->builtin_options_2);
    }
    for (const auto& tensor : subgraph->tensors) {
      if (tensor->quantization) DropTypeWithoutTable(tensor->quantization->details);
    }
  }
}

}  // namespace

void ModelObjectDeleter::operator()(wire::ModelT* object) const { delete object; }

ModelObject ReadModelObject(std::span<const std::uint8_t> file) {
  constexpr std::size_t kIdentifierAt = 4;
  if (file.size() < 2 * kIdentifierAt || file.size() > kMostObjectBytes) return nullptr;
  if (SharedByteAt(file.data(), kIdentifierAt) != 'T') return nullptr;
  // Every offset's alignment is checked from here on; the first byte has to be where files start.
  struct alignas(kModelAlignment) Aligned {
    std::uint8_t bytes[kMostObjectBytes];
  };
  const std::unique_ptr<Aligned> copy(new Aligned);
  std::memcpy(copy->bytes, file.data(), file.size());
  ModelView view;
  if (!ModelView::Open(std::as_bytes(std::span<const std::uint8_t>(copy->bytes, file.size())), &view).ok()) {
    return nullptr;
  }
  if (HasMisalignedZeroPoints(view)) return nullptr;
  ModelObject object(wire::UnPackModel(copy->bytes).release());
  DropTypesWithoutTables(*object);
  return object;
}

std::vector<std::uint8_t> WriteModelObject(wire::ModelT& object) {
  flatbuffers::FlatBufferBuilder builder(4096);
  wire::FinishModelBuffer(builder, wire::Model::Pack(builder, &object));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

ModelObject SmallestModelObject() {
  ModelObject model(new wire::ModelT);
  model->version = 3;
  model->operator_codes.push_back(std::make_unique<wire::OperatorCodeT>());
  model->operator_codes[0]->builtin_code = wire::BuiltinOperator::RELU;
  model->operator_codes[0]->deprecated_builtin_code = static_cast<std::int8_t>(wire::BuiltinOperator::RELU);
  model->buffers.push_back(std::make_unique<wire::BufferT>());
  model->subgraphs.push_back(std::make_unique<wire::SubGraphT>());
  wire::SubGraphT& graph = *model->subgraphs[0];
  for (int i = 0; i < 2; ++i) {
    graph.tensors.push_back(std::make_unique<wire::TensorT>());
    graph.tensors.back()->shape = {1, 4};
  }
  graph.operators.push_back(std::make_unique<wire::OperatorT>());
  graph.operators[0]->inputs = {0};
  graph.operators[0]->outputs = {1};
  graph.inputs = {0};
  graph.outputs = {1};
  return model;
}

}  // namespace arenaproof
