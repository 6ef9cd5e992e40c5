// Operators that call subgraphs: a random valid IF, WHILE or CALL_ONCE, and the same with one rule broken that what is
// called has to keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/generators/operators/invalid_case.h"

namespace arenaproof::props {

// Tensors are lists of elements; what is passed is float32.
struct CalledSubgraph {
  std::vector<std::int32_t> input_counts;
  std::vector<std::int32_t> output_counts;
  bool is_condition = false;  // its outputs are of condition_type, and false
  TensorType condition_type = TensorType::kBool;
};

struct CallCase {
  BuiltinOperator code{};
  std::vector<std::int32_t> operand_counts;  // inputs, after the condition of IF; WHILE gives as many back
  std::vector<std::int32_t> output_counts;
  TensorType condition_type = TensorType::kBool;  // of IF's own condition
  std::int32_t condition_count = 1;
  std::vector<CalledSubgraph> called;  // then and else; condition and body; what is called once

  std::string Describe() const;
};

CallCase MakeCallCase(CaseRandom& random);
Refusal BreakOneRule(CallCase& subject, CaseRandom& random);
std::vector<std::byte> ModelOf(const CallCase& subject);

}  // namespace arenaproof::props
