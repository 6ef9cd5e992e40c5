// What a check reports of kernels that break rules, in models of called subgraphs: each access out of bounds with its
// operator and operand, also where the runtime has just come back from a call; blind pairs and operands that cannot be
// checked to the byte, of every operator that ran; where a log was capped, and that operators were not seen then.
// Compared with what the kernels themselves did.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "props/reports/chain_model.h"
#include "props/reports/out_of_bounds_kernels.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "sanitizers/instrument/asan/asan_instrument.h"
#include "tools/command/worker_report.h"
#include "tools/worker/check_run.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostListedPairs = 20;

// `most_times`: about so many when there are many.
OutOfBoundsAccess DrawOutOfBoundsAccess(int one_in, std::size_t most_times) {
  OutOfBoundsAccess access;
  access.happens = OneIn(one_in);
  if (!access.happens) return access;
  access.output = OneIn(2);
  access.input = Below<std::size_t>(3);
  access.behind = OneIn(2);
  access.write = OneIn(2);
  access.distance = 1 + Below(16);
  access.times = 1 + Below<std::size_t>(3);
  if (OneIn(4)) access.times = most_times - Below<std::size_t>(6);
  return access;
}

// Callers do something wrong more often: what they may touch changes while they run.
std::map<OperatorPlace, OutOfBoundsAccesses> DrawOutOfBoundsAccesses(const ChainModel& model, std::size_t most_times) {
  std::map<OperatorPlace, OutOfBoundsAccesses> plan;
  for (const ChainOperator& one : model.operators) {
    const int one_in = one.then_branch >= 0 ? 2 : 4;
    plan[{static_cast<std::int64_t>(one.subgraph), static_cast<std::int64_t>(one.index)}] = {
        DrawOutOfBoundsAccess(6, most_times), DrawOutOfBoundsAccess(2 * one_in, most_times),
        DrawOutOfBoundsAccess(one_in, most_times)};
  }
  return plan;
}

std::string NameOf(const OperatorPlace& place) {
  return std::to_string(place.first) + ":" + std::to_string(place.second);
}

void CheckViolations(const WorkerReport& report, const AccessRecord& record, Layout layout) {
  std::map<AccessRecord::Key, std::int64_t> reported;
  std::map<AccessRecord::Edge, AccessRecord::Found> reported_edges;
  for (const ViolationReport& one : report.violations) {
    const OperatorPlace place{one.subgraph, one.operator_index};
    const bool prepare = one.phase == "prepare", write = one.access == "write";
    reported[{place, prepare, write}] += one.count;
    AccessRecord::Found& edge =
        reported_edges[{place, prepare, write, static_cast<std::int32_t>(one.operand_index), one.side == "after"}];
    edge.count += one.count;
    edge.furthest = std::max(edge.furthest, one.distance_bytes);
    RC_LOG() << "reported: " << NameOf(place) << " " << one.phase << " " << one.access << " " << one.count << " times, "
             << one.distance_bytes << " " << one.side << " " << one.operand_kind << " " << one.operand_index << "\n";
  }
  for (const auto& [key, most] : record.most_reported) {
    const auto& [place, prepare, write] = key;
    const auto least = record.least_reported.find(key);
    RC_LOG() << "done: " << NameOf(place) << (prepare ? " prepare" : " invoke") << (write ? " write " : " read ")
             << most << " times\n";
    Require(least == record.least_reported.end() || reported[key] >= least->second,
            "an access of an operator that is not its own is not reported by check");
    Require(reported[key] <= most, "an operator's accesses are reported more often than it made them");
  }
  for (const auto& [key, count] : reported) {
    Require(count == 0 || record.most_reported.contains(key),
            "an access is reported of an operator that did not make it");
  }
  if (layout != Layout::kDilated || record.near_the_end) return;
  for (const auto& [edge, found] : record.edges) {
    Require(reported_edges[edge].count == found.count && reported_edges[edge].furthest == found.furthest,
            "an access is reported beside another operand or at another distance");
  }
}

void CheckPairs(std::int64_t count, const std::vector<BlindPairReport>& listed,
                const std::vector<AccessRecord::Pair>& pairs) {
  RC_LOG() << count << " blind pairs reported of " << pairs.size() << "\n";
  Require(count == static_cast<std::int64_t>(pairs.size()), "another number of blind pairs is reported than there is");
  Require(listed.size() == std::min(pairs.size(), kMostListedPairs), "blind pairs are neither listed nor left out");
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const BlindPairReport& one = listed[i];
    const AccessRecord::Pair reported{
        {one.subgraph, one.operator_index}, one.first_index, one.second_index, one.distance_bytes};
    Require(reported == pairs[i],
            "a blind pair is reported of another operator, of other operands or at another distance");
  }
}

