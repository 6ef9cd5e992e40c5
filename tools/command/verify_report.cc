#include <nlohmann/json.hpp>
#include <optional>

#include "tools/command/piped_model.h"
#include "tools/command/plan.h"
#include "tools/command/sharing_text.h"
#include "tools/command/verify.h"
#include "tools/plans/busiest_moment.h"
#include "tools/text/json_text.h"
#include "tools/text/quoting.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

OrderedJson PlacedBufferJson(const VerifyResult& result, std::size_t i) {
  const PlanBuffer& buffer = result.verified.buffers[i];
  OrderedJson json = BufferLabelJson(result.verified.labels[i]);
  if (result.offsets[i]) json["offset"] = *result.offsets[i];
  json["bytes"] = buffer.bytes;
  json["alignment"] = buffer.alignment;
  json["lower"] = buffer.lifetime.lower;
  json["upper"] = buffer.lifetime.upper;
  return json;
}

// Not of a plan with an offset that is none, or beyond what can be added up.
std::optional<std::int64_t> PeakOfAny(const VerifyResult& result) {
  switch (result.certificate.fault) {
    case PlanFault::kNoOffset:
    case PlanFault::kOffsetNegative:
    case PlanFault::kEndOverflow:
      return std::nullopt;
    default:
      break;
  }
  // A single fault is that of the first buffer that has one; later ones may have no place either.
  for (std::size_t i = 0; i < result.offsets.size(); ++i) {
    const auto& offset = result.offsets[i];
    if (!offset || *offset < 0 || *offset > kMostPlanBytes - result.verified.buffers[i].bytes) return std::nullopt;
  }
  return PeakOf(result.verified.buffers, result.offsets);
}

// Then no bound of plans that keep everything apart says how low it may go.
bool MaySharePlan(const VerifyResult& result) {
  return result.certificate.fault == PlanFault::kSharedBytes ||
         result.subject.planned().offline_plan.trusted_overlap_count > 0;
}

std::string VerdictText(const VerifyResult& result) {
  if (!result.certificate.ok()) return "refused: " + PrintableSentence(result.sentence);
  const bool trusted = result.subject.planned().offline_plan.trusted_overlap_count > 0;
  const bool shares = !result.verified.sharing.empty();
  return std::string("certified: no two buffers that are alive together share a byte") +
         (shares    ? " but those below, whose operators and readers allow it"
          : trusted ? " but those below, with which the plan is trusted"
                    : "");
}

// Of two files that came through pipes one is to be named, and the other to be read from standard input.
std::string VerifyCommandLine(const VerifyOptions& options) {
  const bool piped = !options.file.empty(), piped_plan = !options.plan_file.empty();
  std::string words;
  if (!options.plan.empty()) words = " " + (!piped_plan ? ShellPath(options.plan) : piped ? "PLAN" : "-");
  words += (options.no_sharing ? " --no-sharing" : "") + std::string(options.trust_plan ? " --trust-plan" : "") +
           (options.strict_plan ? " --strict-plan" : "") + (piped_plan && !piped ? " <PLAN" : "");
  return CommandOn(options.path, piped, "arenaproof verify", words);
}

}  // namespace

std::string VerifyReportText(const VerifyOptions& options, const VerifyResult& result) {
  std::string text = VerifyCommandLine(options) + "\n\n" + VerdictText(result) + "\n";
  const LabelledProblem& problem = result.verified;
  const auto peak = PeakOfAny(result);
  text += Counted(static_cast<long long>(problem.buffers.size()), "buffer") +
          (peak ? ", peak " + Counted(*peak, "byte") : ", no peak") + ", lower bound " +
          Counted(LoadBound(GroupedBuffers(problem)), "byte") +
          (MaySharePlan(result) ? " of plans in which nothing shares bytes" : "") + "\n" +
          PeakText(result.subject.model(), problem, FindBusiestMoment(problem), peak.value_or(-1)) + "\n";
  if (result.subject.is_model()) {
    text += SharingText(*result.subject.model(), result.subject.planned().plan, problem.sharing);
  }
  for (const std::string& line : UnknownScratchText(result.subject.kernels())) text += line + "\n";
  if (!result.subject.knows_all_scratch()) text += std::string(kHeadIsLowerBound) + "\n";
  if (result.subject.is_model()) text += "\n" + BuffersTable(problem, result.offsets);
  if (options.plan.empty() && result.subject.is_model()) {
    text += "\n" + OfflinePlanText(result.subject.planned().offline_plan);
  }
  return text;
}

std::string VerifyReportJson(const VerifyOptions& options, const VerifyResult& result) {
  const bool certified = result.certificate.ok();
  OrderedJson json = {{"command", "verify"}, {"model", options.path}, {"exit_status", certified ? 0 : 1}};
  if (!certified) {
    json["refusal"] = result.sentence;
    json["refused"] = RefusedJson(result.refused);
  }
  json["plan"] = options.plan;
  json["strict_plan"] = options.strict_plan;
  json["trust_plan"] = options.trust_plan;
  json["certified"] = certified;
  if (const auto peak = PeakOfAny(result)) json["peak_bytes"] = *peak;
  if (!certified) {
    json["fault"] = PlanFaultName(result.certificate.fault);
    json["buffers"] = OrderedJson::array({PlacedBufferJson(result, result.certificate.first)});
    if (result.certificate.first != result.certificate.second) {
      json["buffers"].push_back(PlacedBufferJson(result, result.certificate.second));
    }
    if (result.certificate.fault == PlanFault::kSharedBytes) {
      json["shared_offset"] = result.certificate.shared_offset;
      json["shared_time"] = result.certificate.shared_time;
    }
  }
  if (!result.verified.sharing.empty() && result.subject.is_model()) {
    json["sharing"] = SharingJson(*result.subject.model(), result.verified.sharing);
  }
  json["lower_bound_bytes"] = LoadBound(GroupedBuffers(result.verified));
  json["peak"] = PeakJson(result.subject.model(), result.verified, PeakOfAny(result).value_or(-1));
  json["missing_kernels"] = MissingKernelsJson(result.subject.kernels());
  json["head_is_lower_bound"] = !result.subject.knows_all_scratch();
  const OfflinePlanReport& offline_plan = result.subject.planned().offline_plan;
  if (!offline_plan.empty()) json["offline_plan"] = OfflinePlanJson(offline_plan);
  if (result.subject.is_model()) {
    json["placed"] = OrderedJson::array();
    for (std::size_t i = 0; i < result.offsets.size(); ++i) json["placed"].push_back(PlacedBufferJson(result, i));
  }
  return JsonReport(json);
}

}  // namespace arenaproof
