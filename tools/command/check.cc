#include "tools/command/check.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "tools/command/parts_run.h"
#include "tools/command/piped_model.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/text/quoting.h"
#include "tools/text/refusal_code.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

const std::string& FileOf(const CheckOptions& options) { return options.file.empty() ? options.model : options.file; }

void LeaveOut(const Instrument& instrument, const std::string& sentence, CheckResult& result) {
  result.not_available.push_back(sentence);
  result.absent_instruments.emplace_back(instrument.name);
}

std::string NoneAvailable(const CheckResult& result) {
  return "no instrument is available: " + result.not_available.front();
}

// Nothing when the sentence is empty.
void Refuse(CheckResult& result, ToolRefusal code, const std::string& sentence) {
  if (sentence.empty()) return;
  result.refusal = sentence;
  result.refused = RefusedWith(code);
}

// Why the instrument cannot be used, a sentence; empty when it can.
std::string WhyNotUsed(const CheckOptions& options, const Instrument& instrument) {
  if (const std::string reason = WhyNotAvailable(instrument); !reason.empty()) return NotAvailable(instrument, reason);
  const std::string reason = NoKernelFileFor(options, instrument.name);
  return reason.empty() ? reason : NotAvailable(instrument, reason);
}

// Whether the kernels call the instrument: those of this program do.
bool HaveHooksFor(const CheckOptions& options, const Instrument& instrument) {
  if (!instrument.needs_hooks || !NamesKernelFiles(options.kernels)) return true;
  KernelFiles files;
  files.Read(options.kernels);
  const std::optional<LibraryHooks> hooks = HooksOfFile(files.ForInstrument(instrument.name));
  return hooks && SeesWithHooks(instrument.name, *hooks);
}

// Of the file that the instrument is called by. It takes at most a quarter of the time of a check, besides it.
void ScanCodeFor(const CheckOptions& options, const Instrument& instrument, CheckResult& result) {
  if (!instrument.needs_hooks || !HaveHooksFor(options, instrument)) return;
  KernelFiles files;
  files.Read(options.kernels);
  const std::string& file = files.ForInstrument(instrument.name);
  result.code_scans.push_back(
      ScanCode(file, instrument, std::chrono::milliseconds(options.time_limit_seconds * 250LL)));
}

// The instruments that the options ask for; a refusal when one of them is asked for by name and missing.
std::vector<const Instrument*> ChosenInstruments(const CheckOptions& options, CheckResult& result) {
  std::vector<const Instrument*> chosen;
  if (options.instrument != "all-available") {
    const Instrument* named = FindInstrument(options.instrument);
    if (named == nullptr) {
      Refuse(result, ToolRefusal::kInstrumentUnknown,
             "there is no instrument '" + options.instrument + "'; known are " + InstrumentNames() + ", all-available");
    } else if (const std::string reason = WhyNotUsed(options, *named); !reason.empty()) {
      const bool missing = !WhyNotAvailable(*named).empty();
      Refuse(result, missing ? ToolRefusal::kInstrumentMissing : ToolRefusal::kKernelFileUnreadable, reason);
    } else {
      chosen.push_back(named);
    }
    return chosen;
  }
  const auto choose = [&](bool needs_hooks) {
    for (const Instrument& instrument : AllInstruments()) {
      if (instrument.needs_hooks != needs_hooks || instrument.by_name || instrument.name == "none") continue;
      const std::string reason = WhyNotUsed(options, instrument);
      if (reason.empty()) {
        chosen.push_back(&instrument);
      } else if (LacksInstalledWorker(instrument)) {
        return Refuse(result, ToolRefusal::kInstrumentMissing, reason);
      } else {
        LeaveOut(instrument, reason, result);
      }
    }
  };
  choose(true);
  // Those of a file that was compiled for none of them are looked at by the others.
  const bool seen = std::any_of(chosen.begin(), chosen.end(),
                                [&](const Instrument* instrument) { return HaveHooksFor(options, *instrument); });
  if (NamesKernelFiles(options.kernels) && !seen) choose(false);
  if (!result.refusal.empty()) return {};
  if (chosen.empty()) Refuse(result, ToolRefusal::kInstrumentMissing, NoneAvailable(result));
  return chosen;
}

std::vector<std::string> ChosenLayouts(const CheckOptions& options, CheckResult& result) {
  if (options.layout == "both") return {"faithful", "dilated"};
  if (options.layout == "faithful" || options.layout == "dilated") return {options.layout};
  Refuse(result, ToolRefusal::kLayoutUnknown,
         "there is no layout '" + options.layout + "'; known are faithful, dilated, both");
  return {};
}

