// The model whose operators make accesses, one each, and where everything lies in its arena.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/command/access_rows.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

inline constexpr std::int32_t kAccessArenaBytes = 56 * 1024;
// Operator 0 lays what others read, operator 1 holds memory.
inline constexpr std::int32_t kFirstAccessOperator = 2;

// Of everything but the scratch buffer.
AccessPlaces PlannedPlaces();

struct AccessTensor {
  std::string name;
  std::int32_t bytes = static_cast<std::int32_t>(kTensorBytes);
  std::int32_t offset = -1;      // from the head's start; -1: a constant
  unsigned char every_byte = 0;  // of a constant, which no other has
};

class AccessModel {
 public:
  explicit AccessModel(std::span<const AccessRow> rows);

  // As a file with a plan for all tensors; its path.
  std::string Write();

  const AccessTensor& tensor(std::int32_t index) const { return tensors_[static_cast<std::size_t>(index)]; }
  // The tensors of a row's operator: its input, then its outputs.
  std::span<const std::int32_t> operands(std::size_t row) const { return operands_[row]; }

 private:
  std::int32_t Add(const AccessTensor& tensor, std::uint32_t buffer = 0);
  // In front of one at this offset, and behind it.
  std::array<std::int32_t, 2> AddBeside(const std::string& name, std::int32_t offset);
  std::int32_t AddConstant(const std::string& name, unsigned char every_byte, bool aligned);
  void AddOperator(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs, const AccessWords& words = {});
  void AddRow(const AccessRow& row);
  std::int32_t& Base(BaseTensor tensor) { return bases_[static_cast<std::size_t>(tensor)]; }

  ModelBuilder builder_;
  SubgraphSpec& graph_;
  std::uint32_t code_;
  std::vector<AccessTensor> tensors_;
  std::array<std::int32_t, kBaseTensorCount> bases_{};
  std::vector<std::vector<std::int32_t>> operands_;
};

}  // namespace arenaproof::testing
