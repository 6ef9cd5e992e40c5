#include "engine/harness/model_pipeline/stage_counts.h"

#include <array>
#include <cstdio>

namespace arenaproof {
namespace {

std::array<std::uint64_t, kModelStageCount> stage_counts{};

}  // namespace

const char* ModelStageName(ModelStage stage) {
  switch (stage) {
    case ModelStage::kRefusedByVerifier:
      return "refused by the verifier";
    case ModelStage::kRefusedByValidation:
      return "refused by validation";
    case ModelStage::kNotSupported:
      return "planned, not supported";
    case ModelStage::kPlanned:
      return "planned";
    case ModelStage::kPrepared:
      return "prepared";
    case ModelStage::kInvoked:
      return "invoked";
  }
  return "";
}

void CountStage(ModelStage stage) { ++stage_counts[static_cast<std::size_t>(stage)]; }

std::uint64_t StageCount(ModelStage stage) { return stage_counts[static_cast<std::size_t>(stage)]; }

std::string StageTable() {
  std::uint64_t total = 0;
  for (const std::uint64_t count : stage_counts) total += count;
  std::string table;
  std::uint64_t reached = total;
  for (std::size_t i = 0; i < stage_counts.size(); ++i) {
    const double share = 100.0 / (total == 0 ? 1.0 : static_cast<double>(total));
    char line[160];
    std::snprintf(line, sizeof line,
                  "stage: %-24s %10llu inputs ended here (%5.1f %%), %5.1f %% came at least so far\n",
                  ModelStageName(static_cast<ModelStage>(i)), static_cast<unsigned long long>(stage_counts[i]),
                  static_cast<double>(stage_counts[i]) * share, static_cast<double>(reached) * share);
    table += line;
    reached -= stage_counts[i];
  }
  return table;
}

}  // namespace arenaproof
