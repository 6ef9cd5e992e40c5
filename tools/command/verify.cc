#include "tools/command/verify.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "core/base/status.h"
#include "tools/command/piped_model.h"
#include "tools/planner/plan_json.h"
#include "tools/planner/precomputed_file.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_groups.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

using OffsetList = std::vector<std::optional<std::int64_t>>;
using IndexOfId = std::unordered_map<std::string, std::size_t>;

// The offsets of a plan that stands apart from its problem, in the problem's order; a sentence when the two do not
// belong together.
std::string OffsetsOf(const ProblemCsv& plan, const LabelledProblem& problem, const IndexOfId& index_of,
                      OffsetList* offsets) {
  offsets->assign(problem.buffers.size(), std::nullopt);
  for (std::size_t i = 0; i < plan.ids.size(); ++i) {
    const auto found = index_of.find(plan.ids[i]);
    const std::string name = "the buffer '" + Printable(plan.ids[i]) + "'";
    if (found == index_of.end()) return "the plan names " + name + ", which the problem does not have";
    const PlanBuffer& buffer = problem.buffers[found->second];
    const PlanBuffer& planned = plan.buffers[i];
    const auto differs = [&](const char* what, std::int64_t has, std::int64_t should) {
      return "the plan is of another problem: " + name + " has " + what + " " + std::to_string(has) + " there and " +
             std::to_string(should) + " here";
    };
    if (plan.has.size && planned.bytes != buffer.bytes) return differs("size", planned.bytes, buffer.bytes);
    if (plan.has.lower && planned.lifetime.lower != buffer.lifetime.lower) {
      return differs("lower", planned.lifetime.lower, buffer.lifetime.lower);
    }
    if (plan.has.upper && planned.lifetime.upper != buffer.lifetime.upper) {
      return differs("upper", planned.lifetime.upper, buffer.lifetime.upper);
    }
    if (plan.has.alignment && planned.alignment != buffer.alignment) {
      return differs("alignment", planned.alignment, buffer.alignment);
    }
    if (plan.has.gaps && !std::equal(planned.gaps.begin(), planned.gaps.end(), buffer.gaps.begin(), buffer.gaps.end(),
                                     [](const TimeInterval& a, const TimeInterval& b) {
                                       return a.lower == b.lower && a.upper == b.upper;
                                     })) {
      return "the plan is of another problem: " + name + " has other gaps there than here";
    }
    (*offsets)[found->second] = plan.offsets[i];
  }
  return {};
}

// Who lies in whose bytes, as the plan's groups say.
std::string TakeGroups(const ProblemCsv& plan, const IndexOfId& index_of, LabelledProblem& problem) {
  std::vector<std::optional<std::size_t>> owners(problem.buffers.size());
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    if (plan.groups[i].empty() || plan.groups[i] == plan.ids[i]) continue;
    const std::string name = "the buffer '" + Printable(plan.ids[i]) + "'";
    const auto owner = index_of.find(plan.groups[i]);
    if (owner == index_of.end()) {
      return "the plan has " + name + " in the bytes of '" + Printable(plan.groups[i]) +
             "', which the problem does not have";
    }
    owners[index_of.at(plan.ids[i])] = owner->second;
  }
  problem.sharing = SharingOfGroups(problem, owners);
  return {};
}

// As reports in JSON have it, which can be read whatever it is made of.
void AddPrintedIds(const LabelledProblem& problem, IndexOfId& index_of) {
  for (std::size_t i = 0; i < problem.labels.size(); ++i) {
    index_of.emplace(PrintableSentence(problem.labels[i].id), i);
  }
}

std::string TakePlan(const VerifyOptions& options, const ProblemCsv& plan, bool is_json, VerifyResult& result) {
  if (!plan.ok()) return plan.refusal;
  IndexOfId index_of;
  for (std::size_t i = 0; i < result.verified.labels.size(); ++i) index_of.emplace(result.verified.labels[i].id, i);
  if (is_json) AddPrintedIds(result.verified, index_of);
  std::string problem = OffsetsOf(plan, result.verified, index_of, &result.offsets);
  return problem.empty() && !options.no_sharing ? TakeGroups(plan, index_of, result.verified) : problem;
}

bool IsSource(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".c" || ending == ".h" || ending == ".cc" || ending == ".cpp";
}

// Of a pipe, whose name says nothing: the type of an array stands before a brace.
bool LooksLikeSource(const std::string& text) {
  const std::size_t type = std::min(text.find("int32_t"), text.find("int64_t"));
  return type != std::string::npos && type < text.find('{');
}

// It does not say who shares: as for a set-up with it, those do that lie in one place and may.
std::string TakeSource(const std::string& text, LabelledProblem& problem, OffsetList* offsets) {
  const PrecomputedPlan plan = ReadPrecomputedSource(text);
  if (!plan.ok()) return plan.refusal;
  problem.sharing = SharingOfOffsets(problem, plan.offsets);
  return TakeGivenOffsets(plan.offsets, problem, offsets);
}

bool IsJson(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n", text.starts_with("\xef\xbb\xbf") ? 3 : 0);
  return first != std::string::npos && text[first] == '{';
}

