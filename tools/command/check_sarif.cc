// SARIF 2.1.0, as code-scanning pages read it (https://docs.oasis-open.org/sarif/sarif/v2.1.0/).
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/findings.h"
#include "tools/command/piped_model.h"
#include "tools/command/report_files.h"
#include "tools/text/json_text.h"
#include "tools/text/version.h"

namespace arenaproof {
namespace {

// Pages show a result below a file of the repository, which a model outside of the folder that the command runs in
// cannot be: then it is the whole path from the root on, without the root.
std::string RelativePath(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  const fs::path relative = whole.lexically_relative(here);
  if (relative.empty() || *relative.begin() == "..") return whole.relative_path().string();
  return relative.string();
}

// Every byte that a path of a URI may not hold as it is, and ':', which would begin another URI, as %NN.
std::string UriOf(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : RelativePath(path)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte) != 0) || std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

OrderedJson RulesJson() {
  OrderedJson rules = OrderedJson::array();
  for (const FindingRule& rule : FindingRules()) {
    rules.push_back({{"id", rule.id},
                     {"shortDescription", {{"text", rule.summary}}},
                     {"fullDescription", {{"text", rule.help}}},
                     {"help", {{"text", rule.help}}},
                     {"defaultConfiguration", {{"level", "error"}}}});
  }
  return rules;
}

// The fields of the table, as the part reports them that found it first.
OrderedJson PropertiesJson(const Finding& finding) {
  OrderedJson properties = OrderedJson::object();
  OrderedJson parts = OrderedJson::array();
  for (const CheckPart* part : finding.parts) parts.push_back(PartName(*part));
  properties["parts"] = parts;
  if (finding.seen.empty()) return properties;
  for (const ViolationField& field : kViolationFields) {
    UseValue(field, *finding.seen.front().violation, [&](const auto& value) { properties[field.name] = value; });
  }
  return properties;
}

std::string MessageOf(const CheckOptions& options, const Finding& finding) {
  std::string text = finding.sentence;
  if (!finding.seen.empty()) text += "; what lay there: " + finding.seen.front().violation->state;
  const std::string layout = finding.parts.empty() ? "" : finding.parts.front()->layout;
  const std::string instrument = finding.parts.empty() ? "" : std::string(finding.parts.front()->instrument->name);
  return text + "; reproduce: " + CheckCommandLine(options, layout, instrument);
}

OrderedJson ResultJson(const ModelCheck& check, const Finding& finding) {
  const CheckOptions& options = check.options;
  OrderedJson location = {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", UriOf(NameInReports(options.model, options.file))}, {"uriBaseId", "%SRCROOT%"}}},
        {"region", {{"startLine", 1}}}}}};
  if (!finding.seen.empty()) {
    const ViolationReport& violation = *finding.seen.front().violation;
    location["logicalLocations"] = {
        {{"name", OperatorTitle(violation.subgraph, violation.operator_index, violation.operator_name)},
         {"kind", "function"}}};
  }
  OrderedJson json = {{"ruleId", finding.rule->id},
                      {"ruleIndex", finding.rule - FindingRules().data()},
                      {"level", "error"},
                      {"message", {{"text", MessageOf(options, finding)}}},
                      {"locations", OrderedJson::array({location})},
                      {"partialFingerprints", {{"arenaproofFinding/v1", finding.id}}},
                      {"properties", PropertiesJson(finding)}};
  if (!check.result.baseline) return json;
  const bool known = IsKnown(check.result, finding);
  json["baselineState"] = known ? "unchanged" : "new";
  if (known) json["suppressions"] = {{{"kind", "external"}, {"justification", "known in the baseline"}}};
  return json;
}

OrderedJson NotificationJson(const char* level, const std::string& text) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

// What kept a part, or all of them, from an answer.
OrderedJson NotificationsJson(const ModelCheck& check) {
  OrderedJson notifications = OrderedJson::array();
  const auto notify = [&](const char* level, const std::string& text) {
    notifications.push_back(NotificationJson(level, text));
  };
  const CheckResult& result = check.result;
  if (!result.refusal.empty()) notify("error", result.refusal);
  for (const CheckPart& part : result.parts) {
    if (part.problem.empty() || (part.status <= ExitStatus::kViolations && !part.stopped)) continue;
    notify(part.could_not_see ? "warning" : "error", PartName(part) + ": " + part.problem);
  }
  for (const std::string& sentence : result.not_available) notify("warning", sentence);
  if (result.refusal.empty()) notify("note", VerdictText(check.options, result));
  return notifications;
}

}  // namespace

std::string ChecksSarif(std::span<const ModelCheck> checks, const std::string& not_written) {
  const ExitStatus status = StatusOf(checks, not_written);
  OrderedJson results = OrderedJson::array(), notifications = OrderedJson::array();
  std::string command;
  for (const ModelCheck& check : checks) {
    for (const Finding& finding : FindingsOf(check.result)) results.push_back(ResultJson(check, finding));
    for (OrderedJson& one : NotificationsJson(check)) notifications.push_back(std::move(one));
    command += (command.empty() ? "" : "; ") + CheckCommandLine(check.options, "", "");
  }
  if (!not_written.empty()) notifications.push_back(NotificationJson("error", not_written));
  const OrderedJson invocation = {{"executionSuccessful", status <= ExitStatus::kViolations},
                                  {"exitCode", static_cast<int>(status)},
                                  {"commandLine", command},
                                  {"toolExecutionNotifications", notifications}};
  const OrderedJson run = {
      {"tool", {{"driver", {{"name", "arenaproof"}, {"version", kVersion}, {"rules", RulesJson()}}}}},
      {"invocations", OrderedJson::array({invocation})},
      {"columnKind", "utf16CodeUnits"},
      {"results", results}};
  return JsonText({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", OrderedJson::array({run})}});
}

}  // namespace arenaproof
