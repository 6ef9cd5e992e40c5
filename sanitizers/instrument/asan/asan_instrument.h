// The fast instrument: AddressSanitizer's own shadow, poisoned by hand. Runs in the presets `asan` and `fuzz`;
// elsewhere Available() fails, and it watches nothing.
//
// By design less exact than the byte shadow: it opens memory in granules of 8 bytes (an operand that starts inside a
// granule leaves the granule's bytes before it open, see BlindBytesBefore), has one right for reads and writes (a write
// to what may only be read is seen by the byte that it leaves behind, when the operator's code stops running), and of
// a wide unaligned access it tests the first and the last byte only. Each of the two tests makes a report of its own,
// the second one with the last byte's address: which of the two a report is follows from the next one and is
// remembered for the place in the code. Where neither helps, the reading that starts inside an operand is taken, so
// that a distance is never overstated.
//
// Its reports do not end the process where the build and the options let it go on (-fsanitize-recover=address,
// halt_on_error=0:suppress_equal_pcs=0). Those that are about watched memory are taken before the runtime makes a text
// of them (report_entries.cc), or their text is dropped; all others appear as always.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/instrument/filling/read_only_bytes.h"

namespace arenaproof {

// No more than one may be attached at a time.
class AsanInstrument : public AccessInstrument {
 public:
  // A report whose text the runtime makes costs some 0.3 ms. After so many of one operator's run the rest of that run
  // is not checked, after so many in all nothing is; the log is then marked as capped.
  static constexpr std::uint64_t kMaxReportsOfARun = 2000;
  static constexpr std::uint64_t kMaxReports = 20000;

  ~AsanInstrument() override;
  const char* name() const override { return "asan"; }
  Status Available() const override;
  bool WatchesRuntime() const override { return true; }
  std::size_t BlindBytesBefore(const OperandRange& operand, const ReadableAround& around) const override;
  bool SeesRights() const override { return false; }
  bool SeesOverwritten() const override { return false; }
  bool SeesExactDistances() const override { return false; }

  // Called, when not null, after the text of a report that is not about watched memory of a running operator.
  static void OnForeignReport(void (*handler)());

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Close(std::span<const OperandRange> open) override;
  void Open(std::span<const OperandRange> open) override;
  void Stop() override;

 public:
  struct Report {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    bool write = false;
    std::uintptr_t code = 0;  // where in the program
  };
  // For the runtime's hooks only. Returns true when the report was about watched memory.
  static bool TakeReport(const Report& report);
  static bool CheckRange(const void* address, std::size_t bytes, bool write);

 private:
  enum class Test : std::uint8_t { kUnknown, kFirstByte, kLastByte };

  void TakeOwnReport(Report report);
  // Checks the access of a report whose meaning waited for the next one.
  void Flush();
  bool IsWatched(std::uintptr_t address) const;

  void KeepReadOnly(std::span<const OperandRange> open);
  void CheckReadOnly();
  void CloseAllowances();

  std::vector<WatchedRegion> regions_;
  ReadOnlyBytes read_only_;  // of the running operator
  std::uint64_t report_count_ = 0;
  std::uint64_t run_report_count_ = 0;
  bool gave_up_ = false;
  std::unordered_map<std::uintptr_t, Test> tests_;  // by place in the code
  Report previous_;                                 // the access checked last, or the report that waits
  bool waiting_ = false;
};

}  // namespace arenaproof
