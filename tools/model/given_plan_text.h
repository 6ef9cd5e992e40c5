// What is said of a plan that the user gave in a file and that a set-up refuses.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/status.h"
#include "core/model/model_view.h"

namespace arenaproof {

// `sentence`, which a refusal has anyway, with the plan's file where it is about the plan. A buffer that is misaligned
// is named as the tensor it is. `buffer_of_tensor`: by concatenated tensor index.
std::string GivenPlanSentence(const ModelView& model, const std::string& path,
                              std::span<const std::uint32_t> buffer_of_tensor, const Status& refusal,
                              const std::string& sentence);

}  // namespace arenaproof
