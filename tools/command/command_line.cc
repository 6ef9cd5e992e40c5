#include "tools/command/command_line.h"

#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/bracketed_models.h"
#include "tools/command/child_process.h"
#include "tools/command/command_options.h"
#include "tools/command/model_command.h"
#include "tools/command/option_words.h"
#include "tools/command/shared_options.h"
#include "tools/text/text.h"
#include "tools/text/version.h"

namespace arenaproof {
namespace {

// Whether a word in front of the command's name is none of the options that may stand there.
bool UnknownOption(std::string_view word) { return word != "--help" && word != "-h" && word != "--version"; }

void AddOperators(CLI::App& app, OperatorsOptions& options) {
  CLI::App* operators = app.add_subcommand("operators", "What each operator takes: operands, types, options, limits");
  CLI::Option* const json = operators->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  operators->add_flag("--markdown", options.markdown, "The report as Markdown, which is docs/operators.md")
      ->excludes(json);
  operators->footer(std::string("Example:\n  arenaproof operators\n\n") + kExitStatuses);
}

void AddFlags(CLI::App& app, FlagsOptions& options) {
  CLI::App* flags = app.add_subcommand("flags", "How to compile a library of kernels for an instrument");
  flags->add_flag("--shadow", options.shadow, "With the hooks of shadow");
  flags->add_flag("--asan", options.asan, "With those of asan, AddressSanitizer");
  flags->add_flag("--plain", options.plain, "Without hooks: for run, size, describe and --instrument=none");
  flags->footer(std::string("The words go to clang; docs/vendor_kernels.md has the whole way. Example:\n"
                            "  clang -O2 $(arenaproof flags --shadow) -I. kernels.c -o libmine-shadow.so\n\n") +
                kExitStatuses);
}

void AddRules(CLI::App& app, RulesOptions& options) {
  CLI::App* rules = app.add_subcommand("rules", "What the rules, invariants and findings mean that messages name");
  rules->add_option("RULE", options.names, "Such as V20, I6 or read-after-operand; without one, all of them");
  rules->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  rules->footer(std::string("Example:\n  arenaproof rules V20\n\n") + kExitStatuses);
}

// Strict or trustful about a plan that is not looked at; empty: nobody is.
std::string FlagForNothing(const CLI::App& app, const RunOptions& run, const PlanOptions& plan,
                           const VerifyOptions& verify) {
  std::string instead;
  if (app.got_subcommand("run") && run.strict_plan && run.all_tensors) instead = "--all-tensors does not use that";
  if (app.got_subcommand("plan") && plan.strict_plan && (plan.ignore_plan || plan.strip)) {
    instead = std::string(plan.strip ? "--strip" : "--ignore-plan") + " leaves that out";
  }
  std::string flag = "--strict-plan";
  if (app.got_subcommand("verify") && (verify.strict_plan || verify.trust_plan) && !verify.plan.empty()) {
    if (!verify.strict_plan) flag = "--trust-plan";
    instead = "with PLAN '" + verify.plan + "' that is not looked at";
  }
  return instead.empty() ? instead : flag + " is about the model's own plan, and " + instead + "; give one of them";
}

// "--json", "-v": the words that take no value.
std::vector<std::string> FlagsOf(const CLI::App& app) {
  std::vector<std::string> flags = {"--help", "-h"};
  std::vector<const CLI::App*> all = {&app};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) all.push_back(command);
  for (const CLI::App* one : all) {
    for (const CLI::Option* option : one->get_options()) {
      if (option->get_items_expected_max() > 0) continue;
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
      for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
    }
  }
  return flags;
}

}  // namespace

bool IsChild(int argument_count, const char* const* arguments) {
  if (argument_count < 3 || arguments[2] != std::string_view(kInThisProcess)) return false;
  const std::string_view command = arguments[1];
  struct stat result{};
  constexpr std::string_view kInChildren[] = {"run", "describe", "size", "plan", "verify"};
  return std::find(std::begin(kInChildren), std::end(kInChildren), command) != std::end(kInChildren) &&
         fstat(kResultDescriptor, &result) == 0 && S_ISFIFO(result.st_mode);
}

