#include "engine/harness/model_pipeline/sound_model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "core/model/model_view.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/harness/model_pipeline/model_pipeline.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

std::span<const std::byte> examined;

std::optional<ValidatedModel> Sound(std::span<const std::byte> file) {
  ModelView model;
  if (!ModelView::Open(file, &model).ok()) return std::nullopt;
  const KernelSetSupport support(ReferenceKernels());
  ValidationReport report;
  return ValidatedModel::Of(model, &report, &support);
}

bool IsPrepared(const ValidatedModel& model) {
  alignas(16) static std::array<std::byte, kPipelineArenaBytes> arena;
  Interpreter interpreter(model, ReferenceKernels(), arena.data(), arena.size(), ForModel(model, {}));
  return interpreter.AllocateTensors().ok();
}

// Looks at a copy that is aligned and stays where it is.
template <typename Condition>
bool Examine(std::span<const std::uint8_t> file, Condition&& condition) {
  alignas(16) static std::array<std::byte, kMostModelBytes> copy;
  if (file.size() > copy.size()) return false;
  const auto bytes = std::as_bytes(file);
  std::copy(bytes.begin(), bytes.end(), copy.begin());
  examined = std::span(copy).first(file.size());
  const std::optional<ValidatedModel> model = Sound(examined);
  const bool holds = model && condition(*model);
  examined = {};
  return holds;
}

}  // namespace

bool IsSoundModel(std::span<const std::uint8_t> file) {
  return Examine(file, [](const ValidatedModel&) { return true; });
}

bool IsPreparedModel(std::span<const std::uint8_t> file) { return Examine(file, IsPrepared); }

std::span<const std::byte> ExaminedModel() { return examined; }

}  // namespace arenaproof