void CheckInexact(const WorkerReport& report, const AccessRecord& record) {
  std::vector<AccessRecord::Inexact> reported;
  for (const NotExactOperand& one : report.not_exact) {
    reported.push_back(
        {{one.subgraph, one.operator_index}, one.kind, one.index, one.blind_before_bytes, one.blind_after_bytes});
  }
  RC_LOG() << reported.size() << " inexact operands reported of " << record.inexact.size() << "\n";
  Require(reported == record.inexact,
          "the operands that cannot be decided to the byte are reported as others than they are");
}

void CheckSeen(const WorkerReport& report, const AccessRecord& record) {
  if (record.near_the_end && !record.capped) return;
  Require(report.capped == record.capped, record.capped ? "a log that gave up accesses does not say that it is capped"
                                                        : "a log that gave up nothing says that it is capped");
  Require(report.capped_at.has_value() == record.capped, "where a log was capped is not reported, or the reverse");
  if (record.capped_at) {
    const OperatorPlace reported{report.capped_at->subgraph, report.capped_at->operator_index};
    RC_LOG() << "capped at " << NameOf(reported) << ", it was " << NameOf(*record.capped_at) << "\n";
    Require(reported == *record.capped_at,
            "a log is reported to be capped at another operator than the one that filled it");
  }
  if (record.near_the_end) return;
  for (const OperatorSeen& one : report.operators) {
    const auto found = record.seen.find({one.subgraph, one.index});
    Require(one.seen == (found != record.seen.end() && found->second),
            "an operator is reported as seen by the instrument that was not, or the reverse");
  }
}

RC_GTEST_PROP(OutOfBoundsAccesses, AreReportedForTheOperatorThatMadeThemAndSoIsWhatCannotBeSeen, ()) {
  // An instrument that proves itself takes longer than ten models of the other properties: a quarter of the cases.
  if (!OneIn(4) || ::testing::Test::IsSkipped()) return;
  static const ScratchFile model_file, words;
  std::unique_ptr<AccessInstrument> instrument = MakeOutOfBoundsInstrument();
  if (instrument == nullptr) GTEST_SKIP() << "a build without AddressSanitizer: what kernels touch is not seen";
  const ChainModel model = DrawChainModel(6);
  RC_LOG() << model.described << "\n";
  model_file.Replace({reinterpret_cast<const char*>(model.file.data()), model.file.size()});
  words.Replace("");
  CheckArguments arguments;
  arguments.model = model_file.path();
  arguments.seed = 1 + Below(999u);
  // One run may have too many to be reported, or many runs together have, or neither.
  const bool long_check = OneIn(8);
  arguments.runs = long_check ? 12 : 1 + Below(3u);
  const std::size_t most_times = AsanInstrument::kMaxReportsOfARun + (long_check || OneIn(3) ? 0 : 3);
  arguments.two_arenas = Below(2u) != 0;
  arguments.layout = OneIn(2) ? Layout::kDilated : Layout::kFaithful;
  RC_LOG() << LayoutName(arguments.layout) << ", " << arguments.runs << " runs\n";
  BeginOutOfBoundsAccesses(model, DrawOutOfBoundsAccesses(model, most_times), *instrument);
  EventWriter events(words.descriptor());
  RunCheckInThisProcess(arguments, events, {&OutOfBoundsKernels(), std::move(instrument)});
  const WorkerReport report = ReadWorkerReport(words.Text());
  if (report.refusal) RC_LOG() << report.refusal->sentence << "\n";
  RC_ASSERT(!report.refusal && report.malformed.empty() && report.internal_errors.empty() && report.finished);
  const AccessRecord& record = AccessRecordOfKernels();
  CheckSeen(report, record);
  CheckViolations(report, record, arguments.layout);
  CheckPairs(report.blind_pair_count.value_or(-1), report.blind_pairs, record.pairs);
  CheckPairs(report.prepare_blind_pair_count.value_or(-1), report.prepare_blind_pairs, record.prepare_pairs);
  CheckInexact(report, record);
}

}  // namespace
}  // namespace arenaproof::testing
