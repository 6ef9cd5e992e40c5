// A model in words, for the explanation of a fuzzer's input: tensors and operators, as few words as say what runs.
#pragma once

#include <string>

#include "core/model/model_view.h"

namespace arenaproof {

// Any opened model, sound or not.
std::string ModelWords(const ModelView& model);

}  // namespace arenaproof
