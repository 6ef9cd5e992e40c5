// A model whose outputs may share bytes, drawn and opened.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/cases/validated.h"
#include "engine/generators/models/model_choices.h"
#include "engine/generators/models/sharing_model_text.h"
#include "engine/generators/models/sharing_models.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/sharing/planned_run.h"
#include "props/model/model_generators.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {

struct SharingCase {
  ModelBuilder builder;
  std::unique_ptr<std::vector<std::byte>> file;  // stays in place
  std::unique_ptr<ValidatedModel> model;
};

inline SharingCase DrawSharingCase() {
  SharingCase made;
  Choices choices(*Numbers(400));
  made.builder = MakeSharingModel(choices);
  made.file = std::make_unique<std::vector<std::byte>>(made.builder.Finish());
  made.model = std::make_unique<ValidatedModel>(Validated(*made.file));
  RC_LOG() << SharingModelText(made.builder);
  return made;
}

inline std::string SentenceOf(const PlannedRun& run) { return Sentence(run.status); }

}  // namespace arenaproof::testing
