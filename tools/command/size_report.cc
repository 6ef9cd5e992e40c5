#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/alignment.h"
#include "tools/command/piped_model.h"
#include "tools/command/plan.h"
#include "tools/command/plan_text.h"
#include "tools/command/sharing_text.h"
#include "tools/command/size.h"
#include "tools/plans/busiest_moment.h"
#include "tools/text/json_text.h"
#include "tools/text/operator_text.h"
#include "tools/text/quoting.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kBarColumns = 60;

std::size_t RoundedUp(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// What is alive in one time step.
struct TimeStep {
  std::size_t live_bytes = 0;
  std::vector<std::size_t> buffers;  // indices into the plan
};

// Bytes that several buffers share count once, as long as one of them is alive.
std::vector<TimeStep> TimeSteps(const MemoryNeed& need) {
  const std::vector<PlanEntry>& plan = need.plan;
  std::vector<std::int32_t> bytes_until;
  for (const PlanEntry& buffer : plan) bytes_until.push_back(buffer.last);
  for (const BufferAlias& alias : need.sharing) {
    bytes_until[alias.owner] = std::max(bytes_until[alias.owner], plan[alias.buffer].last);
    bytes_until[alias.buffer] = -1;
  }
  std::int32_t last = -1;
  for (const PlanEntry& buffer : plan) last = std::max(last, buffer.last);
  std::vector<TimeStep> steps(static_cast<std::size_t>(last + 1));
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::int32_t first = std::max(plan[i].first, 0);
    for (std::int32_t step = first; step <= bytes_until[i]; ++step) {
      steps[static_cast<std::size_t>(step)].live_bytes += RoundedUp(plan[i].bytes);
    }
    for (std::int32_t step = first; step <= plan[i].last; ++step) {
      steps[static_cast<std::size_t>(step)].buffers.push_back(i);
    }
  }
  return steps;
}

std::string BufferName(const PlanEntry& buffer) {
  std::string name = buffer.subgraph == 0 ? "" : std::to_string(buffer.subgraph) + ":";
  return name + (buffer.tensor >= 0 ? std::to_string(buffer.tensor) : "s" + std::to_string(buffer.scratch));
}

std::size_t ScratchBytesOf(const std::vector<PlanEntry>& plan, const OperatorMemory& memory) {
  std::size_t bytes = 0;
  for (const PlanEntry& buffer : plan) {
    const bool own =
        buffer.tensor < 0 && buffer.subgraph == memory.subgraph && buffer.owner_operator == memory.operator_index;
    bytes += own ? RoundedUp(buffer.bytes) : 0;
  }
  return bytes;
}

std::string NeedText(const SizeOptions& options, const SizeResult& result) {
  const MemoryNeed& need = result.faithful;
  const char* machine = options.target == "arm32" ? "a 32-bit ARM device" : "this 64-bit machine";
  std::string text;
  if (options.two_arenas) {
    text = "two arenas needed on " + std::string(machine) + ": " + std::to_string(need.need_bytes) +
           " bytes for head and temporaries, " + std::to_string(need.persistent_need_bytes) +
           " bytes for what is persistent\n";
  } else {
    text = "arena needed on " + std::string(machine) + ": " + std::to_string(need.need_bytes) + " bytes\n";
  }
  text += "  from addresses that are multiples of 16; 15 bytes more are enough at any address\n";
  text += "  one byte less, and there is no room for " + need.limited_by + "\n";
  if (options.two_arenas) {
    text += "  one byte less of the persistent one, and there is no room for " + need.persistent_limited_by + "\n";
  }
  text += "\n";
  std::vector<std::string> headers = {"bytes", ">faithful"};
  if (result.dilated) headers.emplace_back(">dilated");
  TextTable table(headers);
  const auto row = [&](const std::string& name, auto figure) {
    std::vector<std::string> cells = {name, std::to_string(figure(need))};
    if (result.dilated) cells.push_back(std::to_string(figure(*result.dilated)));
    table.AddRow(cells);
  };
  row("need", [](const MemoryNeed& n) { return n.need_bytes; });
  if (options.two_arenas) row("persistent need", [](const MemoryNeed& n) { return n.persistent_need_bytes; });
  row("head (tensors, scratch buffers)", [](const MemoryNeed& n) { return n.head_bytes; });
  row("tail (persistent)", [](const MemoryNeed& n) { return n.tail_bytes; });
  row("temporary, at most, during set-up", [](const MemoryNeed& n) { return n.set_up_peak_bytes; });
  row("  of which planning takes", [](const MemoryNeed& n) { return n.planning.total(); });
  row("    records of lifetimes and buffers", [](const MemoryNeed& n) { return n.planning.records; });
  row("    planner", [](const MemoryNeed& n) { return n.planning.planner; });
  row("    then certifier", [](const MemoryNeed& n) { return n.planning.certifier; });
  row("    then the plan's description", [](const MemoryNeed& n) { return n.planning.description; });
  text += table.Text(2);
  if (result.dilated) {
    text +=
        "  dilated is the layout of 'check', which no device has; there it is given more than this least, so that\n"
        "  addresses stay what they are modulo 64 ('spread over' in its report)\n";
  }
  return text + "\n";
}