CommandLine ParseCommandLine(int argument_count, const char* const* arguments) {
  CommandLine line;
  std::vector<const char*> words(arguments, arguments + argument_count);
  if (IsChild(argument_count, arguments)) {
    words.erase(words.begin() + 2);
    line.in_this_process = true;
  }
  CLI::App app("arenaproof: a proving ground for tensor-arena allocators", "arenaproof");
  app.set_version_flag("--version", std::string("arenaproof ") + kVersion);
  app.require_subcommand(1);
  app.footer(std::string("Every command explains itself: arenaproof COMMAND --help\n") + kExitStatuses);
  CheckCall check;
  if (argument_count > 0) check.options.program = arguments[0];
  RunOptions run;
  DescribeOptions describe;
  AddCheck(app, check);
  AddRun(app, run);
  AddDescribe(app, describe);
  SizeOptions size;
  AddSize(app, size);
  OperatorsOptions operators;
  AddOperators(app, operators);
  PlanOptions plan;
  AddPlan(app, plan);
  VerifyOptions verify;
  AddVerify(app, verify);
  FlagsOptions flags;
  AddFlags(app, flags);
  RulesOptions rules;
  AddRules(app, rules);
  if (line.in_this_process) {  // for the parent's words; nobody else has them
    const std::string hidden;
    app.get_subcommand("run")->add_option(kReadModelFrom, run.file)->group(hidden);
    app.get_subcommand("describe")->add_option(kReadModelFrom, describe.file)->group(hidden);
    app.get_subcommand("size")->add_option(kReadModelFrom, size.file)->group(hidden);
    app.get_subcommand("plan")->add_option(kReadModelFrom, plan.file)->group(hidden);
    app.get_subcommand("verify")->add_option(kReadModelFrom, verify.file)->group(hidden);
    app.get_subcommand("verify")->add_option(kReadPlanFrom, verify.plan_file)->group(hidden);
  }

  const auto known = app.get_subcommands(
      [&](const CLI::App* command) { return argument_count > 1 && command->get_name() == arguments[1]; });
  if (argument_count > 1 && arguments[1][0] != '-' && known.empty()) {
    std::cerr << "arenaproof: there is no command '" << Printable(arguments[1]) << "'; --help lists those there are\n";
    line.finished = ExitStatus::kCouldNotRun;
    return line;
  }
  if (known.empty() && argument_count > 1 && UnknownOption(arguments[1])) {
    std::cerr << "arenaproof: '" << Printable(arguments[1]) << "' is not expected before a command; --help lists those "
              << "there are\n";
    line.finished = ExitStatus::kCouldNotRun;
    return line;
  }
  const std::vector<std::string> flag_words = FlagsOf(app);
  if (const std::string flag = FlagWithValue(words, flag_words); !flag.empty()) {
    std::cerr << "arenaproof: " << flag << " takes no value; leave it out where it is not wanted\n";
    line.finished = ExitStatus::kCouldNotRun;
    return line;
  }
  words.resize(WordsToParse(words));
  BracketedModels models;
  if (argument_count > 1 && arguments[1] == std::string_view("check")) models.Mark(words, flag_words);
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    line.finished = AnswerOf(app, error);
    return line;
  }
  if (const std::string problem = FlagForNothing(app, run, plan, verify); !problem.empty()) {
    std::cerr << "arenaproof: " << PrintableSentence(problem) << "\n";
    line.finished = ExitStatus::kCouldNotRun;
    return line;
  }
  if (app.got_subcommand("check")) {
    BracketedModels::Unmark(check.models);
    line.check = check;
  }
  if (app.got_subcommand("run")) line.run = run;
  if (app.got_subcommand("describe")) line.describe = describe;
  if (app.got_subcommand("size")) line.size = size;
  if (app.got_subcommand("operators")) line.operators = operators;
  if (app.got_subcommand("plan")) {
    if (plan.json) plan.format = "json";
    line.plan = plan;
  }
  if (app.got_subcommand("verify")) line.verify = verify;
  if (app.got_subcommand("flags")) line.flags = flags;
  if (app.got_subcommand("rules")) line.rules = rules;
  return line;
}

}  // namespace arenaproof
