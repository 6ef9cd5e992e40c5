// A model that an engine has made or read and that has to be sound.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>

#include "core/model/validated_model.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {

// Opened and validated. Throws std::logic_error with the reason for which validation refuses it.
inline ValidatedModel Validated(std::span<const std::byte> file) {
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open(file, &report);
  if (!model) throw std::logic_error("a model that has to be sound is refused: " + ValidationSentence(report));
  return *model;
}

}  // namespace arenaproof
