// The shape is documented in docs/json.md.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "sanitizers/report/violation.h"
#include "tools/command/baseline.h"
#include "tools/command/check.h"
#include "tools/command/check_report_text.h"
#include "tools/command/findings.h"
#include "tools/text/json_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

OrderedJson ViolationJson(const CheckOptions& options, const CheckPart& part, const ViolationReport& violation) {
  OrderedJson json = OrderedJson::object();
  for (const ViolationField& field : kViolationFields) {
    if (field.path == nullptr) continue;
    UseValue(field, violation, [&](const auto& value) { json[OrderedJson::json_pointer(field.path)] = value; });
  }
  json["reproduce"] = CheckCommandLine(options, part.layout, std::string(part.instrument->name));
  json["rule"] = RuleOf(violation).id;
  json["id"] = ViolationIdentifier(violation);
  return json;
}

OrderedJson PairsJson(std::int64_t count, const std::vector<BlindPairReport>& blind_pairs) {
  OrderedJson pairs = OrderedJson::array();
  for (const BlindPairReport& pair : blind_pairs) {
    pairs.push_back({{"subgraph", pair.subgraph},
                     {"operator", pair.operator_index},
                     {"operator_name", pair.operator_name},
                     {"first_operand", {{"kind", pair.first_kind}, {"index", pair.first_index}}},
                     {"second_operand", {{"kind", pair.second_kind}, {"index", pair.second_index}}},
                     {"distance_bytes", pair.distance_bytes}});
  }
  return {{"count", count}, {"first_pairs", pairs}};
}

OrderedJson ExtentJson(const OperandExtentReport& extent) {
  OrderedJson json = {{"subgraph", extent.subgraph},
                      {"operator", extent.operator_index},
                      {"operator_name", extent.operator_name},
                      {"kind", extent.kind},
                      {"index", extent.index},
                      {"name", extent.name},
                      {"bytes", extent.bytes}};
  if (extent.read) {
    json["lowest_read"] = extent.read->lowest;
    json["highest_read"] = extent.read->highest;
  }
  if (extent.written) {
    json["lowest_written"] = extent.written->lowest;
    json["highest_written"] = extent.written->highest;
  }
  return json;
}

OrderedJson PartJson(const CheckOptions& options, const CheckPart& part) {
  const WorkerReport& report = part.report;
  OrderedJson json = {
      {"instrument", part.instrument->name}, {"layout", part.layout}, {"exit_status", static_cast<int>(part.status)}};
  if (!part.problem.empty()) {
    json["problem"] = part.problem;
    json["problem_code"] = part.problem_code;
  }
  if (!part.diagnostics.empty()) json["diagnostics"] = LinesOf(part.diagnostics);
  if (!part.running.empty()) {
    OrderedJson running = OrderedJson::array();
    for (const ActiveOperator& one : part.running) {
      running.push_back({{"subgraph", one.subgraph},
                         {"operator", one.operator_index},
                         {"operator_name", one.name},
                         {"phase", OperatorPhaseName(one.phase)}});
    }
    json["running"] = running;
  }
  if (report.self_test) {
    json["self_test"] = {{"sees", report.self_test->sees},
                         {"seen", report.self_test->what},
                         {"missed", report.self_test->missed},
                         {"limits", report.self_test->limits}};
  }
  if (report.refusal) {
    json["refusal"] = {{"stage", report.refusal->stage},
                       {"code", report.refusal->code},
                       {"subgraph", report.refusal->subgraph},
                       {"operator", report.refusal->operator_index},
                       {"operator_name", report.refusal->operator_name},
                       {"larger_arena", report.refusal->larger_arena},
                       {"arenas", SmallArenasJson(report.refusal->small_arenas)},
                       {"sentence", report.refusal->sentence}};
  }
  if (report.plan) {
    OrderedJson buffers = OrderedJson::array();
    for (const PlannedBufferReport& buffer : report.plan->buffers) {
      buffers.push_back({{"subgraph", buffer.subgraph},
                         {"tensor", buffer.tensor},
                         {"scratch", buffer.scratch},
                         {"name", buffer.name},
                         {"owner_operator", buffer.owner_operator},
                         {"offset", buffer.offset},
                         {"bytes", buffer.bytes},
                         {"first_step", buffer.first},
                         {"last_step", buffer.last}});
    }
    json["plan"] = {{"head_bytes", report.plan->head_bytes},
                    {"tail_bytes", report.plan->tail_bytes},
                    {"used_bytes", report.plan->used_bytes},
                    {"arena_bytes", report.plan->arena_bytes},
                    {"device_arena_bytes", report.plan->device_arena_bytes}};
    if (options.two_arenas) {
      json["plan"]["persistent_arena_bytes"] = report.plan->persistent_arena_bytes;
      json["plan"]["device_persistent_arena_bytes"] = report.plan->device_persistent_arena_bytes;
    }
    json["plan"]["buffers"] = buffers;
    for (const SharedBytes& shared : report.plan->sharing) json["plan"]["sharing"].push_back(SharedBytesJson(shared));
  }
  if (!report.offline_plan.empty()) json["offline_plan"] = OfflinePlanJson(report.offline_plan);
  if (report.blind_pair_count) json["blind_pairs"] = PairsJson(*report.blind_pair_count, report.blind_pairs);
  if (report.prepare_blind_pair_count) {
    json["blind_pairs_in_prepare"] = PairsJson(*report.prepare_blind_pair_count, report.prepare_blind_pairs);
  }
  json["not_exact"] = OrderedJson::array();
  for (const NotExactOperand& operand : report.not_exact) {
    json["not_exact"].push_back({{"subgraph", operand.subgraph},
                                 {"operator", operand.operator_index},
                                 {"operator_name", operand.operator_name},
                                 {"kind", operand.kind},
                                 {"index", operand.index},
                                 {"name", operand.name},
                                 {"blind_before_bytes", operand.blind_before_bytes},
                                 {"blind_after_bytes", operand.blind_after_bytes}});
  }
  for (const ReadAllowanceReport& allowance : report.read_allowances) {
    json["read_allowances"].push_back({{"subgraph", allowance.subgraph},
                                       {"operator", allowance.operator_index},
                                       {"operator_name", allowance.operator_name},
                                       {"kernel", allowance.kernel},
                                       {"kind", allowance.kind},
                                       {"index", allowance.index},
                                       {"name", allowance.name},
                                       {"before_bytes", allowance.before_bytes},
                                       {"after_bytes", allowance.after_bytes}});
  }
  json["operators"] = OrderedJson::array();
  for (const OperatorSeen& one : report.operators) {
    json["operators"].push_back({{"subgraph", one.subgraph},
                                 {"index", one.index},
                                 {"name", one.name},
                                 {"kernel", one.kernel},
                                 {"seen", one.seen},
                                 {"invokes", one.invokes},
                                 {"invokes_seen", one.invokes_seen}});
    if (one.without_hooks) json["operators"].back()["without_hooks"] = true;
  }
  if (report.extents) {
    json["extents"] = OrderedJson::array();
    for (const OperandExtentReport& extent : *report.extents) json["extents"].push_back(ExtentJson(extent));
  }
  json["violations"] = OrderedJson::array();
  for (const ViolationReport& violation : report.violations) {
    json["violations"].push_back(ViolationJson(options, part, violation));
  }
  json["more_violations_than_kept"] = report.capped;
  if (report.capped) {
    json["capped"] = CappedText(part);
    json["capped_at_operator"] = report.capped_at ? report.capped_at->operator_index : -1;
  }
  json["outputs"] = OrderedJson::array();
  for (const OutputReport& output : report.outputs) {
    json["outputs"].push_back({{"run", output.run},
                               {"index", output.index},
                               {"name", output.name},
                               {"type", output.type},
                               {"shape", output.shape},
                               {"bytes", output.bytes},
                               {"sha256", output.sha256},
                               {"first_values", NumbersJson(output.first_values)}});
  }
  return json;
}

