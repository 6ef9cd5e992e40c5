// Buffers that share bytes on purpose: whatever list the certifier takes leaves every reader the value that it reads
// when everybody has bytes of their own, and the buffers are afterwards as they were. While a group is joined it is one
// buffer: from its earliest start to its latest end.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/planner/certifier.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/sharing/shared_plan_checks.h"
#include "engine/oracles/planner/alias_program.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

// Many small programs in each case: most have a sharing that is refused.
RC_GTEST_PROP(SharedBytes, ThatAreTakenLeaveEveryReaderItsValue, ()) {
  for (int i = 0; i < 40; ++i) {
    const AliasProgram program = DrawAliasProgram([](std::uint32_t count) { return Below(count); });
    const auto [certificate, wrong] = CertifyProgram(program);
    RC_LOG() << AliasProgramText(program) << CertificateReasonName(certificate.reason) << " " << certificate.first
             << " " << certificate.second << "\n";
    Require(wrong.empty(), wrong);
    if (certificate.ok()) CountReach("buffers that share bytes", program.aliases.size());
  }
}

RC_GTEST_PROP(SharedBytes, CountAsOneBufferWhileTheyAreJoined, ()) {
  std::size_t joined_groups = 0;
  for (int i = 0; i < 40; ++i) {
    const AliasProgram program = DrawAliasProgram([](std::uint32_t count) { return Below(count); });
    const SharedPlan plan = DrawPlanOf(program, [](std::uint32_t count) { return Below(count); });
    const auto [certificate, wrong] = CertifyChecked(plan);
    RC_LOG() << SharedPlanText(plan) << "\n" << CertificateReasonName(certificate.reason) << "\n";
    Require(wrong.empty(), wrong);
    const std::string wrong_join = WrongJoin(plan, 16 * Below(std::size_t{100}));
    Require(wrong_join.empty(), wrong_join);
    if (certificate.reason < CertificateReason::kAliasLink) joined_groups += plan.aliases.size();
  }
  CountReach("buffers of joined groups", joined_groups);
}

}  // namespace
}  // namespace arenaproof::testing
