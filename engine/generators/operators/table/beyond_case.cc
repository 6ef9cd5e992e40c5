#include "engine/generators/operators/table/beyond_case.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/table/break_rule.h"
#include "engine/generators/operators/table/table_case.h"
#include "kernels/kernel_refusals.h"

namespace arenaproof {
namespace {

// Optional operands, types and repetitions decide which rules a case has.
constexpr int kBreakAttempts = 60;

std::uint64_t MissingOptions() { return static_cast<std::uint64_t>(KernelFeature::kMissingOptions); }

// None, or another operator's.
OperatorOptions OptionsOfNoUse(CaseRandom& random, BuiltinOperator code) {
  if (random.OneIn(2)) return std::monostate{};
  if (code == BuiltinOperator::kAdd) return MulOptions{};
  return AddOptions{};
}

std::optional<props::Refusal> BreakRule(const BreakDraw& draw, OperatorCase& made) {
  switch (draw.broken.kind) {
    case Breakage::kOptionBelow:
    case Breakage::kOptionAbove:
      return BreakOption(draw, made);
    case Breakage::kOptionsMissing:
      made.options = OptionsOfNoUse(draw.random, made.code);
      return props::Refusal{"missing options", {StatusCode::kKernelUnsupported}, MissingOptions()};
    case Breakage::kQuantizationMissing:
    case Breakage::kNoScale:
    case Breakage::kScaleCount:
    case Breakage::kZeroPoint:
    case Breakage::kScale:
      return BreakQuantization(draw, made);
    case Breakage::kValue:
      return BreakValue(draw, made);
    case Breakage::kRowTooLong:
      return LengthenRow(draw, made);
    case Breakage::kLimitInWords:
      return ExceedLimitInWords(draw, made);
    default:
      return BreakOperand(draw, made);
  }
}

std::string WhereBroken(const OperatorRow& row, const RuleBreak& broken) {
  switch (broken.kind) {
    case Breakage::kOptionsMissing:
    case Breakage::kRowTooLong:
    case Breakage::kLimitInWords:
      return "";
    case Breakage::kOptionBelow:
    case Breakage::kOptionAbove:
      return std::string(": ") + row.options[broken.place].name;
    default:
      return std::string(": ") + BrokenOperandRow(row, broken.place).name;
  }
}

const char* BreakageName(Breakage kind) {
  constexpr const char* kNames[] = {"a type",
                                    "an operand left out",
                                    "too few inputs",
                                    "too many operands",
                                    "an operand that must not be there",
                                    "a rank above",
                                    "a rank below",
                                    "a computed operand",
                                    "an operand that is no variable",
                                    "an option below",
                                    "an option above",
                                    "missing options",
                                    "a missing quantisation",
                                    "no scale",
                                    "a scale too many",
                                    "a zero point",
                                    "a scale",
                                    "an extent",
                                    "a row that is too long",
                                    "a limit in words",
                                    "a value"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Breakage::kValue) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

void AddOperandBreaks(const OperatorRow& row, std::size_t place, std::vector<RuleBreak>& breaks) {
  const OperandRow& operand = BrokenOperandRow(row, place);
  if (operand.presence == Presence::kForbidden) {
    breaks.push_back({Breakage::kForbidden, place});
    return;
  }
  if (operand.presence != Presence::kOptional) breaks.push_back({Breakage::kOmitted, place});
  if (!operand.read) return;
  breaks.push_back({Breakage::kType, place});
  if (operand.most_rank < kMaxOperandRank) breaks.push_back({Breakage::kRankAbove, place});
  if (operand.least_rank > 0) breaks.push_back({Breakage::kRankBelow, place});
  if (operand.source == Source::kConstant) breaks.push_back({Breakage::kComputed, place});
  if (operand.source == Source::kVariable) breaks.push_back({Breakage::kNotVariable, place});
  if (HasValueRule(row, place)) breaks.push_back({Breakage::kValue, place});
  for (const Breakage kind : {Breakage::kQuantizationMissing, Breakage::kNoScale, Breakage::kScaleCount,
                              Breakage::kZeroPoint, Breakage::kScale}) {
    if (HasQuantizationRule(row, place, kind)) breaks.push_back({kind, place});
  }
}

}  // namespace

std::vector<RuleBreak> RuleBreaksOf(const OperatorRow& row) {
  std::vector<RuleBreak> breaks;
  for (std::size_t input = 0; input < row.inputs.size(); ++input) {
    AddOperandBreaks(row, input, breaks);
    const Presence presence = row.inputs[input].presence;
    const bool required = presence == Presence::kRequired || presence == Presence::kRepeated;
    if (required) breaks.push_back({Breakage::kTooFew, input});
  }
  const bool takes_more =
      row.inputs.empty() || (row.more_repeated && row.inputs.back().presence == Presence::kRepeated);
  if (!takes_more) breaks.push_back({Breakage::kTooMany, 0});
  for (std::size_t output = 0; output < row.outputs.size(); ++output) {
    AddOperandBreaks(row, kFirstOutputOperand + output, breaks);
    breaks.push_back({Breakage::kOutputExtent, kFirstOutputOperand + output});
  }
  if (!row.outputs.empty() && row.outputs.back().presence != Presence::kRepeated) {
    breaks.push_back({Breakage::kTooMany, kFirstOutputOperand});
  }
  for (std::size_t option = 0; option < row.options.size(); ++option) {
    for (const Breakage kind : {Breakage::kOptionBelow, Breakage::kOptionAbove}) {
      if (HasOptionRule(row, {kind, option})) breaks.push_back({kind, option});
    }
  }
  for (std::size_t i = 0; i < row.longest_rows.size(); ++i) breaks.push_back({Breakage::kRowTooLong, i});
  if (HasLimitInWords(row)) breaks.push_back({Breakage::kLimitInWords, 0});
  const auto is_read = [](const OptionRow& option) { return option.read; };
  if (std::any_of(row.options.begin(), row.options.end(), is_read)) breaks.push_back({Breakage::kOptionsMissing, 0});
  return breaks;
}

std::string BreakName(const OperatorRow& row, const RuleBreak& broken) {
  return std::string(BuiltinOperatorName(row.code)) + ", " + BreakageName(broken.kind) + WhereBroken(row, broken);
}

std::optional<BeyondCase> MakeBeyondCase(CaseRandom& random, const OperatorRow& row, const RuleBreak& broken) {
  for (int attempt = 0; attempt < kBreakAttempts; ++attempt) {
    BeyondCase made{.subject = MakeTableCase(random, row).subject, .refusal = {}, .where = WhereBroken(row, broken)};
    std::optional<props::Refusal> refusal = BreakRule({random, row, broken}, made.subject);
    if (!refusal) continue;
    made.refusal = std::move(*refusal);
    // What a file does not have may read as zeros.
    made.in_a_file = broken.kind != Breakage::kOptionsMissing || made.subject.options.index() != 0;
    return made;
  }
  return std::nullopt;
}

}  // namespace arenaproof
