#include "tools/command/baseline.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/model/model_file.h"
#include "tools/text/json_text.h"
#include "tools/text/text.h"
#include "tools/text/version.h"

namespace arenaproof {
namespace {

constexpr const char* kKind = "findings of arenaproof check";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

bool IsIdentifier(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Empty when the field is there and a text.
std::string TakeText(const nlohmann::json& entry, const char* name, std::string* text) {
  if (!entry.is_object()) return "is no object";
  const auto found = entry.find(name);
  if (found == entry.end() || !found->is_string()) return std::string("has no text '") + name + "'";
  *text = found->get<std::string>();
  return {};
}

std::string TakeEntry(const nlohmann::json& json, BaselineEntry* entry) {
  for (const auto& [name, text] : {std::pair{"id", &entry->id},
                                   {"rule", &entry->rule},
                                   {"sentence", &entry->sentence},
                                   {"model", &entry->model}}) {
    if (std::string problem = TakeText(json, name, text); !problem.empty()) return problem;
  }
  return IsIdentifier(entry->id) ? std::string() : "has an 'id' that is not 16 hexadecimal digits";
}

}  // namespace

std::string ParseBaseline(const std::string& text, std::vector<BaselineEntry>* entries) {
  const std::string right = "; a file that --write-baseline makes would be right";
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return "is not JSON" + right;
  if (!json.is_object() || json.value("baseline", nlohmann::json()) != kKind) return "is no baseline" + right;
  const nlohmann::json version = json.value("format_version", nlohmann::json());
  if (!version.is_number_integer()) return "has no 'format_version'" + right;
  if (version != kFormatVersion) {
    return "is of format " + version.dump() + "; arenaproof " + kVersion + " reads format " +
           std::to_string(kFormatVersion);
  }
  const auto findings = json.find("findings");
  if (findings == json.end() || !findings->is_array()) return "has no list 'findings'" + right;
  for (std::size_t i = 0; i < findings->size(); ++i) {
    const std::string problem = TakeEntry((*findings)[i], &entries->emplace_back());
    if (!problem.empty()) return "is spoilt: its finding " + std::to_string(i) + " " + problem + right;
  }
  return {};
}

namespace {

bool RanToItsEnd(const ModelCheck& check) {
  const auto& parts = check.result.parts;
  return check.result.status <= ExitStatus::kViolations &&
         std::all_of(parts.begin(), parts.end(),
                     [](const CheckPart& part) { return part.report.finished && !part.report.capped; });
}

}  // namespace

std::string BaselineText(std::span<const ModelCheck> checks) {
  OrderedJson findings = OrderedJson::array();
  std::set<std::string> written;
  for (const ModelCheck& check : checks) {
    for (const Finding& finding : FindingsOf(check.result)) {
      if (!written.insert(finding.id).second) continue;
      findings.push_back({{"id", finding.id},
                          {"rule", finding.rule->id},
                          {"sentence", finding.sentence},
                          {"model", check.options.model}});
    }
  }
  return JsonText(
      {{"baseline", kKind}, {"format_version", kFormatVersion}, {"tool_version", kVersion}, {"findings", findings}});
}

std::string ReadBaseline(const std::string& path, std::vector<BaselineEntry>* entries) {
  const std::string what = "a file that --write-baseline makes would be right";
  if (std::string problem = CannotRead(path, what); !problem.empty()) return "--baseline: " + problem;
  std::error_code error;
  if (std::filesystem::file_size(path, error) > kMostBytes || error) {
    return "--baseline: '" + path + "' has more than " + std::to_string(kMostBytes) + " bytes; " + what;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string problem = ParseBaseline(text, entries);
  return problem.empty() ? problem : "--baseline: '" + path + "' " + problem;
}

void CompareWithBaseline(const std::string& path, const std::vector<BaselineEntry>& entries,
                         std::span<ModelCheck> checks) {
  std::set<std::string> accepted, found;
  for (const BaselineEntry& entry : entries) accepted.insert(entry.id);
  const bool all_ran = std::all_of(checks.begin(), checks.end(), RanToItsEnd);
  for (ModelCheck& check : checks) {
    BaselineComparison& comparison = check.result.baseline.emplace();
    comparison.file = path;
    comparison.vanished_looked_for = all_ran;
    for (const Finding& finding : FindingsOf(check.result)) {
      found.insert(finding.id);
      if (accepted.contains(finding.id)) {
        comparison.known.insert(finding.id);
      } else {
        comparison.fresh.push_back(finding.id);
      }
    }
    if (check.result.status == ExitStatus::kViolations && comparison.fresh.empty() && !comparison.known.empty()) {
      const auto& parts = check.result.parts;
      comparison.ended_by_known =
          std::any_of(parts.begin(), parts.end(), [](const CheckPart& part) { return !part.report.finished; });
      check.result.status = comparison.ended_by_known ? ExitStatus::kCouldNotRun : ExitStatus::kClean;
    }
  }
  if (!all_ran) return;
  for (const BaselineEntry& entry : entries) {
    if (!found.insert(entry.id).second) continue;
    const auto named = std::find_if(checks.begin(), checks.end(),
                                    [&](const ModelCheck& check) { return check.options.model == entry.model; });
    (named == checks.end() ? checks.front() : *named).result.baseline->vanished.push_back(entry);
  }
}

bool IsKnown(const CheckResult& result, const Finding& finding) {
  return result.baseline && result.baseline->known.contains(finding.id);
}

std::vector<Finding> NewFindingsOf(const CheckResult& result) {
  std::vector<Finding> findings = FindingsOf(result);
  std::erase_if(findings, [&](const Finding& finding) { return IsKnown(result, finding); });
  return findings;
}

std::string BaselineLine(const CheckResult& result) {
  if (!result.baseline) return {};
  const BaselineComparison& comparison = *result.baseline;
  std::string text = std::to_string(comparison.known.size()) + " known and accepted, " +
                     std::to_string(comparison.fresh.size()) + " new, ";
  if (!comparison.vanished_looked_for) return text + "vanished ones not looked for, because not everything ran";
  text += std::to_string(comparison.vanished.size()) + " vanished";
  if (!comparison.vanished.empty()) {
    text += ", such as " + comparison.vanished.front().id + " (" + comparison.vanished.front().sentence + ")";
  }
  return text;
}

}  // namespace arenaproof
