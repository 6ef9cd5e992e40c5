// `arenaproof verify`: whether somebody's plan of a model, or of a problem in CSV, keeps apart what is alive together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/planned_subject.h"
#include "tools/plans/plan_certificate.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

struct VerifyOptions : SubjectOptions {
  std::string plan;       // path; empty: the model's own, or the offsets of the CSV file itself
  std::string plan_file;  // where it is read, when `plan` is a pipe; empty: there
  bool json = false;
};

struct VerifyResult {
  std::string problem;  // why nothing could be verified, or which rule of offline plans refuses the model's own
  ExitStatus problem_status = ExitStatus::kCouldNotRun;
  RefusalFacts refused;
  PlannedSubject subject;
  LabelledProblem verified;  // what the plan was held against, with the sharing that it says
  std::vector<std::optional<std::int64_t>> offsets;
  PlanCertificate certificate;
  std::string sentence;  // of the certificate, with the file's name; empty when it is ok
};

void VerifyPlan(const VerifyOptions& options, VerifyResult& result);

std::string VerifyReportText(const VerifyOptions& options, const VerifyResult& result);
std::string VerifyReportJson(const VerifyOptions& options, const VerifyResult& result);

}  // namespace arenaproof
