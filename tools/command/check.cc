#include "tools/command/check.h"

#include <unistd.h>

#include "tools/model/kernel_set_choice.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/text/quoting.h"

namespace arenaproof {
namespace {

std::vector<std::string> WorkerCommand(const CheckOptions& options, const CheckPart& part) {
  std::vector<std::string> words = {WorkerPath(*part.instrument).string(),
                                    "check",
                                    "--model=" + options.model,
                                    "--kernels=" + options.kernels,
                                    "--layout=" + part.layout,
                                    "--instrument=" + std::string(part.instrument->name),
                                    std::string("--two-arenas=") + (options.two_arenas ? "1" : "0"),
                                    "--reserve-front=" + std::to_string(options.reserve_front_bytes),
                                    "--seed=" + std::to_string(options.seed),
                                    "--runs=" + std::to_string(options.runs),
                                    std::string("--trust-plan=") + (options.trust_plan ? "1" : "0"),
                                    "--result-fd=" + std::to_string(kResultDescriptor)};
  if (options.arena_bytes) words.push_back("--arena-bytes=" + std::to_string(*options.arena_bytes));
  if (options.persistent_arena_bytes) {
    words.push_back("--persistent-arena-bytes=" + std::to_string(*options.persistent_arena_bytes));
  }
  return words;
}

std::string HowToBuild(const Instrument& instrument) {
  const std::string preset(instrument.preset), path = WorkerPath(instrument).string();
  const std::string text = "the instrument '" + std::string(instrument.name) + "' is not available: ";
  if (access(path.c_str(), F_OK) == 0) return text + "the program " + path + " cannot be executed";
  return text + "there is no program " + path + "; build the preset '" + preset + "' (cmake --preset " + preset +
         " && cmake --build --preset " + preset + ")";
}

// The instruments that the options ask for; a refusal when one of them is asked for by name and missing.
std::vector<const Instrument*> ChosenInstruments(const CheckOptions& options, CheckResult& result) {
  std::vector<const Instrument*> chosen;
  if (options.instrument != "all-available") {
    const Instrument* named = FindInstrument(options.instrument);
    if (named == nullptr) {
      result.refusal =
          "there is no instrument '" + options.instrument + "'; known are shadow, asan, none, all-available";
    } else if (!IsAvailable(*named)) {
      result.refusal = HowToBuild(*named);
    } else {
      chosen.push_back(named);
    }
    return chosen;
  }
  for (const Instrument& instrument : AllInstruments()) {
    if (instrument.name == "none") continue;
    if (IsAvailable(instrument)) {
      chosen.push_back(&instrument);
    } else {
      result.not_available.push_back(HowToBuild(instrument));
      result.absent_instruments.emplace_back(instrument.name);
    }
  }
  if (chosen.empty()) result.refusal = "no instrument is available: " + result.not_available.front();
  return chosen;
}

std::vector<std::string> ChosenLayouts(const CheckOptions& options, CheckResult& result) {
  if (options.layout == "both") return {"faithful", "dilated"};
  if (options.layout == "faithful" || options.layout == "dilated") return {options.layout};
  result.refusal = "there is no layout '" + options.layout + "'; known are faithful, dilated, both";
  return {};
}

// An answer must not depend on where tensors lie or on what is around them.
void CompareOutputs(CheckResult& result) {
  const CheckPart* first = nullptr;
  for (const CheckPart& part : result.parts) {
    if (!part.report.finished || part.status > ExitStatus::kViolations) continue;
    if (first == nullptr) {
      first = &part;
      continue;
    }
    const auto& expected = first->report.outputs;
    const auto& found = part.report.outputs;
    const std::string where = std::string(first->instrument->name) + " over the " + first->layout + " layout and " +
                              std::string(part.instrument->name) + " over the " + part.layout + " layout";
    if (expected.size() != found.size()) {
      result.output_differences.push_back("the number of outputs differs between " + where);
      continue;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (expected[i].sha256 == found[i].sha256) continue;
      result.output_differences.push_back("output " + std::to_string(expected[i].index) + " of run " +
                                          std::to_string(expected[i].run) + " differs between " + where);
      break;
    }
  }
}

}  // namespace

std::string CheckCommandLine(const CheckOptions& options, const std::string& layout, const std::string& instrument) {
  std::string text = ShellWord(options.program) + " check " + ShellPath(options.model) +
                     " --kernels=" + ShellWord(options.kernels) +
                     " --layout=" + (layout.empty() ? options.layout : layout) +
                     " --instrument=" + (instrument.empty() ? options.instrument : instrument);
  if (options.two_arenas) text += " --two-arenas";
  if (options.arena_bytes) text += " --arena-bytes=" + std::to_string(*options.arena_bytes);
  if (options.persistent_arena_bytes) {
    text += " --persistent-arena-bytes=" + std::to_string(*options.persistent_arena_bytes);
  }
  if (options.reserve_front_bytes != 0) text += " --reserve-front=" + std::to_string(options.reserve_front_bytes);
  text += " --seed=" + std::to_string(options.seed);
  if (options.runs != 1) text += " --runs=" + std::to_string(options.runs);
  return text + WordsOf(options);
}

CheckResult RunCheck(const CheckOptions& options, void (*progress)(const std::string& text)) {
  CheckResult result;
  result.refusal = CannotRead(options.model, "MODEL is the path of a .tflite file");
  if (result.refusal.empty()) result.refusal = UnknownKernelSet(options.kernels);
  std::vector<std::string> layouts;
  std::vector<const Instrument*> instruments;
  if (result.refusal.empty()) layouts = ChosenLayouts(options, result);
  if (result.refusal.empty()) instruments = ChosenInstruments(options, result);
  if (!result.refusal.empty()) {
    result.status = ExitStatus::kCouldNotRun;
    return result;
  }
  for (const std::string& layout : layouts) {
    for (const Instrument* instrument : instruments) {
      CheckPart part;
      part.instrument = instrument;
      part.layout = layout;
      if (progress != nullptr) progress(std::string(instrument->name) + " over the " + layout + " layout");
      const ChildLimits limits{.time = std::chrono::seconds(options.time_limit_seconds),
                               .memory_bytes = std::size_t{options.memory_limit_mebibytes} << 20,
                               .limit_address_space = instrument->limits_address_space};
      const ChildResult child = RunChild(WorkerCommand(options, part), limits);
      part.report = ReadWorkerReport(child.result);
      EvaluatePart(options, child, part);
      result.status = Worse(result.status, part.status);
      result.parts.push_back(std::move(part));
    }
  }
  CompareOutputs(result);
  if (!result.output_differences.empty()) result.status = Worse(result.status, ExitStatus::kViolations);
  return result;
}

}  // namespace arenaproof
