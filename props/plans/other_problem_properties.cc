// A plan that stands apart from its problem belongs to it when whatever it says of the buffers is true of the problem:
// one that was made for a problem that differs in one number is refused, and certifies nothing.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "props/plans/plan_text_draws.h"
#include "props/plans/problem_draws.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/plan.h"
#include "tools/command/verify.h"
#include "tools/plans/plan_csv.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostHeldAgainst = 5;

// One that has a gap less or more, or one that begins or ends elsewhere.
void ChangeGaps(PlanBuffer& buffer) {
  if (!buffer.gaps.empty() && !OneIn(3)) {
    TimeInterval& gap = buffer.gaps.back();
    if (OneIn(2)) {
      buffer.gaps.pop_back();
    } else if (gap.lower < gap.upper) {
      ++gap.lower;
    }
    return;
  }
  const std::int64_t from = buffer.gaps.empty() ? buffer.lifetime.lower : buffer.gaps.back().upper;
  if (from < buffer.lifetime.upper) buffer.gaps.push_back({from, from + 1});
}

// Another problem with the same ids, sound or not.
std::vector<PlanBuffer> DrawChanged(std::vector<PlanBuffer> buffers) {
  PlanBuffer& buffer = buffers[Below(buffers.size())];
  switch (Below(6)) {
    case 0:
      buffer.bytes += OneIn(2) || buffer.bytes == 0 ? 1 : -1;
      break;
    case 1:
      buffer.lifetime.lower -= buffer.lifetime.lower > -1000 ? 1 : 0;
      break;
    case 2:
      buffer.lifetime.upper += buffer.lifetime.upper < 1'000'000 ? 1 : 0;
      break;
    case 3:
      if (!buffer.offset) buffer.alignment += 1;
      break;
    default:
      ChangeGaps(buffer);
  }
  return buffers;
}

struct FileSubject {
  const ScratchFile& file;
  PlanOptions options = {};
  PlannedSubject subject = {};

  void Load(const std::vector<PlanBuffer>& buffers, const std::vector<std::string>& ids) {
    file.Replace(DrawProblemCsv(buffers, ids));
    options.path = file.path();
    const std::string refused = subject.Load(options, OwnPlan::kKept);
    Require(refused.empty(), "a sound problem is read: " + refused);
  }
};

// A column that the header names, or a field that any buffer has in JSON; gaps there only where a buffer has some.
ProblemCsv::Columns SaidIn(const std::string& text, bool as_json) {
  const std::string where = as_json ? text : text.substr(0, text.find('\n'));
  const auto says = [&](const char* word) {
    return where.find(as_json ? "\"" + std::string(word) + "\":" : word) != std::string::npos;
  };
  ProblemCsv::Columns said;
  said.size = says(as_json ? "bytes" : "size");
  said.lower = says("lower");
  said.upper = says("upper");
  said.alignment = says("alignment");
  said.gaps = says("gaps");
  return said;
}

bool SaysOtherwise(const ProblemCsv::Columns& has, const PlanBuffer& said, const PlanBuffer& is) {
  const auto same_gap = [](const TimeInterval& a, const TimeInterval& b) {
    return a.lower == b.lower && a.upper == b.upper;
  };
  return (has.size && said.bytes != is.bytes) || (has.lower && said.lifetime.lower != is.lifetime.lower) ||
         (has.upper && said.lifetime.upper != is.lifetime.upper) || (has.alignment && said.alignment != is.alignment) ||
         (has.gaps && !std::ranges::equal(said.gaps, is.gaps, same_gap));
}

RC_GTEST_PROP(PlansOfOtherProblems, AreRefusedForWhatDiffers, ()) {
  const std::vector<PlanBuffer> buffers = DrawSoundProblem(kMostHeldAgainst);
  if (buffers.empty()) return;
  const std::vector<PlanBuffer> changed = OneIn(6) ? buffers : DrawChanged(buffers);
  if (CheckProblem(changed).fault != ProblemFault::kNone) return;
  const std::vector<std::string> ids = DrawIds(buffers.size());
  static const ScratchFile problem_file, other_file, plan_file;
  FileSubject made_for{other_file}, held_against{problem_file};
  made_for.Load(changed, ids);
  held_against.Load(buffers, ids);
  const MadePlan plan = MakePlan("optimal", made_for.subject.problem(), {.work_limit = 200});
  Require(plan.problem.empty(), "a sound problem is planned: " + plan.problem);
  const bool as_json = OneIn(2);
  const std::string text = as_json ? PlanReportJson(made_for.options, {made_for.subject, plan})
                                   : PlanCsv(made_for.subject.problem(), plan.offsets);
  plan_file.Replace(text);
  VerifyOptions options;
  options.path = held_against.options.path;
  options.plan = plan_file.path();
  VerifyResult result;
  VerifyPlan(options, result);
  RC_LOG() << ProblemText(buffers) << "\n" << text << "\n" << result.problem << result.sentence << "\n";
  const ProblemCsv::Columns said = SaidIn(text, as_json);
  bool differs = false;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    differs = differs || SaysOtherwise(said, changed[i], buffers[i]);
  }
  CountReach(differs ? "plans of other problems" : "plans of the same problem", 1);
  Require(differs == (result.problem.find("the plan is of another problem") != std::string::npos),
          "a plan is refused when it says of a buffer what is not true of the problem, and only then");
  if (differs) return;
  Require(result.problem.empty(), "a plan of the problem is looked at: " + result.problem);
  Require(SaysTheSame(result.certificate, WhatIsWrong(buffers, plan.offsets)), "and certified for what it is");
}

}  // namespace
}  // namespace arenaproof::testing
