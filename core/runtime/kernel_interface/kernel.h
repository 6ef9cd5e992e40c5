// The interface between the runtime and kernels. A kernel sees its operator through a small view that the runtime fills
// outside the arena; it never walks node records, tail structures or the model file's tables, in prepare neither, so
// that every byte which is not listed in the view can be closed while it runs.
//
// prepare: shapes, types, quantisation and constants are final; data of non-constant operands is null. The kernel
// validates everything invoke relies on, takes persistent memory, requests scratch, and gives back every temporary.
// invoke: all operands and scratch have addresses; nothing can be allocated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/in_place.h"
#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/model/builtin_operator.h"
#include "core/model/operator_options.h"
#include "core/model/quantization_view.h"
#include "core/model/tensor_type.h"
#include "core/runtime/kernel_interface/runtime_services.h"

namespace arenaproof {

inline constexpr std::size_t kMaxOperandRank = 6;  // the limit of the reference's shape object, for every kernel

// In statuses operands are numbered: inputs from 0, outputs from kFirstOutputOperand.
inline constexpr std::size_t kFirstOutputOperand = 1000;

struct Operand {
  // Null when omitted, empty, or not placed yet: in prepare only constants and outputs that an operator has placed
  // itself (resource handles) have addresses. Constants must not be written.
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  TensorType type = TensorType::kFloat32;
  std::uint8_t rank = 0;  // 0: scalar
  bool present = false;   // false: optional input, omitted (-1 in the file)
  bool constant = false;
  bool variable = false;
  std::array<std::int32_t, kMaxOperandRank> dims{};
  QuantizationView quantization;  // lists lie in the model file: readable in prepare only
  std::int32_t tensor_index = -1;

  std::span<const std::int32_t> shape() const { return {dims.data(), rank}; }
  // Product of the dimensions, 1 for a scalar; validated not to overflow.
  std::size_t element_count() const {
    std::size_t count = 1;
    for (const std::int32_t extent : shape()) count *= static_cast<std::size_t>(extent);
    return count;
  }
  template <typename Element>
  const Element* as() const {
    return reinterpret_cast<const Element*>(data);
  }
  template <typename Element>
  Element* mutable_as() const {
    return reinterpret_cast<Element*>(data);
  }
};
ARENAPROOF_PIN_BYTES(Operand, 96, 8, 64, 4);

// What prepare may ask of the runtime. Addresses are 16-aligned unless an alignment is given.
class PrepareServices {
 public:
  virtual Status AllocatePersistent(std::size_t bytes, std::byte** block) = 0;
  // The n-th request of an operator (from 0) is InvokeContext::scratch[n] later.
  virtual Status RequestScratch(std::size_t bytes) = 0;
  virtual Status AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) = 0;
  virtual Status FreeTemporary(std::byte* block) = 0;
  // For measurements: the next persistent block is for `count` of these. Changes nothing.
  virtual void Announce(const StructureBytes& /*element*/, std::size_t /*count*/) {}

 protected:
  ~PrepareServices() = default;
};

struct PrepareContext {
  std::span<const Operand> inputs;
  std::span<const Operand> outputs;
  const OperatorOptions* options = nullptr;
  PrepareServices* services = nullptr;
  RuntimeServices* runtime = nullptr;
  void* op_data = nullptr;  // set by init or prepare; handed to invoke, reset and free
  // A custom operator's option bytes, where the model file has them, at any address; readable in init and prepare only.
  std::span<const std::byte> custom_options = {};

  template <typename Options>
  const Options* options_as() const {
    return std::get_if<Options>(options);
  }
};

struct InvokeContext {
  std::span<const Operand> inputs;
  std::span<const Operand> outputs;
  std::span<std::byte* const> scratch;
  RuntimeServices* runtime = nullptr;
  void* op_data = nullptr;
  // The instruments' work budget asks for nothing here: a kernel's work is bounded by its operands' shapes, and between
  // operators the interpreter asks whether to go on.
};

// Bytes around an operand that invoke reads on purpose, whatever lies there, and does not use.
struct ReadAllowance {
  std::size_t operand = 0;  // numbered as in statuses
  std::size_t before_bytes = 0, after_bytes = 0;
};

struct Kernel {
  BuiltinOperator op;
  const char* name;  // of the variant: "reference", "aligned-faulty"
  // Whether this variant serves such operands; null: all of the operator. Looked up before init.
  bool (*serves)(std::span<const Operand> inputs, std::span<const Operand> outputs) = nullptr;
  Status (*init)(PrepareContext& context) = nullptr;
  Status (*prepare)(PrepareContext& context) = nullptr;
  Status (*invoke)(const InvokeContext& context) = nullptr;
  // Back to the state after prepare: at the end of AllocateTensors and at each Interpreter::Reset. May touch the
  // operator's own persistent memory.
  void (*reset)(void* op_data) = nullptr;
  // Once for each operator that a set-up found a kernel for, however far the set-up came (op_data null when it set
  // none): when the interpreter goes, and before its model is allocated anew.
  void (*free)(void* op_data) = nullptr;
  // With the operator CUSTOM: the name that the kernel serves; without one it serves nothing. For ever in place.
  const char* custom_name = nullptr;
  // Which inputs' bytes output 0 may lie in (core/base/in_place.h). invoke then gives the same output, to the bit, when
  // it does, and reads no byte of the pair that it has written: of equal sizes, byte i of the output depends on no byte
  // of that input below i. With kLeavesDataUnmodified there may be nothing to do. Bits of operands that an operator
  // lacks do not count.
  unsigned sharing = kSharesNothing;
  std::span<const ReadAllowance> read_allowances = {};  // for ever in place
};

// As profiler, observers and reports call the kernel's operator: "FULLY_CONNECTED", a custom one by its own name.
inline const char* OperatorNameOf(const Kernel& kernel) {
  const bool custom = kernel.op == BuiltinOperator::kCustom && kernel.custom_name != nullptr;
  return custom ? kernel.custom_name : BuiltinOperatorName(kernel.op);
}

// A kernel that has its status as a plain number, in the numbering of TensorFlow Lite: 0 success; 15 end this invoke
// quietly (kInvokeAborted), 8 cancelled; every other value, known or not, is a failure (kKernelFailed).
constexpr Status StatusOfKernelValue(std::int32_t value) {
  if (value == 0) return Ok();
  if (value == 8) return Failure(StatusCode::kInvokeCancelled, -1, -1);
  if (value == 15) return Failure(StatusCode::kInvokeAborted);
  return Failure(StatusCode::kKernelFailed, std::int64_t{value});
}

// Kernels by operator. An operator that no own kernel serves is looked up in `fallback`.
struct KernelSet {
  const char* name;
  std::span<const Kernel> kernels;
  const KernelSet* fallback = nullptr;
};

}  // namespace arenaproof
