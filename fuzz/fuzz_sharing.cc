// Is a list of buffers that share bytes, and a plan that lays them, taken exactly when nothing is wrong with it, and
// does the model then compute what it computes when nothing shares?
//
//   byte 0   what is asked (mod 4)
//     0 lists     byte 1 (mod 9): how many lists are tried, each the tools' own with one change; eight bytes a change;
//                 then the model
//     1 planners  byte 1: bit 0 the specification of who shares and where all lie too, bit 1 the dilated layout, bit 2
//                 without sharing there; then the model
//     2 plans     byte 1: bits 0-2 how many buffers of the arena planner's plan are moved, one after the other, bit 3
//                 without sharing; three bytes a move; then the model
//     3 programs  byte 1: bits 0-2 how many disturbances, bit 3 groups of any size and place; four bytes a disturbance;
//                 then a program whose operators write in place, as the certifier sees it; from 224: many programs, and
//                 the disturbances of each, of the seed that the next four bytes are
// Of a model (engine/generators/models/sharing_models.h) and of a program each byte decides one thing.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/planner/host/arena_head_planner.h"
#include "engine/cases/validated.h"
#include "engine/explain.h"
#include "engine/generators/bytes/byte_parts.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/models/sharing_model_text.h"
#include "engine/generators/models/sharing_models.h"
#include "engine/generators/reach_report.h"
#include "engine/generators/seeded_source.h"
#include "engine/generators/sharing/changed_sharing.h"
#include "engine/generators/sharing/disturbed_aliases.h"
#include "engine/generators/sharing/moved_buffer.h"
#include "engine/harness/sharing/planned_run.h"
#include "engine/harness/sharing/shared_plan_checks.h"
#include "engine/harness/sharing/sharing_run_checks.h"
#include "engine/harness/sharing/spread_check.h"
#include "engine/oracles/defect.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

void Require(const std::string& wrong) {
  if (!wrong.empty()) Defect("what has to hold does not", wrong.c_str());
}

struct Subject {
  explicit Subject(ByteReader& input)
      : builder(MakeSharingModel(input)), file(builder.Finish()), model(Validated(file)) {
    if (Explaining()) Explain(SharingModelText(builder) + "runs with every tensor apart");
    apart = RunWithPlanner(model, "linear", false);
    if (TooLong()) Explain("loops in loops run longer than is tried");
    if (!TooLong()) Require(WrongRunApart(apart, apart, "linear"));
  }

  bool TooLong() const { return apart.status.code == StatusCode::kInvokeCancelled; }

  ModelBuilder builder;
  std::vector<std::byte> file;
  ValidatedModel model;
  PlannedRun apart;
};

void TryLists(ByteReader& input) {
  const auto changes = TakeParts<8>(input, input.Below(9));
  const Subject subject(input);
  if (subject.TooLong()) return;
  const SharingRules rules(subject.builder);
  for (const BytePart<8>& change : changes) {
    ByteReader random = change.reader();
    ChangedSharing sharing(subject.builder, random);
    ArenaHeadPlanner planner;
    const PlannedRun run = RunPlanned(subject.model, {.planner = &planner, .sharing = &sharing});
    if (Explaining()) {
      Explain("a list of those that share:\n" + SharingListText(sharing.list()) + "answer: " + Sentence(run.status));
    }
    CountReach(run.status.ok() ? "lists that are taken" : "lists that are refused", 1);
    Require(WrongAnswer(rules, sharing, run, subject.apart));
  }
}

void TryPlanners(ByteReader& input) {
  const std::uint8_t choice = input.Byte();
  const Subject subject(input);
  if (subject.TooLong()) return;
  Explain("runs with the planners greedy and arena");
  Require(WrongRunApart(subject.apart, RunWithPlanner(subject.model, "greedy", false), "greedy"));
  const PlannedRun alone = RunWithPlanner(subject.model, "arena", true);
  Require(WrongRunApart(subject.apart, alone, "arena without sharing"));
  const PlannedRun shared = RunWithPlanner(subject.model, "arena", false);
  if (Explaining()) Explain("shared by the arena planner:\n" + SharingListText(shared.sharing));
  Require(WrongRun(subject.apart, shared, "arena"));
  if ((choice & 1) != 0) {
    Require(WrongSharers(shared, SharingRules(subject.builder)));
    Require(WrongHead(subject.model, alone, false));
    Require(WrongHead(subject.model, shared, true));
  }
  if ((choice & 2) == 0) return;
  const bool no_sharing = (choice & 4) != 0;
  Explain(no_sharing ? "runs in the dilated layout, without sharing" : "runs in the dilated layout");
  const PlannedRun dilated = RunDilated(subject.model, no_sharing);
  Require(WrongRun(subject.apart, dilated, "arena, dilated"));
  Require(WrongSpread((no_sharing ? alone : shared).plan, dilated.plan, dilated.sharing, false));
}