OrderedJson EntriesJson(const std::vector<BaselineEntry>& entries) {
  OrderedJson json = OrderedJson::array();
  for (const BaselineEntry& entry : entries) json.push_back(EntryJson(entry));
  return json;
}

OrderedJson BaselineJson(const BaselineComparison& comparison) {
  return {{"file", comparison.file},
          {"known", comparison.known},
          {"new", comparison.fresh},
          {"vanished", EntriesJson(comparison.vanished)},
          {"not_looked_for", EntriesJson(comparison.not_looked_for)}};
}

bool ReserveChecked(const CheckResult& result) {
  return std::any_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return part.layout == "faithful" && part.instrument->name != "none" && part.report.plan;
  });
}

}  // namespace

OrderedJson CheckReportObject(const CheckOptions& options, const CheckResult& result) {
  OrderedJson json = {{"command", "check"},
                      {"model", options.model},
                      {"kernels", options.kernels},
                      {"layout", options.layout},
                      {"instrument", options.instrument},
                      {"two_arenas", options.two_arenas},
                      {"reserve_front_bytes", options.reserve_front_bytes},
                      {"seed", options.seed},
                      {"runs", options.runs},
                      {"extents", options.extents},
                      {"trust_plan", options.trust_plan},
                      {"strict_plan", options.strict_plan},
                      {"planner", options.planner},
                      {"no_sharing", options.no_sharing},
                      {"exit_status", static_cast<int>(result.status)}};
  if (NamesKernelFiles(options.kernels)) json["fallback"] = options.fallback;
  if (options.arena_bytes) json["arena_bytes"] = *options.arena_bytes;
  if (options.persistent_arena_bytes) json["persistent_arena_bytes"] = *options.persistent_arena_bytes;
  if (!options.inputs.empty()) json["input_files"] = options.inputs;
  if (!result.refusal.empty()) {
    json["refusal"] = result.refusal;
    json["refused"] = RefusedJson(result.refused);
  }
  const bool all_ran = std::none_of(result.parts.begin(), result.parts.end(),
                                    [](const CheckPart& part) { return part.report.refusal && !part.could_not_see; });
  json["accesses_checked"] =
      options.instrument != "none" && result.status <= ExitStatus::kViolations && all_ran && !CameToNoEnd(result);
  if (options.reserve_front_bytes != 0) json["reserve_checked"] = ReserveChecked(result);
  if (result.refusal.empty()) json["verdict"] = VerdictText(options, result);
  if (result.baseline) json["baseline"] = BaselineJson(*result.baseline);
  for (const CodeScan& scan : result.code_scans) {
    OrderedJson functions = OrderedJson::array();
    for (const UnhookedCode& one : scan.functions) functions.push_back({{"function", one.function}, {"why", one.why}});
    json["code_scans"].push_back({{"file", scan.file},
                                  {"instrument", scan.instrument},
                                  {"partly_unseen", std::move(functions)},
                                  {"unwatched_calls", scan.calls}});
    if (!scan.not_scanned.empty()) json["code_scans"].back()["not_scanned"] = scan.not_scanned;
  }
  json["not_available"] = result.not_available;
  json["output_differences"] = result.output_differences;
  json["parts"] = OrderedJson::array();
  for (const CheckPart& part : result.parts) json["parts"].push_back(PartJson(options, part));
  return json;
}

std::string CheckReportJson(const CheckOptions& options, const CheckResult& result) {
  return JsonReport(CheckReportObject(options, result));
}

}  // namespace arenaproof
