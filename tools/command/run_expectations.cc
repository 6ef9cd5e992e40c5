#include "tools/command/run_expectations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <variant>

#include "tools/text/extents_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// Of two values of one type; the distance between integers is exact up to 2^53.
double DifferenceOf(const ElementValue& one, const ElementValue& other) {
  if (const auto* real = std::get_if<double>(&one)) {
    const double distance = std::fabs(*real - std::get<double>(other));
    if (*real == std::get<double>(other)) return 0;  // infinities too
    return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
  }
  const auto wide = [](const ElementValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? __int128{*whole} : __int128{std::get<std::uint64_t>(value)};
  };
  const __int128 distance = wide(one) - wide(other);
  return static_cast<double>(distance < 0 ? -distance : distance);
}

// "[0, 5]": where an element of that number lies.
std::string PlaceText(const std::vector<std::int32_t>& shape, std::size_t element) {
  std::vector<std::size_t> place(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[i]);
    place[i] = element % extent;
    element /= extent;
  }
  return ExtentsText(place);
}

std::string RealText(double value) { return NumberText(ElementValue(value)); }

std::string ComparedText(const ComparedOutput& one, double tolerance) {
  const std::string name = "expected output " + std::to_string(one.output) + " \"" + Printable(one.name) + "\": ";
  const auto count = static_cast<long long>(one.element_count);
  if (one.different_count == 0) {
    const std::string how = tolerance == 0 ? "equal to the bit" : "equal but for " + RealText(tolerance);
    return name + Counted(count, "element") + ", " + how + "\n";
  }
  return name + std::to_string(one.different_count) + " of " + Counted(count, "element") + " " +
         (one.different_count == 1 ? "differs" : "differ") + ", by up to " + RealText(one.largest_difference) +
         (tolerance == 0 ? std::string() : " where " + RealText(tolerance) + " is allowed") + "; the first is " +
         PlaceText(one.shape, one.first_different) + ": " + NumberText(one.found) + ", expected " +
         NumberText(one.expected) + "\n";
}

}  // namespace

std::string WhyNotComparable(const std::string& type, std::size_t index, double tolerance) {
  if (tolerance == 0 || HasNumbers(type)) return {};
  return "--tolerance: differences of " + type + ", the type of output " + std::to_string(index) +
         ", are not supported; without it the output is compared to the bit";
}

ComparedOutput CompareOutput(const TensorValue& output, std::size_t index, const std::vector<std::byte>& expected,
                             double tolerance) {
  TensorValue other = output;
  other.bytes = expected;
  const std::size_t width = ElementWidth(output.type);
  ComparedOutput compared{.output = index, .name = output.name, .shape = output.shape};
  compared.element_count = output.bytes.size() / width;
  for (std::size_t i = 0; i < compared.element_count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * width), end = static_cast<std::ptrdiff_t>((i + 1) * width);
    if (std::equal(output.bytes.begin() + at, output.bytes.begin() + end, expected.begin() + at)) continue;
    const ElementValue found = ElementOf(output, i), wanted = ElementOf(other, i);
    const double difference = DifferenceOf(found, wanted);
    if (tolerance > 0 && difference <= tolerance) continue;
    if (compared.different_count++ == 0) {
      compared.first_different = i;
      compared.found = found;
      compared.expected = wanted;
    }
    compared.largest_difference = std::max(compared.largest_difference, difference);
  }
  return compared;
}

std::string ComparedOutputsText(const std::vector<ComparedOutput>& outputs, double tolerance) {
  std::string text;
  for (const ComparedOutput& output : outputs) text += ComparedText(output, tolerance);
  return text;
}

OrderedJson ComparedOutputsJson(const std::vector<ComparedOutput>& outputs, double tolerance) {
  OrderedJson list = OrderedJson::array();
  for (const ComparedOutput& one : outputs) {
    OrderedJson json = {{"output", one.output},
                        {"name", one.name},
                        {"tolerance", tolerance},
                        {"element_count", one.element_count},
                        {"different_count", one.different_count}};
    if (one.different_count > 0) {
      json["first_different"] = one.first_different;
      json["found_and_expected"] = NumbersJson({one.found, one.expected});
      if (std::isfinite(one.largest_difference)) json["largest_difference"] = one.largest_difference;
    }
    list.push_back(json);
  }
  return list;
}

}  // namespace arenaproof
