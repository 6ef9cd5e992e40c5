// What the instruments share that need no tool at all: whatever is closed to the running operator is overwritten while
// it runs, and looked at when its code stops running. Writes that left another byte behind are seen so, to inputs and
// constants too; they are put back, so that later operators are checked as though nothing had happened.
#pragma once

#include <span>

#include "sanitizers/instrument/filling/closed_bytes.h"

namespace arenaproof {

class FillingInstrument : public AccessInstrument {
 public:
  Status Available() const override { return Ok(); }
  bool SeesAccesses() const override { return false; }
  bool SeesOverwritten() const override { return false; }

 protected:
  virtual Fill fill() const { return Fill::kFirst; }
  void Start(std::span<const WatchedRegion> watched) override;
  const ClosedBytes& closed() const { return closed_; }

 private:
  void Close(std::span<const OperandRange> open) override { closed_.Cover(open, fill()); }
  void Open(std::span<const OperandRange> open) override;
  void Stop() override { closed_.Watch({}); }

  ClosedBytes closed_;
};

}  // namespace arenaproof
