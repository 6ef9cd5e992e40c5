// The instrument that compares two whole runs: whatever is closed to the running operator has one fill in the first and
// another in the second, and so has what the operator is to write. A result that differs was made from bytes that the
// operator has no right to, or that nobody had written. It needs no help from a compiler, and it names the result and
// not the access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sanitizers/instrument/filling/closed_bytes.h"

namespace arenaproof {

class TwofillInstrument final : public AccessInstrument {
 public:
  const char* name() const override { return "twofill"; }
  Status Available() const override { return Ok(); }
  bool SeesAccesses() const override { return false; }
  bool SeesOverwritten() const override { return false; }
  bool ComparesRuns() const override { return true; }
  bool BeginOtherRun() override;
  bool ChargeFailure(std::int32_t subgraph, std::int32_t operator_index) override;

 private:
  struct Result {
    OperandKind kind;
    std::int32_t index;
    std::vector<std::byte> bytes;
  };
  // What an operator left behind in the first run.
  struct Invoked {
    std::int32_t subgraph, index;
    std::vector<Result> results;
  };

  void Start(std::span<const WatchedRegion> watched) override;
  void Begin(std::span<const OperandRange> operands) override;
  void Close(std::span<const OperandRange> open) override { closed_.Cover(open, fill_); }
  void Open(std::span<const OperandRange>) override { closed_.Uncover(); }
  void End(std::span<const OperandRange> operands) override;
  void Stop() override { closed_.Watch({}); }
  void MakePlantedAccesses(std::byte* area) override;

  void Keep(std::span<const OperandRange> operands);
  void Compare(std::span<const OperandRange> operands);
  void LogOtherEnd(const NamedOperator& op);
  void LogDifference(const OperandRange& result, const std::vector<std::byte>& first);

  ClosedBytes closed_;
  Fill fill_ = Fill::kFirst;
  std::vector<Invoked> first_run_;
  std::size_t next_ = 0;                                                // of first_run_
  std::map<std::pair<std::int32_t, std::int32_t>, NamedOperator> met_;  // subgraph, index
};

}  // namespace arenaproof
