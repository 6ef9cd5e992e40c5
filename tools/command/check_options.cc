#include <string>
#include <vector>

#include "tools/command/command_options.h"
#include "tools/command/instruments.h"
#include "tools/command/option_words.h"
#include "tools/command/shared_options.h"

namespace arenaproof {

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
      ->add_option(
          "--instrument", options.instrument,
          "What watches: " + InstrumentNames() +
              ", all-available (shadow and asan, and where neither sees the kernels of a file guard, canary and "
              "twofill too)")
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

}  // namespace arenaproof
