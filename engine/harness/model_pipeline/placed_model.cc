#include "engine/harness/model_pipeline/placed_model.h"

#include <algorithm>
#include <cstring>

#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/oracles/defect.h"

namespace arenaproof {

CheckedMemory& PipelineModelMemory() {
  static CheckedMemory memory(kMostModelBytes);
  return memory;
}

void PlacedModel::RefuseChangedFile() const {
  if (!std::ranges::equal(view.bytes(), original)) Defect("the model file", "a byte changed");
}

PlacedModel PlaceModel(const ValidatedModel& model) {
  const std::span<const std::byte> file = model.bytes();
  std::byte* const place = PipelineModelMemory().data();
  if (place == nullptr || file.size() > kMostModelBytes) Defect("memory", "there is none for a model's file");
  std::memcpy(place, file.data(), file.size());
  const std::optional<ValidatedModel> copy = model.OfCopy({place, file.size()});
  if (!copy) Defect("memory", "the copy of a model's file is not equal or not aligned");
  return {.view = *copy, .original = file};
}

}  // namespace arenaproof
