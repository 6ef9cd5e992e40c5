// The instrument that sees writes in one run, and no reads. It works for kernels that nobody compiled for it, and for
// those that do not answer the same twice.
#pragma once

#include "sanitizers/instrument/filling/filling_instrument.h"

namespace arenaproof {

class CanaryInstrument final : public FillingInstrument {
 public:
  const char* name() const override { return "canary"; }

 private:
  void Start(std::span<const WatchedRegion> watched) override;
};

}  // namespace arenaproof
