#include "fuzz/model_pipeline/model_judge.h"

#include <string>

#include "fuzz/model_pipeline/defect.h"
#include "props/model_oracles/broken_rules.h"
#include "props/model_oracles/opening_judge.h"
#include "props/model_oracles/planning_judge.h"
#include "props/model_oracles/view_judge.h"

namespace arenaproof {
namespace {

void RequireNone(const char* what, const std::string& complaint) {
  if (!complaint.empty()) Defect(what, complaint.c_str());
}

}  // namespace

void JudgeOpening(std::span<const std::uint8_t> bytes) {
  RequireNone("opening a model", oracle::JudgeOpening(std::as_bytes(bytes)));
}

void JudgeModel(const ModelView& model, const Status& validation) {
  // Lists that are shared by the thousand would be compared by the thousand.
  if (validation.code != StatusCode::kModelListWork) RequireNone("the model view", oracle::JudgeView(model));
  RequireNone("validation", oracle::JudgeValidation(model.bytes(), validation));
  if (!validation.ok() && validation.code != StatusCode::kModelUnsupported) return;
  RequireNone("planning", oracle::JudgePlanning(model));
}

}  // namespace arenaproof
