#include "tools/model/chosen_planner.h"

#include <array>
#include <cstddef>
#include <fstream>
#include <ios>
#include <utility>

#include "tools/model/given_plan_text.h"
#include "tools/model/model_file.h"
#include "tools/planner/precomputed_file.h"

namespace arenaproof {
namespace {

constexpr std::string_view kPrecomputed = "precomputed:";

// The file's text, in blocks until it is longer than a plan may be.
std::string ReadText(const std::string& path, std::string* text) {
  // Every set-up reads it, in processes of their own.
  if (std::string problem = CannotRead(path,
                                       "--planner=precomputed:FILE names a plan as a C source, and a file, because it "
                                       "is read more than once: no pipe and not standard input");
      !problem.empty()) {
    return problem;
  }
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 16> block{};
  while (file && text->size() <= kMostPrecomputedBytes) {
    file.read(block.data(), block.size());
    text->append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad() || (!file.eof() && file.fail())) return "'" + path + "' cannot be read to its end";
  return {};
}

}  // namespace

std::string_view PathOfGivenPlan(std::string_view word) {
  return word.starts_with(kPrecomputed) ? word.substr(kPrecomputed.size()) : std::string_view();
}

std::string ReadGivenPlan(const std::string& path, std::vector<std::int64_t>* offsets) {
  std::string text;
  if (std::string problem = ReadText(path, &text); !problem.empty()) return problem;
  PrecomputedPlan plan = ReadPrecomputedSource(text);
  if (!plan.ok()) return InFile(path, plan.refusal);
  *offsets = std::move(plan.offsets);
  return {};
}

std::string UnknownPlanner(std::string_view word) {
  if (word == "greedy" || word == "linear" || word == "arena") return {};
  if (!PathOfGivenPlan(word).empty()) return {};
  return "'" + std::string(word) + "' is no planner; greedy, linear, arena or precomputed:FILE would be right";
}

std::string ChosenPlanner::Choose(const std::string& word, bool sharing) {
  if (std::string problem = UnknownPlanner(word); !problem.empty()) return problem;
  linear_ = word == "linear";
  if (word == "arena") arena_.emplace(sharing);
  const std::string path(PathOfGivenPlan(word));
  if (path.empty()) return {};
  std::vector<std::int64_t> offsets;
  if (std::string problem = ReadGivenPlan(path, &offsets); !problem.empty()) return problem;
  given_.emplace(std::move(offsets));
  given_path_ = path;
  sharing_.emplace(&*given_, sharing);
  return {};
}

void ChosenPlanner::Give(InterpreterOptions& options) {
  if (arena_) {
    options.planner = &*arena_;
    options.sharing = &*arena_;
  }
  if (given_) options.planner = &*given_;
  if (sharing_) options.sharing = &*sharing_;
  options.preserve_all_tensors = linear_;
}

std::string ChosenPlanner::Refused(const ModelView& model, const Status& refusal, const std::string& sentence) const {
  if (!given_) return sentence;
  return GivenPlanSentence(model, given_path_, sharing_->buffer_of_tensor(), refusal, sentence);
}

}  // namespace arenaproof
