#include "tools/command/baseline.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/command/check_report_text.h"
#include "tools/command/piped_model.h"
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
  if (!IsIdentifier(entry->id)) return "has an 'id' that is not 16 hexadecimal digits";
  const auto parts = json.find("parts");
  const bool texts = parts != json.end() && parts->is_array() && !parts->empty() &&
                     std::all_of(parts->begin(), parts->end(), [](const auto& part) { return part.is_string(); });
  if (!texts) return "has no list of texts 'parts'";
  entry->parts = parts->get<std::vector<std::string>>();
  return {};
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

// The comparison of outputs is that of all parts that had some.
std::vector<std::string> PartsOf(const Finding& finding, const CheckResult& result) {
  std::vector<std::string> names;
  for (const CheckPart* part : finding.parts) names.push_back(PartName(*part));
  if (!names.empty()) return names;
  for (const CheckPart& part : result.parts) {
    if (part.report.finished) names.push_back(PartName(part));
  }
  return names;
}

}  // namespace

std::string BaselineText(std::span<const ModelCheck> checks) {
  std::vector<BaselineEntry> entries;
  for (const ModelCheck& check : checks) {
    const std::string model = NameInReports(check.options.model, check.options.file);
    for (const Finding& finding : FindingsOf(check.result)) {
      entries.push_back({finding.id, finding.rule->id, finding.sentence, model, PartsOf(finding, check.result)});
    }
    // Nobody knows that they are gone.
    if (!check.result.baseline) continue;
    const std::vector<BaselineEntry>& kept = check.result.baseline->not_looked_for;
    entries.insert(entries.end(), kept.begin(), kept.end());
  }
  OrderedJson findings = OrderedJson::array();
  std::set<std::pair<std::string, std::string>> written;
  for (const BaselineEntry& entry : entries) {
    if (written.insert({entry.id, PrintableSentence(entry.model)}).second) findings.push_back(EntryJson(entry));
  }
  return JsonText(
      {{"baseline", kKind}, {"format_version", kFormatVersion}, {"tool_version", kVersion}, {"findings", findings}});
}

OrderedJson EntryJson(const BaselineEntry& entry) {
  return {{"id", entry.id},
          {"rule", entry.rule},
          {"sentence", entry.sentence},
          {"model", entry.model},
          {"parts", entry.parts}};
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

}  // namespace arenaproof
