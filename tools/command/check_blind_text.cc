#include <set>
#include <string_view>

#include "sanitizers/instrument/asan/asan_instrument.h"
#include "sanitizers/report/violation.h"
#include "tools/command/check_report_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string PairsText(const std::vector<BlindPairReport>& pairs, std::int64_t count) {
  std::string text;
  std::size_t shown = 0;
  for (const BlindPairReport& pair : pairs) {
    if (shown == kMostLinesOfDetail) break;
    ++shown;
    text += "  " + OperatorTitle(pair.subgraph, pair.operator_index, pair.operator_name) + ": " + pair.first_kind +
            " " + std::to_string(pair.first_index) + " and " + pair.second_kind + " " +
            std::to_string(pair.second_index);
    text += pair.distance_bytes < 0 ? " share " + Counted(-pair.distance_bytes, "byte") + "\n"
                                    : ", " + Counted(pair.distance_bytes, "byte") + " apart\n";
  }
  const auto rest = count - static_cast<std::int64_t>(shown);
  if (rest > 0) text += "  ... and " + std::to_string(rest) + " more\n";
  return text;
}

std::string BlindPairsText(const CheckResult& result) {
  std::string text;
  std::set<std::string> layouts;
  for (const CheckPart& part : result.parts) {
    const std::int64_t in_invoke = part.report.blind_pair_count.value_or(0);
    const std::int64_t in_prepare = part.report.prepare_blind_pair_count.value_or(0);
    if (in_invoke + in_prepare == 0 || !layouts.insert(part.layout).second) continue;
    if (in_invoke > 0) {
      text += "blind pairs in the " + part.layout +
              " layout (two operands of one operator less than 64 bytes apart: no instrument sees a step from one into "
              "the other):\n" +
              PairsText(part.report.blind_pairs, in_invoke);
    }
    if (in_prepare > 0) {
      text += "blind pairs in prepare, " + part.layout +
              " layout (quantisation lists lie as in the model file in every layout):\n" +
              PairsText(part.report.prepare_blind_pairs, in_prepare);
    }
  }
  return text;
}

std::string NotExactText(const CheckResult& result) {
  std::string text;
  std::set<std::string> instruments;
  for (const CheckPart& part : result.parts) {
    if (part.report.not_exact.empty() || !instruments.insert(std::string(part.instrument->name)).second) continue;
    const auto count = static_cast<long long>(part.report.not_exact.size());
    text += std::string(part.instrument->name) + " cannot decide to the byte around " + Counted(count, "operand") +
            (part.instrument->name == "guard"
                 ? ", which do not fill the alignment that they need; it sees writes to what is left, and reads that "
                   "influence a result:\n"
                 : ", which start or end inside one of its granules of 8 bytes; there only shadow is exact:\n");
    std::size_t shown = 0;
    for (const NotExactOperand& operand : part.report.not_exact) {
      if (shown++ == kMostLinesOfDetail) {
        text += "  ... and " + std::to_string(count - static_cast<long long>(kMostLinesOfDetail)) + " more\n";
        break;
      }
      text += "  " + OperatorTitle(operand.subgraph, operand.operator_index, operand.operator_name) + ": " +
              operand.kind + " " + std::to_string(operand.index) + " \"" + Printable(operand.name) + "\", blind for " +
              std::to_string(operand.blind_before_bytes) + " before and " + Counted(operand.blind_after_bytes, "byte") +
              " after\n";
    }
  }
  return text;
}

std::string LimitsText(const CheckResult& result) {
  std::string text;
  std::set<std::string> limits;
  for (const CheckPart& part : result.parts) {
    if (!part.report.self_test) continue;
    for (const std::string& limit : part.report.self_test->limits) {
      if (!limits.insert(std::string(part.instrument->name) + limit).second) continue;
      text += std::string(part.instrument->name) + " cannot see: " + Printable(limit) + "\n";
    }
  }
  return text;
}

// What the limit is that a capped instrument met.
std::string CapsText(const CheckResult& result) {
  std::string text;
  std::set<std::string_view> named;
  for (const CheckPart& part : result.parts) {
    if (!part.report.capped || !named.insert(part.instrument->name).second) continue;
    text += std::string(part.instrument->name) + " is capped: it ";
    if (part.instrument->name == "asan") {
      text += "checks until " + std::to_string(AsanInstrument::kMaxReportsOfARun) +
              " accesses without right in one run of an operator, " + std::to_string(AsanInstrument::kMaxReports) +
              " in all\n";
    } else if (part.instrument->name == "guard") {
      text += "sees, while an operator runs, the first access without right to each page around an operand\n";
    } else {
      text += "lists the first " + std::to_string(ViolationLog::kMaxGroups) + " groups of accesses without right\n";
    }
  }
  return text;
}

std::string UnseenOperatorsText(const CheckResult& result) {
  std::string text;
  for (const CheckPart& part : result.parts) {
    if (part.instrument->name == "none") continue;
    std::size_t unseen = 0;
    for (const OperatorSeen& one : part.report.operators) {
      if (one.seen || ++unseen > kMostLinesOfDetail) continue;
      const std::string title = OperatorTitle(one.subgraph, one.index, one.name) + ", kernel " + Printable(one.kernel);
      text += PartName(part);
      if (one.invokes_seen > 0) {
        text += " saw " + std::to_string(one.invokes_seen) + " of " + Counted(one.invokes, "invoke") + " of " + title;
      } else {
        text += " did not see " + title + (one.invokes == 0 ? ", which was not invoked" : "");
      }
      text += "\n";
    }
    if (unseen > kMostLinesOfDetail) text += "  ... and " + std::to_string(unseen - kMostLinesOfDetail) + " more\n";
  }
  return text;
}

std::string CodeScansText(const CheckResult& result) {
  std::string text;
  for (const CodeScan& scan : result.code_scans) {
    for (const std::string& line : CodeScanLines(scan)) text += PrintableSentence(line) + "\n";
  }
  return text;
}

}  // namespace

std::string BlindText(const CheckResult& result) {
  const std::string text = CodeScansText(result) + BlindPairsText(result) + NotExactText(result) + LimitsText(result) +
                           CapsText(result) + UnseenOperatorsText(result);
  return text.empty() ? text : text + "\n";
}

}  // namespace arenaproof
