#include "tools/text/json_text.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace arenaproof {
namespace {

TEST(JsonReport, HoldsNamesAsTextDoes) {
  const OrderedJson json = {{"name",
                             "gr\xf6\xdf"
                             "e\x1b"},
                            {"list", {"größe", {{"deep", "\u202E"}}}}};
  const std::string text = JsonReport(json);
  const OrderedJson read = OrderedJson::parse(text);
  EXPECT_EQ(read.at("name"), "gr\\xf6\\xdfe\\x1b");
  EXPECT_EQ(read.at("list")[1].at("deep"), "\\xe2\\x80\\xae");
  EXPECT_NE(text.find("größe"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(JsonLine, IsOneLine) { EXPECT_EQ(JsonLine(OrderedJson{{"a", "x\ny"}}), "{\"a\":\"x\\\\x0ay\"}"); }

template <typename Element>
TensorValue TensorValueOf(const char* type, const std::vector<Element>& elements) {
  TensorValue value;
  value.type = type;
  value.bytes.resize(elements.size() * sizeof(Element));
  std::memcpy(value.bytes.data(), elements.data(), value.bytes.size());
  return value;
}

TEST(NumbersJson, KeepsIntegersIntegers) {
  EXPECT_EQ(NumbersJson(FirstValues(TensorValueOf<std::int8_t>("INT8", {81, -128}), 8)).dump(), "[81,-128]");
  EXPECT_EQ(NumbersJson(FirstValues(TensorValueOf<std::uint8_t>("UINT8", {255}), 8)).dump(), "[255]");
  EXPECT_EQ(NumbersJson(FirstValues(TensorValueOf<std::int64_t>("INT64", {9007199254740993}), 8)).dump(),
            "[9007199254740993]");
  EXPECT_EQ(NumbersJson(FirstValues(TensorValueOf<float>("FLOAT32", {0.5F, std::numeric_limits<float>::infinity()}), 8))
                .dump(),
            "[0.5,null]");
}

TEST(NumberText, ShowsEveryDigitOfAnInteger) {
  EXPECT_EQ(NumberText(std::int64_t{-2147483647}), "-2147483647");
  EXPECT_EQ(NumberText(0.1), "0.1");
}

}  // namespace
}  // namespace arenaproof