std::string CategoriesText(const MemoryNeed& need) {
  TextTable table({"what", ">bytes", ">asked for", ">blocks"});
  for (const TailCategory& category : need.categories) {
    if (category.used_bytes == 0 && category.block_count == 0) continue;
    table.AddRow({category.name, std::to_string(category.used_bytes), std::to_string(category.requested_bytes),
                  std::to_string(category.block_count)});
  }
  return "where the tail goes\n" + table.Text(2) + "\n";
}

std::string OperatorsText(const ModelView& model, const MemoryNeed& need) {
  TextTable table({">operator", "name", ">persistent", ">scratch", ">temporary in prepare"});
  for (const OperatorMemory& memory : need.operators) {
    std::string index = std::to_string(memory.operator_index);
    if (memory.subgraph != 0) index = std::to_string(memory.subgraph) + ":" + index;
    table.AddRow({index, OperatorName(model, {memory.subgraph, memory.operator_index}),
                  std::to_string(memory.persistent_bytes), std::to_string(ScratchBytesOf(need.plan, memory)),
                  std::to_string(memory.temporary_peak_bytes)});
  }
  return "what operators take (bytes)\n" + table.Text(2) + "\n";
}

std::string StepsText(const ModelView& model, const MemoryNeed& need) {
  const std::vector<TimeStep> steps = TimeSteps(need);
  std::size_t most = 0;
  for (const TimeStep& step : steps) most = std::max(most, step.live_bytes);
  TextTable table({">step", ">live bytes", "of the head", "tensors, s: scratch buffers"});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t columns =
        need.head_bytes == 0 ? 0 : (steps[i].live_bytes * kBarColumns + need.head_bytes - 1) / need.head_bytes;
    std::string buffers;
    for (const std::size_t index : steps[i].buffers)
      buffers += (buffers.empty() ? "" : " ") + BufferName(need.plan[index]);
    const char letter = steps[i].live_bytes == most ? '#' : '=';
    table.AddRow({std::to_string(i), std::to_string(steps[i].live_bytes),
                  std::string(std::min(columns, kBarColumns), letter) +
                      std::string(kBarColumns - std::min(columns, kBarColumns), '.'),
                  buffers});
  }
  return PeakText(model, need.plan, need.sharing, static_cast<std::int64_t>(need.head_bytes)) +
         "\n\nuse over time (# the busiest steps, whose " + std::to_string(most) + " bytes no plan can go below)\n" +
         table.Text(2) + "\n";
}

