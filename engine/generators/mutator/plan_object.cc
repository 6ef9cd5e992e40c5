#include "engine/generators/mutator/plan_object.h"

#include "core/model/schema_generated.h"
#include "engine/generators/mutator/model_object.h"

namespace arenaproof {
namespace {

constexpr const char* kPlanName = "OfflineMemoryAllocation";

wire::MetadataT* LastPlanEntry(wire::ModelT& model) {
  wire::MetadataT* last = nullptr;
  for (const auto& entry : model.metadata) {
    if (entry != nullptr && entry->name == kPlanName) last = entry.get();
  }
  return last;
}

}  // namespace

std::vector<std::uint8_t> WithOfflinePlan(std::span<const std::uint8_t> model, std::span<const std::byte> plan) {
  const ModelObject object = ReadModelObject(model);
  if (object == nullptr) return {};
  wire::MetadataT* entry = LastPlanEntry(*object);
  if (entry == nullptr) {
    auto added = std::make_unique<wire::MetadataT>();
    added->name = kPlanName;
    added->buffer = static_cast<std::uint32_t>(object->buffers.size());
    entry = added.get();
    object->metadata.push_back(std::move(added));
    object->buffers.push_back(std::make_unique<wire::BufferT>());
  }
  if (entry->buffer >= object->buffers.size() || object->buffers[entry->buffer] == nullptr) return {};
  auto& data = object->buffers[entry->buffer]->data;
  data.clear();
  for (const std::byte byte : plan) data.push_back(std::to_integer<std::uint8_t>(byte));
  return WriteModelObject(*object);
}

}  // namespace arenaproof
