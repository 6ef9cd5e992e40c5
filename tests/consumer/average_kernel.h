// The custom operator "consumer.average" as kernels in C++ (average_library.cc says what it computes).
#pragma once

#include "core/runtime/kernel_interface/kernel.h"

namespace consumer {

extern const arenaproof::Kernel kAverage;
// Takes what lies in front of its input for the float before the first.
extern const arenaproof::Kernel kAverageThatReadsInFront;

}  // namespace consumer
