// What `plan` and `verify` are about: a model, or a planner's problem in CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/command/refused.h"
#include "tools/model/model_file.h"
#include "tools/model/planning_kernels.h"
#include "tools/plans/labelled_problem.h"
#include "tools/plans/plan_groups.h"
#include "tools/plans/planned_model.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

struct SubjectOptions {
  std::string path;  // of the model or the CSV file
  std::string file;  // where that is read, when `path` is a pipe; empty: there
  std::string kernels = "reference";
  std::vector<std::string> scratch;  // OPERATOR:BYTES
  bool ignore_plan = false;          // plan as if the model had no plan of its own
  bool trust_plan = false;           // lets tensors that this plan fixes share bytes while alive together
  bool no_sharing = false;           // no output lies in the bytes of an input
  bool strict_plan = false;          // refuses offsets of constants in the model's own plan
};

// Of CSV and plans in text; more is refused unread.
inline constexpr std::size_t kMostTextFileBytes = std::size_t{1} << 28;

// The whole file, or the sentence for why not, which ends with `what`.
std::string ReadTextFile(const std::string& path, const std::string& what, std::string* text);

// Whether a model is asked who may share with whom; kArena: by the arena planner, which also plans it, and which shares
// nothing with --no-sharing.
enum class AskSharing : std::uint8_t { kNo, kYes, kArena };

class PlannedSubject {
 public:
  // Reads, and sets the model up. `kind` is of a CSV file. Empty, or a sentence; then refused() and status() say more,
  // and problem() has sizes and lifetimes all the same when it is the model's own plan that is refused, or what the CSV
  // file fixes: planned().refused.
  // A model that is asked has in problem() its rules of sharing and what the arena planner would choose by them,
  // or has chosen.
  std::string Load(const SubjectOptions& options, OwnPlan own_plan, CsvKind kind = CsvKind::kProblem,
                   AskSharing ask = AskSharing::kNo);
  // In place of that choice what a plan with these offsets makes use of.
  void KeepSharingOf(std::span<const std::int64_t> offsets) { problem_.sharing = SharingOfOffsets(problem_, offsets); }

  bool is_model() const { return file_.has_value(); }
  const ModelFile& file() const { return *file_; }
  const ModelView* model() const { return file_ && file_->opened() ? &file_->view() : nullptr; }
  const PlanningKernels& kernels() const { return kernels_; }
  const PlannedModel& planned() const { return planned_; }
  const LabelledProblem& problem() const { return problem_; }
  const std::vector<std::optional<std::int64_t>>& csv_offsets() const { return csv_offsets_; }
  // Of a model some of whose kernels are missing and did not say what they need, the head is a lower bound.
  bool knows_all_scratch() const { return kernels_.knows_all_scratch(); }

  ExitStatus status() const { return status_; }
  const RefusalFacts& refused() const { return refused_; }
  // The set-up was refused because of the model's own offline plan, or would be the same without it.
  const Status& cause() const { return planned_.status; }

 private:
  std::string LoadModel(const SubjectOptions& options, OwnPlan own_plan, AskSharing ask);
  std::string LoadCsv(const SubjectOptions& options, CsvKind kind);
  std::string RefuseOverlap(const SubjectOptions& options, ProblemCsv csv);
  std::string Refuse(ToolRefusal refusal, std::string sentence);

  std::optional<ModelFile> file_;
  PlanningKernels kernels_;
  PlannedModel planned_;
  LabelledProblem problem_;
  std::vector<std::optional<std::int64_t>> csv_offsets_;
  ExitStatus status_ = ExitStatus::kCouldNotRun;
  RefusalFacts refused_;
};

}  // namespace arenaproof
