// Models that the tests of this folder change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/model/validate.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

// x int8 [1,4] -> FULLY_CONNECTED(weights int8 [3,4], bias int32 [3]) -> h int8 [1,3] -> RELU -> y int8 [1,3].
struct SmallModel {
  static constexpr std::int32_t kX = 0, kWeights = 1, kBias = 2, kHidden = 3, kY = 4;
  ModelBuilder builder;

  SmallModel();
  SubgraphSpec& graph() { return builder.subgraphs.front(); }
  TensorSpec& tensor(std::int32_t index) { return graph().tensors[static_cast<std::size_t>(index)]; }
  OperatorSpec& fully_connected() { return graph().operators[0]; }
  OperatorSpec& relu() { return graph().operators[1]; }
};

// IF(condition, a, b) -> c with branch subgraphs 1 and 2 of one operator each: the public test model of that name.
ModelBuilder BuildIfModel();

struct Outcome {
  Status status;
  ValidationReport report;
};
// Opens and validates. The report's names point into the built file, which is gone: do not read them.
Outcome Validate(const std::vector<std::byte>& file, const OperatorSupport* support = nullptr);
Outcome Validate(const ModelBuilder& builder, const OperatorSupport* support = nullptr);

inline std::vector<std::int32_t> Listed(std::span<const std::int32_t> indices) {
  return {indices.begin(), indices.end()};
}

// The numbers a Status carries for a negative one.
constexpr std::uint64_t Negative(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// Code and numbers, for messages of failing tests.
std::string Text(const Status& status);

// The model is refused with exactly this status.
#define EXPECT_REFUSED(model, ...) EXPECT_EQ(Text(Validate(model).status), Text(Failure(__VA_ARGS__)))

}  // namespace arenaproof::testing
