#include <nlohmann/json.hpp>

#include "tools/command/piped_model.h"
#include "tools/command/plan_text.h"
#include "tools/command/run.h"
#include "tools/command/sharing_text.h"
#include "tools/text/extents_text.h"
#include "tools/text/json_text.h"
#include "tools/text/quoting.h"
#include "tools/text/sha256.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kFirstCount = 8;

std::string ValuesText(const std::vector<TensorValue>& values, const char* what) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorValue& value = values[i];
    text += std::string(what) + " " + std::to_string(i) + ": tensor " + std::to_string(value.tensor) + " \"" +
            Printable(value.name) + "\", " + value.type + " " + ExtentsText(value.shape) + ", " +
            Counted(static_cast<long long>(value.bytes.size()), "byte") + "\n  sha256 " + Sha256Hex(value.bytes) +
            "\n  first ";
    for (const ElementValue& number : FirstValues(value, kFirstCount)) text += " " + NumberText(number);
    text += "\n";
  }
  return text;
}

OrderedJson ValuesJson(const std::vector<TensorValue>& values) {
  OrderedJson list = OrderedJson::array();
  for (const TensorValue& value : values) {
    list.push_back({{"tensor", value.tensor},
                    {"name", value.name},
                    {"type", value.type},
                    {"shape", value.shape},
                    {"bytes", value.bytes.size()},
                    {"sha256", Sha256Hex(value.bytes)},
                    {"first_values", NumbersJson(FirstValues(value, kFirstCount))}});
  }
  return list;
}

OrderedJson RecordJson(const std::vector<RecordedCategory>& record) {
  OrderedJson list = OrderedJson::array();
  for (const RecordedCategory& category : record) {
    list.push_back({{"category", category.name},
                    {"requested_bytes", category.requested_bytes},
                    {"used_bytes", category.used_bytes},
                    {"count", category.count},
                    {"counts", category.word}});
  }
  return list;
}

}  // namespace

std::string RunCommandLine(const RunOptions& options) {
  std::string words =
      " --kernels=" + ShellWord(options.kernels) + FallbackWords(options) + " --seed=" + std::to_string(options.seed);
  for (const std::string& input : options.inputs) words += " --input=" + ShellWord(input);
  for (const std::string& expected : options.expected) words += " --expect=" + ShellWord(expected);
  if (options.tolerance > 0) words += " --tolerance=" + NumberText(ElementValue(options.tolerance));
  if (!options.output_dir.empty()) words += " --output-dir=" + ShellWord(options.output_dir);
  if (options.two_arenas) words += " --two-arenas";
  if (options.arena_bytes) words += " --arena-bytes=" + std::to_string(*options.arena_bytes);
  if (options.persistent_arena_bytes) {
    words += " --persistent-arena-bytes=" + std::to_string(*options.persistent_arena_bytes);
  }
  if (options.record) words += " --record";
  if (options.all_tensors) words += " --all-tensors";
  return CommandOn(options.model, !options.file.empty(), "arenaproof run", words + WordsOf(options));
}

std::string RunReportText(const RunOptions& options, const ModelView& model, const RunResult& result) {
  std::string text = RunCommandLine(options) + "\n\n";
  text += ValuesText(result.inputs, "input") + ValuesText(result.outputs, "output");
  text += ComparedOutputsText(result.compared, options.tolerance);
  for (std::size_t i = 0; i < result.output_files.size(); ++i) {
    text += "output " + std::to_string(i) + " written to '" + PrintableSentence(result.output_files[i]) + "', " +
            Counted(static_cast<long long>(result.outputs[i].bytes.size()), "byte") + "\n";
  }
  if (options.all_tensors) text += "\nevery tensor, kept apart in memory\n" + ValuesText(result.tensors, "value");
  if (options.record) text += "\n" + result.record_text;
  text += "\nmemory plan\n" + PlanText(model, result.plan) + SharingText(model, result.plan, result.sharing) + "\n";
  if (!result.offline_plan.empty()) text += OfflinePlanText(result.offline_plan) + "\n";
  return text + ArenaText(result.arena);
}

std::string RunReportJson(const RunOptions& options, const ModelView& model, const RunResult& result) {
  OrderedJson json = {{"command", "run"},
                      {"model", options.model},
                      {"kernels", options.kernels},
                      {"two_arenas", options.two_arenas},
                      {"seed", options.seed},
                      {"trust_plan", options.trust_plan},
                      {"strict_plan", options.strict_plan},
                      {"planner", options.all_tensors ? "linear" : options.planner},
                      {"no_sharing", options.no_sharing},
                      {"exit_status", static_cast<int>(StatusOf(result))}};
  if (NamesKernelFiles(options.kernels)) json["fallback"] = options.fallback;
  if (!result.problem.empty()) {
    json["refusal"] = result.problem;
    json["refused"] = RefusedJson(result.refused);
  } else {
    json["inputs"] = ValuesJson(result.inputs);
    json["outputs"] = ValuesJson(result.outputs);
    if (!options.expected.empty()) json["compared_outputs"] = ComparedOutputsJson(result.compared, options.tolerance);
    if (!options.output_dir.empty()) json["output_files"] = result.output_files;
    if (options.all_tensors) json["tensors"] = ValuesJson(result.tensors);
    json["plan"] = OrderedJson::parse(PlanJson(model, result.plan));
    if (!result.sharing.empty()) json["sharing"] = SharingJson(model, result.sharing);
    if (!result.offline_plan.empty()) json["offline_plan"] = OfflinePlanJson(result.offline_plan);
    if (options.record) json["record"] = RecordJson(result.record);
    json["arena"] = OrderedJson::parse(ArenaJson(result.arena));
  }
  return JsonReport(json);
}

}  // namespace arenaproof
