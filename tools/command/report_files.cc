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
  std::string (*text)(std::span<const ModelCheck> checks, const std::string& not_written);
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

void AddSentence(const std::string& sentence, std::string* sentences) {
  if (!sentences->empty() && !sentence.empty()) *sentences += "; ";
  *sentences += sentence;
}

void WriteReportFiles(const std::vector<std::string>& paths, std::span<const ModelCheck> checks,
                      std::string* not_written) {
  const auto write = [&](const std::string& path, const std::string& known) {
    const std::string text = FormatOf(path)->text(checks, known);
    const std::string problem = WriteWholeFile(path, std::as_bytes(std::span(text)));
    AddSentence(problem.empty() ? problem : "--report: " + problem, not_written);
    return problem.empty();
  };
  const std::string before = *not_written;
  std::vector<std::string> written;
  for (const std::string& path : paths) {
    if (write(path, before)) written.push_back(path);
  }
  if (*not_written == before) return;
  const std::string all = *not_written;
  for (const std::string& path : written) write(path, all);
}

std::string ChecksJson(std::span<const ModelCheck> checks, const std::string& not_written) {
  OrderedJson json;
  if (checks.size() == 1) {
    json = CheckReportObject(checks.front().options, checks.front().result);
  } else {
    json = {{"command", "check"}, {"exit_status", 0}, {"models", OrderedJson::array()}};
    for (const ModelCheck& check : checks) json["models"].push_back(CheckReportObject(check.options, check.result));
  }
  json["exit_status"] = static_cast<int>(StatusOf(checks, not_written));
  if (!not_written.empty()) json["not_written"] = not_written;
  return JsonReport(json);
}

}  // namespace arenaproof
