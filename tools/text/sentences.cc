#include "tools/text/sentences.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>

#include "core/model/builtin_operator.h"
#include "core/model/tensor_type.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/kernel_refusals.h"
#include "tools/text/singular.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

struct Meaning {
  StatusCode code;
  std::string_view name;
  std::string_view text;
};

constexpr Meaning kMeanings[] = {
#define ARENAPROOF_STATUS(code, meaning) {StatusCode::code, #code, meaning},
#include "core/base/status_codes.inc"
#undef ARENAPROOF_STATUS
};

struct NamedSentence {
  std::string_view name;
  std::string_view text;
};

constexpr NamedSentence kSentences[] = {
#define ARENAPROOF_SENTENCE(code, sentence) {#code, sentence},
#include "tools/text/sentence_table.inc"
#undef ARENAPROOF_SENTENCE
};

const Meaning* FindMeaning(StatusCode code) {
  for (const Meaning& entry : kMeanings) {
    if (entry.code == code) return &entry;
  }
  return nullptr;
}

std::string Printed(const char* format, auto number) {
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, number);
  return buffer.data();
}

std::string OperandText(std::uint64_t number) {
  if (number >= kFirstOutputOperand) return "output " + std::to_string(number - kFirstOutputOperand);
  return "input " + std::to_string(number);
}

std::string StateText(std::uint64_t number) {
  constexpr std::string_view kNames[] = {"init", "prepare", "memory planning", "allocated", "failed"};
  return number < std::size(kNames) ? std::string(kNames[number]) : "state " + std::to_string(number);
}

std::string CharactersText(std::uint64_t number) {
  std::string text;
  for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(number >> shift);
  return "'" + Printable(text) + "'";
}

// Up to eight characters, the first in the lowest byte; zeros at the end are left out.
std::string NameText(std::uint64_t number) {
  std::string text;
  for (; number != 0; number >>= 8) text += static_cast<char>(number & 0xFF);
  return Printable(text);
}

std::optional<std::string> Formatted(std::string_view kind, std::uint64_t number) {
  if (kind.empty()) return std::to_string(number);
  if (kind == "signed") return std::to_string(static_cast<std::int64_t>(number));
  if (kind == "signed32") return std::to_string(static_cast<std::int32_t>(number));
  if (kind == "hex") return Printed("0x%llx", static_cast<unsigned long long>(number));
  if (kind == "double") return Printed("%.9g", std::bit_cast<double>(number));
  if (kind == "type") {
    const auto value = static_cast<std::int64_t>(number);
    if (value < 0 || value > 127) return "unknown type " + std::to_string(value);
    const std::string name = TensorTypeName(static_cast<TensorType>(value));
    return name == "unknown type" ? name + " " + std::to_string(value) : name;
  }
  if (kind == "operator") {
    const auto code = static_cast<BuiltinOperator>(static_cast<std::int32_t>(number));
    if (!IsKnownBuiltinOperator(code)) return "operator " + std::to_string(static_cast<std::int64_t>(number));
    return BuiltinOperatorName(code);
  }
  if (kind == "operand") return OperandText(number);
  if (kind == "state") return StateText(number);
  if (kind == "characters") return CharactersText(number);
  if (kind == "place") {
    return "tensor " + std::to_string(number & 0xFFFFFFFF) + " of subgraph " + std::to_string(number >> 32);
  }
  if (kind == "range") {
    return "the " + Counted(static_cast<long long>(number & 0xFFFFFFFF), "byte") + " from offset " +
           std::to_string(number >> 32);
  }
  if (kind == "name") return NameText(number);
  if (kind == "option") return KernelOptionName(static_cast<KernelOption>(number));
  if (kind == "feature") return KernelFeatureName(static_cast<KernelFeature>(number));
  return std::nullopt;
}

// Replaces each placeholder; nothing when one of them is malformed.
std::optional<std::string> Filled(std::string_view text, const Status& status) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos || close < open + 2) return std::nullopt;
    const std::string_view inner = text.substr(open + 1, close - open - 1);
    const auto index = static_cast<std::size_t>(inner[0] - '0');
    if (index >= status.detail.size()) return std::nullopt;
    if (inner.size() > 1 && (inner[1] != ':' || inner.size() == 2)) return std::nullopt;
    const auto piece = Formatted(inner.size() > 1 ? inner.substr(2) : std::string_view{}, status.detail[index]);
    if (!piece) return std::nullopt;
    result += *piece;
    text.remove_prefix(close + 1);
    if (*piece == "1") AppendAfterOne(text, result);
  }
  return result;
}

}  // namespace

std::string_view StatusName(StatusCode code) {
  const Meaning* entry = FindMeaning(code);
  return entry != nullptr ? entry->name : "unknown status";
}

std::string_view SentenceTemplate(StatusCode code) {
  const std::string_view name = StatusName(code);
  for (const NamedSentence& entry : kSentences) {
    if (entry.name == name) return entry.text;
  }
  return {};
}

std::vector<std::string_view> SentencesWithoutCode() {
  std::vector<std::string_view> names;
  for (const NamedSentence& sentence : kSentences) {
    bool known = false;
    for (const Meaning& meaning : kMeanings) known = known || meaning.name == sentence.name;
    if (!known) names.push_back(sentence.name);
  }
  return names;
}

std::string Sentence(const Status& status) {
  if (const auto filled = Filled(SentenceTemplate(status.code), status); filled && !filled->empty()) return *filled;
  const Meaning* entry = FindMeaning(status.code);
  std::string text{StatusName(status.code)};
  if (entry != nullptr) text += ": " + std::string(entry->text);
  text += " (numbers:";
  for (const std::uint64_t number : status.detail) text += " " + std::to_string(static_cast<std::int64_t>(number));
  return text + ")";
}

bool IsValidTemplate(std::string_view text) { return !text.empty() && Filled(text, Status{}).has_value(); }

}  // namespace arenaproof
