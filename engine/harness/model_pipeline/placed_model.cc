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

Status PlaceModel(std::span<const std::byte> file, PlacedModel* placed) {
  std::byte* const place = PipelineModelMemory().data();
  if (place == nullptr || file.size() > kMostModelBytes) Defect("memory", "there is none for a model's file");
  std::memcpy(place, file.data(), file.size());
  placed->original = file;
  return ModelView::Open({place, file.size()}, &placed->view);
}

}  // namespace arenaproof
