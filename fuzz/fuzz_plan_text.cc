// Is every text answered by a problem, a plan or one sentence? Is what was read written so that it reads back the same?
//
//   byte 0  what the text is: 7 (mod 8) a plan in JSON; else (mod 4) CSV of a problem, of a planned problem, of a plan,
//           a C source
//   then    the text
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain.h"
#include "tools/planner/plan_json.h"
#include "tools/planner/precomputed_file.h"
#include "tools/planner/problem_csv.h"
#include "tools/plans/plan_csv.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostFuzzedBuffers = 50;

[[noreturn]] void ReportAndAbort(const char* broken, const std::string& what) {
  std::fprintf(stderr, "VIOLATED: %s\n%s\n", broken, what.c_str());
  std::abort();
}

void CheckSentence(const std::string& refusal) {
  const bool printable = std::all_of(refusal.begin(), refusal.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (!printable || refusal.size() > 400) ReportAndAbort("a refusal is no line that can be read", refusal);
}

bool SameInterval(const TimeInterval& a, const TimeInterval& b) { return a.lower == b.lower && a.upper == b.upper; }

bool SameBuffer(const PlanBuffer& a, const PlanBuffer& b) {
  return SameInterval(a.lifetime, b.lifetime) && a.bytes == b.bytes && a.alignment == b.alignment &&
         std::equal(a.gaps.begin(), a.gaps.end(), b.gaps.begin(), b.gaps.end(), SameInterval);
}

void CheckCsv(std::string_view text, CsvKind kind) {
  const ProblemCsv csv = ReadProblemCsv(text, kMostFuzzedBuffers, kind);
  Explain(csv.ok() ? "is read: " + std::to_string(csv.ids.size()) + " buffers" : "is refused: " + csv.refusal);
  if (!csv.ok()) {
    if ((!csv.buffers.empty() || !csv.ids.empty()) != csv.fixed_overlap) {
      ReportAndAbort("a refused file has buffers, or lacks them", csv.refusal);
    }
    if (csv.fixed_overlap && CheckProblem(csv.buffers).fault != ProblemFault::kFixedOverlap) {
      ReportAndAbort("nothing overlaps", csv.refusal);
    }
    return CheckSentence(csv.refusal);
  }
  if (csv.buffers.size() != csv.ids.size() || csv.buffers.size() > kMostFuzzedBuffers) {
    ReportAndAbort("buffers are miscounted", std::to_string(csv.ids.size()));
  }
  if ((kind == CsvKind::kProblem ? 0 : csv.ids.size()) != csv.offsets.size()) {
    ReportAndAbort("offsets are miscounted", std::to_string(csv.offsets.size()));
  }
  if (!csv.has_problem) return;
  if (CheckProblem(csv.buffers).fault != ProblemFault::kNone) ReportAndAbort("a faulty problem is read", {});
  std::vector<std::optional<std::int64_t>> offsets(csv.buffers.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    offsets[i] = (kind == CsvKind::kProblem ? csv.buffers[i].offset : csv.offsets[i]).value_or(-1);
  }
  const LabelledProblem problem = ProblemOfCsv(csv);
  const std::string written = PlanCsv(problem, offsets);
  const ProblemCsv again = ReadProblemCsv(written, kMostFuzzedBuffers, CsvKind::kPlannedProblem);
  if (!again.ok()) ReportAndAbort(again.refusal.c_str(), written);
  if (again.ids != csv.ids) ReportAndAbort("ids change when they are written and read", written);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (again.offsets[i].value_or(-1) != *offsets[i] || !SameBuffer(again.buffers[i], csv.buffers[i])) {
      ReportAndAbort("a buffer changes when it is written and read", written);
    }
  }
}

void CheckJson(std::string_view text) {
  const ProblemCsv plan = ReadPlanJson(text);
  Explain(plan.ok() ? "is read: " + std::to_string(plan.ids.size()) + " buffers" : "is refused: " + plan.refusal);
  if (plan.ids.size() != plan.offsets.size() || plan.ids.size() != plan.groups.size() ||
      plan.ids.size() != plan.buffers.size() || (!plan.ok() && !plan.ids.empty())) {
    ReportAndAbort("buffers of a plan in JSON are miscounted", plan.refusal);
  }
  if (!plan.ok()) CheckSentence(plan.refusal);
}

void CheckSource(std::string_view text) {
  const PrecomputedPlan plan = ReadPrecomputedSource(text);
  Explain(plan.ok() ? "is read: " + std::to_string(plan.offsets.size()) + " offsets" : "is refused: " + plan.refusal);
  if (!plan.ok()) {
    if (!plan.offsets.empty()) ReportAndAbort("a refused source has offsets", plan.refusal);
    return CheckSentence(plan.refusal);
  }
  PrecomputedSource source{.model = std::string(text.substr(0, 30)), .planner = "any"};
  for (const std::int64_t offset : plan.offsets) {
    if (offset < 0) ReportAndAbort("an offset is negative", std::to_string(offset));
    source.buffers.push_back({.offset = offset, .name = std::string(text.substr(0, 20))});
  }
  const std::string written = WritePrecomputedSource(source);
  const PrecomputedPlan again = ReadPrecomputedSource(written);
  if (!again.ok() || again.offsets != plan.offsets)
    ReportAndAbort("a plan changes when it is written and read", written);
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, bytes - 1);
  if (data[0] % 8 == 7) {
    arenaproof::Explain("a plan in JSON:\n" + std::string(text));
    arenaproof::CheckJson(text);
  } else if (data[0] % 4 == 3) {
    arenaproof::Explain("a plan as a C source:\n" + std::string(text));
    arenaproof::CheckSource(text);
  } else {
    constexpr const char* kKinds[] = {"a problem", "a planned problem", "a plan"};
    arenaproof::Explain(std::string(kKinds[data[0] % 4]) + " in CSV:\n" + std::string(text));
    arenaproof::CheckCsv(text, static_cast<arenaproof::CsvKind>(data[0] % 4));
  }
  return 0;
}