// An answer must not depend on where tensors lie or on what is around them.
void CompareOutputs(CheckResult& result) {
  const CheckPart* first = nullptr;
  for (const CheckPart& part : result.parts) {
    if (!part.report.finished || (part.status > ExitStatus::kViolations && !part.could_not_see)) continue;
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

// Every part was kept from seeing.
bool NothingSeen(const CheckResult& result) {
  return !result.parts.empty() && std::all_of(result.parts.begin(), result.parts.end(),
                                              [](const CheckPart& part) { return part.could_not_see; });
}

}  // namespace

std::int64_t OperatorsNotSeen(const CheckResult& result) {
  using Place = std::pair<std::int64_t, std::int64_t>;
  std::set<Place> hidden, seen;
  for (const CheckPart& part : result.parts) {
    for (const OperatorSeen& one : part.report.operators) {
      if (one.without_hooks && one.invokes > 0) hidden.insert({one.subgraph, one.index});
      if (one.seen) seen.insert({one.subgraph, one.index});
    }
  }
  return std::count_if(hidden.begin(), hidden.end(), [&](const Place& place) { return !seen.contains(place); });
}

bool LeftUnseen(const CheckResult& result) { return OperatorsNotSeen(result) > 0 || NothingSeen(result); }

std::string CheckCommandLine(const CheckOptions& options, const std::string& layout, const std::string& instrument) {
  std::string words = " --kernels=" + ShellWord(options.kernels) + FallbackWords(options) +
                      " --layout=" + (layout.empty() ? options.layout : layout) +
                      " --instrument=" + (instrument.empty() ? options.instrument : instrument);
  if (options.two_arenas) words += " --two-arenas";
  if (options.arena_bytes) words += " --arena-bytes=" + std::to_string(*options.arena_bytes);
  if (options.persistent_arena_bytes) {
    words += " --persistent-arena-bytes=" + std::to_string(*options.persistent_arena_bytes);
  }
  if (options.reserve_front_bytes != 0) words += " --reserve-front=" + std::to_string(options.reserve_front_bytes);
  words += " --seed=" + std::to_string(options.seed);
  if (options.runs != 1) words += " --runs=" + std::to_string(options.runs);
  for (const std::string& input : options.inputs) words += " --input=" + ShellWord(input);
  if (options.extents) words += " --extents";
  return CommandOn(options.model, !options.file.empty() || PipedModel::Is(options.model),
                   ShellWord(options.program) + " check", words + WordsOf(options));
}

CheckResult RefusedCheck(const std::string& sentence, ToolRefusal code) {
  CheckResult result;
  Refuse(result, code, sentence);
  result.status = ExitStatus::kCouldNotRun;
  return result;
}

CheckResult AskedParts(const CheckOptions& options) {
  CheckResult result;
  Refuse(result, ToolRefusal::kFileUnreadable, CannotRead(FileOf(options), "MODEL is the path of a .tflite file"));
  if (result.refusal.empty()) {
    const bool files = NamesKernelFiles(options.kernels);
    Refuse(result, files ? ToolRefusal::kKernelFileUnreadable : ToolRefusal::kKernelsUnknown,
           WrongKernelChoice(options));
  }
  std::vector<std::string> layouts;
  std::vector<const Instrument*> instruments;
  if (result.refusal.empty()) layouts = ChosenLayouts(options, result);
  if (result.refusal.empty()) instruments = ChosenInstruments(options, result);
  const bool measured = std::any_of(instruments.begin(), instruments.end(), [](const Instrument* instrument) {
    return instrument->name == kExtentsInstrument;
  });
  if (options.extents && result.refusal.empty() && !measured) {
    const std::string why = result.not_available.empty() ? "which does not run" : result.not_available.front();
    Refuse(result, ToolRefusal::kInstrumentMissing,
           "--extents is measured by shadow, " + why +
               "; --instrument=shadow with kernels that have its hooks would be right");
  }
  if (!result.refusal.empty()) {
    result.status = ExitStatus::kCouldNotRun;
    return result;
  }
  if (NamesKernelFiles(options.kernels)) {
    for (const Instrument* instrument : instruments) ScanCodeFor(options, *instrument, result);
  }
  for (const std::string& layout : layouts) {
    for (const Instrument* instrument : instruments) {
      CheckPart& part = result.parts.emplace_back();
      part.instrument = instrument;
      part.layout = layout;
    }
  }
  return result;
}

bool CameToNoEnd(const CheckResult& result) {
  return !result.refusal.empty() || std::any_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return part.stopped || (part.status >= ExitStatus::kCouldNotRun && !part.could_not_see);
  });
}

void Conclude(const CheckOptions& options, CheckResult& result) {
  if (!result.refusal.empty()) return;
  for (CheckPart& part : std::exchange(result.parts, {})) {
    const auto& absent = result.absent_instruments;
    if (std::find(absent.begin(), absent.end(), part.instrument->name) != absent.end()) continue;
    const bool ran_before = std::any_of(result.parts.begin(), result.parts.end(),
                                        [&](const CheckPart& other) { return other.instrument == part.instrument; });
    if (part.not_available && !ran_before && options.instrument == "all-available") {
      LeaveOut(*part.instrument, part.problem, result);
      continue;
    }
    if (!part.could_not_see) result.status = Worse(result.status, part.status);
    result.parts.push_back(std::move(part));
  }
  if (result.parts.empty()) {
    result.status = ExitStatus::kCouldNotRun;
    Refuse(result, ToolRefusal::kInstrumentMissing, NoneAvailable(result));
  }
  // What was found stays found; what was not looked at is not clean.
  const bool found = std::any_of(result.parts.begin(), result.parts.end(),
                                 [](const CheckPart& part) { return part.status == ExitStatus::kViolations; });
  if (found && result.status == ExitStatus::kCouldNotRun) result.status = ExitStatus::kViolations;
  if (result.status == ExitStatus::kClean && LeftUnseen(result)) result.status = ExitStatus::kCouldNotRun;
  CompareOutputs(result);
  if (!result.output_differences.empty()) result.status = Worse(result.status, ExitStatus::kViolations);
}

CheckResult RunCheck(const CheckOptions& options, const CheckProgress& progress) {
  CheckResult result = AskedParts(options);
  PartsRun run(PartsAtATime(0));
  run.Add(options, result.parts, progress);
  run.Run();
  Conclude(options, result);
  return result;
}

}  // namespace arenaproof
