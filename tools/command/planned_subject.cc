#include "tools/command/planned_subject.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "kernels/kernel_sets.h"
#include "tools/model/kernel_set_choice.h"
#include "tools/planner/problem_csv.h"
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

bool IsModelFile(const std::string& path) {
  std::array<char, 8> first{};
  // What is no regular file is not opened here: it could block.
  if (CannotRead(path, "").empty()) {
    std::ifstream(path, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  }
  return std::memcmp(first.data() + 4, "TFL3", 4) == 0 || std::filesystem::path(path).extension() == ".tflite";
}

std::string PlannedSubject::Refuse(ToolRefusal refusal, std::string sentence) {
  refused_ = RefusedWith(refusal);
  return sentence;
}

std::string PlannedSubject::Load(const SubjectOptions& options, OwnPlan own_plan, CsvKind kind, AskSharing ask) {
  if (std::string problem = UnknownKernelSet(options.kernels); !problem.empty()) {
    return Refuse(ToolRefusal::kKernelsUnknown, problem);
  }
  return IsModelFile(options.path) ? LoadModel(options, own_plan, ask) : LoadCsv(options, kind);
}

std::string PlannedSubject::LoadModel(const SubjectOptions& options, OwnPlan own_plan, AskSharing ask) {
  file_.emplace();
  if (std::string problem = file_->Load(options.path, nullptr); !problem.empty()) {
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

std::string PlannedSubject::LoadCsv(const SubjectOptions& options, CsvKind kind) {
  if (!options.scratch.empty()) {
    return Refuse(ToolRefusal::kScratchOption, "--scratch is about operators of a model, and '" + options.path +
                                                   "' is no model; a CSV file has a line for each scratch buffer");
  }
  if (options.strict_plan) {
    return Refuse(ToolRefusal::kPlannerProblem,
                  "--strict-plan is about a model's own plan, and '" + options.path + "' is a CSV file");
  }
  std::string text;
  if (std::string problem = ReadTextFile(options.path, "it has to be a .tflite model or a CSV file", &text);
      !problem.empty()) {
    return Refuse(ToolRefusal::kFileUnreadable, problem);
  }
  ProblemCsv csv = ReadProblemCsv(text, kMostCsvBuffers, kind);
  if (!csv.ok()) return Refuse(ToolRefusal::kProblemCsv, InFile(options.path, csv.refusal));
  csv_offsets_ = std::move(csv.offsets);
  problem_ = ProblemOfCsv(std::move(csv));
  return {};
}

}  // namespace arenaproof
