// What the guard is shown on attach: a kernel that makes every planted access inside an operand, and where a closed
// page begins.
#include <cstring>
#include <string>
#include <utility>

#include "sanitizers/instrument/guard/guard_instrument.h"
#include "sanitizers/planted/planted_access.h"

namespace arenaproof {
namespace {

constexpr std::size_t kInputAt = 64, kInputBytes = 24, kOutputAt = 104, kOutputBytes = 32;
constexpr std::uint8_t kPlantedByte = 0x1a;  // of no fill

const PlantedAccess* planted_now = nullptr;
bool planted_in_output = false;
std::ptrdiff_t planted_at = 0;

Status MakePlanted(const InvokeContext& context) {
  std::byte* const output = context.outputs[0].data;
  std::memset(output, 0, kOutputBytes);
  SetPlantedValue(kPlantedByte);
  planted_now->make((planted_in_output ? output : context.inputs[0].data) + planted_at);
  return Ok();
}

}  // namespace

void GuardInstrument::MakePlantedAccesses(std::byte* area) {
  const OperandRange ranges[] = {{area + kInputAt, kInputBytes, AccessRight::kRead, OperandKind::kInput, 0},
                                 {area + kOutputAt, kOutputBytes, AccessRight::kReadWrite, OperandKind::kOutput, 1}};
  OperatorScope scope;
  scope.subgraph = scope.operator_index = -1;
  scope.operator_name = "self-test";
  scope.kernel_name = "planted";
  scope.operands = ranges;
  Operand input, output;
  input.data = area + kInputAt;
  output.data = area + kOutputAt;
  input.present = output.present = true;
  const Kernel kernel{.op = BuiltinOperator::kRelu, .name = "planted", .invoke = MakePlanted};
  InvokeContext context;
  context.inputs = {&input, 1};
  context.outputs = {&output, 1};
  ResultComparison of_the_model = std::move(results_);
  const auto plant = [&](const PlantedAccess& planted, bool in_output, std::ptrdiff_t at, bool illegal,
                         const char* where) {
    const std::uint64_t before = log().access_count();
    planted_now = &planted;
    planted_in_output = in_output;
    planted_at = at;
    results_ = {};
    for (const bool other : {false, true}) {
      if (other) results_.BeginOther();
      OnOperatorBegins(scope);
      NotePlanted(!Invoke(kernel, context).ok(), false, "status of a kernel");
      OnOperatorEnds();
    }
    NotePlanted(log().access_count() != before, illegal,
                std::string(planted.what) + " " + where + (in_output ? " an output" : " an input"));
  };
  for (const PlantedAccess& planted : PlantedAccesses()) {
    const auto half = static_cast<std::ptrdiff_t>(planted.bytes / 2);
    for (const bool in_output : {false, true}) {
      const OperandRange& operand = ranges[in_output ? 1 : 0];
      const auto end = static_cast<std::ptrdiff_t>(operand.bytes + BlindBytesAfter(operand, {}));
      // What depends on bytes lays them first: a write to an input in any case.
      const bool writes = planted.write || planted.depends_on_bytes;
      plant(planted, in_output, 0, writes && !in_output, "inside");
      plant(planted, in_output, -static_cast<std::ptrdiff_t>(kPlantedBytes), true, "before");
      plant(planted, in_output, end, true, "after");
      if (!planted.any_alignment) continue;
      plant(planted, in_output, -half, true, "across the start of");
      plant(planted, in_output, end - half, true, "across the end of");
    }
  }
  results_ = std::move(of_the_model);
  saw_last_ = true;
}

}  // namespace arenaproof