void TryPlans(ByteReader& input) {
  const std::uint8_t choice = input.Byte();
  const auto moves = TakeParts<3>(input, choice & 7);
  const Subject subject(input);
  if (subject.TooLong()) return;
  const bool no_sharing = (choice & 8) != 0;
  Explain(no_sharing ? "runs with the arena planner, without sharing" : "runs with the arena planner");
  const PlannedRun planned = RunWithPlanner(subject.model, "arena", no_sharing);
  Require(WrongRun(subject.apart, planned, "arena"));
  std::vector<std::int64_t> offsets = OffsetsOf(planned);
  Require(WrongGivenRun(planned, RunGiven(subject.model, offsets, no_sharing), "the planner's own plan"));
  for (const BytePart<3>& move : moves) {
    ByteReader random = move.reader();
    MoveBuffer(random, offsets);
    const PlannedRun given = RunGiven(subject.model, offsets, no_sharing);
    if (Explaining()) {
      std::string text = "a given plan, offsets";
      for (const std::int64_t offset : offsets) text += " " + std::to_string(offset);
      Explain(text + "\nanswer: " + Sentence(given.status));
    }
    CountReach(given.status.ok() ? "moved plans that are taken" : "moved plans that are refused", 1);
    Require(WrongMovedRun(planned, given, offsets, no_sharing));
  }
}

// A program, and a plan that lays it, disturbed so many times by `disturb`.
template <typename Disturb>
void TryProgram(RandomSource& source, std::uint8_t choice, const Disturb& disturb) {
  const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(source.Below(count)); };
  const AliasProgram program = DrawAliasProgram(below);
  if (Explaining()) Explain("operators that write in place:\n" + AliasProgramText(program));
  const CheckedCertificate first = CertifyProgram(program);
  CountReach(first.certificate.ok() ? "programs that are certified" : "programs that are refused", 1);
  Require(first.wrong);
  SharedPlan plan = (choice & 8) != 0 ? DrawPlanOf(program, below) : PlanOf(program);
  const auto check = [&] {
    const CheckedCertificate checked = CertifyChecked(plan);
    if (Explaining()) Explain(SharedPlanText(plan) + "\nanswer: " + CertificateReasonName(checked.certificate.reason));
    Require(checked.wrong);
    Require(WrongJoin(plan, 16 * plan.buffers.size()));
  };
  check();
  for (std::size_t i = 0; i < (choice & 7u); ++i) {
    disturb(i, plan);
    check();
  }
}

void TryPrograms(ByteReader& input) {
  constexpr std::uint8_t kFirstOfMany = 224;
  constexpr std::size_t kMany = 64;
  const std::uint8_t choice = input.Byte();
  if (choice >= kFirstOfMany) {
    SeededSource random(input.Number(4));
    for (std::size_t i = 0; i < kMany; ++i) {
      TryProgram(random, choice, [&](std::size_t, SharedPlan& plan) { DisturbSharedPlan(random, plan); });
    }
    return;
  }
  const auto disturbances = TakeParts<4>(input, choice & 7);
  TryProgram(input, choice, [&](std::size_t i, SharedPlan& plan) {
    ByteReader random = disturbances[i].reader();
    DisturbSharedPlan(random, plan);
  });
}

}  // namespace
}  // namespace arenaproof::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace arenaproof::testing;
  static constexpr std::array kQuestions = {TryLists, TryPlanners, TryPlans, TryPrograms};
  arenaproof::ByteReader input(data, bytes);
  kQuestions[input.Below(kQuestions.size())](input);
  return 0;
}
