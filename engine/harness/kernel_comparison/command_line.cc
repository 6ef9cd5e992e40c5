#include "engine/harness/kernel_comparison/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <span>

#include "tools/command/option_words.h"

namespace arenaproof::testing {
namespace {

const std::string kFlags[] = {"--help"};

constexpr const char* kFooter =
    "Compared are the operators, and of them the cases, that both sets serve with kernels of their own. Bytes have to\n"
    "be equal; floats that are no number are all one. Speeds are of the cases with the most work: medians over cases,\n"
    "of each over rounds in which the sets take turns; the ratio is --against to --set, with the cases' least and "
    "most.\n"
    "Case N is drawn from N alone: --seed=N --cases=1 is that one again.\n"
    "Exit status: 0 equal; 1 a difference, or a kernel that ended the process; 2 could not run; 3 internal error.";

}  // namespace

ComparisonCommandLine ParseComparisonCommandLine(int argument_count, const char* const* arguments) {
  ComparisonCommandLine line;
  ComparisonOptions& options = line.options;
  const std::span<const char* const> words(arguments, static_cast<std::size_t>(argument_count));
  CLI::App app(
      "Random cases of the table of operators through two kernel sets: the first difference, and how fast\n"
      "each is",
      kProgram);
  app.add_option("--op", options.op, "One operator, such as FULLY_CONNECTED; without it all that both sets serve");
  app.add_option("--set", options.set, "The kernel set")->capture_default_str();
  app.add_option("--against", options.against, "The kernel set that it is compared with")->capture_default_str();
  app.add_option("--cases", options.cases, "Cases of each operator")->capture_default_str()->check(Decimal(1, 999'999));
  app.add_option("--seed", options.seed, "Number of the first case")
      ->capture_default_str()
      ->check(Decimal(1, 999'999'999'999));
  app.footer(kFooter);
  if (const std::string flag = FlagWithValue(words, kFlags); !flag.empty()) {
    std::cerr << kProgram << ": " << flag << " takes no value; leave it out where it is not wanted\n";
    line.finished = ExitStatus::kCouldNotRun;
    return line;
  }
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    line.finished = AnswerOf(app, error);
  }
  return line;
}

}  // namespace arenaproof::testing
