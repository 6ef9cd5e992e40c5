// The interpreter as an operator sees it in prepare and invoke: other subgraphs, resource variables, external context.
// Each call is bracketed for the observer; a request outside its phase is refused (runtime_services.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/interpreter/tensor_copy.h"
#include "core/runtime/kernel_interface/runtime_services.h"
#include "core/runtime/storage/model_allocation.h"
#include "core/runtime/storage/resource_variables.h"

namespace arenaproof {

class Interpreter;

class RuntimeServicesImpl final : public RuntimeServices {
 public:
  // The reference stays valid as long as this object.
  explicit RuntimeServicesImpl(Interpreter& interpreter) : interpreter_(interpreter) {}

  Status DescribeSubgraph(std::int32_t subgraph, SubgraphCounts* counts) override;
  Status DescribeOperand(std::int32_t subgraph, std::size_t position, Operand* operand) override;
  Status CopyTensors(const TensorList& from, const TensorList& to) override;
  Status InvokeSubgraph(std::int32_t subgraph) override;
  Status ReadOutput(std::int32_t subgraph, std::size_t position, std::span<std::byte> bytes) override;
  Status FindResource(const char* container, const char* shared_name, std::int32_t* id) override;
  Status PlaceOutput(std::size_t output, std::byte* block) override;
  Status SizeResource(std::int32_t id, std::size_t bytes, std::uint8_t fill) override;
  Status ReadResource(std::int32_t id, std::size_t output) override;
  Status AssignResource(std::int32_t id, std::size_t input) override;
  void* external_context() const override;
  Status SetExternalContext(void* context) override;

 private:
  // Tensors of one subgraph by their indices.
  struct Tensors {
    std::span<const EvalTensor> all;
    std::span<const std::int32_t> listed;
  };

  // Null for a call from reset or free: these run outside any scope, so nothing is bracketed.
  ArenaObserver* ObserverOfCall() const;
  Status RequirePhase(OperatorPhase phase) const;
  // The running operator may ask for the subgraph.
  Status RequireCalled(std::int32_t subgraph) const;
  Status Resolve(const TensorList& list, Tensors* tensors) const;
  // Whether the region lies in one persistent block of the running operator.
  bool HoldsPersistent(MemoryRegion region) const;
  Status Resources(ResourceVariables** resources) const;
  // An operand of the running operator and the variable's value, of equal bytes.
  Status Pair(std::int32_t id, const TensorList& list, std::size_t position, TensorMove* operand_to_variable) const;

  Interpreter& interpreter_;
};

}  // namespace arenaproof
