// The kernels of a network whose operators follow a script: each hands its call to whoever runs the script, with the
// slot that it serves.
#pragma once

#include <cstddef>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

class KernelScript {
 public:
  virtual Status Init(std::size_t slot, PrepareContext& context) = 0;
  virtual Status Prepare(std::size_t slot, PrepareContext& context) = 0;
  virtual Status Invoke(std::size_t slot, const InvokeContext& context) = 0;
  virtual void Reset(std::size_t slot, void* op_data) = 0;
  virtual void Free(std::size_t slot, void* op_data) = 0;

 protected:
  ~KernelScript() = default;
};

// Who gets the calls from now on; null: nobody may call.
void FollowScript(KernelScript* script);

const KernelSet& ScriptedKernels();

}  // namespace arenaproof
