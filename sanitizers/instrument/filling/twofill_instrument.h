// The instrument that compares two whole runs: whatever is closed to the running operator has one fill in the first and
// another in the second, and so has what the operator is to write. A result that differs was made from bytes that the
// operator has no right to, or that nobody had written. It needs no help from a compiler, and it names the result and
// not the access. Writes it sees in both runs.
#pragma once

#include <cstdint>
#include <span>

#include "sanitizers/instrument/filling/filling_instrument.h"
#include "sanitizers/instrument/filling/result_comparison.h"

namespace arenaproof {

class TwofillInstrument final : public FillingInstrument {
 public:
  const char* name() const override { return "twofill"; }
  bool ComparesRuns() const override { return true; }
  bool SawOperator() const override { return results_.in_other_run(); }
  bool BeginOtherRun() override;
  bool ChargeFailure(std::int32_t subgraph, std::int32_t operator_index) override;

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Begin(std::span<const OperandRange> operands) override;
  void End(std::span<const OperandRange> operands) override;
  void MakePlantedAccesses(std::byte* area) override;

  Fill fill() const override { return results_.in_other_run() ? Fill::kSecond : Fill::kFirst; }

  ResultComparison results_;
};

}  // namespace arenaproof
