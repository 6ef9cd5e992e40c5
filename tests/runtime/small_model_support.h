// Small models for the runtime's tests: tensors and operators as plain values, made into a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/validated_model.h"

namespace arenaproof::testing {

struct SmallTensor {
  std::vector<std::int32_t> shape;
  TensorType type = TensorType::kInt8;
  std::vector<std::uint8_t> data = {};  // a constant's
  bool variable = false;
  std::vector<float> scales = {};
  std::vector<std::int64_t> zero_points = {};
};

struct SmallOperator {
  BuiltinOperator code;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> intermediates = {};
};

struct SmallSubgraph {
  std::vector<SmallTensor> tensors;
  std::vector<SmallOperator> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};

// A sound model file in memory; throws when validation refuses it.
class SmallModel {
 public:
  explicit SmallModel(const SmallSubgraph& main, const std::vector<std::string>& metadata_names = {},
                      int subgraph_count = 1);
  SmallModel(const SmallModel&) = delete;
  SmallModel& operator=(const SmallModel&) = delete;

  const ValidatedModel& view() const { return view_; }

  // The file's bytes become those of another subgraph, of the same length: what nobody may do to a validated model.
  void ChangeFileTo(const SmallSubgraph& main);

 private:
  std::vector<std::byte> file_;
  ValidatedModel view_;
};

// `length` ABS operators in a row; every tensor has `bytes` bytes of int8. Tensor i is the input of operator i.
SmallSubgraph Chain(int length, std::int32_t bytes);

}  // namespace arenaproof::testing
