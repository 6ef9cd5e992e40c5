// Kernels whose behaviour each test chooses, for ABS, ADD and CONCATENATION.
#pragma once

#include <functional>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::testing {

struct MockBehavior {
  std::function<Status(PrepareContext&)> init;
  std::function<Status(PrepareContext&)> prepare;
  std::function<Status(const InvokeContext&)> invoke;
};

// What the kernels do until the next call; without a function: nothing, successfully.
MockBehavior& Mock();

// All that set-up can ask for: persistent blocks, temporaries and more scratch than slots.
void BehaveLikeARichKernel();

const KernelSet& MockKernels();

// Resets Mock() around each test.
struct MockScope {
  MockScope() { Mock() = {}; }
  ~MockScope() { Mock() = {}; }
};

}  // namespace arenaproof::testing
