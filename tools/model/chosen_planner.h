// The planner that the user chooses: greedy, linear, arena, or precomputed:FILE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "tools/model/model_arena_planner.h"
#include "tools/model/model_sharing.h"
#include "tools/planner/given_plan_planner.h"

namespace arenaproof {

inline constexpr const char* kDefaultPlanner = "greedy";

// The path of a word precomputed:FILE; empty: another word.
std::string_view PathOfGivenPlan(std::string_view word);

// The offsets of a plan's C source, or the sentence for why there are none.
std::string ReadGivenPlan(const std::string& path, std::vector<std::int64_t>* offsets);

// Empty when the word names a planner, else what would be right. No file is looked at.
std::string UnknownPlanner(std::string_view word);

// The planner of a device that has these options, outside of its arena: what a layout that spreads plans works on.
class DevicePlanner {
 public:
  MemoryPlanner& Of(const InterpreterOptions& options) {
    if (options.planner != nullptr) return *options.planner;
    if (options.preserve_all_tensors) return linear_;
    return greedy_;
  }

 private:
  GreedyPlanner greedy_;
  LinearPlanner linear_;
};

class ChosenPlanner {
 public:
  // Reads the file of precomputed:FILE. Empty, or a sentence about the word or the file. Once, before Give(). With
  // `sharing`, arena and precomputed let outputs lie in the bytes of inputs (tools/model/model_sharing.h). The arena
  // planner sees the model's graphs either way (tools/model/model_arena_planner.h).
  [[nodiscard]] std::string Choose(const std::string& word, bool sharing = true);

  // Greedy and linear are the allocator's own then, as on a device; the others live here, as long as this object.
  void Give(InterpreterOptions& options);

  // What is said of a set-up with this planner that was refused: `sentence`, with more about a given plan.
  std::string Refused(const ModelView& model, const Status& refusal, const std::string& sentence) const;

 private:
  std::optional<ModelArenaPlanner> arena_;
  std::optional<GivenPlanPlanner> given_;
  std::string given_path_;
  std::optional<ModelSharing> sharing_;
  bool linear_ = false;
};

}  // namespace arenaproof
