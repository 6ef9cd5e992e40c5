// arenaproof-small-scope: the exhaustive search over all small scopes. See small_scope_search.h.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "engine/cases/arena_call.h"
#include "props/small_scope/small_scope_search.h"

namespace {

using arenaproof::SmallScope;
using arenaproof::SmallScopeResult;

constexpr std::uint64_t kMostStates = 50'000'000;

void ShowProgress(std::uint64_t state_count, std::uint64_t transition_count, std::uint64_t open_count) {
  std::fprintf(stderr, "\r  %llu states, %llu transitions, %llu states open   ",
               static_cast<unsigned long long>(state_count), static_cast<unsigned long long>(transition_count),
               static_cast<unsigned long long>(open_count));
}

void ShowViolation(const SmallScope& scope, const SmallScopeResult& result) {
  std::printf("\nVIOLATED: %s\n", result.broken.c_str());
  std::printf("%s arena: %llu bytes at address %llu, %u-bit words; shortest sequence:\n", KindName(scope.kind),
              static_cast<unsigned long long>(scope.bytes), static_cast<unsigned long long>(scope.begin),
              scope.word_bits);
  for (const std::string& line : result.sequence) std::printf("  %s\n", line.c_str());
}

int Help(std::FILE* stream, int status) {
  std::fprintf(
      stream,
      "arenaproof-small-scope [--quick]\n\n"
      "Enumerates all sequences of arena operations on arenas of up to 40 bytes to a fixpoint and checks every\n"
      "step. --quick: only the smallest scopes.\n\n"
      "Exit status: 0 nothing violated; 1 an invariant is violated, the shortest sequence is printed;\n"
      "2 wrong arguments or no fixpoint within the limit of states; 3 internal error.\n");
  return status;
}

}  // namespace

int main(int argument_count, char** arguments) {
  bool quick = false;
  for (int i = 1; i < argument_count; ++i) {
    if (std::strcmp(arguments[i], "--quick") == 0) {
      quick = true;
    } else if (std::strcmp(arguments[i], "--help") == 0) {
      return Help(stdout, 0);
    } else {
      std::fprintf(stderr, "unknown argument '%s'\n\n", arguments[i]);
      return Help(stderr, 2);
    }
  }

  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::uint64_t state_count = 0;
  std::uint64_t transition_count = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_since = [](auto from) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  };
  std::printf("%-36s %5s %4s %10s %12s %7s %8s\n", "scope", "bytes", "word", "states", "transitions", "longest",
              "seconds");
  for (const SmallScope& scope : arenaproof::SmallScopes(quick)) {
    const auto scope_start = std::chrono::steady_clock::now();
    const SmallScopeResult result = Search(scope, kMostStates, terminal ? &ShowProgress : nullptr);
    if (terminal) std::fprintf(stderr, "\r%70s\r", "");
    std::printf("%-36s %5llu %4u %10llu %12llu %7zu %8.2f\n", scope.name, static_cast<unsigned long long>(scope.bytes),
                scope.word_bits, static_cast<unsigned long long>(result.state_count),
                static_cast<unsigned long long>(result.transition_count), result.longest_sequence,
                seconds_since(scope_start));
    std::fflush(stdout);
    if (result.end == SmallScopeResult::End::kViolation) {
      ShowViolation(scope, result);
      return 1;
    }
    if (result.end == SmallScopeResult::End::kTooManyStates) {
      std::fprintf(stderr, "no fixpoint within %llu states\n", static_cast<unsigned long long>(kMostStates));
      return 2;
    }
    state_count += result.state_count;
    transition_count += result.transition_count;
  }
  std::printf("every sequence checked, nothing violated: %llu states, %llu transitions, %.2f s\n",
              static_cast<unsigned long long>(state_count), static_cast<unsigned long long>(transition_count),
              seconds_since(start));
  return 0;
}