constexpr const char* kWhatPlanIs =
    "PLAN is a CSV file with id and offset, a report of 'arenaproof plan' as JSON, or a C source";

std::string ReadPlan(const VerifyOptions& options, VerifyResult& result) {
  result.refused = RefusedWith(ToolRefusal::kProblemCsv);
  std::string text;
  const bool is_piped = !options.plan_file.empty();
  if (std::string problem = ReadTextFile(is_piped ? options.plan_file : options.plan, kWhatPlanIs, &text);
      !problem.empty()) {
    result.refused = RefusedWith(ToolRefusal::kFileUnreadable);
    NameThePipe(options.plan_file, options.plan, problem);
    return problem;
  }
  if (IsSource(options.plan) || (is_piped && LooksLikeSource(text))) {
    const std::string problem = TakeSource(text, result.verified, &result.offsets);
    return problem.empty() ? problem : InFile(options.plan, problem);
  }
  if (text.compare(std::min<std::size_t>(4, text.size()), 4, "TFL3") == 0) {
    return InFile(options.plan, "it is a model, and " + std::string(kWhatPlanIs) +
                                    "; 'arenaproof verify MODEL' certifies the plan that a model has of its own");
  }
  const bool is_json = IsJson(text);
  const ProblemCsv plan = is_json ? ReadPlanJson(text) : ReadProblemCsv(text, kMostCsvBuffers, CsvKind::kPlan);
  const std::string problem = TakePlan(options, plan, is_json, result);
  return problem.empty() ? problem : InFile(options.plan, problem);
}

// What the model's own plan fixes, with what the runtime makes of the rest: it passed the runtime's rules.
std::string TakeOwnPlan(const VerifyOptions& options, VerifyResult& result) {
  if (result.subject.planned().offline_plan.summary.empty()) {
    result.refused = RefusedWith(ToolRefusal::kPlanMissing);
    return InFile(options.path, "the model has no plan of its own; PLAN is the path of one");
  }
  for (const PlanEntry& entry : result.subject.planned().plan) {
    result.offsets.push_back(static_cast<std::int64_t>(entry.offset));
  }
  return {};
}

// Rules that a certifier would refuse a plan by, where the runtime's status is 2 because it did not come to a plan.
ExitStatus StatusOfOwnPlan(const VerifyResult& result) {
  switch (result.subject.cause().code) {
    case StatusCode::kOfflinePlanMisaligned:
    case StatusCode::kOfflinePlanNegativeOffset:
    case StatusCode::kOfflinePlanOffsetOverflow:
      return ExitStatus::kViolations;
    default:
      return result.subject.status();
  }
}

void WithoutFixed(LabelledProblem& problem) {
  for (PlanBuffer& buffer : problem.buffers) buffer.offset.reset();
  problem.trusts_fixed = false;
}

// The rule's sentence stands for the certifier's.
void TakeRefusedPlan(VerifyResult& result) {
  const RefusedPlan& refused = *result.subject.planned().refused;
  result.verified = result.subject.problem();
  WithoutFixed(result.verified);
  result.offsets = refused.offsets;
  result.certificate = refused.fault;
  result.sentence = std::exchange(result.problem, {});
}

// Also when what it fixes overlaps: then there is no plan of it that could be certified.
void RefuseProblem(VerifyResult& result) {
  const bool overlaps = result.subject.status() == ExitStatus::kViolations;
  result.refused = overlaps ? RefusedWith(ToolRefusal::kProblemCsv) : result.subject.refused();
}

}  // namespace

void VerifyPlan(const VerifyOptions& options, VerifyResult& result) {
  const bool own = options.plan.empty();
  result.problem = result.subject.Load(options, own ? OwnPlan::kKept : OwnPlan::kIgnored,
                                       own ? CsvKind::kPlannedProblem : CsvKind::kProblem,
                                       own || options.no_sharing ? AskSharing::kNo : AskSharing::kYes);
  if (!result.problem.empty()) {
    if (!own && !result.subject.is_model()) return RefuseProblem(result);
    result.problem_status = StatusOfOwnPlan(result);
    result.refused = result.subject.refused();
    if (result.subject.planned().refused && result.problem_status == ExitStatus::kViolations) TakeRefusedPlan(result);
    return;
  }
  result.verified = result.subject.problem();
  if (!own) {
    result.problem = ReadPlan(options, result);
  } else if (result.subject.is_model()) {
    result.problem = TakeOwnPlan(options, result);
  } else {
    result.offsets = result.subject.csv_offsets();
  }
  if (!result.problem.empty()) return;
  result.certificate = CertifyPlan(result.verified, result.offsets);
  // What a plan fixes is the plan: the bound that it is held against is that of all plans.
  if (own) WithoutFixed(result.verified);
  if (!result.certificate.ok()) {
    result.refused = RefusedWith(ToolRefusal::kPlanRefused);
    result.sentence = InFile(own ? options.path : options.plan,
                             CertificateSentence(result.verified, result.offsets, result.certificate));
    // Groups count in a bound when they have been looked at, and are right.
    if (result.certificate.fault != PlanFault::kSharedBytes) result.verified.sharing.clear();
  }
}

}  // namespace arenaproof
