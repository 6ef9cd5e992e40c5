// The table of resource variables by itself: keys, values and their memory, what a reset fills, what is left when it is
// emptied.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/runtime/storage/resource_variables.h"
#include "work_log_support.h"

namespace arenaproof::testing {
namespace {

class ResourceTable : public ::testing::Test {
 protected:
  std::int32_t Add(const char* name, const char* container = "c") {
    std::int32_t id = -1;
    EXPECT_EQ(variables_.FindOrAdd(container, name, &id), Ok());
    return id;
  }
  void Give(std::int32_t id, std::size_t from, std::size_t bytes, std::uint8_t fill) {
    ResourceVariable* variable = nullptr;
    ASSERT_EQ(variables_.Find(id, &variable), Ok());
    variable->data = memory_.data() + from;
    variable->bytes = bytes;
    variable->fill = fill;
  }
  Status ValueStatus(std::int32_t id, std::size_t bytes) {
    std::span<std::byte> value;
    return variables_.Value(id, bytes, &value);
  }

  std::array<ResourceVariable, 3> table_;
  std::array<std::byte, 64> memory_{};
  ResourceVariables variables_{table_};
};

TEST_F(ResourceTable, HasOneVariableForEachKey) {
  EXPECT_EQ(variables_.capacity(), 3U);
  EXPECT_EQ(Add("v"), 0);
  EXPECT_EQ(Add("v", "d"), 1);
  EXPECT_EQ(Add("w"), 2);
  EXPECT_EQ(Add("v", "d"), 1);
  EXPECT_EQ(Add("v"), 0);
  std::int32_t id = 77;
  EXPECT_EQ(variables_.FindOrAdd("d", "w", &id), Failure(StatusCode::kResourceTableFull, 3));
  EXPECT_EQ(variables_.FindOrAdd(nullptr, "v", &id), Failure(StatusCode::kResourceKeyMissing, 0));
  EXPECT_EQ(variables_.FindOrAdd("c", nullptr, &id), Failure(StatusCode::kResourceKeyMissing, 1));
  EXPECT_EQ(id, 77) << "a refusal names none";
  EXPECT_EQ(variables_.count(), 3U);
}

TEST_F(ResourceTable, HasValuesOfExactlyTheirBytes) {
  Add("v");
  Add("w");
  Give(1, 8, 12, 0);
  EXPECT_EQ(ValueStatus(0, 12), Failure(StatusCode::kResourceEmpty, 0));
  EXPECT_EQ(ValueStatus(1, 11), Failure(StatusCode::kResourceBytes, 1, 11, 12));
  EXPECT_EQ(ValueStatus(1, 13), Failure(StatusCode::kResourceBytes, 1, 13, 12));
  EXPECT_EQ(ValueStatus(2, 12), Failure(StatusCode::kResourceIndex, 2, 2));
  EXPECT_EQ(ValueStatus(-1, 12), Failure(StatusCode::kResourceIndex, -1, 2));
  std::span<std::byte> value;
  ASSERT_EQ(variables_.Value(1, 12, &value), Ok());
  EXPECT_EQ(value.data(), memory_.data() + 8);
  EXPECT_EQ(value.size(), 12U);
  EXPECT_EQ(variables_.value_bytes(), 12U);
}

// One that has no memory yet stands between two that have.
TEST_F(ResourceTable, IsResetValueByValue) {
  for (const char* name : {"u", "v", "w"}) Add(name);
  Give(0, 0, 5, 0x11);
  Give(2, 16, 7, 0xf9);
  EXPECT_EQ(variables_.value_bytes(), 12U);
  memory_.fill(std::byte{0x77});
  WorkLog log;
  variables_.Reset(&log);
  ASSERT_EQ(log.works.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const OperandRange& filled = log.works[i].operands.at(0);
    EXPECT_EQ(filled.data, memory_.data() + 16 * i);
    EXPECT_EQ(filled.bytes, i == 0 ? 5U : 7U);
    EXPECT_EQ(filled.index, i == 0 ? 0 : 2);
  }
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const std::byte expected{i < 5 ? std::uint8_t{0x11} : i >= 16 && i < 23 ? std::uint8_t{0xf9} : std::uint8_t{0x77}};
    EXPECT_EQ(memory_[i], expected) << i;
  }
  memory_.fill(std::byte{0});
  variables_.Reset(nullptr);
  EXPECT_EQ(std::ranges::count(memory_, std::byte{0x11}), 5) << "the same when nobody watches";
}

// Memory of before may be gone: who comes next has none.
TEST_F(ResourceTable, KeepsNothingWhenItIsEmptied) {
  Add("v");
  Give(0, 0, 16, 9);
  variables_.Clear();
  EXPECT_EQ(variables_.count(), 0U);
  EXPECT_EQ(variables_.value_bytes(), 0U);
  EXPECT_EQ(ValueStatus(0, 16).code, StatusCode::kResourceIndex);
  EXPECT_EQ(Add("w"), 0);
  EXPECT_EQ(ValueStatus(0, 16), Failure(StatusCode::kResourceEmpty, 0));
  ResourceVariable* variable = nullptr;
  ASSERT_EQ(variables_.Find(0, &variable), Ok());
  EXPECT_EQ(variable->data, nullptr);
  EXPECT_EQ(variable->bytes, 0U);
  EXPECT_EQ(variable->fill, 0U);
  EXPECT_STREQ(variable->shared_name, "w");
}

}  // namespace
}  // namespace arenaproof::testing
