#include "engine/generators/mutator/metadata_mutation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace arenaproof {
namespace {

void Add(wire::ModelT& model, RandomChoice& random) {
  auto entry = std::make_unique<wire::MetadataT>();
  entry->name = random.Chance(70) ? "OfflineMemoryAllocation" : "min_runtime_version";
  if (random.Chance(30)) entry->name[random.Below(entry->name.size())] ^= 0x20;  // in the other case
  entry->buffer = static_cast<std::uint32_t>(random.Below(model.buffers.size() + 1));
  model.metadata.push_back(std::move(entry));
}

// Before all others or behind them, with the same data, equal ones, or ones that differ in a byte.
void Repeat(wire::ModelT& model, RandomChoice& random) {
  auto entry = std::make_unique<wire::MetadataT>(*random.Of(model.metadata));
  const bool has_data = entry->buffer < model.buffers.size() && model.buffers[entry->buffer] != nullptr;
  if (has_data && random.Chance(70)) {
    auto buffer = std::make_unique<wire::BufferT>(*model.buffers[entry->buffer]);
    if (!buffer->data.empty() && random.Chance(60)) ++buffer->data[random.Below(buffer->data.size())];
    entry->buffer = static_cast<std::uint32_t>(model.buffers.size());
    model.buffers.push_back(std::move(buffer));
  }
  model.metadata.insert(random.Chance(50) ? model.metadata.begin() : model.metadata.end(), std::move(entry));
}

}  // namespace

void MutateMetadata(wire::ModelT& model, RandomChoice& random) {
  if (model.metadata.empty() || random.Chance(30)) return Add(model, random);
  if (random.Chance(30)) return Repeat(model, random);
  if (random.Chance(50)) return model.metadata.pop_back();
  std::uint32_t& buffer = random.Of(model.metadata)->buffer;
  buffer = static_cast<std::uint32_t>(random.Interesting(static_cast<std::int32_t>(buffer)));
}

}  // namespace arenaproof
