// A model that validation refuses, set up all the same, for the one engine that shows kernels what validation would
// keep from them (props/operators): their own refusals have to be right too.
//
// There is no way around validation, so this does what nobody may: a sound file is validated, and then written over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/model/validated_model.h"
#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {

class UnvalidatedModel {
 public:
  // `file` has passed ModelView::Open; behind the tables a file may have any bytes.
  explicit UnvalidatedModel(std::span<const std::byte> file) {
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    graph.inputs = graph.outputs = {graph.AddTensor({})};
    file_ = builder.Finish();
    file_.resize(std::max(file_.size(), file.size()));
    const ValidatedModel sound = Validated(file_);
    std::fill(std::copy(file.begin(), file.end(), file_.begin()), file_.end(), std::byte{0});
    model_ = sound.OfCopy(file_);
  }
  UnvalidatedModel(const UnvalidatedModel&) = delete;
  UnvalidatedModel& operator=(const UnvalidatedModel&) = delete;

  const ValidatedModel& model() const { return *model_; }

 private:
  std::vector<std::byte> file_;
  std::optional<ValidatedModel> model_;
};

}  // namespace arenaproof
