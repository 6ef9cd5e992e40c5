// The phases that AllocateTensors goes through, in this order; which request is allowed when: prepare_services_impl.h.
#pragma once

#include <cstdint>

namespace arenaproof {

enum class InterpreterState : std::uint8_t {
  kInit,
  kPrepare,
  kMemoryPlanning,
  kInvoke,    // allocated: ready to run
  kFailed,    // an allocation failed; AllocateTensors can be called again
  kSuspended  // the arena's bytes may be elsewhere: nothing runs until Resume has found them whole
};

}  // namespace arenaproof
