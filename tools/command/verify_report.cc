#include <nlohmann/json.hpp>

#include "tools/command/plan.h"
#include "tools/command/sharing_text.h"
#include "tools/command/verify.h"
#include "tools/plans/busiest_moment.h"
#include "tools/text/json_text.h"
#include "tools/text/quoting.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

OrderedJson RefusedBufferJson(const VerifyResult& result, std::size_t i) {
  const PlanBuffer& buffer = result.verified.buffers[i];
  OrderedJson json = BufferLabelJson(result.verified.labels[i]);
  if (result.offsets[i]) json["offset"] = *result.offsets[i];
  json["bytes"] = buffer.bytes;
  json["alignment"] = buffer.alignment;
  json["lower"] = buffer.lifetime.lower;
  json["upper"] = buffer.lifetime.upper;
  return json;
}

}  // namespace

std::string VerifyReportText(const VerifyOptions& options, const VerifyResult& result) {
  std::string text =
      "arenaproof verify " + ShellPath(options.path) + (options.plan.empty() ? "" : " " + ShellPath(options.plan)) +
      (options.no_sharing ? " --no-sharing" : "") + (options.strict_plan ? " --strict-plan" : "") + "\n\n";
  const std::int64_t peak = PeakOf(result.verified.buffers, result.offsets);
  const std::int64_t bound = LoadBound(GroupedBuffers(result.verified));
  const std::vector<BufferAlias>& sharing = result.verified.sharing;
  text += "certified: no two buffers that are alive together share a byte" +
          std::string(sharing.empty() ? "" : " but those below, whose operators and readers allow it") + "\n" +
          Counted(static_cast<long long>(result.verified.buffers.size()), "buffer") + ", peak " +
          Counted(peak, "byte") + ", lower bound " + Counted(bound, "byte") + "\n" +
          PeakText(result.subject.model(), result.verified, FindBusiestMoment(result.verified)) + "\n";
  if (result.subject.is_model()) {
    text += SharingText(*result.subject.model(), result.subject.planned().plan, sharing);
  }
  for (const std::string& line : UnknownScratchText(result.subject.kernels())) text += line + "\n";
  if (!result.subject.knows_all_scratch()) text += std::string(kHeadIsLowerBound) + "\n";
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
    json["refused"] = RefusedJson(RefusedWith(ToolRefusal::kPlanRefused));
  }
  json["plan"] = options.plan;
  json["strict_plan"] = options.strict_plan;
  json["certified"] = certified;
  if (certified) {
    json["peak_bytes"] = PeakOf(result.verified.buffers, result.offsets);
  } else {
    json["fault"] = PlanFaultName(result.certificate.fault);
    json["buffers"] = OrderedJson::array({RefusedBufferJson(result, result.certificate.first)});
    if (result.certificate.first != result.certificate.second) {
      json["buffers"].push_back(RefusedBufferJson(result, result.certificate.second));
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
  json["peak"] = PeakJson(result.subject.model(), result.verified);
  json["missing_kernels"] = MissingKernelsJson(result.subject.kernels());
  return JsonReport(json);
}

}  // namespace arenaproof
