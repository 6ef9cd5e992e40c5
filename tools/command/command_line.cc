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

#include "core/runtime/interpreter/model_allocator.h"
#include "tools/command/bracketed_models.h"
#include "tools/command/child_process.h"
#include "tools/command/model_command.h"
#include "tools/command/option_words.h"
#include "tools/model/chosen_planner.h"
#include "tools/text/text.h"
#include "tools/text/version.h"

namespace arenaproof {
namespace {

constexpr const char* kExitStatuses =
    "Exit status: 0 clean; 1 violations found, or the plan lets tensors that are alive together share bytes;\n"
    "2 could not run; 3 internal error.";

constexpr const char* kTrustPlan =
    "Lets tensors that the model's offline plan fixes share bytes while both are alive, lists such pairs and counts "
    "them";

constexpr const char* kStrictPlan =
    "Refuses a model whose offline plan gives constants an offset, which else is not used and warned about";

constexpr const char* kPlanner =
    "Who places tensors: greedy, a device's; linear, every one apart; arena, TensorFlow Lite's, one for each subgraph; "
    "precomputed:FILE, a plan as a C source, one offset for each buffer";

constexpr const char* kNoSharing =
    "Keeps outputs out of their operators' inputs, whose bytes the planners arena and precomputed let them take where "
    "nothing else needs these";

constexpr const char* kKernelSets =
    "Kernel set: reference, aligned, aligned-faulty, aligned-underread, aligned-faulty-dispatch";

constexpr const char* kKernelSetsOrFiles =
    "Kernel set (reference, aligned, aligned-faulty, aligned-underread, aligned-faulty-dispatch), or the path of a "
    "library with kernels: FILE, or shadow:FILE,asan:FILE,plain:FILE where each instrument needs a build "
    "(docs/vendor_kernels.md)";

void AddKernels(CLI::App& command, KernelChoice& choice) {
  command.add_option("--kernels", choice.kernels, kKernelSetsOrFiles)->capture_default_str();
  command
      .add_option("--fallback", choice.fallback,
                  "Who serves the operators that a library with kernels lacks: none, reference")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "reference"}));
}

// Whether a word in front of the command's name is none of the options that may stand there.
bool UnknownOption(std::string_view word) { return word != "--help" && word != "-h" && word != "--version"; }

CLI::Option* AddTimeLimit(CLI::App& command, std::uint32_t& seconds, const char* what) {
  return command.add_option("--time-limit", seconds, what)->capture_default_str()->check(Decimal(1, 86400));
}

void AddInputs(CLI::App& command, std::vector<std::string>& inputs) {
  command
      .add_option(
          "--input", inputs,
          "INPUT:FILE, the values of one input, which is named by its index or its tensor's name: raw bytes, or "
          "an array in FILE.npy; the others are generated")
      ->allow_extra_args(false);  // a value each time: the next word may be the model
}

void AddExpectations(CLI::App& command, RunOptions& options) {
  CLI::Option* const expect =
      command
          .add_option("--expect", options.expected,
                      "OUTPUT:FILE, or FILE for output 0: the values that an output should have, as of --input")
          ->allow_extra_args(false);
  command
      .add_option("--tolerance", options.tolerance,
                  "By how much values may be others than expected, in the output's type; 0: equal to the bit")
      ->capture_default_str()
      ->check(Amount())
      ->needs(expect);
}

// The option for the planner.
CLI::Option* AddSetUp(CLI::App& command, SetUpOptions& set_up) {
  command.add_flag("--trust-plan", set_up.trust_plan, kTrustPlan);
  command.add_flag("--strict-plan", set_up.strict_plan, kStrictPlan);
  command.add_flag("--no-sharing", set_up.no_sharing, kNoSharing);
  return command.add_option("--planner", set_up.planner, kPlanner)
      ->capture_default_str()
      ->check(CLI::Validator([](const std::string& word) { return UnknownPlanner(word); }, "PLANNER", "planner"));
}

