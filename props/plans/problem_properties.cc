// Which problems have a plan, in memory and as a file: CheckProblem names the first buffer with a fault and a fault
// that it has, or two fixed ones that share a byte while both live; a file says what was written into it, whatever the
// order of its columns.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/base/exact.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "props/plans/plan_text_draws.h"
#include "props/plans/problem_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/planner/problem_csv.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostRead = 8;

bool HasBadGap(const PlanBuffer& buffer) {
  for (std::size_t g = 0; g < buffer.gaps.size(); ++g) {
    const TimeInterval& gap = buffer.gaps[g];
    if (gap.upper < gap.lower || gap.lower < buffer.lifetime.lower || gap.upper > buffer.lifetime.upper) return true;
    if (g > 0 && gap.lower < buffer.gaps[g - 1].upper) return true;
  }
  return false;
}

// All that are true of the buffer by itself.
std::set<ProblemFault> FaultsOf(const PlanBuffer& buffer) {
  std::set<ProblemFault> faults;
  if (buffer.lifetime.upper < buffer.lifetime.lower) faults.insert(ProblemFault::kLifetimeBackwards);
  if (buffer.bytes < 0) faults.insert(ProblemFault::kNegativeBytes);
  if (buffer.alignment < 1) faults.insert(ProblemFault::kAlignmentNotPositive);
  if (buffer.offset && *buffer.offset < 0) faults.insert(ProblemFault::kOffsetNegative);
  if (buffer.offset && buffer.alignment > 0 && *buffer.offset % buffer.alignment != 0) {
    faults.insert(ProblemFault::kOffsetMisaligned);
  }
  if (HasBadGap(buffer)) faults.insert(ProblemFault::kBadGap);
  return faults;
}

bool OverlapFixed(const PlanBuffer& a, const PlanBuffer& b) {
  if (!a.offset || !b.offset || a.bytes == 0 || b.bytes == 0 || !LiveTogether(a, b)) return false;
  return *a.offset < *b.offset + b.bytes && *b.offset < *a.offset + a.bytes;
}

void RequireVerdict(const std::vector<PlanBuffer>& buffers, const ProblemVerdict& verdict) {
  RC_LOG() << "verdict " << static_cast<int>(verdict.fault) << " of buffer " << verdict.buffer << "\n";
  WidestUnsigned sum = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::set<ProblemFault> faults = FaultsOf(buffers[i]);
    if (faults.empty()) {
      sum += static_cast<WidestUnsigned>(buffers[i].bytes) + static_cast<WidestUnsigned>(buffers[i].alignment) +
             static_cast<WidestUnsigned>(buffers[i].offset.value_or(0));
      if (sum > WidestUnsigned{1} << 62) faults.insert(ProblemFault::kOverflow);
    }
    if (faults.empty()) continue;
    Require(faults.contains(verdict.fault) && verdict.buffer == i, "the first buffer with a fault is named, with it");
    return;
  }
  bool overlap = false;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = i + 1; j < buffers.size(); ++j) overlap = overlap || OverlapFixed(buffers[i], buffers[j]);
  }
  Require(overlap == (verdict.fault == ProblemFault::kFixedOverlap), "fixed buffers that overlap are a fault");
  if (!overlap) {
    Require(verdict.fault == ProblemFault::kNone, "a problem in which nothing is wrong is taken");
    return;
  }
  Require(verdict.buffer < verdict.other && OverlapFixed(buffers[verdict.buffer], buffers[verdict.other]),
          "those that are named share a byte");
}

RC_GTEST_PROP(Problems, AreTakenOrRefusedForWhatIsWrong, ()) {
  const std::vector<PlanBuffer> buffers = OneIn(2) ? DrawFaultyProblem(kMostRead) : DrawProblem(kMostRead);
  RC_LOG() << ProblemText(buffers);
  const ProblemVerdict verdict = CheckProblem(buffers);
  CountReach(verdict.fault == ProblemFault::kNone ? "problems that are taken" : "problems that are refused", 1);
  RequireVerdict(buffers, verdict);
}

RC_GTEST_PROP(ProblemFiles, SayWhatWasWritten, ()) {
  std::vector<PlanBuffer> buffers = OneIn(4) ? DrawFaultyProblem(kMostRead) : DrawProblem(kMostRead);
  for (PlanBuffer& buffer : buffers) {
    if (buffer.offset == -1) buffer.offset.reset();  // in a file these are the same
  }
  const std::vector<std::string> ids = DrawIds(buffers.size());
  const std::string text = DrawProblemCsv(buffers, ids);
  const ProblemCsv csv = ReadProblemCsv(text);
  RC_LOG() << text << "\n" << csv.refusal << "\n";
  Require(csv.ok() == (CheckProblem(buffers).fault == ProblemFault::kNone), "a file is refused for its problem");
  if (!csv.ok()) return;
  Require(csv.ids == ids && csv.buffers.size() == buffers.size(), "each line is a buffer");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    Require(IsSame(csv.buffers[i], buffers[i]), "line by line a file says what was written into it");
  }
}

// Where a line has a field too many or too few, which of them is meant cannot be known.
RC_GTEST_PROP(ProblemFiles, HaveAsManyFieldsInEachLineAsInTheHeader, ()) {
  const std::vector<PlanBuffer> buffers = DrawSoundProblem(kMostRead);
  if (buffers.empty()) return;
  std::vector<std::string> ids;  // without commas
  for (std::size_t i = 0; i < buffers.size(); ++i) ids.push_back("b" + std::to_string(i));
  std::string text = DrawProblemCsv(buffers, ids);
  Require(ReadProblemCsv(text).ok(), "what is spoilt was sound");
  std::vector<std::size_t> ends;  // of lines with fields
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    if (end > begin) ends.push_back(end);
    begin = end + 1;
  }
  Require(ends.size() == buffers.size() + 1, "each buffer has a line");
  const std::size_t end = ends[1 + Below(buffers.size())];
  const std::size_t begin = text.find_last_of('\n', end - 1) + 1;
  if (OneIn(2)) {
    text.insert(end, OneIn(2) ? "," : ",7");
  } else {
    const std::size_t comma = text.rfind(',', end);
    text.erase(comma, end - comma);
  }
  const ProblemCsv csv = ReadProblemCsv(text);
  RC_LOG() << text << "\n" << csv.refusal << "\n";
  Require(csv.refusal.find(" fields where the header has ") != std::string::npos,
          "a line of another number of fields is refused for that");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  Require(csv.refusal.starts_with("Line " + std::to_string(line) + " "), "lines without fields are counted too");
}

}  // namespace
}  // namespace arenaproof::testing
