#include "tools/command/option_words.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <system_error>

#include "tools/text/names.h"

namespace arenaproof {
namespace {

// "a, b" from the library's "a,b".
std::string Choices(std::string_view set) {
  std::string text;
  while (!set.empty()) {
    const std::size_t end = std::min(set.find(','), set.size());
    text += (text.empty() ? "" : ", ") + std::string(set.substr(0, end));
    set.remove_prefix(std::min(end + 1, set.size()));
  }
  return text;
}

// What stands between the first `open` after `from` and the last `close`; empty when there is nothing.
std::string_view Between(std::string_view text, std::size_t from, char open, char close) {
  const std::size_t first = text.find(open, from), last = text.rfind(close);
  if (first == std::string_view::npos || last == std::string_view::npos || last < first) return {};
  return text.substr(first + 1, last - first - 1);
}

// What is wrong with the words, where the library's own sentence is hard to read.
std::string Problem(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view kTooOften = ": At Most 1 required but received ";
  if (const auto place = text.find(kTooOften); place != std::string::npos) {
    return text.substr(0, place) + " is given " + text.substr(place + kTooOften.size()) + " times; once is right";
  }
  constexpr std::string_view kNoValue = ": 1 required ";
  if (const auto place = text.find(kNoValue); place != std::string::npos && text.ends_with(" missing")) {
    const std::string_view choices = Between(text, place, '{', '}'), range = Between(text, place, '[', ']');
    std::string problem = text.substr(0, place) + " is given no value";
    if (!choices.empty()) problem += "; it has to be one of " + Choices(choices);
    if (!range.empty()) problem += "; it has to be a decimal number from " + std::string(range);
    return problem;
  }
  constexpr std::string_view kNotInSet = " not in {";
  if (const auto place = text.find(kNotInSet); place != std::string::npos && text.ends_with("}")) {
    const std::size_t word = text.find(": ") + 2;
    return text.substr(0, word) + "'" + text.substr(word, place - word) + "' is none of " +
           Choices(Between(text, place, '{', '}'));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return "not expected: " + text.substr(std::min(text.find(": ") + 2, text.size()));
  }
  if (text == "A subcommand is required") return "no command is given";
  return text;
}

}  // namespace

CLI::Validator Decimal(std::uint64_t least, std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return {[=](std::string& word) -> std::string {
            if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) {
              return "'" + word + "' is not a whole decimal number; it has to be one from " + range;
            }
            if (word.size() > 1 && word[0] == '0') return "'" + word + "' starts with 0; numbers are decimal";
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
            if (error == std::errc() && number >= least && number <= most) return {};
            return word + " is not in the range from " + range;
          },
          "in [" + range + "]", "decimal"};
}

CLI::Validator Bytes(std::uint64_t least, std::uint64_t most) {
  const CLI::Validator decimal = Decimal(least, most);
  return {[=](std::string& word) -> std::string {
            if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) return decimal(word);
            constexpr std::string_view kUnits = "KMG";
            const std::size_t unit = word.empty() ? std::string_view::npos : kUnits.find(word.back());
            const std::string digits = unit == std::string_view::npos ? "" : word.substr(0, word.size() - 1);
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            const bool is_number = error == std::errc() && end == digits.data() + digits.size();
            // What is no number, or one too many, is named as it was written.
            const std::size_t shift = is_number ? 10 * (unit + 1) : 0;
            if (!is_number || (digits.size() > 1 && digits[0] == '0') || number > most >> shift) {
              return "'" + word + "' is no size from " + std::to_string(least) + " to " + std::to_string(most) +
                     " bytes, such as 4096, 64K or 1M";
            }
            const std::string product = std::to_string(number << shift);
            const std::string problem = decimal(product);
            if (problem.empty()) word = product;
            return problem;
          },
          decimal.get_description(), "bytes"};
}

ExitStatus AnswerOf(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);  // help or version, on standard output
    std::cout.flush();
    if (!std::cout) std::cerr << app.get_name() << ": " << kReportNotTaken << "\n";
    return std::cout ? ExitStatus::kClean : ExitStatus::kCouldNotRun;
  }
  std::cerr << app.get_name() << ": " << Printable(Problem(error)) << "; --help shows what is possible\n";
  return ExitStatus::kCouldNotRun;
}

std::size_t WordsToParse(std::span<const char* const> words) {
  for (std::size_t i = 0; i < words.size() && words[i] != std::string_view("--"); ++i) {
    const std::string_view word = words[i];
    if (word.starts_with("--") && word.find('=') + 1 == word.size()) return i + 1;
  }
  return words.size();
}

CLI::Validator NamesAFolder() {
  return {[](const std::string& word) -> std::string {
            return word.empty() ? "'' names no folder; '.' is the one that the command runs in" : std::string();
          },
          ""};
}

CLI::Validator Amount() {
  return {[](const std::string& word) -> std::string {
            // std::from_chars of libc++ 19 knows no double.
            const bool has_its_characters = word.find_first_not_of("0123456789.eE+-") == std::string::npos;
            char* end = nullptr;
            errno = 0;
            const double number = std::strtod(word.c_str(), &end);
            const bool is_in_range = std::isfinite(number) && !(errno == ERANGE && number == 0);
            if (has_its_characters && !word.empty() && word[0] != '+' && *end == 0 && is_in_range &&
                !std::signbit(number)) {
              return {};
            }
            return "'" + word + "' is not a decimal number that is not negative, such as 1 or 0.5";
          },
          "", "amount"};
}

CLI::Validator NamesAFile() {
  return {[](const std::string& word) -> std::string { return word.empty() ? "'' names no file" : std::string(); }, ""};
}

std::string FlagWithValue(std::span<const char* const> words, std::span<const std::string> flags) {
  for (const std::string_view word : words) {
    if (word == "--") break;
    for (const std::string& flag : flags) {
      if (word.starts_with(flag) && word.substr(flag.size()).starts_with('=')) return flag;
    }
  }
  return {};
}

}  // namespace arenaproof
