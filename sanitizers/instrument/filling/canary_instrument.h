// The instrument that needs no tool at all: whatever is closed to the running operator is overwritten while it runs,
// and looked at when it has ended. It sees writes only, those that left another byte behind; they are put back, so that
// later operators are checked as though nothing had happened. It works for kernels that nobody compiled for it.
#pragma once

#include "sanitizers/instrument/filling/closed_bytes.h"

namespace arenaproof {

class CanaryInstrument final : public AccessInstrument {
 public:
  const char* name() const override { return "canary"; }
  Status Available() const override { return Ok(); }
  bool SeesAccesses() const override { return false; }
  bool SeesOverwritten() const override { return false; }

 private:
  void Start(std::span<const WatchedRegion> watched) override;
  void Close(std::span<const OperandRange> open) override { closed_.Cover(open, Fill::kFirst); }
  void Open(std::span<const OperandRange> open) override;
  void Stop() override { closed_.Watch({}); }

  ClosedBytes closed_;
};

}  // namespace arenaproof
