// What the properties of models begin with: numbers for Choices, models from them, and such a model opened.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/model/validate.h"
#include "engine/generators/models/model_maker.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/opening_oracle.h"

namespace arenaproof::testing {

// Long lists from the first case on; they shrink to short ones.
inline rc::Gen<std::vector<std::uint16_t>> Numbers(int most_count) {
  return rc::gen::resize(most_count,
                         rc::gen::container<std::vector<std::uint16_t>>(rc::gen::inRange<std::uint16_t>(0, 60000)));
}

inline ModelBuilder SoundModel(int most_count = 240) {
  Choices choices(*Numbers(most_count));
  return MakeSoundModel(choices);
}

struct OpenModel {
  std::vector<std::byte> file;
  ModelView view;
};

inline void RequireNone(const std::string& complaint) {
  const std::string message = "VIOLATED: " + complaint;
  if (!complaint.empty()) RC_FAIL(message);
}

inline std::size_t FarthestExtent(const ModelBuilder& builder) {
  std::int32_t farthest = 0;
  for (const SubgraphSpec& graph : builder.subgraphs) {
    for (const TensorSpec& tensor : graph.tensors) {
      if (!tensor.shape) continue;
      for (const std::int32_t extent : *tensor.shape) farthest = std::max(farthest, extent);
    }
  }
  return static_cast<std::size_t>(farthest);
}

// A model that is not opened is no case, but the refusal of a file that is sound is a violation.
inline std::unique_ptr<OpenModel> Open(const ModelBuilder& builder) {
  auto model = std::make_unique<OpenModel>();
  CountReach("farthest extent of a model", FarthestExtent(builder));
  model->file = builder.Finish();
  const bool opened = ModelView::Open(model->file, &model->view).ok();
  if (!opened) RequireNone(oracle::CheckOpening(model->file));
  RC_PRE(opened);
  return model;
}

// Validation's answer for the model, which the oracle has checked.
inline Status CheckedValidation(const OpenModel& model, ValidationReport* report) {
  const Status status = ValidateModel(model.view, report);
  RC_TAG(std::string(oracle::StatusName(status.code)));
  RequireNone(oracle::CheckValidation(model.file, status));
  return status;
}

}  // namespace arenaproof::testing
