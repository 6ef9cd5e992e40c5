// Does every kernel, of the reference set and of the aligned one, compute what its definition says, on any shape, and
// touch only what it was given, all of its output, and of its scratch buffers the last byte? Random operators
// (engine/cases/operator_case.h) run in watched memory, over two kinds of garbage. And does it refuse what breaks any
// one rule, with the status that says which?
//
// Half of the cases come from the table of operators (table_turns.h): of each row valid cases, against the operator's
// definition (definition.h), and cases one step beyond each rule of the row (beyond_case.h). The other half are drawn
// by hand for the operators that were there before the table (case_turns.h), in more extreme ways than rows say:
// against a naive reading on real numbers (naive_reference.h), to the bit for quantised ones (exact_reference.h,
// exact_floats.h), with one rule broken (invalid_case.h, call_case.h), exactly at limits and one step beyond
// (limit_cases.h). What they take of scratch and of arrays for channels is what memory_definition.h says.
//
//   arenaproof-operator-properties [--cases=N] [--seconds=S] [--seed=N] [--operator=NAME]
//
// The first of cases and seconds that is reached ends it. With an operator, such as FULLY_CONNECTED, every case is of
// its row in the table of operators, and nothing else runs.
//
// Like the other property programs it takes "seed=N max_success=N" from RC_PARAMS, and words that begin with --gtest_
// mean nothing to it. A case takes less than theirs: there are several for each success asked for, and other ones in
// each build.
//
// Exit status: 0 nothing found; 1 a kernel is wrong; 2 the words are no options of it; what a kernel must never do ends
// the process by abort. The case is on stderr.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "engine/generators/operators/reach/table_reach.h"
#include "engine/harness/fuzz_process.h"
#include "engine/harness/self_test/definition_self_test.h"
#include "engine/harness/self_test/oracle_self_test.h"
#include "props/operators/beyond_run.h"
#include "props/operators/case_report.h"
#include "props/operators/case_turns.h"
#include "props/operators/table_turns.h"

namespace arenaproof::props {
namespace {

std::uint64_t current_number = 0;

void ReportHowToRepeat() {
  std::fprintf(stderr, "again: --seed=%llu --cases=1", static_cast<unsigned long long>(current_number));
  if (OnlyRowName() != nullptr) std::fprintf(stderr, " --operator=%s", OnlyRowName());
  std::fprintf(stderr, "\n");
}

void ReportTheCase(int signal) {
  if (!current_case.empty()) {  // else it was a self-test
    ReportHowToRepeat();
    std::fprintf(stderr, "the operator: %s\n", current_case.c_str());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A case takes less there.
constexpr bool kShadow = std::string_view(ARENAPROOF_PRESET_NAME) == "shadow";
constexpr std::uint64_t kCasesPerSuccess = kShadow ? 22 : 11;
// So many cases run before the self-tests, which take longer than they do.
constexpr std::uint64_t kCasesBeforeTheSelfTests = 40 * kCasesPerSuccess;

// Far apart for any two seeds.
std::uint64_t FirstCase(std::uint64_t seed) { return 1 + seed * 1'000'000 + (kShadow ? 500'000 : 0); }

// The numbers of the cases from `first` on.
struct Cases {
  std::uint64_t first, count, done = 0;
  double seconds;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  bool have_time() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
  }
};

bool RunUntil(Cases& cases, std::uint64_t end) {
  for (; cases.done < end && cases.have_time(); ++cases.done) {
    current_number = cases.first + cases.done;
    CaseRandom random(current_number);
    if (RunCaseOfNumber(random, current_number)) continue;
    ReportHowToRepeat();
    return false;
  }
  return true;
}

int RunAll(Cases cases) {
  if (!RunUntil(cases, std::min(cases.count, kCasesBeforeTheSelfTests))) return 1;
  current_case.clear();
  if (OnlyRowName() == nullptr) {
    RunOracleSelfTest();
    RunDefinitionSelfTest();
  }
  if (!RunUntil(cases, cases.count)) return 1;
  std::printf("%llu operators agree with their definitions or are refused as they have to be\n",
              static_cast<unsigned long long>(cases.done));
  PrintBreaksSeen();
  std::printf("%s", ReachOfThisProcess().Line().c_str());
  return 0;
}

}  // namespace
}  // namespace arenaproof::props

int main(int count, char** words) {
  const char* const parameters = std::getenv("RC_PARAMS");
  const auto parameter = [&](const char* name, std::uint64_t otherwise) {
    const char* const found = parameters == nullptr ? nullptr : std::strstr(parameters, name);
    return found == nullptr ? otherwise : std::uint64_t{std::strtoull(found + std::strlen(name), nullptr, 10)};
  };
  using arenaproof::props::kCasesPerSuccess;
  std::uint64_t cases = kCasesPerSuccess * parameter("max_success=", 5000 / kCasesPerSuccess);
  std::uint64_t seed = arenaproof::props::FirstCase(parameter("seed=", 0));
  double seconds = 1e9;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&](const char* option) {
      const std::size_t length = std::strlen(option);
      return word.compare(0, length, option) == 0 ? word.c_str() + length : nullptr;
    };
    if (word.starts_with("--gtest_")) continue;
    if (const char* number = value("--cases=")) {
      cases = std::strtoull(number, nullptr, 10);
    } else if (const char* limit = value("--seconds=")) {
      seconds = std::strtod(limit, nullptr);
      cases = UINT64_MAX;
    } else if (const char* first = value("--seed=")) {
      seed = std::strtoull(first, nullptr, 10);
    } else if (const char* name = value("--operator=")) {
      if (arenaproof::props::DrawOnly(name)) continue;
      std::fprintf(stderr, "no row of the table of operators that has cases and a definition is named '%s'\n", name);
      return 2;
    } else {
      std::fprintf(stderr, "arenaproof-operator-properties [--cases=N] [--seconds=S] [--seed=N] [--operator=NAME]\n");
      return 2;
    }
  }
  std::signal(SIGABRT, arenaproof::props::ReportTheCase);
#ifndef ARENAPROOF_ASAN  // which reports more of it
  std::signal(SIGSEGV, arenaproof::props::ReportTheCase);
#endif
  arenaproof::StartWatching();
  return arenaproof::props::RunAll({.first = seed, .count = cases, .seconds = seconds});
}
