// Models with one broken rule of core/model/validate.h: what is wrong in a sound model, and the refusal that has to
// come. Every rule has a row but those that take a model of many thousand entries or calls.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/status.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {

// Three subgraphs, each a chain of three RELU operators over four tensors of six int8 elements.
ModelBuilder SoundModel();

struct InvalidModel {
  // Stands for a number that follows from where the builder puts things.
  static constexpr std::int64_t kAnyNumber = INT64_MIN;

  const char* name;  // what is wrong, as the end of a test's name
  StatusCode code;
  std::vector<std::int64_t> numbers;  // all that go with the code
  std::function<void(ModelBuilder&)> change;
  // Other rules that cannot but be broken with it; listed in the first row of each code.
  std::vector<StatusCode> also = {};
};

// Rows of one code stand together.
const std::vector<InvalidModel>& InvalidModels();

}  // namespace arenaproof
