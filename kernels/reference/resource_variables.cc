// VAR_HANDLE, READ_VARIABLE and ASSIGN_VARIABLE: values known by name, which the runtime keeps.
//
// A handle is a tensor of four bytes with the variable's id. VAR_HANDLE's lies in its own persistent memory and is
// filled in prepare, so that the others know the variable then; a handle that comes into a subgraph from outside is
// filled when the model runs.
#include <cstring>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

Status CheckHandle(const PrepareContext& context, std::size_t operand) {
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, operand, TensorType::kResource));
  return CheckElementCount(context, operand, 1);
}

std::int32_t IdOf(const Operand& handle) {
  std::int32_t id = 0;
  std::memcpy(&id, handle.data, sizeof id);
  return id;
}

}  // namespace

Status PrepareVarHandle(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 0, 0, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckHandle(context, kOutput));
  const VarHandleOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  if (options->container == nullptr) return Failure(StatusCode::kResourceKeyMissing, 0);
  if (options->shared_name == nullptr) return Failure(StatusCode::kResourceKeyMissing, 1);
  std::int32_t id = 0;
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->FindResource(options->container, options->shared_name, &id));
  std::int32_t* handle = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &handle));
  *handle = id;
  return context.runtime->PlaceOutput(0, reinterpret_cast<std::byte*>(handle));
}

Status InvokeVarHandle(const InvokeContext&) { return Ok(); }

Status PrepareReadVariable(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  return CheckHandle(context, 0);
}

Status InvokeReadVariable(const InvokeContext& context) {
  return context.runtime->ReadResource(IdOf(context.inputs[0]), 0);
}

Status PrepareAssignVariable(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 0));
  ARENAPROOF_RETURN_IF_ERROR(CheckHandle(context, 0));
  if (context.inputs[0].data == nullptr) return Ok();  // known when the model runs
  const Operand& value = context.inputs[1];
  std::uint8_t fill = 0;
  if (value.type == TensorType::kInt8 && value.quantization.zero_point_count > 0) {
    fill = static_cast<std::uint8_t>(value.quantization.zero_point());
  }
  return context.runtime->SizeResource(IdOf(context.inputs[0]), value.bytes, fill);
}

Status InvokeAssignVariable(const InvokeContext& context) {
  return context.runtime->AssignResource(IdOf(context.inputs[0]), 1);
}

}  // namespace arenaproof::reference
