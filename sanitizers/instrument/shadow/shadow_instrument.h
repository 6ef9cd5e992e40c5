// The exact instrument: one shadow byte for each byte of the watched memory, separate rights to read and to write, any
// width and alignment, every violation of a run, extents as a by-product. Runs in the preset `shadow`, whose compiler
// calls a hook for every access; elsewhere Available() fails, and it watches nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// No more than one may be attached at a time.
class ShadowInstrument final : public AccessInstrument {
 public:
  ~ShadowInstrument() override;
  const char* name() const override { return "shadow"; }
  Status Available() const override;
  bool WatchesRuntime() const override { return true; }

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Close(std::span<const OperandRange> open) override;
  void Open(std::span<const OperandRange> open) override;
  void Stop() override;

  static void Report(std::uintptr_t address, std::size_t bytes, bool write);
  // Of a range that is the operand or lies beside it.
  void CollectExtents(std::span<const OperandRange> open);
  void CollectExtent(const OperandRange& range, const OperandRange& operand);

  std::vector<std::vector<std::uint8_t>> shadows_;
  std::uintptr_t lowest_ = 0;
  std::uintptr_t extent_ = 0;
};

}  // namespace arenaproof