OrderedJson NeedJson(const SizeOptions& options, const ModelView& model, const MemoryNeed& need) {
  OrderedJson json = {{"need_bytes", need.need_bytes}};
  if (options.two_arenas) json["persistent_need_bytes"] = need.persistent_need_bytes;
  json["limited_by"] = need.limited_by;
  if (options.two_arenas) json["persistent_limited_by"] = need.persistent_limited_by;
  json["head_bytes"] = need.head_bytes;
  json["tail_bytes"] = need.tail_bytes;
  json["set_up_peak_bytes"] = need.set_up_peak_bytes;
  json["planning"] = {{"bytes", need.planning.total()},
                      {"records_bytes", need.planning.records},
                      {"planner_bytes", need.planning.planner},
                      {"certifier_bytes", need.planning.certifier},
                      {"description_bytes", need.planning.description}};
  json["categories"] = OrderedJson::array();
  for (const TailCategory& category : need.categories) {
    json["categories"].push_back({{"name", category.name},
                                  {"used_bytes", category.used_bytes},
                                  {"requested_bytes", category.requested_bytes},
                                  {"count", category.block_count}});
  }
  json["operators"] = OrderedJson::array();
  for (const OperatorMemory& memory : need.operators) {
    json["operators"].push_back({{"subgraph", memory.subgraph},
                                 {"index", memory.operator_index},
                                 {"name", OperatorName(model, {memory.subgraph, memory.operator_index})},
                                 {"persistent_bytes", memory.persistent_bytes},
                                 {"scratch_bytes", ScratchBytesOf(need.plan, memory)},
                                 {"temporary_peak_bytes", memory.temporary_peak_bytes}});
  }
  json["plan"] = OrderedJson::parse(PlanJson(model, need.plan));
  if (!need.sharing.empty()) json["sharing"] = SharingJson(model, need.sharing);
  json["peak"] = PeakJson(&model, ProblemOfModel(model, need.plan, OwnPlan::kIgnored, need.sharing),
                          static_cast<std::int64_t>(need.head_bytes));
  json["steps"] = OrderedJson::array();
  for (const TimeStep& step : TimeSteps(need)) {
    json["steps"].push_back({{"live_bytes", step.live_bytes}, {"buffers", step.buffers}});
  }
  return json;
}

}  // namespace

std::string SizeReportText(const SizeOptions& options, const ModelView& model, const SizeResult& result) {
  const std::string words = " --kernels=" + ShellWord(options.kernels) + FallbackWords(options) +
                            " --target=" + options.target + (options.two_arenas ? " --two-arenas" : "") +
                            WordsOf(options);
  std::string text = CommandOn(options.model, !options.file.empty(), "arenaproof size", words) + "\n\n";
  if (!result.offline_plan.empty()) text += OfflinePlanText(result.offline_plan) + "\n";
  text += NeedText(options, result) + CategoriesText(result.faithful) + OperatorsText(model, result.faithful);
  text += "tensors and scratch buffers in the head\n" + PlanText(model, result.faithful.plan) +
          SharingText(model, result.faithful.plan, result.faithful.sharing) + "\n";
  return text + StepsText(model, result.faithful);
}

std::string SizeReportJson(const SizeOptions& options, const ModelView& model, const SizeResult& result) {
  OrderedJson json = {{"command", "size"},
                      {"model", options.model},
                      {"kernels", options.kernels},
                      {"target", options.target},
                      {"two_arenas", options.two_arenas},
                      {"trust_plan", options.trust_plan},
                      {"strict_plan", options.strict_plan},
                      {"planner", options.planner},
                      {"no_sharing", options.no_sharing},
                      {"exit_status", result.problem.empty() ? 0 : static_cast<int>(result.problem_status)}};
  if (NamesKernelFiles(options.kernels)) json["fallback"] = options.fallback;
  if (!result.problem.empty()) {
    json["refusal"] = result.problem;
    json["refused"] = RefusedJson(result.refused);
  } else {
    if (!result.offline_plan.empty()) json["offline_plan"] = OfflinePlanJson(result.offline_plan);
    json["faithful"] = NeedJson(options, model, result.faithful);
    if (result.dilated) json["dilated"] = NeedJson(options, model, *result.dilated);
  }
  return JsonReport(json);
}

}  // namespace arenaproof
