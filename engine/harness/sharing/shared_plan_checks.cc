#include "engine/harness/sharing/shared_plan_checks.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/planner/alias_groups.h"
#include "engine/oracles/planner/guarded_workspace.h"
#include "engine/oracles/planner/quadratic_aliases.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "engine/oracles/planner/quadratic_groups.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {
namespace {

bool SameAliases(std::vector<BufferAlias> a, std::vector<BufferAlias> b) {
  const auto fields = [](const BufferAlias& alias) {
    return std::tuple(alias.buffer, alias.source, alias.owner, alias.modifies);
  };
  const auto before = [&](const BufferAlias& x, const BufferAlias& y) { return fields(x) < fields(y); };
  std::sort(a.begin(), a.end(), before);
  std::sort(b.begin(), b.end(), before);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const BufferAlias& x, const BufferAlias& y) { return fields(x) == fields(y); });
}

std::string WrongVerdict(const SharedPlan& plan, const Certificate& found) {
  const std::string answer = std::string(": ") + CertificateReasonName(found.reason) + " (" +
                             std::to_string(found.first) + ", " + std::to_string(found.second) + ")";
  const AliasFaults faults = FaultsOfAliases(plan.buffers, plan.aliases);
  if (!faults.empty()) {
    if (faults.contains({found.reason, found.first, found.second})) return {};
    return (found.ok() ? "A11: a sharing that is wrong is not certified"
                       : "the reason for which a sharing is refused is true of the buffer that is named") +
           answer;
  }
  const std::vector<PlacedBuffer> joined = JoinedQuadratically(plan.buffers, plan.aliases);
  const Certificate expected = QuadraticCertificate(joined, plan.head_bytes, plan.alignment);
  if (SameVerdict(found, expected, joined)) return {};
  return "a plan with groups is certified as the plan of their roots" + answer;
}

}  // namespace

CheckedCertificate CertifyChecked(const SharedPlan& plan) {
  SharedPlan certified = plan;
  GuardedWorkspace workspace(CertifierWorkspaceBytes(plan.buffers.size()), plan.buffers.size() * 7, std::byte{0x5a});
  CheckedCertificate checked;
  checked.certificate =
      Certify(certified.buffers, certified.aliases, plan.head_bytes, plan.alignment, workspace.span());
  checked.wrong = WrongVerdict(plan, checked.certificate);
  if (!workspace.intact()) checked.wrong = "the certifier writes only into its workspace";
  if (!SameAliases(plan.aliases, certified.aliases))
    checked.wrong = "certifying a list of buffers that share changes nobody's source";
  if (!std::equal(plan.buffers.begin(), plan.buffers.end(), certified.buffers.begin(), SameBuffer)) {
    checked.wrong = "certifying a list of buffers that share changes no buffer";
  }
  return checked;
}

CheckedCertificate CertifyProgram(const AliasProgram& program) {
  const SharedPlan plan = PlanOf(program);
  CheckedCertificate checked = CertifyChecked(plan);
  if (checked.certificate.ok() && !EveryReaderSeesItsValue(program, plan.buffers)) {
    checked.wrong = "A11: a sharing that is certified overwrites nothing still read";
  }
  return checked;
}

std::string WrongJoin(const SharedPlan& plan, std::size_t moved_bytes) {
  SharedPlan shared = plan;
  if (!CheckAliases(shared.buffers, shared.aliases).ok()) return {};
  const std::vector<PlacedBuffer> expected = JoinedQuadratically(plan.buffers, plan.aliases);
  {
    const JoinedGroups joined(shared.buffers, shared.aliases);
    if (!std::equal(expected.begin(), expected.end(), shared.buffers.begin(), SameBuffer)) {
      return "a group counts as one buffer as long as any of it is alive";
    }
    for (PlacedBuffer& buffer : shared.buffers) buffer.offset += buffer.shares ? 0 : moved_bytes;
  }
  for (std::size_t i = 0; i < shared.buffers.size(); ++i) {
    PlacedBuffer as_it_was = plan.buffers[i];
    as_it_was.offset = plan.buffers[RootOf(i, plan.aliases)].offset + moved_bytes;
    if (SameBuffer(shared.buffers[i], as_it_was)) continue;
    return "behind a group each buffer is as before, where its owner lies";
  }
  return {};
}

std::string SharedPlanText(const SharedPlan& plan) {
  std::string text = "head: " + std::to_string(plan.head_bytes) + " bytes; {offset, bytes, first, last, kept}:";
  for (const PlacedBuffer& buffer : plan.buffers) {
    text += "\n  {" + std::to_string(buffer.offset) + ", " + std::to_string(buffer.bytes) + ", " +
            std::to_string(buffer.first) + ", " + std::to_string(buffer.last) + ", " + std::to_string(buffer.kept) +
            "}" + (buffer.trusted ? " trusted" : "") + (buffer.variable ? " variable" : "");
  }
  for (const BufferAlias& alias : plan.aliases) {
    text += "\nbuffer " + std::to_string(alias.buffer) + " in " + std::to_string(alias.source) + " of owner " +
            std::to_string(alias.owner) + (alias.modifies ? ", modified" : "");
  }
  return text;
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
