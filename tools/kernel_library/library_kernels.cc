#include "tools/kernel_library/library_kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "core/base/byte_size.h"
#include "tools/kernel_library/library_call.h"
#include "tools/kernel_library/library_operands.h"
#include "tools/kernel_library/option_list.h"

namespace arenaproof {
namespace {

// The kernels of the one library.
const CheckedTable* current_table = nullptr;

const char* OperatorNameOf(const ArenaproofKernel& kernel) {
  return kernel.custom_name != nullptr ? kernel.custom_name
                                       : BuiltinOperatorName(static_cast<BuiltinOperator>(kernel.builtin_code));
}

// What the adapter keeps of an operator, on the heap: the arena's figures are those of a device.
struct LibraryOperator {
  const ArenaproofKernel* kernel;
  void* op_data = nullptr;
};

// What services need while init or prepare runs.
struct ServiceHost {
  PrepareServices* services;
  Status refused = {};  // the first refusal
  std::size_t scratch_count = 0;

  std::int32_t Answer(const Status& status) {
    if (status.ok()) return ARENAPROOF_KERNEL_OK;
    if (refused.ok()) refused = status;
    return ARENAPROOF_KERNEL_ERROR;
  }
};

ServiceHost& HostOf(void* host) { return *static_cast<ServiceHost*>(host); }

std::int32_t AllocatePersistent(void* host, std::size_t bytes, void** block) noexcept {
  std::byte* granted = nullptr;
  const std::int32_t answer = HostOf(host).Answer(HostOf(host).services->AllocatePersistent(bytes, &granted));
  *block = granted;
  return answer;
}

std::int32_t RequestScratch(void* host, std::size_t bytes, std::size_t* index) noexcept {
  // Planning would refuse it too, when nobody knows any more whose it was.
  std::size_t rounded = 0;
  Status status = RoundUp16(bytes, &rounded);
  if (status.ok()) status = HostOf(host).services->RequestScratch(bytes);
  const std::int32_t answer = HostOf(host).Answer(status);
  *index = HostOf(host).scratch_count;
  if (answer == ARENAPROOF_KERNEL_OK) ++HostOf(host).scratch_count;
  return answer;
}

std::int32_t AllocateTemporary(void* host, std::size_t bytes, std::size_t alignment, void** block) noexcept {
  std::byte* granted = nullptr;
  const std::int32_t answer = HostOf(host).Answer(HostOf(host).services->AllocateTemporary(bytes, alignment, &granted));
  *block = granted;
  return answer;
}

std::int32_t FreeTemporary(void* host, void* block) noexcept {
  return HostOf(host).Answer(HostOf(host).services->FreeTemporary(static_cast<std::byte*>(block)));
}

constexpr ArenaproofServices kServices = {AllocatePersistent, RequestScratch, AllocateTemporary, FreeTemporary};

using SetUpFunction = std::int32_t (*)(ArenaproofSetUp*);

// An exception has nowhere to go in a C interface: noexcept ends the process while the call is noted.
Status RunSetUp(LibraryCall call, SetUpFunction function, LibraryOperator& own, PrepareContext& context) noexcept {
  if (function == nullptr) return Ok();
  const LibraryOperands operands(context.inputs, context.outputs);
  const OptionList options(*context.options);
  ServiceHost host{context.services};
  ArenaproofSetUp set_up{.inputs = operands.inputs(),
                         .input_count = operands.input_count(),
                         .outputs = operands.outputs(),
                         .output_count = operands.output_count(),
                         .options = options.options().data(),
                         .option_count = options.options().size(),
                         .option_bytes = context.custom_options.data(),
                         .option_bytes_count = context.custom_options.size(),
                         .services = &kServices,
                         .host = &host,
                         .op_data = own.op_data};
  std::int32_t value = 0;
  {
    const LibraryCallNote note(call, OperatorNameOf(*own.kernel));
    value = function(&set_up);
  }
  own.op_data = set_up.op_data;
  if (!host.refused.ok()) return host.refused;
  return value == ARENAPROOF_KERNEL_OK ? Ok() : Failure(StatusCode::kKernelFailed, std::int64_t{value});
}

Status Init(const ArenaproofKernel& kernel, PrepareContext& context) {
  auto own = std::make_unique<LibraryOperator>(LibraryOperator{&kernel});
  LibraryOperator& kept = *own;
  context.op_data = own.release();  // until Free
  return RunSetUp(LibraryCall::kInit, kernel.init, kept, context);
}

Status Prepare(PrepareContext& context) {
  auto& own = *static_cast<LibraryOperator*>(context.op_data);
  return RunSetUp(LibraryCall::kPrepare, own.kernel->prepare, own, context);
}

Status Invoke(const InvokeContext& context) noexcept {
  const auto& own = *static_cast<const LibraryOperator*>(context.op_data);
  const LibraryOperands operands(context.inputs, context.outputs);
  const ArenaproofInvoke invoke{.inputs = operands.inputs(),
                                .input_count = operands.input_count(),
                                .outputs = operands.outputs(),
                                .output_count = operands.output_count(),
                                .scratch = reinterpret_cast<void* const*>(context.scratch.data()),
                                .scratch_count = context.scratch.size(),
                                .op_data = own.op_data};
  const LibraryCallNote note(LibraryCall::kInvoke, OperatorNameOf(*own.kernel));
  return StatusOfKernelValue(own.kernel->invoke(&invoke));
}

void Reset(void* op_data) noexcept {
  const auto& own = *static_cast<const LibraryOperator*>(op_data);
  if (own.kernel->reset == nullptr) return;
  const LibraryCallNote note(LibraryCall::kReset, OperatorNameOf(*own.kernel));
  own.kernel->reset(own.op_data);
}

void Free(void* op_data) noexcept {
  const std::unique_ptr<const LibraryOperator> own(static_cast<const LibraryOperator*>(op_data));
  if (own == nullptr || own->kernel->free == nullptr) return;  // init was not due
  const LibraryCallNote note(LibraryCall::kFree, OperatorNameOf(*own->kernel));
  own->kernel->free(own->op_data);
}

bool Serves(const ArenaproofKernel& kernel, std::span<const Operand> inputs,
            std::span<const Operand> outputs) noexcept {
  const LibraryOperands operands(inputs, outputs);
  const LibraryCallNote note(LibraryCall::kServes, OperatorNameOf(kernel));
  return kernel.serves(operands.inputs(), operands.input_count(), operands.outputs(), operands.output_count()) != 0;
}

// The runtime's functions for the table's kernel kSlot. Only those that run before there is any op_data need one each.
template <std::size_t kSlot>
struct Slot {
  static Status Init(PrepareContext& context) { return arenaproof::Init(current_table->kernels[kSlot], context); }
  static bool Serves(std::span<const Operand> inputs, std::span<const Operand> outputs) {
    return arenaproof::Serves(current_table->kernels[kSlot], inputs, outputs);
  }
};

struct SlotFunctions {
  Status (*init)(PrepareContext&);
  bool (*serves)(std::span<const Operand>, std::span<const Operand>);
};

template <std::size_t... kSlots>
constexpr auto MakeSlots(std::index_sequence<kSlots...>) {
  return std::array{SlotFunctions{Slot<kSlots>::Init, Slot<kSlots>::Serves}...};
}

constexpr auto kSlotFunctions = MakeSlots(std::make_index_sequence<ARENAPROOF_MAX_KERNELS>());

}  // namespace

LibraryKernels::LibraryKernels(CheckedTable table, const KernelSet* fallback) : table_(std::move(table)) {
  if (current_table != nullptr || table_.kernels.size() > kSlotFunctions.size()) std::abort();
  current_table = &table_;
  for (std::size_t i = 0; i < table_.kernels.size(); ++i) {
    const ArenaproofKernel& kernel = table_.kernels[i];
    std::vector<ReadAllowance>& allowances = read_allowances_.emplace_back();
    for (std::uint32_t k = 0; k < kernel.read_allowance_count; ++k) {
      const ArenaproofReadAllowance& one = kernel.read_allowances[k];
      allowances.push_back({one.operand, one.before_bytes, one.after_bytes});
    }
    kernels_.push_back({.op = static_cast<BuiltinOperator>(kernel.builtin_code),
                        .name = table_.name.c_str(),
                        .serves = kernel.serves == nullptr ? nullptr : kSlotFunctions[i].serves,
                        .init = kSlotFunctions[i].init,
                        .prepare = Prepare,
                        .invoke = Invoke,
                        .reset = kernel.reset == nullptr ? nullptr : Reset,
                        .free = Free,
                        .custom_name = kernel.custom_name,
                        .read_allowances = allowances});
  }
  set_ = {table_.name.c_str(), kernels_, fallback};
}

LibraryKernels::~LibraryKernels() { current_table = nullptr; }

bool LibraryKernels::Has(const Kernel* kernel) const {
  return std::any_of(kernels_.begin(), kernels_.end(), [&](const Kernel& own) { return &own == kernel; });
}

}  // namespace arenaproof
