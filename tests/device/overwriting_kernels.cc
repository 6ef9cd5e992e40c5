#include "tests/device/overwriting_kernels.h"

#include <algorithm>
#include <cstring>

#include "kernels/reference/reference_kernels.h"

namespace arenaproof::device {
namespace {

constexpr int kByte = 0x1a;

Overwritten overwritten;
std::size_t overwritten_bytes;
Kernel reference, overwriting;

Status InvokeAndOverwrite(const InvokeContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(reference.invoke(context));
  const Operand& output = context.outputs[0];
  std::byte* const end = output.data + output.bytes;
  switch (overwritten) {
    case Overwritten::kInside:
      std::memset(end - std::min(overwritten_bytes, output.bytes), kByte, std::min(overwritten_bytes, output.bytes));
      break;
    case Overwritten::kBehind:
      std::memset(end, kByte, overwritten_bytes);
      break;
    case Overwritten::kBefore:
      std::memset(output.data - overwritten_bytes, kByte, overwritten_bytes);
      break;
  }
  return Ok();
}

}  // namespace

KernelSet OverwritingKernels(Overwritten where, std::size_t bytes) {
  overwritten = where;
  overwritten_bytes = bytes;
  for (const Kernel& kernel : ReferenceKernels().kernels) {
    if (kernel.op == BuiltinOperator::kFullyConnected) reference = kernel;
  }
  overwriting = reference;
  overwriting.name = "overwriting";
  overwriting.invoke = InvokeAndOverwrite;
  return {.name = "overwriting", .kernels = {&overwriting, 1}, .fallback = &ReferenceKernels()};
}

}  // namespace arenaproof::device
