#include "fuzz/model_pipeline/model_judge.h"

#include <string>

#include "fuzz/model_pipeline/defect.h"
#include "props/model_oracles/broken_rules.h"
#include "props/model_oracles/planning_judge.h"
#include "props/model_oracles/view_judge.h"

namespace arenaproof {
namespace {

void RequireNone(const char* what, const std::string& complaint) {
  if (!complaint.empty()) Defect(what, complaint.c_str());
}

}  // namespace

void JudgeModel(const ModelView& model, const Status& validation) {
  RequireNone("validation", oracle::JudgeValidation(model.bytes(), validation));
  if (!validation.ok() && validation.code != StatusCode::kModelUnsupported) return;
  RequireNone("the model view", oracle::JudgeView(model));
  RequireNone("planning", oracle::JudgePlanning(model));
}

}  // namespace arenaproof
