#include "sanitizers/instrument/instrument_factory.h"

#include "sanitizers/instrument/asan/asan_instrument.h"
#include "sanitizers/instrument/filling/canary_instrument.h"
#include "sanitizers/instrument/filling/twofill_instrument.h"
#include "sanitizers/instrument/guard/guard_instrument.h"
#include "sanitizers/instrument/shadow/shadow_instrument.h"
#include "sanitizers/instrument/valgrind/valgrind_instrument.h"

namespace arenaproof {

std::unique_ptr<AccessInstrument> MakeInstrument(std::string_view name) {
  if (name == "shadow") return std::make_unique<ShadowInstrument>();
  if (name == "asan") return std::make_unique<AsanInstrument>();
  if (name == "guard") return std::make_unique<GuardInstrument>();
  if (name == "canary") return std::make_unique<CanaryInstrument>();
  if (name == "twofill") return std::make_unique<TwofillInstrument>();
  if (name == "valgrind") return std::make_unique<ValgrindInstrument>();
  return nullptr;
}

}  // namespace arenaproof