void AddArenas(CLI::App& command, std::optional<std::uint64_t>& arena_bytes, bool& two_arenas,
               std::optional<std::uint64_t>& persistent_arena_bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  command
      .add_option(
          "--arena-bytes", arena_bytes,
          "Size of the arena, such as 4096 or 64K, of two the one for head and temporaries; without it as much as the "
          "model needs")
      ->transform(Bytes(0, kMost));
  CLI::Option* const two =
      command.add_flag("--two-arenas", two_arenas, "One arena for head and temporaries, one for what is persistent");
  command
      .add_option("--persistent-arena-bytes", persistent_arena_bytes,
                  "Size of the arena for what is persistent, of two; without it as much as the model needs")
      ->transform(Bytes(0, kMost))
      ->needs(two);
}

void AddCheck(CLI::App& app, CheckCall& call) {
  CheckOptions& options = call.options;
  CLI::App* check = app.add_subcommand("check", "Run a model's operators under instruments that see every access");
  check
      ->add_option("MODEL", call.models,
                   "The .tflite file, or several; a folder stands for all below it; -: on standard input")
      ->required();
  AddKernels(*check, options);
  check
      ->add_option("--layout", options.layout,
                   "Where tensors lie: faithful, as on the device; dilated, with closed bytes between them; both")
      ->capture_default_str()
      ->check(CLI::IsMember({"faithful", "dilated", "both"}));
  std::vector<std::string> instruments = {"all-available"};
  for (const Instrument& instrument : AllInstruments()) instruments.emplace_back(instrument.name);
  check
      ->add_option("--instrument", options.instrument,
                   "What watches: " + InstrumentNames() +
                       ", all-available (shadow and asan, and where neither sees the kernels of a file the others too)")
      ->capture_default_str()
      ->check(CLI::IsMember(instruments));
  AddArenas(*check, options.arena_bytes, options.two_arenas, options.persistent_arena_bytes);
  check
      ->add_option(
          "--reserve-front", options.reserve_front_bytes,
          "Closed bytes between the start of the allocation and the head, for kernels that read in front of "
          "vectors; what stays in them is distinguished from what does not, and remains a violation. Checked in the "
          "faithful layout only, which is the device's")
      ->capture_default_str()
      ->transform(Bytes(0, 65536));
  check->add_option("--seed", options.seed, "Seed of the generated inputs, from 1")
      ->capture_default_str()
      ->check(Decimal(1, 4294967295));
  check->add_option("--runs", options.runs, "Invokes one after the other, with fresh inputs for each")
      ->capture_default_str()
      ->check(Decimal(1, 1000));
  AddInputs(*check, options.inputs);
  check->add_flag(
      "--extents", options.extents,
      "Lists the lowest and the highest byte of each operand that invokes read and wrote, as shadow sees it");
  AddTimeLimit(*check, options.time_limit_seconds, "Seconds that the whole check of a model may take");
  check->add_option("--memory-limit", options.memory_limit_mebibytes, "MiB that one child may use")
      ->capture_default_str()
      ->check(Decimal(64, 1048576));
  check
      ->add_option("--jobs", call.parts_at_a_time,
                   "Children at a time, each one instrument over one layout of one model; 0: as many as there are "
                   "processors. It decides how long the check takes and nothing else")
      ->capture_default_str()
      ->check(Decimal(0, 256));
  AddSetUp(*check, options);
  check
      ->add_option(
          "--report", call.reports,
          "FILE.json, FILE.sarif, FILE.xml (JUnit) or FILE.html, besides the report on standard output; several "
          "times for several files")
      ->allow_extra_args(false)  // a value each time: the next word may be the model
      ->check(NamesAFile());
  check
      ->add_option(
          "--baseline", call.baseline,
          "FILE with findings that are known: they are accepted, what is new is a violation, what has vanished "
          "is counted")
      ->check(NamesAFile());
  check->add_option("--write-baseline", call.write_baseline, "FILE for all that is found, to be accepted later")
      ->check(NamesAFile());
  CLI::Option* const json = check->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  CLI::Option* const verbose = check->add_flag(
      "-v,--verbose", options.verbose, "Everything: each violation with a map, each blind pair, what cannot be seen");
  check->add_flag("--quiet", options.quiet, "The verdict alone, in one line")->excludes(json)->excludes(verbose);
  check->footer(
      std::string("Examples:\n"
                  "  arenaproof check model.tflite\n"
                  "      every instrument, both layouts, reference kernels\n"
                  "  arenaproof check models other.tflite --quiet\n"
                  "      every model of a folder, and one more; the exit status is the worst: 3, then 2, 1, 0\n"
                  "  arenaproof check model.tflite --kernels=aligned-faulty --layout=dilated\n"
                  "      kernels that read before their input\n"
                  "  arenaproof check model.tflite --report=check.sarif --report=check.html\n"
                  "      for a code-scanning page, and to look at\n"
                  "  arenaproof check model.tflite -v\n"
                  "      all that was found, and all that was not seen\n"
                  "  arenaproof check model.tflite --instrument=none\n"
                  "      what a device sees: nothing\n\n") +
      kExitStatuses);
}

