#include "engine/generators/mutator/referenced_buffers.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/model/schema_generated.h"
#include "engine/generators/mutator/model_object.h"

namespace arenaproof::testing {

std::vector<std::byte> WithReferences(std::span<const std::byte> file, RandomSource& random) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(file.data());
  const ModelObject model = ReadModelObject({bytes, file.size()});
  if (model == nullptr) throw std::logic_error("a model that is sound and small cannot be read as an object");
  const std::size_t count = model->buffers.size();
  // The last one is the plan's, where there is a plan.
  const auto index = [&] { return random.OneIn(2) ? count - 1 : random.Below(count); };
  const std::size_t references = random.Below(3), entries = random.Below(3);
  for (std::size_t i = 0; i < references; ++i) {
    model->metadata_buffer.push_back(static_cast<std::int32_t>(index()));
  }
  for (std::size_t i = 0; i < entries; ++i) {
    auto entry = std::make_unique<wire::MetadataT>();
    entry->name = "remark";
    entry->buffer = static_cast<std::uint32_t>(index());
    model->metadata.push_back(std::move(entry));
  }
  const std::vector<std::uint8_t> written = WriteModelObject(*model);
  const auto* const begin = reinterpret_cast<const std::byte*>(written.data());
  return {begin, begin + written.size()};
}

}  // namespace arenaproof::testing
