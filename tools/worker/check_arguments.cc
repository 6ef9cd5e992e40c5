#include "tools/worker/check_arguments.h"

#include <charconv>
#include <string_view>

#include "tools/text/version.h"

namespace arenaproof {
namespace {

constexpr std::uint64_t kMostArenaBytes = std::uint64_t{1} << 40;

template <typename Number>
std::string ParseNumber(std::string_view name, std::string_view text, Number least, Number most, Number* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  if (error == std::errc() && end == text.data() + text.size() && *number >= least && *number <= most) return {};
  return "--" + std::string(name) + " is '" + std::string(text) + "'; a number from " + std::to_string(least) + " to " +
         std::to_string(most) + " would be right";
}

std::string ParseFlag(std::string_view name, std::string_view text, bool* flag) {
  std::uint32_t number = 0;
  std::string problem = ParseNumber<std::uint32_t>(name, text, 0, 1, &number);
  *flag = number == 1;
  return problem;
}

}  // namespace

std::string ParseCheckArguments(std::span<char* const> words, CheckArguments* arguments) {
  for (const char* word : words) {
    const std::string_view text = word;
    const std::size_t equals = text.find('=');
    if (!text.starts_with("--") || equals == std::string_view::npos) {
      return "'" + std::string(text) + "' is no option of the form --name=value";
    }
    const std::string_view name = text.substr(2, equals - 2);
    const std::string_view value = text.substr(equals + 1);
    std::string problem;
    if (name == "version") {
      // Words and reports of another version may mean something else.
      if (value != kVersion) return "it is of version " + std::string(kVersion);
    } else if (name == "model") {
      arguments->model = value;
    } else if (name == "kernels") {
      arguments->kernels = value;
    } else if (name == "fallback") {
      arguments->fallback = value;
      if (value != "none" && value != "reference") problem = "--fallback is neither none nor reference";
    } else if (name == "instrument") {
      arguments->instrument = value;
    } else if (name == "layout") {
      const auto layout = LayoutOfName(value);
      if (!layout) return "--layout is '" + std::string(value) + "'; faithful or dilated would be right";
      arguments->layout = *layout;
    } else if (name == "arena-bytes") {
      problem = ParseNumber<std::uint64_t>(name, value, 0, kMostArenaBytes, &arguments->arena_bytes.emplace());
    } else if (name == "persistent-arena-bytes") {
      problem =
          ParseNumber<std::uint64_t>(name, value, 0, kMostArenaBytes, &arguments->persistent_arena_bytes.emplace());
    } else if (name == "reserve-front") {
      problem = ParseNumber<std::uint32_t>(name, value, 0, 65536, &arguments->reserve_front_bytes);
    } else if (name == "two-arenas") {
      problem = ParseFlag(name, value, &arguments->two_arenas);
    } else if (name == "seed") {
      problem = ParseNumber<std::uint32_t>(name, value, 1, UINT32_MAX, &arguments->seed);
    } else if (name == "runs") {
      problem = ParseNumber<std::uint32_t>(name, value, 1, 1000000, &arguments->runs);
    } else if (name == "input") {
      arguments->inputs.emplace_back(value);
    } else if (name == "extents") {
      problem = ParseFlag(name, value, &arguments->extents);
    } else if (name == "trust-plan") {
      problem = ParseFlag(name, value, &arguments->trust_plan);
    } else if (name == "strict-plan") {
      problem = ParseFlag(name, value, &arguments->strict_plan);
    } else if (name == "no-sharing") {
      problem = ParseFlag(name, value, &arguments->no_sharing);
    } else if (name == "planner") {
      arguments->planner = value;
      problem = UnknownPlanner(value);
    } else if (name == "result-fd") {
      problem = ParseNumber<int>(name, value, 1, 65535, &arguments->result_descriptor);
    } else if (name == "valgrind-log-fd") {
      problem = ParseNumber<int>(name, value, 0, 65535, &arguments->valgrind_log_descriptor);
    } else if (name == "jobs-fd") {
      problem = ParseNumber<int>(name, value, 0, 65535, &arguments->jobs_descriptor);
    } else {
      return "there is no option '" + std::string(text) + "'";
    }
    if (!problem.empty()) return problem;
  }
  if (arguments->model.empty()) return "--model=PATH is missing";
  return {};
}

}  // namespace arenaproof