void AddRun(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Run a model once and show its outputs, memory plan and arena figures");
  run->add_option("MODEL", options.model, "The .tflite file")->required();
  AddKernels(*run, options);
  run->add_option("--seed", options.seed, "Seed of the generated inputs, from 1")
      ->capture_default_str()
      ->check(Decimal(1, 4294967295));
  AddInputs(*run, options.inputs);
  AddExpectations(*run, options);
  run->add_option("--output-dir", options.output_dir, "Folder for output_0.bin, output_1.bin, ...")
      ->check(NamesAFolder());
  AddArenas(*run, options.arena_bytes, options.two_arenas, options.persistent_arena_bytes);
  AddTimeLimit(*run, options.time_limit_seconds, "Seconds that the run may take");
  constexpr std::size_t kRecordBytes = sizeof(ArenaCounters) + sizeof(MemoryRecord);
  run->add_flag("--record", options.record,
                "Report what the tail is spent on, by category; the record lies in the tail too and takes up to " +
                    std::to_string((kRecordBytes + 15) / 16 * 16) + " bytes of it");
  CLI::Option* const planner = AddSetUp(*run, options);
  run->add_flag("--all-tensors", options.all_tensors,
                "Every tensor of the first subgraph that is no constant, kept apart in memory by the linear planner; a "
                "memory plan of the model's own is not used")
      ->excludes(planner);
  run->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  run->footer(
      std::string("Examples:\n"
                  "  arenaproof run model.tflite --seed=3\n"
                  "  arenaproof run model.tflite --input=0:image.bin --output-dir=out\n"
                  "  arenaproof run model.tflite --input=0:image.npy --expect=scores.npy --tolerance=1\n"
                  "      1 when a score is another by more than 1\n"
                  "  arenaproof run model.tflite --all-tensors --json\n"
                  "  arenaproof run model.tflite --two-arenas --arena-bytes=4096 --persistent-arena-bytes=2048\n"
                  "      the pair that 'size --two-arenas' reports\n\n") +
      "Exit status: 0 it ran; 1 an output is not as expected, or the plan lets tensors that are alive together share\n"
      "bytes; 2 could not run; 3 internal error.");
}

void AddScratch(CLI::App& command, std::vector<std::string>& words) {
  command
      .add_option("--scratch", words,
                  "OPERATOR:BYTES, a scratch buffer of an operator without a kernel: by its name or its index "
                  "(SUBGRAPH:OPERATOR:BYTES in "
                  "another subgraph than the first); 0 for none; given again it is a further buffer")
      ->allow_extra_args(false);
}

void AddDescribe(CLI::App& app, DescribeOptions& options) {
  CLI::App* describe = app.add_subcommand("describe", "Show operators, tensors, lifetimes, memory plan, arena need");
  describe->add_option("MODEL", options.model, "The .tflite file; -: on standard input")->required();
  AddKernels(*describe, options);
  AddScratch(*describe, options.scratch);
  AddSetUp(*describe, options);
  describe->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  describe->footer(std::string("Example:\n  arenaproof describe model.tflite\n\n") + kExitStatuses);
}

