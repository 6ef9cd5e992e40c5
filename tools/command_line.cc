#include "tools/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "tools/text.h"

namespace arenaproof {
namespace {

constexpr const char* kExitStatuses = "Exit status: 0 clean; 1 violations found; 2 could not run; 3 internal error.";

void AddCheck(CLI::App& app, CheckOptions& options) {
  CLI::App* check = app.add_subcommand("check", "Run a model's operators under instruments that see every access");
  check->add_option("MODEL", options.model, "The .tflite file")->required();
  check
      ->add_option("--kernels", options.kernels,
                   "Kernel set: reference, aligned, aligned-faulty, aligned-faulty-dispatch")
      ->capture_default_str();
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
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40));
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

}  // namespace

CommandLine ParseCommandLine(int argument_count, const char* const* arguments) {
  CLI::App app("arenaproof: a proving ground for tensor-arena allocators", "arenaproof");
  app.set_version_flag("--version", "arenaproof 0.1.0");
  app.require_subcommand(1);
  app.footer(std::string("Every command explains itself: arenaproof COMMAND --help\n") + kExitStatuses);
  CheckOptions check;
  AddCheck(app, check);

  CommandLine line;
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
  return line;
}

}  // namespace arenaproof
