#include "core/model/validated_model.h"

#include <cstdint>
#include <cstring>

#include "core/model/validate.h"

namespace arenaproof {

std::optional<ValidatedModel> ValidatedModel::Of(const ModelView& view, ValidationReport* report,
                                                 const OperatorSupport* support) {
  if (!ValidateModel(view, report, support).ok()) return std::nullopt;
  return ValidatedModel(view);
}

std::optional<ValidatedModel> ValidatedModel::Open(std::span<const std::byte> bytes, ValidationReport* report,
                                                   const OperatorSupport* support) {
  ModelView view;
  *report = ValidationReport{};
  report->status = ModelView::Open(bytes, &view);
  if (!report->status.ok()) return std::nullopt;
  return Of(view, report, support);
}

std::optional<ValidatedModel> ValidatedModel::OfCopy(std::span<const std::byte> copy) const {
  const std::span<const std::byte> original = bytes();
  if (reinterpret_cast<std::uintptr_t>(copy.data()) % kModelAlignment != 0) return std::nullopt;
  if (copy.size() != original.size()) return std::nullopt;
  if (std::memcmp(copy.data(), original.data(), copy.size()) != 0) return std::nullopt;
  return ValidatedModel(ModelView::OfCopy(copy));
}

}  // namespace arenaproof