void AddSize(CLI::App& app, SizeOptions& options) {
  CLI::App* size = app.add_subcommand("size", "How large the arena has to be, exactly, and where its bytes go");
  size->add_option("MODEL", options.model, "The .tflite file")->required();
  AddKernels(*size, options);
  size->add_option("--target", options.target, "Whose bytes: host64, this machine; arm32, a 32-bit ARM device")
      ->capture_default_str()
      ->check(CLI::IsMember({"host64", "arm32"}));
  AddSetUp(*size, options);
  size->add_flag("--two-arenas", options.two_arenas, "One arena for head and temporaries, one for what is persistent");
  size->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  size->footer(std::string("Examples:\n"
                           "  arenaproof size model.tflite\n"
                           "  arenaproof size model.tflite --target=arm32\n"
                           "      before flashing\n"
                           "  arenaproof size model.tflite --two-arenas --json\n\n") +
               kExitStatuses);
}

void AddSubject(CLI::App& command, SubjectOptions& options) {
  command
      .add_option(
          "MODEL", options.path,
          "The .tflite file, or a CSV file: id,lower,upper,size and, where wanted, offset, alignment, gaps; -: on "
          "standard input")
      ->required();
  command.add_option("--kernels", options.kernels, kKernelSets)->capture_default_str();
  AddScratch(command, options.scratch);
  command.add_flag("--trust-plan", options.trust_plan, kTrustPlan);
}

std::string UnknownPlannerOfPlans(const std::string& word) {
  if (std::find(std::begin(kPlannerNames), std::end(kPlannerNames), word) != std::end(kPlannerNames)) return {};
  if (!PathOfGivenPlan(word).empty()) return {};
  return "'" + word + "' is no planner; optimal, greedy, linear, arena or precomputed:FILE would be right";
}

// Words that would change nothing are words that were not understood.
void RefuseWhatContradicts(const PlanOptions& options, const CLI::Option* planner,
                           const std::vector<CLI::Option*>& of_search) {
  for (const CLI::Option* option : of_search) {
    if (option->count() == 0) continue;
    if (options.strip) throw CLI::ValidationError(option->get_name(), "with --strip nothing is planned");
    if (options.planner == "optimal") continue;
    throw CLI::ValidationError(option->get_name(), "it is about the search of --planner=optimal, and '" +
                                                       options.planner + "' does not search");
  }
  if (options.strip && planner->count() > 0) {
    throw CLI::ValidationError("--planner", "with --strip nothing is embedded, so that there is nothing to plan");
  }
  if (options.embed == "-") {
    throw CLI::ValidationError("--embed", "a model is written to a file; ./- is the one that is called '-'");
  }
}

