// The runtime as a kernel sees it in init and prepare. Each call is bracketed for the observer, and a request outside
// the phase that allows it is refused (kRuntimeState), also from a kernel that kept the address until a later one:
//
//                      init  prepare  invoke  reset, free
//   persistent block   yes   yes      no      no
//   scratch request    no    yes      no      no
//   temporary          no    yes      no      no
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/runtime/interpreter/interpreter_state.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/kernel_interface/operator_frame.h"

namespace arenaproof {

class ModelAllocator;

class PrepareServicesImpl final : public PrepareServices {
 public:
  // Persistent blocks are noted in the frame. The references stay valid as long as this object.
  PrepareServicesImpl(OperatorFrame& frame, const InterpreterState& state, const OperatorLocation& running,
                      ArenaObserver* observer)
      : frame_(frame), state_(state), running_(running), observer_(observer) {}
  void set_allocator(ModelAllocator* allocator) { allocator_ = allocator; }

  Status AllocatePersistent(std::size_t bytes, std::byte** block) override;
  Status RequestScratch(std::size_t bytes) override;
  Status AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) override;
  Status FreeTemporary(std::byte* block) override;
  void Announce(const StructureBytes& element, std::size_t count) override;

 private:
  // Null for a call from reset or free: these run outside any scope, so nothing is bracketed.
  ArenaObserver* ObserverOfCall() const { return running_.known() ? observer_ : nullptr; }
  Status RequireState(InterpreterState wanted) const;

  OperatorFrame& frame_;
  const InterpreterState& state_;
  const OperatorLocation& running_;  // whose code runs; free may run in any state
  ArenaObserver* const observer_;
  ModelAllocator* allocator_ = nullptr;
};

}  // namespace arenaproof
