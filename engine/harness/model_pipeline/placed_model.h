// A model's file in the memory that instruments watch.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "sanitizers/instrument/checked_memory.h"

namespace arenaproof {

// Mapped once, with closed bytes around it: a mapping for each input would cost more than the input.
CheckedMemory& PipelineModelMemory();

struct PlacedModel {
  ModelView view;
  // What the view's file was copied from and has to be to the end, byte for byte. Lies elsewhere: nobody writes it.
  std::span<const std::byte> original;

  // Ends the process over a changed byte (defect.h).
  void RefuseChangedFile() const;
};

// Copies the file, of at most kMostModelBytes, into PipelineModelMemory() and opens it there.
Status PlaceModel(std::span<const std::byte> file, PlacedModel* placed);

}  // namespace arenaproof
