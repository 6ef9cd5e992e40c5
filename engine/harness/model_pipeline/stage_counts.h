// How far the inputs of one process came. Diagnostics only: nothing a target does depends on them.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/status.h"

namespace arenaproof {

// The last stage an input reached.
enum class ModelStage : std::uint8_t {
  kRefusedByVerifier,    // no flatbuffer of a model
  kRefusedByValidation,  // a flatbuffer, but unsound
  kNotSupported,         // sound and planned; asks for an operator, type or feature that nobody here serves
  kPlanned,              // sound, served, planned and certified; refused by prepare, or needs a larger arena
  kPrepared,             // prepared; not invoked because that would take more work than the budget
  kInvoked,
};
inline constexpr std::size_t kModelStageCount = 6;

const char* ModelStageName(ModelStage stage);

void CountStage(ModelStage stage);
std::uint64_t StageCount(ModelStage stage);

// By whom: validation, or the prepare of a sound model. Sound statuses are not counted.
void CountRefusal(ModelStage stage, const Status& status);

// One line for each of the statuses that refused most, with how many of those that ended at the stage.
std::string RefusalTable();

// One line for each stage: inputs that ended there, and the share that came so far or further.
std::string StageTable();

}  // namespace arenaproof
