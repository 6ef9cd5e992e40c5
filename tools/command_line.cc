#include "tools/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "tools/text.h"

namespace arenaproof {
namespace {

constexpr const char* kExitStatuses = "Exit status: 0 clean; 1 violations found; 2 could not run; 3 internal error.";

constexpr const char* kKernelSets = "Kernel set: reference, aligned, aligned-faulty, aligned-faulty-dispatch";

void AddCheck(CLI::App& app, CheckOptions& options) {
  CLI::App* check = app.add_subcommand("check", "Run a model's operators under instruments that see every access");
  check->add_option("MODEL", options.model, "The .tflite file")->required();
  check->add_option("--kernels", options.kernels, kKernelSets)->capture_default_str();
  check
      ->add_option("--layout", options.layout,
                   "Where tensors lie: faithful, as on the device; dilated, with closed bytes between them; both")
      ->capture_default_str()
      ->check(CLI::IsMember({"faithful", "dilated", "both"}));
  check->add_option("--instrument", options.instrument, "What watches: shadow, asan, none, all-available")
      ->capture_default_str()
      ->check(CLI::IsMember({"shadow", "asan", "none", "all-available"}));
  check->add_option("--arena-bytes", options.arena_bytes, "Size of the arena; 0: as much as the model needs")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 31));
  check->add_option("--seed", options.seed, "Seed of the generated inputs, from 1")
      ->capture_default_str()
      ->check(CLI::Range(1u, 4294967295u));
  check->add_option("--runs", options.runs, "Invokes one after the other, with fresh inputs for each")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000u));
  check->add_option("--time-limit", options.time_limit_seconds, "Seconds that one child may take")
      ->capture_default_str()
      ->check(CLI::Range(1u, 86400u));
  check->add_option("--memory-limit", options.memory_limit_mebibytes, "MiB that one child may use")
      ->capture_default_str()
      ->check(CLI::Range(64u, 1048576u));
  check->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  check->footer(std::string("Examples:\n"
                            "  arenaproof check model.tflite\n"
                            "      every instrument, both layouts, reference kernels\n"
                            "  arenaproof check model.tflite --kernels=aligned-faulty --layout=dilated\n"
                            "      kernels that read before their input\n"
                            "  arenaproof check model.tflite --instrument=none\n"
                            "      what a device sees: nothing\n\n") +
                kExitStatuses);
}

void AddRun(CLI::App& app, RunOptions& options, bool& in_this_process) {
  CLI::App* run = app.add_subcommand("run", "Run a model once and show its outputs, memory plan and arena figures");
  run->add_option("MODEL", options.model, "The .tflite file")->required();
  run->add_option("--kernels", options.kernels, kKernelSets)->capture_default_str();
  run->add_option("--seed", options.seed, "Seed of the generated inputs, from 1")
      ->capture_default_str()
      ->check(CLI::Range(1u, 4294967295u));
  run->add_option("--input", options.inputs, "INDEX:FILE, raw bytes for one input; the others are generated");
  run->add_option("--output-dir", options.output_dir, "Folder for output_0.bin, output_1.bin, ...");
  run->add_option("--arena-bytes", options.arena_bytes, "Size of the arena; 0: as much as the model needs")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 31));
  run->add_flag("--all-tensors", options.all_tensors, "Every tensor that is no constant, kept apart in memory");
  run->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  run->add_flag("--in-this-process", in_this_process)->group("");
  run->footer(std::string("Examples:\n"
                          "  arenaproof run model.tflite --seed=3\n"
                          "  arenaproof run model.tflite --input=0:image.bin --output-dir=out\n"
                          "  arenaproof run model.tflite --all-tensors --json\n\n") +
              kExitStatuses);
}

void AddDescribe(CLI::App& app, DescribeOptions& options, bool& in_this_process) {
  CLI::App* describe = app.add_subcommand("describe", "Show operators, tensors, lifetimes, memory plan, arena need");
  describe->add_option("MODEL", options.model, "The .tflite file")->required();
  describe->add_option("--kernels", options.kernels, kKernelSets)->capture_default_str();
  describe->add_flag("--json", options.json, "The report as JSON (docs/json.md)");
  describe->add_flag("--in-this-process", in_this_process)->group("");
  describe->footer(std::string("Example:\n  arenaproof describe model.tflite\n\n") + kExitStatuses);
}

}  // namespace

CommandLine ParseCommandLine(int argument_count, const char* const* arguments) {
  CLI::App app("arenaproof: a proving ground for tensor-arena allocators", "arenaproof");
  app.set_version_flag("--version", "arenaproof 0.1.0");
  app.require_subcommand(1);
  app.footer(std::string("Every command explains itself: arenaproof COMMAND --help\n") + kExitStatuses);
  CheckOptions check;
  if (argument_count > 0) check.program = arguments[0];
  RunOptions run;
  DescribeOptions describe;
  CommandLine line;
  AddCheck(app, check);
  AddRun(app, run, line.in_this_process);
  AddDescribe(app, describe, line.in_this_process);

  const auto known = app.get_subcommands(
      [&](const CLI::App* command) { return argument_count > 1 && command->get_name() == arguments[1]; });
  if (argument_count > 1 && arguments[1][0] != '-' && known.empty()) {
    std::cerr << "arenaproof: there is no command '" << Printable(arguments[1]) << "'; --help lists those there are\n";
    line.finished = ExitStatus::kCouldNotRun;
    return line;
  }
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);  // help or version, on standard output
      line.finished = ExitStatus::kClean;
    } else {
      std::cerr << "arenaproof: " << error.what() << "; --help shows what is possible\n";
      line.finished = ExitStatus::kCouldNotRun;
    }
    return line;
  }
  if (app.got_subcommand("check")) line.check = check;
  if (app.got_subcommand("run")) line.run = run;
  if (app.got_subcommand("describe")) line.describe = describe;
  return line;
}

}  // namespace arenaproof
