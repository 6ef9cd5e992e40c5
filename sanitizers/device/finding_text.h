// A finding of the device's canary in words, without a heap.
#pragma once

#include "core/base/line_text.h"
#include "sanitizers/device/device_canary.h"

namespace arenaproof {

// "FULLY_CONNECTED (operator 1), kernel own, writes up to 4 bytes after output tensor 6 (4 bytes) in invoke".
LineText TextOf(const CanaryFinding& finding);

}  // namespace arenaproof
