// A model that validation has accepted. Nothing else makes one, so that whoever asks for it (interpreter, allocator)
// can rely on every rule of validate.h. As a ModelView it owns nothing and is cheap to copy; the file's bytes stay in
// place and as they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/model/model_view.h"
#include "core/model/validation_report.h"

namespace arenaproof {

class OperatorSupport;

class ValidatedModel final : public ModelView {
 public:
  // ModelView::Open and then Of. When there is none, report->status says why.
  static std::optional<ValidatedModel> Open(std::span<const std::byte> bytes, ValidationReport* report,
                                            const OperatorSupport* support = nullptr);
  // ValidateModel (validate.h), and the model that it accepts.
  static std::optional<ValidatedModel> Of(const ModelView& view, ValidationReport* report,
                                          const OperatorSupport* support = nullptr);

  ValidatedModel(const ValidatedModel&) = default;
  ValidatedModel& operator=(const ValidatedModel&) = default;

  // The same model at another address. None when the copy is misaligned or differs in a byte.
  std::optional<ValidatedModel> OfCopy(std::span<const std::byte> copy) const;

 private:
  explicit ValidatedModel(const ModelView& view) : ModelView(view) {}
};

}  // namespace arenaproof
