// Runs one model in one arena: Init -> Prepare -> MemoryPlanning -> Invoke, as AllocateTensors goes through them.
//
// The interpreter's own object (operand views, 15 KB) lives where the caller puts it, outside the arena;
// everything else lives in the arena. Invoke allocates nothing. Nothing here uses the heap.
//
// Events, in the order an observer sees them:
//   constructor: OnAttach(arena bytes as given, model file), then OnTailAllocated for the allocator's own objects. On a
//     shared allocator neither: who made that one has attached its observer.
//   per operator and phase: OnOperatorBegins with the access list, the kernel's code, OnOperatorEnds. Each call of the
//     kernel into the runtime is bracketed by OnRuntimeEnters and OnRuntimeLeaves; inside the bracket
//     OnTailAllocated means a persistent block of the running operator and OnTemporaryAllocated a temporary of it:
//     those become the operator's. (The runtime's own bookkeeping and the spacing around persistent blocks are not
//     announced there.) Between begin and end and outside brackets no runtime code touches a byte of the arena or the
//     model. An operator that calls a subgraph does so inside such a bracket: the callee's operators begin and end
//     there, and the caller's scope continues when the bracket ends. A kernel's reset and free run outside any scope.
//   plan: OnPlanCommitted, once the plan is certified and sure to fit. It comes before the planning's temporaries
//     are reset and the head takes its size (OnTemporariesReset, OnHeadResized to zero, OnHeadResized to the plan's
//     size), because the list lives in the temporary region and costs no permanent byte. Addresses have been written.
//     PlanEntry::scratch counts requests over the whole model; an access list counts those of its operator.
//   failed allocation: OnTailRewound, as the tail goes back to where it was.
//   destructor: OnDetach, unless the allocator is shared.
// A tensor that one operator lists twice is one range with the union of the rights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/model/call_tree.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/interpreter/interpreter_state.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/interpreter/preallocated_tensors.h"
#include "core/runtime/interpreter/prepare_services_impl.h"
#include "core/runtime/interpreter/runtime_services_impl.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/kernel_interface/operator_frame.h"
#include "core/runtime/storage/arena_image.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

class ModelAllocator;

