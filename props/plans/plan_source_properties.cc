// A plan that people wrote: of a C source the numbers between its braces count, whatever stands in comments; of JSON
// the numbers of 64 bits. One number written in a way that is not that format's is refused.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/planner/plan_json.h"
#include "tools/planner/precomputed_file.h"

namespace arenaproof::testing {
namespace {

std::int64_t DrawOffset(std::int64_t most) {
  switch (Below(6)) {
    case 0:
      return 0;
    case 1:
      return most - Below<std::int64_t>(3);
    default:
      return 16 * Below<std::int64_t>(1000);
  }
}

// What C takes for white space, with numbers, ends and beginnings in it that are none.
std::string DrawSpace() {
  constexpr std::array kSpaces = {"",          " ",         "\t",          "\n",       "\r\n",
                                  "/* 64, */", "/**/",      "/*/ 7, /*/",  "/* // */", "/***/ ",
                                  "// 5, }\n", "// */ 6\n", "\n#line 3\n", "/*\n*/"};
  std::string text;
  for (int left = OneIn(2) ? 0 : 1 + Below(3); left > 0; --left) text += kSpaces[Below(kSpaces.size())];
  return text;
}

struct DrawnSource {
  std::string text;
  std::vector<std::size_t> lines;  // of the numbers, from 1
};

DrawnSource DrawSource(const std::vector<std::string>& numbers, const std::string& type) {
  std::vector<std::string> tokens;
  if (OneIn(2)) tokens.emplace_back("static ");
  if (!OneIn(4)) tokens.emplace_back("const ");
  tokens.push_back(type + " ");
  tokens.emplace_back("plan");
  tokens.emplace_back("[");
  if (OneIn(2)) tokens.push_back(std::to_string(numbers.size()));
  for (const char* token : {"]", "=", "{"}) tokens.emplace_back(token);
  std::size_t next = tokens.size();  // of the numbers
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    tokens.push_back(numbers[i]);
    if (i + 1 < numbers.size() || OneIn(2)) tokens.emplace_back(",");
  }
  tokens.emplace_back("}");
  tokens.emplace_back(";");
  DrawnSource source{OneIn(4) ? "\xef\xbb\xbf" : "", {}};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    source.text += DrawSpace();
    if (i == next && source.lines.size() < numbers.size()) {
      source.lines.push_back(1 + static_cast<std::size_t>(std::ranges::count(source.text, '\n')));
      next += 2;
    }
    source.text += tokens[i];
  }
  source.text += DrawSpace();
  return source;
}

RC_GTEST_PROP(PlanSources, AreTheNumbersBetweenTheBraces, ()) {
  const bool wide = OneIn(2);
  const std::int64_t most =
      wide ? std::numeric_limits<std::int64_t>::max() : std::int64_t{std::numeric_limits<std::int32_t>::max()};
  std::vector<std::int64_t> offsets;
  std::vector<std::string> numbers;
  for (std::size_t left = 1 + Below<std::size_t>(6); left > 0; --left) {
    offsets.push_back(DrawOffset(most));
    numbers.push_back(std::to_string(offsets.back()));
  }
  const bool spoilt = OneIn(2);
  const std::size_t which = Below(numbers.size());
  if (spoilt) {
    constexpr std::array kBefore = {"0", "00", "-", "+", "0x", "1 ", "a"};
    constexpr std::array kBehind = {"u", ".0", "L", " 2", "e1", "'0"};
    std::string& number = numbers[which];
    number = OneIn(2) ? kBefore[Below(kBefore.size())] + number : number + kBehind[Below(kBehind.size())];
  }
  const DrawnSource source = DrawSource(numbers, wide ? "int64_t" : "int32_t");
  const PrecomputedPlan plan = ReadPrecomputedSource(source.text);
  RC_LOG() << source.text << "\n" << plan.refusal << "\n";
  Require(plan.ok() != spoilt, spoilt ? "a number that is not decimal is refused" : "a C source is read");
  if (spoilt) {
    const std::string line = "line " + std::to_string(source.lines[which]) + " ";
    Require(plan.refusal.starts_with(line), "a refusal names the line of what is refused, " + line);
    return;
  }
  Require(plan.offsets == offsets, "a C source says what stands between its braces");
}

RC_GTEST_PROP(PlanJson, HasNumbersOf64Bits, ()) {
  constexpr std::array kFields = {"offset", "bytes", "lower", "upper", "alignment"};
  constexpr std::array kNone = {
      "64.5", "64.0", "6.4e1", "1e400", "9223372036854775808", "-9223372036854775809", "\"64\"",
      "true", "null", "[64]",  "{}",    "18446744073709551616"};
  const std::size_t count = 1 + Below<std::size_t>(4);
  const bool spoilt = OneIn(2);
  const std::size_t where = Below(count), which = Below(kFields.size());
  std::vector<std::int64_t> offsets;
  std::string text = R"({"planner":"any","buffers":[)";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "{\"id\":\"b" : ",{\"id\":\"b") + std::to_string(i) + "\"";
    for (std::size_t f = 0; f < kFields.size(); ++f) {
      const std::int64_t number = DrawOffset(std::numeric_limits<std::int64_t>::max());
      if (f == 0) offsets.push_back(number);
      text += std::string(",\"") + kFields[f] +
              "\":" + (spoilt && i == where && f == which ? kNone[Below(kNone.size())] : std::to_string(number));
    }
    text += "}";
  }
  text += "]}";
  const ProblemCsv plan = ReadPlanJson(text);
  RC_LOG() << text << "\n" << plan.refusal << "\n";
  Require(plan.ok() != spoilt, spoilt ? "what is no number of 64 bits is refused" : "a plan in JSON is read");
  if (spoilt) return;
  for (std::size_t i = 0; i < count; ++i) Require(plan.offsets[i] == offsets[i], "it says what was written");
}

}  // namespace
}  // namespace arenaproof::testing