void AddPlan(CLI::App& app, PlanOptions& options) {
  CLI::App* plan = app.add_subcommand("plan", "Plan the memory of a model, or of a problem in CSV");
  AddSubject(*plan, options);
  plan->add_option(
          "--planner", options.planner,
          "optimal; greedy, which is the device's; linear; arena, TensorFlow Lite's, one for each subgraph (of a "
          "CSV file, which has no graph, its order and search alone); precomputed:FILE, a plan as a C source, "
          "one offset for each buffer")
      ->capture_default_str()
      ->check(
          CLI::Validator([](const std::string& word) { return UnknownPlannerOfPlans(word); }, "PLANNER", "planner"));
  plan->add_flag("--no-sharing", options.no_sharing, kNoSharing);
  CLI::Option* const format =
      plan->add_option("--format", options.format, "Of the report: text, json (docs/json.md), csv, svg, html, c")
          ->capture_default_str()
          ->check(CLI::IsMember({"text", "json", "csv", "svg", "html", "c"}));
  plan->add_flag("--json", options.json, "The same as --format=json")->excludes(format);
  plan->add_option("--layout", options.layout,
                   "Of the picture, svg or html: faithful, the plan's own; dilated, with the closed bytes between "
                   "buffers with which a model is checked")
      ->capture_default_str()
      ->check(CLI::IsMember({"faithful", "dilated"}));
  CLI::Option* const time_limit =
      AddTimeLimit(*plan, options.time_limit_seconds, "Seconds that the optimal planner may search");
  plan->add_option("--work-limit", options.work_limit,
                   "Steps that it may search instead, about a million in a second: equal files then have equal plans")
      ->check(Decimal(0, std::uint64_t{1} << 62))
      ->excludes(time_limit);
  plan->add_option("--threads", options.threads, "Threads that it may use; the plan does not depend on their number")
      ->capture_default_str()
      ->check(Decimal(1, 256));
  plan->add_flag("--strict-plan", options.strict_plan, kStrictPlan);
  plan->add_flag("--ignore-plan", options.ignore_plan,
                 "Plan as if the model had no plan of its own; otherwise what that fixes stays where it is");
  CLI::Option* const embed =
      plan->add_option("--embed", options.embed, "File for the model with this plan in its metadata")
          ->check(NamesAFile());
  plan->add_flag("--strip", options.strip, "With --embed: the model without any plan instead")->needs(embed);
  CLI::Option* const planner = plan->get_option("--planner");
  const std::vector<CLI::Option*> of_search = {time_limit, plan->get_option("--work-limit"),
                                               plan->get_option("--threads")};
  plan->parse_complete_callback([=, &options] { RefuseWhatContradicts(options, planner, of_search); });
  plan->footer(std::string("Examples:\n"
                           "  arenaproof plan model.tflite\n"
                           "  arenaproof plan model.tflite --format=html > plan.html\n"
                           "  arenaproof plan model.tflite --planner=arena --format=c > plan.c\n"
                           "  arenaproof plan model.tflite --embed=planned.tflite\n"
                           "  arenaproof plan problem.csv --work-limit=1000000 --format=csv\n\n") +
               kExitStatuses);
}

void AddVerify(CLI::App& app, VerifyOptions& options) {
  CLI::App* verify = app.add_subcommand("verify", "Certify somebody else's plan, or say what is wrong with it");
  AddSubject(*verify, options);
  verify
      ->add_option("PLAN", options.plan,
                   "A CSV file with id and offset, a report of plan as JSON, or a plan as a C source (FILE.c, FILE.h, "
                   "FILE.cc, FILE.cpp); -: any of them on standard input; without it the model's own plan, or the CSV "
                   "file's offsets")
      ->check(NamesAFile());
  verify->add_flag("--no-sharing", options.no_sharing, "Certifies no plan in which tensors lie in the bytes of others");
  verify->add_flag("--strict-plan", options.strict_plan, kStrictPlan);
  verify->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  verify->footer(
      std::string("Examples:\n"
                  "  arenaproof verify model.tflite\n"
                  "      the plan in its metadata\n"
                  "  arenaproof verify problem.csv plan.csv\n\n"
                  "Exit status: 0 certified; 1 refused by the certifier; 2 could not be read; 3 internal error."));
}

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

// Strict about a plan that is not looked at; empty: none is.
std::string StrictForNothing(const CLI::App& app, const RunOptions& run, const PlanOptions& plan,
                             const VerifyOptions& verify) {
  std::string instead;
  if (app.got_subcommand("run") && run.strict_plan && run.all_tensors) instead = "--all-tensors does not use that";
  if (app.got_subcommand("plan") && plan.strict_plan && (plan.ignore_plan || plan.strip)) {
    instead = std::string(plan.strip ? "--strip" : "--ignore-plan") + " leaves that out";
  }
  if (app.got_subcommand("verify") && verify.strict_plan && !verify.plan.empty()) {
    instead = "with PLAN '" + verify.plan + "' that is not looked at";
  }
  return instead.empty() ? instead
                         : "--strict-plan is about the model's own plan, and " + instead + "; give one of them";
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
  if (line.in_this_process) {  // for the parent's words; nobody else has them
    const std::string hidden;
    app.get_subcommand("describe")->add_option(kReadModelFrom, describe.file)->group(hidden);
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
  if (const std::string problem = StrictForNothing(app, run, plan, verify); !problem.empty()) {
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
  return line;
}

}  // namespace arenaproof
