// The fast instrument: AddressSanitizer's own shadow, poisoned by hand. Runs in the presets `asan` and `fuzz`;
// elsewhere Available() says so, and it watches nothing.
//
// By design less exact than the byte shadow: it opens memory in granules of 8 bytes (an operand that starts inside a
// granule leaves the granule's bytes before it open, see BlindBytesBefore), has one right for reads and writes, and of
// a wide unaligned access it tests the first and the last byte only. When only the last one is illegal it gives that
// byte's address instead of the access's; where both readings are possible the one that starts inside an operand is
// taken, so that a distance is never overstated.
//
// Its reports do not end the process where the build and the options let it go on (-fsanitize-recover=address,
// halt_on_error=0:suppress_equal_pcs=0); the text of those that are about watched memory is dropped, all others appear
// as always.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sanitizers/access_instrument.h"

namespace arenaproof {

// At most one may be attached at a time.
class AsanInstrument final : public AccessInstrument {
 public:
  // After so many reports everything is opened, the log is marked as capped and no more is judged: a report costs
  // some 20 microseconds.
  static constexpr std::uint64_t kMaxReports = 200000;

  ~AsanInstrument() override;
  const char* name() const override { return "asan"; }
  Status Available() const override;
  std::size_t BlindBytesBefore(const OperandRange& operand) const override;

  // Called, when not null, after the text of a report that is not about watched memory of a running operator.
  static void OnForeignReport(void (*handler)());

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Close(std::span<const OperandRange> open) override;
  void Open(std::span<const OperandRange> open) override;
  void Stop() override;

 public:
  // For the runtime's hooks only. True: the report was the checker's own business.
  static bool TakeReport(std::uintptr_t address, std::size_t bytes, bool write);
  static bool CheckRange(const void* address, std::size_t bytes, bool write);

 private:
  void TakeOwnReport(std::uintptr_t address, std::size_t bytes, bool write);
  bool IsWatched(std::uintptr_t address) const;
  bool IsOpen(std::uintptr_t address, bool write) const;

  std::vector<WatchedRegion> regions_;
  std::uint64_t report_count_ = 0;
  bool gave_up_ = false;
};

}  // namespace arenaproof
