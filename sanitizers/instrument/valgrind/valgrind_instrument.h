// The instrument that sees each access of any binary, and bytes that nobody has written: Valgrind's memcheck, which
// runs the whole process. Before an operator runs, a copy of the process runs it with everything closed that is none of
// the operator's (scout.h); its errors are read from memcheck's log. Where some were hidden behind one like them, the
// next copy has the bytes open that are known, and so on. This process then runs the operator itself, with nothing
// closed, and asks memcheck which bytes of its results were written.
//
// It sees what memcheck makes of the code: an error names the first byte of an access, its width and no tensor.
// Available() where the process runs under Valgrind and has its log (tools/worker/valgrind_start.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/instrument/filling/read_only_bytes.h"
#include "sanitizers/instrument/valgrind/memcheck_log.h"
#include "sanitizers/instrument/valgrind/scout.h"

namespace arenaproof {

class ValgrindInstrument final : public AccessInstrument {
 public:
  // So many copies run an operator at most, and so many beside the first ones all operators of an attach.
  static constexpr int kMostCopies = 80;
  static constexpr int kMostRepeats = 400;

  ValgrindInstrument();
  const char* name() const override { return "valgrind"; }
  Status Available() const override;
  bool SeesRights() const override { return false; }
  bool SeesOverwritten() const override { return false; }
  bool SeesExactDistances() const override { return false; }
  bool SeesUnwritten() const override { return true; }
  bool AccessesAreCostly() const override { return true; }
  bool SawOperator() const override { return saw_last_; }
  bool ChecksWhenCapped() const override { return true; }

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Begin(std::span<const OperandRange> operands) override;
  void Close(std::span<const OperandRange> open) override;
  void Open(std::span<const OperandRange> open) override;
  void End(std::span<const OperandRange> operands) override;
  void Stop() override;
  void MakePlantedAccesses(std::byte* area) override;
  void PlantPartialLoads(std::byte* area);
  void PlantUnwritten(std::byte* area);

  // Returns in this process and, until the operator stops running, in copies.
  void SendScouts(std::span<const OperandRange> open);
  // Closes everything watched but `open`.
  void CloseAllBut(std::vector<MemoryRegion> open) const;
  // Keeps the errors of the copy that ended last, and adds what they are about to `known`; false when that is nothing.
  bool TakeErrors(std::vector<MemoryRegion>& known);
  // The running operator was not seen, or not all of it: nothing is clean then.
  void MissSomething();
  // Only when the operator's code has run here too.
  void LogErrors();
  void LogUnwrittenUse();

  std::vector<WatchedRegion> regions_;
  ReadOnlyBytes read_only_;  // of the running operator
  Scout scout_;
  MemcheckLog log_text_;
  std::vector<MemcheckError> errors_;  // of all copies that ran the operator last
  std::size_t logged_count_ = 0;       // of them
  std::vector<bool> seen_;             // of the operators that run, the innermost last: by copies
  bool saw_last_ = true;
  int repeats_left_ = kMostRepeats;
};

}  // namespace arenaproof
