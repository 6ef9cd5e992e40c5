#include "engine/harness/offline_plan/plan_stages.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

constexpr auto kFirstRule = static_cast<std::size_t>(StatusCode::kOfflinePlanDuplicate);
constexpr auto kLastRule = static_cast<std::size_t>(StatusCode::kOfflinePlanPlanner);
constexpr std::size_t kRuleCount = kLastRule - kFirstRule + 1;

std::array<std::uint64_t, kRuleCount> refusal_counts{};
std::uint64_t accepted_count = 0;
std::uint64_t other_refusal_count = 0;

std::string Line(std::string_view what, std::uint64_t count, std::uint64_t reached, std::uint64_t total) {
  const double share = 100.0 / (total == 0 ? 1.0 : static_cast<double>(total));
  char line[160];
  std::snprintf(line, sizeof line, "plan: %-32.*s %10llu (%5.1f %%), %5.1f %% came past it\n",
                static_cast<int>(what.size()), what.data(), static_cast<unsigned long long>(count),
                static_cast<double>(count) * share, static_cast<double>(reached) * share);
  return line;
}

}  // namespace

void CountPlanStage(const Status& status) {
  const auto code = static_cast<std::size_t>(status.code);
  if (status.ok()) {
    ++accepted_count;
  } else if (code >= kFirstRule && code <= kLastRule) {
    ++refusal_counts[code - kFirstRule];
  } else {
    ++other_refusal_count;
  }
}

std::string PlanStageTable() {
  std::uint64_t total = accepted_count + other_refusal_count;
  for (const std::uint64_t count : refusal_counts) total += count;
  std::string table = Line("other refusals", other_refusal_count, total - other_refusal_count, total);
  std::uint64_t reached = total - other_refusal_count;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    reached -= refusal_counts[i];
    table += Line(StatusName(static_cast<StatusCode>(kFirstRule + i)), refusal_counts[i], reached, total);
  }
  return table;
}

void PrintPlanStagesAtExit() {
  std::atexit([] { std::fprintf(stderr, "%s", PlanStageTable().c_str()); });
}

}  // namespace arenaproof
