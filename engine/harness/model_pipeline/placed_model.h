// A model's file in the memory that instruments watch.
#pragma once

#include <cstddef>
#include <span>

#include "core/model/validated_model.h"
#include "sanitizers/instrument/checked_memory.h"

namespace arenaproof {

// Mapped once, with closed bytes around it: a mapping for each input would cost more than the input.
CheckedMemory& PipelineModelMemory();

struct PlacedModel {
  ValidatedModel view;
  // What the view's file was copied from and has to be to the end, byte for byte. Lies elsewhere: nobody writes it.
  std::span<const std::byte> original;

  // Ends the process over a changed byte (defect.h).
  void RefuseChangedFile() const;
};

// The copy of a file, of at most kMostModelBytes, in PipelineModelMemory(). Ends the process (defect.h) when the copy
// is not the model that it was made of.
PlacedModel PlaceModel(const ValidatedModel& model);

}  // namespace arenaproof
