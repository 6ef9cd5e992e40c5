// What operators leave behind in two runs, result by result. It keeps every result of every invoke of the first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/report/byte_registry.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {

// Bytes that the operator finds with nothing in them: it has to write them before it reads them.
bool BeginsEmpty(const OperandRange& operand, std::span<const OperandRange> operands);

// What is left of an operator when it has ended: outputs, and variables that it writes. Scratch buffers and temporaries
// end with it; persistent blocks may hold what is no result, such as addresses.
bool IsResult(const OperandRange& operand);

class ResultComparison {
 public:
  // Begins the first run anew, or, once BeginOther() was called, the other one.
  void Rewind();
  void BeginOther() { other_ = true; }
  bool in_other_run() const { return other_; }

  // Of an operator whose invoke has ended: keeps its results in the first run. In the other one it returns what differs
  // and puts the first run's bytes back, so that a difference is charged to the operator that made it and to no other.
  // Behind an operator that ran in one of the two only nothing is compared.
  std::vector<Violation> Take(const NamedOperator& op, std::span<const OperandRange> operands,
                              const ByteRegistry& registry);

  // That the operator came to another end in the other run; nothing when it is not known, or this is the first run.
  std::vector<Violation> FailureOf(std::int32_t subgraph, std::int32_t operator_index) const;
  void Meet(const NamedOperator& op) { met_[{op.subgraph, op.index}] = op; }

 private:
  struct Result {
    OperandKind kind;
    std::int32_t index;
    std::vector<std::byte> bytes;
  };
  struct Invoked {
    std::int32_t subgraph, index;
    std::vector<Result> results;
  };

  bool other_ = false;
  std::vector<Invoked> first_run_;
  std::size_t next_ = 0;  // of first_run_
  bool apart_ = false;    // the runs took different ways: no more is compared
  std::map<std::pair<std::int32_t, std::int32_t>, NamedOperator> met_;  // subgraph, index
};

}  // namespace arenaproof
