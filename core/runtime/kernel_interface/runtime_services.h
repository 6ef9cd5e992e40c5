// What an operator may ask of the runtime beyond memory: other subgraphs, resource variables, the external context.
//
// An operator never sees the tensors of a subgraph that it calls: it requests what is to be copied where and what is to
// run, and the runtime does it. While the runtime works the caller's own operands are open like everything else,
// and while operators of a called subgraph run only what these list is open; when the call returns they are the
// caller's again. An observer receives OnRuntimeEnters, then the callee's operators begin and end, then
// OnRuntimeLeaves.
//
// A request outside its phase is refused with kRuntimeState:
//
//                                        init  prepare  invoke  reset, free
//   DescribeSubgraph, DescribeOperand    no    yes      no      no
//   FindResource, PlaceOutput,           no    yes      no      no
//   SizeResource
//   CopyTensors, InvokeSubgraph,         no    no       yes     no
//   ReadOutput, Read/AssignResource
//   external context                     yes   yes      yes     no
//
// Only the subgraphs that the operator's options name can be asked for (kSubgraphNotCalled): lifetimes know of no other
// calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"

namespace arenaproof {

struct Operand;

enum class TensorListKind : std::uint8_t { kOperatorInputs, kOperatorOutputs, kSubgraphInputs, kSubgraphOutputs };

// Some tensors, in the order of the list.
struct TensorList {
  TensorListKind kind = TensorListKind::kOperatorInputs;
  std::int32_t subgraph = -1;  // whose inputs or outputs
  std::size_t skip_count = 0;  // entries at the list's start that do not take part
};

struct SubgraphCounts {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

class RuntimeServices {
 public:
  // ---- subgraphs. kRuntimeSubgraphIndex, kSubgraphNotCalled.
  virtual Status DescribeSubgraph(std::int32_t subgraph, SubgraphCounts* counts) = 0;
  // Input `position` of the subgraph, or output `position - kFirstOutputOperand`. kRuntimeTensorIndex.
  virtual Status DescribeOperand(std::int32_t subgraph, std::size_t position, Operand* operand) = 0;

  // Every tensor of `from` to the one at its place in `to`, as if all were read before the first is written: an order
  // is chosen in which no destination lies on a source that is still to be read. Tensors of one address are left alone.
  // `to` are the operator's outputs or a subgraph's inputs (kSubgraphCopyTarget): its own inputs, constants and others'
  // values among them, and a subgraph's outputs are not its to write. Before anything is copied: kSubgraphCopyCount,
  // kSubgraphCopyBytes. kSubgraphCopyOverlap when there is no such order, which takes a trusted plan.
  virtual Status CopyTensors(const TensorList& from, const TensorList& to) = 0;
  // Runs the subgraph's operators; the first status that is not ok stops it and is returned. kSubgraphActive,
  // kInvokeCancelled.
  virtual Status InvokeSubgraph(std::int32_t subgraph) = 0;
  // The first bytes of the subgraph's output `position`. kRuntimeTensorIndex, kSubgraphCopyBytes.
  virtual Status ReadOutput(std::int32_t subgraph, std::size_t position, std::span<std::byte> bytes) = 0;

  // ---- resource variables (resource_variables.h)
  // The id of the variable with this key, which is added when it is new. Both strings stay in place.
  virtual Status FindResource(const char* container, const char* shared_name, std::int32_t* id) = 0;
  // From now on the operator's output lies at `block`, persistent memory of this operator with the output's bytes, and
  // has no place in the plan. kPlacedOutputKind: a constant, a variable, a preallocated tensor. kPlacedOutputBlock:
  // the output's bytes do not all lie in one block that the operator took. kRuntimeTensorIndex.
  virtual Status PlaceOutput(std::size_t output, std::byte* block) = 0;
  // Gives the variable its memory, every byte of it `fill` now and after each reset, unless it has memory already:
  // then its bytes have to be as many (kResourceBytes).
  virtual Status SizeResource(std::int32_t id, std::size_t bytes, std::uint8_t fill) = 0;
  // The variable's value to the operator's output `output`; the operator's input `input` to the variable.
  // kResourceIndex, kResourceEmpty, kResourceBytes, kRuntimeTensorIndex.
  virtual Status ReadResource(std::int32_t id, std::size_t output) = 0;
  virtual Status AssignResource(std::int32_t id, std::size_t input) = 0;

  // ---- one opaque address per interpreter, null until it is set. kExternalContextNull, kExternalContextTwice. What a
  // kernel has set goes with its set-up: it is taken back when that fails or another begins.
  virtual void* external_context() const = 0;
  virtual Status SetExternalContext(void* context) = 0;

 protected:
  ~RuntimeServices() = default;
};

}  // namespace arenaproof
