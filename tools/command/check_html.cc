// A page that needs no other file: for each model its verdict, its parts, each violation with the arena at its moment,
// and the plan.
#include <algorithm>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/checked_plan_drawing.h"
#include "tools/command/findings.h"
#include "tools/command/piped_model.h"
#include "tools/command/report_files.h"
#include "tools/text/markup.h"
#include "tools/text/text.h"
#include "tools/text/version.h"

namespace arenaproof {
namespace {

// Of one model; the others are listed without a picture. A picture of a large plan takes hundreds of kilobytes.
constexpr std::size_t kMostPictures = 20;

std::string Paragraph(const std::string& text) { return "<p>" + Escaped(text) + "</p>\n"; }

std::string RowOf(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += std::string("<") + tag + ">" + Escaped(cell) + "</" + tag + ">";
  return row + "</tr>\n";
}

std::string PartsTable(const CheckResult& result) {
  std::string text = "<table>" + RowOf({"layout", "instrument", "result", "problem"}, "th");
  for (const CheckPart& part : result.parts) {
    text += RowOf({part.layout, std::string(part.instrument->name), PartResult(part), part.problem});
  }
  return text + "</table>\n";
}

// Every field that parts may differ in, part by part, from the one table of a violation's fields.
std::string FieldsTable(const Finding& finding) {
  std::vector<std::string> header = {"field"};
  for (const SeenViolation& one : finding.seen) header.push_back(PartName(*one.part));
  std::string text = "<table>" + RowOf(header, "th");
  for (const ViolationField& field : kViolationFields) {
    std::vector<std::string> row = {field.name};
    bool shown = true;
    for (const SeenViolation& one : finding.seen) {
      UseValue(field, *one.violation, [&](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, ViolationReport::Number>) {
          row.push_back(std::to_string(value));
        } else if constexpr (std::is_same_v<Value, ViolationReport::Text>) {
          row.push_back(value);
        } else {
          shown = false;  // the map is shown as it is
        }
      });
    }
    if (shown) text += RowOf(row);
  }
  return text + "</table>\n";
}

// The two tensors alone: nothing of a refused plan was used.
std::string PictureOfSharedBytes(const ModelCheck& check, const Finding& finding) {
  CheckedPlanDrawing picture(finding.parts.front()->report);
  if (!picture.MarkShared(finding.sentence)) {
    return Paragraph("No picture: only two tensors of a model's own plan that share bytes are drawn.");
  }
  picture.Name(NameInReports(check.options.model, check.options.file),
               "two tensors of the refused plan, crossed out what they share");
  return PlanSvg(picture.drawing());
}

// Of the parts that found it the first in whose plan it has a place; the shadow comes first and is exact.
std::string PictureOf(const ModelCheck& check, const Finding& finding) {
  for (const SeenViolation& one : finding.seen) {
    CheckedPlanDrawing picture(one.part->report);
    if (!picture.Mark(*one.violation, finding.sentence)) continue;
    picture.Name(NameInReports(check.options.model, check.options.file) + ", " + PartName(*one.part),
                 "step " + std::to_string(one.violation->step) +
                     ": the moment of the violation, crossed out what was "
                     "touched");
    return PlanSvg(picture.drawing());
  }
  if (!finding.seen.empty()) return Paragraph("No picture: the operand does not lie in the planned part of the arena.");
  const bool plan = !finding.parts.empty() && finding.parts.front()->report.refusal;
  return plan ? PictureOfSharedBytes(check, finding) : std::string();
}

std::string FindingHtml(const ModelCheck& check, std::size_t number, const Finding& finding) {
  std::string text = "<h3>" + std::to_string(number) + ". " + Escaped(finding.sentence) +
                     (IsKnown(check.result, finding) ? " (known and accepted by the baseline)" : "") + "</h3>\n" +
                     Paragraph(std::string("rule ") + finding.rule->id + ": " + finding.rule->help + " Identifier " +
                               finding.id + ".");
  if (number <= kMostPictures) text += PictureOf(check, finding);
  const auto with_map = std::find_if(finding.seen.begin(), finding.seen.end(),
                                     [](const SeenViolation& one) { return !one.violation->map.empty(); });
  if (with_map != finding.seen.end()) {
    text += "<pre>";
    for (const std::string& line : with_map->violation->map) text += Escaped(line) + "\n";
    text += "</pre>\n";
  }
  if (!finding.seen.empty()) text += FieldsTable(finding);
  if (!finding.parts.empty()) {
    const CheckPart& first = *finding.parts.front();
    text += "<p>reproduce: <code>" +
            Escaped(CheckCommandLine(check.options, first.layout, std::string(first.instrument->name))) +
            "</code></p>\n";
  }
  return text;
}

// The plan as the device has it, where a part reports it.
std::string PlanSection(const ModelCheck& check) {
  const auto& parts = check.result.parts;
  auto part = std::find_if(parts.begin(), parts.end(),
                           [](const CheckPart& one) { return one.report.plan && one.layout == "faithful"; });
  if (part == parts.end()) {
    part = std::find_if(parts.begin(), parts.end(), [](const CheckPart& one) { return one.report.plan.has_value(); });
  }
  if (part == parts.end()) return {};
  CheckedPlanDrawing picture(part->report);
  if (picture.empty()) return {};
  picture.Name(NameInReports(check.options.model, check.options.file) + ", " + part->layout + " layout",
               "peak " + Counted(picture.drawing().peak_bytes, "byte") + "; the arena has " +
                   Counted(part->report.plan->device_arena_bytes, "byte"));
  return "<h3>The plan, " + Escaped(part->layout) + " layout</h3>\n" + PlanSvg(picture.drawing()) +
         PlanTableHtml(picture.drawing());
}

std::string ModelHtml(const ModelCheck& check) {
  const auto& [options, result] = check;
  std::string text = "<h2>" + Escaped(NameInReports(options.model, options.file)) + "</h2>\n<p><b>" +
                     Escaped(VerdictText(options, result)) + "</b></p>\n" + "<p><code>" +
                     Escaped(CheckCommandLine(options, "", "")) + "</code></p>\n";
  if (!result.refusal.empty()) text += Paragraph(result.refusal);
  if (!result.parts.empty()) text += PartsTable(result);
  const std::vector<Finding> findings = FindingsOf(result);
  for (std::size_t i = 0; i < findings.size(); ++i) text += FindingHtml(check, i + 1, findings[i]);
  if (result.baseline) text += Paragraph("baseline: " + BaselineLine(result));
  for (const std::string& line : LinesOf(BlindText(result))) text += Paragraph(line);
  for (const std::string& sentence : result.not_available) text += Paragraph("not used: " + sentence);
  return text + PlanSection(check);
}

}  // namespace

std::string ChecksHtml(std::span<const ModelCheck> checks, const std::string& not_written) {
  std::string body = "<h1>arenaproof check</h1>\n";
  if (!not_written.empty()) body += Paragraph("could not run: " + not_written);
  if (checks.size() > 1) {
    body += "<table>" + RowOf({"model", "verdict"}, "th");
    for (const ModelCheck& check : checks) {
      body += RowOf({NameInReports(check.options.model, check.options.file), VerdictText(check.options, check.result)});
    }
    body += "</table>\n";
  }
  for (const ModelCheck& check : checks) body += ModelHtml(check);
  return HtmlPage("arenaproof check", body + Paragraph(std::string("arenaproof ") + kVersion));
}

}  // namespace arenaproof