class Interpreter {
 public:
  // The model's file, the kernels, the planner, the observer and the arena's bytes stay alive and in place as long as
  // the interpreter. An arena too small for the allocator's objects is reported by AllocateTensors.
  Interpreter(const ValidatedModel& model, const KernelSet& kernels, std::byte* arena, std::size_t arena_bytes,
              const InterpreterOptions& options = {});
  // An interpreter in two memories: what lives as long as it does in one, tensors and temporaries in the other.
  Interpreter(const ValidatedModel& model, const KernelSet& kernels, const ArenaBuffers& arenas,
              const InterpreterOptions& options = {});
  // One of several interpreters that share an allocator, which outlives them. Their tails accumulate, the head is as
  // large as the largest plan: allocating or invoking one of them overwrites what another has in the head (its inputs
  // and outputs included). Planner, observer, placement of constants, spacing and whether memory is recorded are the
  // allocator's; those of `options` are ignored. preserve_all_tensors is not: AllocateTensors refuses it
  // (kPlannerSharesBytes) unless the allocator's planner preserves them.
  Interpreter(const ValidatedModel& model, const KernelSet& kernels, ModelAllocator& allocator,
              const InterpreterOptions& options = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Plans the model, calls init and prepare of every operator and fills the variables. A second call repeats
  // everything in the same arena: the head is used again, the tail of the first run is lost. After a failure it can be
  // called again, under the same terms. kAllocatorBusy from a kernel that it has called, and kArenaTemporariesLive
  // while the application holds temporaries, are without effect.
  Status AllocateTensors();

  // Runs every operator of the main graph in file order, and those of other subgraphs as they are called. The first
  // status that is not ok stops it; failed_operator() names the place. Allocates first if AllocateTensors was never
  // called; fails with kRuntimeState after a failed one. kInvokeCancelled, kInvokeAborted (a kernel ends the invoke
  // quietly), both with the place, and any failure leave the model ready for the next invoke.
  Status Invoke();

  // Each kernel's reset, then every byte of each variable := its zero point's low byte when int8 with a zero point,
  // else 0; then every resource variable. What CALL_ONCE has run stays run.
  Status Reset();
  // One variable the same way. kRuntimeSubgraphIndex, kRuntimeTensorIndex, kTensorNotVariable.
  Status ResetVariable(std::int32_t tensor, std::int32_t subgraph = 0);

  // One opaque address for the interpreter's life, which kernels can ask for; one that a kernel has set lives as long
  // as its set-up only. kExternalContextNull, kExternalContextTwice.
  Status SetExternalContext(void* context);

  // Between the two nothing reads the arena, so that its bytes can be saved, lost and put back (arena_image.h). While
  // suspended every call that would is refused with kRuntimeState, figures are 0, addresses null and spans empty; the
  // destructor calls no kernel's free. Suspend: kRuntimeState unless allocated; kSuspendShared on a shared allocator,
  // whose other interpreters would go on using the arena. Resume takes the very seal that Suspend gave last and else
  // stays suspended, so that nothing is ever run in another arena or in one that is not whole: kRuntimeState unless
  // suspended; kArenaImageMalformed, kArenaImageForeign, both before a byte of any arena is read; kArenaImageDamaged
  // when head and tail are not as they were.
  Status Suspend(ArenaSeal* seal);
  Status Resume(const ArenaSeal& seal);
  // What an image of the arena takes, the image itself; kRuntimeState unless allocated, else as SaveArena.
  std::size_t image_bytes() const;
  Status SaveImage(std::span<std::byte> image, std::size_t* image_bytes) const;

  // From the next AllocateTensors on, and with each, the application's buffer serves the tensor: see
  // preallocated_tensors.h. Before tensors are allocated (kPreallocatedTooLate, also from a kernel during an attempt),
  // and after a failed attempt.
  Status RegisterPreallocatedTensor(std::int32_t subgraph, std::int32_t tensor, std::byte* buffer, std::size_t bytes);

  InterpreterState state() const { return state_; }
  // The innermost operator of the last failing call; not known() when none was involved or the end was a quiet one.
  const OperatorLocation& failed_operator() const { return failed_operator_; }

  // Graph inputs and outputs in the subgraph's order; their tensor structs lie in the tail. Empty before
  // AllocateTensors has succeeded, and while suspended.
  std::span<const Operand> inputs() const;
  std::span<const Operand> outputs() const;

  // ---- queries after AllocateTensors; kRuntimeState before, kRuntimeSubgraphIndex, kRuntimeTensorIndex.
  // Address and bytes of any tensor; a constant's must not be written. Whether a tensor that is neither graph input,
  // output nor variable still holds its value after Invoke depends on the plan (planner().preserves_all_tensors()).
  Status TensorBytes(std::int32_t tensor, std::span<std::byte>* bytes, std::int32_t subgraph = 0) const;
  // The struct that describes any tensor, as inputs() and outputs() have them: in the tail for as long as the arena, or
  // in the temporary region until it is freed (kForeignTemporary), which has to be before the next AllocateTensors
  // (kArenaTemporariesLive). What it says is true until then. Refused when the arena has no room for the struct.
  Status AllocatePersistentTensor(std::int32_t tensor, const Operand** described, std::int32_t subgraph = 0);
  Status AllocateTemporaryTensor(std::int32_t tensor, const Operand** described, std::int32_t subgraph = 0);
  Status FreeTemporaryTensor(const Operand* described);
  // Offset from the head's start; kTensorNotPlanned for what does not lie in the head: constants, variables in the
  // tail, resource handles, tensors of no bytes.
  Status TensorOffset(std::int32_t tensor, std::size_t* offset, std::int32_t subgraph = 0) const;
  // Scratch buffers in the order of their requests over the whole model.
  std::size_t scratch_count() const;
  Status ScratchBytes(std::size_t scratch, std::span<std::byte>* bytes) const;
  // The kernel that serves an operator; null when out of range or before AllocateTensors.
  const Kernel* kernel_of(std::int32_t operator_index, std::int32_t subgraph = 0) const;
  // How many resource variables the model names; 0 while suspended.
  std::size_t resource_variable_count() const;
  // What their values take of the tail, without alignment and spacing.
  std::size_t resource_value_bytes() const;

  // ---- arena figures, at the time of the call; 0 when the arena was too small for the allocator's objects, and while
  // suspended.
  std::size_t arena_used_bytes() const;  // head + tail; not the size that is needed
  std::size_t head_bytes() const;
  std::size_t tail_bytes() const;
  // Tail bytes that failed allocations could not give back: 0, whatever failed.
  std::size_t lost_tail_bytes() const;
  // Null when the arena was too small for it, and while suspended. With InterpreterOptions::record_memory the
  // allocator's record() holds what the tail is spent on.
  const MemoryPlanner* planner() const;
  const ModelAllocator* allocator() const;

 private:
  friend class RuntimeServicesImpl;

  Status AllocateAll();
  Status AllocateStarted();
  Status CreateResources();
  void FreeOperators();
  void TakeBackContext();
  std::uint64_t SetUpChecksum() const;
  template <typename Work>
  Status ForEachOperator(OperatorPhase phase, Work work);
  Status ResolveKernels();
  Status InitOperators();
  Status PrepareOperators();
  Status AllocateGraphTensors();
  void ResetOperators();
  void FillVariables();
  void FillVariable(std::size_t subgraph, std::size_t tensor);
  Status FindTensor(std::int32_t subgraph, std::int32_t tensor, EvalTensor** found) const;

  Status RunSubgraph(std::size_t subgraph);
  Status AskToContinue(OperatorLocation next) const;
  Status LoadFrame(OperatorLocation where);
  Status SetUpOperator(OperatorLocation where);
  Status InvokeOperator(OperatorLocation where);
  Status KeepNewBlocks(OperatorRecord& record);
  Status CheckOutputShapes(OperatorLocation where) const;
  void Begin(OperatorLocation where, const OperatorRecord& record);
  void End();

  OperatorRecord& record_at(OperatorLocation where) const;
  Status RequireAllocated() const;

  const ValidatedModel model_;
  const KernelSet& kernels_;
  const InterpreterOptions options_;
  const bool shares_allocator_ = false;
  ModelAllocator* allocator_ = nullptr;     // in the arena's tail
  ResourceVariables* resources_ = nullptr;  // too
  Status creation_;                         // of the allocator
  PreallocatedTensors preallocated_;
  ModelAllocation allocation_;
  InterpreterState state_ = InterpreterState::kInit;
  ArenaSeal sealed_;  // while suspended: what Resume compares with
  bool allocation_attempted_ = false;
  bool attempting_ = false;  // while AllocateTensors runs
  bool context_is_of_kernels_ = false;
  bool any_reset_ = false;  // of the model's kernels
  bool any_free_ = false;
  OperatorLocation failed_operator_;
  OperatorLocation running_;  // whose kernel's code runs, or has called the runtime
  std::array<std::uint16_t, kMaxCallDepth> active_subgraphs_{};
  std::size_t active_count_ = 0;
  void* external_context_ = nullptr;
  OperatorFrame frame_;
  PrepareServicesImpl services_{frame_, state_, running_, options_.observer};
  RuntimeServicesImpl runtime_services_{*this};
};

}  // namespace arenaproof
