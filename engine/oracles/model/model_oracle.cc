#include "engine/oracles/model/model_oracle.h"

#include <string>

#include "engine/oracles/defect.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/opening_oracle.h"
#include "engine/oracles/model/planning_oracle.h"
#include "engine/oracles/model/view_oracle.h"

namespace arenaproof {
namespace {

void RequireNone(const char* what, const std::string& complaint) {
  if (!complaint.empty()) Defect(what, complaint.c_str());
}

}  // namespace

void CheckOpening(std::span<const std::uint8_t> bytes) {
  RequireNone("opening a model", oracle::CheckOpening(std::as_bytes(bytes)));
}

void CheckModelFile(const ModelView& model, const Status& validation) {
  // Lists that are shared by the thousand would be compared by the thousand.
  if (validation.code != StatusCode::kModelListWork) RequireNone("the model view", oracle::CheckView(model));
  RequireNone("validation", oracle::CheckValidation(model.bytes(), validation));
  if (!validation.ok() && validation.code != StatusCode::kModelUnsupported) return;
  RequireNone("planning", oracle::CheckPlanning(model));
}

}  // namespace arenaproof
