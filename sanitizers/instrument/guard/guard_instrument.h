// The instrument that needs no compiler and sees single accesses: while an operator is invoked each of its operands
// lies in pages of its own, closed pages around them, in one run flush to the end and in the other flush to the start.
// The processor reports the first access to each closed page, and of an input or a constant the first write. The
// model's bytes are compared with what they were when an operator's code stops running, in every phase. What it cannot
// see, the up to 15 bytes behind an operand that its alignment leaves, has another fill in each run, and the results of
// both are compared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "sanitizers/instrument/filling/closed_bytes.h"
#include "sanitizers/instrument/filling/result_comparison.h"
#include "sanitizers/instrument/guard/fault_trap.h"
#include "sanitizers/instrument/guard/guarded_block.h"
#include "sanitizers/instrument/guard/guarded_kernels.h"

namespace arenaproof {

class GuardInstrument final : public AccessInstrument, private GuardedInvoke {
 public:
  const char* name() const override { return "guard"; }
  Status Available() const override;
  bool SeesOverwritten() const override { return false; }
  std::size_t BlindBytesBefore(const OperandRange& operand, const ReadableAround& around) const override;
  std::size_t BlindBytesAfter(const OperandRange& operand, const ReadableAround& around) const override;
  const KernelSet& Wrap(const KernelSet& kernels) override;
  bool NeedsWrappedKernels() const override { return true; }
  // The first of two runs alone leaves out what lies before an operand in its own page.
  bool SawOperator() const override { return saw_last_ && results_.in_other_run(); }
  bool ChecksWhenCapped() const override { return true; }
  bool BeginOtherRun() override;
  bool ChargeFailure(std::int32_t subgraph, std::int32_t operator_index) override;

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Begin(std::span<const OperandRange> operands) override;
  // Nothing is laid there: the operator may read its constants where they are.
  void Close(std::span<const OperandRange> open) override { model_.Cover(open, {}); }
  void Open(std::span<const OperandRange> open) override;
  void End(std::span<const OperandRange> operands) override;
  void Stop() override;
  void MakePlantedAccesses(std::byte* area) override;

  Status Invoke(const Kernel& kernel, const InvokeContext& context) override;
  // Copies of all operands; false when the system has no memory or no mappings for them.
  bool LayBlocks();
  GuardedBlock* BlockFor(MemoryRegion range, const ReadableAround& around, bool keeps);
  // What may be read beside a range that holds operands.
  ReadableAround AllowedAround(MemoryRegion range) const;
  Status InvokeOnCopies(const Kernel& kernel, const InvokeContext& context);
  std::byte* CopyOf(std::byte* original) const;
  void LogFault(const PageFault& fault);
  void LogAt(const GuardedBlock& block, std::uintptr_t address, std::size_t bytes, bool write);
  void CopyBack() const;

  FlushTo flush() const { return results_.in_other_run() ? FlushTo::kStart : FlushTo::kEnd; }
  Fill fill() const { return results_.in_other_run() ? Fill::kSecond : Fill::kFirst; }

  ClosedBytes model_;
  std::optional<GuardedKernels> kernels_;
  ResultComparison results_;
  std::vector<GuardedBlock*> blocks_;                 // of the operator that is invoked
  std::vector<std::unique_ptr<GuardedBlock>> owned_;  // those that go with it
  // A kernel may rely on a constant staying where it was in the first invoke.
  using ConstantKey = std::tuple<const std::byte*, std::size_t, std::size_t, std::size_t>;  // bytes, and those around
  std::map<ConstantKey, std::unique_ptr<GuardedBlock>> constants_;
  std::vector<bool> guarded_;  // of the operators that run, the innermost last
  bool saw_last_ = true;
  const FaultTrap* trap_ = nullptr;  // while a kernel is invoked on copies
};

}  // namespace arenaproof
