#include "tools/command/planned_subject.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "kernels/kernel_sets.h"
#include "tools/command/piped_model.h"
#include "tools/model/kernel_set_choice.h"
#include "tools/planner/problem_csv.h"
#include "tools/plans/made_plan.h"
#include "tools/text/refusal_status.h"

namespace arenaproof {

std::string ReadTextFile(const std::string& path, const std::string& what, std::string* text) {
  if (std::string problem = CannotRead(path, what); !problem.empty()) return problem;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kMostTextFileBytes) {
    return InFile(path, "files of at most " + std::to_string(kMostTextFileBytes) + " bytes are read; " + what);
  }
  text->resize(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(text->data(), static_cast<std::streamsize>(text->size()));
  return file ? std::string() : InFile(path, "it cannot be read to its end");
}

namespace {

const std::string& ReadFrom(const SubjectOptions& options) {
  return options.file.empty() ? options.path : options.file;
}

// A model by its identifier, or by its name where it has none.
bool IsModelFile(const SubjectOptions& options) {
  const std::string& path = ReadFrom(options);
  std::array<char, 8> first{};
  // What is no regular file is not opened here: it could block.
  if (CannotRead(path, "").empty()) {
    std::ifstream(path, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  }
  return std::memcmp(first.data() + 4, "TFL3", 4) == 0 || std::filesystem::path(options.path).extension() == ".tflite";
}

}  // namespace

std::string PlannedSubject::Refuse(ToolRefusal refusal, std::string sentence) {
  refused_ = RefusedWith(refusal);
  return sentence;
}

std::string PlannedSubject::Load(const SubjectOptions& options, OwnPlan own_plan, CsvKind kind, AskSharing ask) {
  if (std::string problem = UnknownKernelSet(options.kernels); !problem.empty()) {
    return Refuse(ToolRefusal::kKernelsUnknown, problem);
  }
  std::string problem = IsModelFile(options) ? LoadModel(options, own_plan, ask) : LoadCsv(options, kind);
  NameThePipe(options.file, options.path, problem);
  return problem;
}

std::string PlannedSubject::LoadModel(const SubjectOptions& options, OwnPlan own_plan, AskSharing ask) {
  file_.emplace();
  const AnyOperator support;
  if (std::string problem = file_->Load(ReadFrom(options), &support); !problem.empty()) {
    refused_ = {.code = file_->refusal_code()};
    return problem;
  }
  if (std::string problem = CompleteKernels(*FindKernelSet(options.kernels), file_->model(), options.scratch, kernels_);
      !problem.empty()) {
    return Refuse(ToolRefusal::kScratchOption, problem);
  }
  if (own_plan == OwnPlan::kKept && options.trust_plan) own_plan = OwnPlan::kTrusted;
  ModelArenaPlanner arena(!options.no_sharing);
  SharingQuestion sharing(ask == AskSharing::kArena ? &arena : nullptr);
  planned_ = SetUpForPlanning(file_->model(), kernels_, own_plan, ask == AskSharing::kNo ? nullptr : &sharing,
                              options.strict_plan);
  if (!planned_.problem.empty()) {
    status_ = ExitStatusOf(planned_.status);
    refused_ = RefusedWith(file_->view(), planned_.status, planned_.location);
    if (planned_.refused) problem_ = ProblemOfModel(file_->view(), planned_.plan, OwnPlan::kKept);
    return InFile(options.path, planned_.problem);
  }
  problem_ = ProblemOfModel(file_->view(), planned_.plan, own_plan, sharing.chosen());
  problem_.rules = sharing.rules();
  problem_.arena_offsets = arena.offsets();
  problem_.arena_seconds = sharing.seconds();
  return {};
}

// As a model's own plan whose tensors share bytes: shown with what greedy makes of the rest.
std::string PlannedSubject::RefuseOverlap(const SubjectOptions& options, ProblemCsv csv) {
  status_ = ExitStatus::kViolations;
  refused_ = RefusedWith(ToolRefusal::kPlanRefused);
  const std::string refusal = csv.refusal;
  problem_ = ProblemOfCsv(std::move(csv));
  std::vector<std::optional<std::int64_t>> offsets = PlaceAroundOverlap(problem_);
  if (offsets.empty()) return InFile(options.path, refusal);
  const PlanCertificate fault = CertifyPlan(problem_, offsets);
  const std::string sentence = CertificateSentence(problem_, offsets, fault);
  planned_.head_bytes = static_cast<std::size_t>(PeakOf(problem_.buffers, offsets));
  planned_.refused = RefusedPlan{std::move(offsets), fault};
  return InFile(options.path, sentence);
}

std::string PlannedSubject::LoadCsv(const SubjectOptions& options, CsvKind kind) {
  if (!options.scratch.empty()) {
    return Refuse(ToolRefusal::kScratchOption, "--scratch is about operators of a model, and '" + options.path +
                                                   "' is no model; a CSV file has a line for each scratch buffer");
  }
  if (options.strict_plan) {
    return Refuse(ToolRefusal::kPlannerProblem,
                  "--strict-plan is about a model's own plan, and '" + options.path + "' is a CSV file");
  }
  if (options.trust_plan) {
    return Refuse(ToolRefusal::kPlannerProblem,
                  "--trust-plan is about a model's own plan, and '" + options.path + "' is a CSV file");
  }
  std::string text;
  if (std::string problem = ReadTextFile(ReadFrom(options), "it has to be a .tflite model or a CSV file", &text);
      !problem.empty()) {
    return Refuse(ToolRefusal::kFileUnreadable, problem);
  }
  ProblemCsv csv = ReadProblemCsv(text, kMostCsvBuffers, kind);
  if (csv.fixed_overlap) return RefuseOverlap(options, std::move(csv));
  if (!csv.ok()) return Refuse(ToolRefusal::kProblemCsv, InFile(options.path, csv.refusal));
  csv_offsets_ = std::move(csv.offsets);
  problem_ = ProblemOfCsv(std::move(csv));
  return {};
}

}  // namespace arenaproof
