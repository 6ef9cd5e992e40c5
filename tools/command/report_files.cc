#include "tools/command/report_files.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/command/written_file.h"
#include "tools/text/json_text.h"

namespace arenaproof {
namespace {

struct ReportFormat {
  const char* suffix;
  std::string (*text)(std::span<const ModelCheck> checks);
};

constexpr ReportFormat kFormats[] = {
    {".json", ChecksJson}, {".sarif", ChecksSarif}, {".xml", ChecksJunit}, {".html", ChecksHtml}};

const ReportFormat* FormatOf(const std::string& path) {
  const auto format = std::find_if(std::begin(kFormats), std::end(kFormats),
                                   [&](const ReportFormat& one) { return path.ends_with(one.suffix); });
  return format == std::end(kFormats) ? nullptr : format;
}

std::string WrongReportFile(const std::string& path) {
  if (FormatOf(path) == nullptr) {
    return "--report: '" + path + "' ends with no format; .json, .sarif, .xml (JUnit) or .html would be right";
  }
  const std::string problem = WhyNotWritable(path);
  return problem.empty() ? problem : "--report: " + problem;
}

}  // namespace

std::string WrongReportFiles(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (const std::string problem = WrongReportFile(path); !problem.empty()) return problem;
  }
  return {};
}

std::string WriteReportFiles(const std::vector<std::string>& paths, std::span<const ModelCheck> checks) {
  for (const std::string& path : paths) {
    const std::string text = FormatOf(path)->text(checks);
    const std::string problem = WriteWholeFile(path, std::as_bytes(std::span(text)));
    if (!problem.empty()) return "--report: " + problem;
  }
  return {};
}

std::string ChecksJson(std::span<const ModelCheck> checks) {
  if (checks.size() == 1) return CheckReportJson(checks.front().options, checks.front().result);
  OrderedJson json = {{"command", "check"}, {"exit_status", static_cast<int>(StatusOf(checks))}};
  json["models"] = OrderedJson::array();
  for (const ModelCheck& check : checks) json["models"].push_back(CheckReportObject(check.options, check.result));
  return JsonReport(json);
}

}  // namespace arenaproof
