#include <algorithm>
#include <cstdint>
#include <optional>

#include "tools/command/check_report_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string RangeText(const std::optional<ByteRange>& range) {
  return range ? std::to_string(range->lowest) + " to " + std::to_string(range->highest) : "-";
}

// Bytes of the operand in front of the lowest and behind the highest that was touched.
std::int64_t UntouchedBytes(const OperandExtentReport& extent) {
  std::int64_t lowest = extent.bytes, highest = -1;
  for (const std::optional<ByteRange>& range : {extent.read, extent.written}) {
    if (!range) continue;
    lowest = std::min(lowest, std::max<std::int64_t>(range->lowest, 0));
    highest = std::max(highest, std::min(range->highest, extent.bytes - 1));
  }
  return lowest > highest ? extent.bytes : extent.bytes - (highest - lowest + 1);
}

std::int64_t NotMeasured(const CheckPart& part) {
  return std::count_if(part.report.operators.begin(), part.report.operators.end(),
                       [](const OperatorSeen& one) { return !one.seen; });
}

}  // namespace

std::string ExtentsText(const CheckResult& result) {
  // In the dilated layout no operand lies in reach of another.
  const auto measured = std::find_if(result.parts.rbegin(), result.parts.rend(),
                                     [](const CheckPart& part) { return part.report.extents.has_value(); });
  if (measured == result.parts.rend()) return {};
  TextTable table({"operator", "operand", ">bytes", "read", "written", ">untouched"});
  for (const OperandExtentReport& extent : *measured->report.extents) {
    const std::string name = extent.name.empty() ? "" : " \"" + Printable(extent.name) + "\"";
    table.AddRow({OperatorTitle(extent.subgraph, extent.operator_index, extent.operator_name),
                  extent.kind + " " + std::to_string(extent.index) + name, std::to_string(extent.bytes),
                  RangeText(extent.read), RangeText(extent.written), std::to_string(UntouchedBytes(extent))});
  }
  std::string text =
      "bytes touched in invoke (" + PartName(*measured) +
      "), from each operand's first byte on; untouched: in front of the lowest and behind the highest\n" +
      table.Text(2);
  if (const std::int64_t count = NotMeasured(*measured); count > 0) {
    text += "  not measured: " + Counted(count, "operator") + " that " + std::string(measured->instrument->name) +
            " did not see\n";
  }
  return text;
}

}  // namespace arenaproof
