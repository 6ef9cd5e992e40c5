#include <string>

#include "core/runtime/interpreter/model_allocator.h"
#include "tools/command/command_options.h"
#include "tools/command/option_words.h"
#include "tools/command/shared_options.h"

namespace arenaproof {
namespace {

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

}  // namespace

void AddRun(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Run a model once and show its outputs, memory plan and arena figures");
  run->add_option("MODEL", options.model, "The .tflite file; -: on standard input")->required();
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
  size->add_option("MODEL", options.model, "The .tflite file; -: on standard input")->required();
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

}  // namespace arenaproof
