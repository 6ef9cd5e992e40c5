#include "tools/text/json_text.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "tools/text/names.h"
#include "tools/text/version.h"

namespace arenaproof {
namespace {

// The keys are this program's own.
template <typename Json>
void MakePrintable(Json& value) {
  if (value.is_string()) {
    auto& text = value.template get_ref<std::string&>();
    text = PrintableSentence(text);
  } else if (value.is_structured()) {
    for (Json& element : value) MakePrintable(element);
  }
}

template <typename Json>
std::string Dumped(Json value, int indent) {
  MakePrintable(value);
  return value.dump(indent);
}

}  // namespace

std::string JsonReport(OrderedJson report) {
  OrderedJson whole = {{"command", nullptr}, {"format_version", kFormatVersion}, {"tool_version", kVersion}};
  for (auto& [name, value] : report.items()) whole[name] = std::move(value);
  return JsonText(std::move(whole));
}

std::string JsonText(OrderedJson value) { return Dumped(std::move(value), 2) + "\n"; }

std::string JsonLine(OrderedJson value) { return Dumped(std::move(value), -1); }

std::string JsonLine(nlohmann::json value) { return Dumped(std::move(value), -1); }

nlohmann::json NumbersJson(const std::vector<ElementValue>& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const ElementValue& value : values) {
    std::visit([&](auto number) { list.push_back(number); }, value);
  }
  return list;
}

}  // namespace arenaproof
