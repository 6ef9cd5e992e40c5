// Numbers of operands and of resource variables: the last that there is, the first that is not, and where one wraps.
#include <algorithm>
#include <array>
#include <cstring>

#include "props/runtime/service_bounds_kernels.h"
#include "props/support/draws.h"

namespace arenaproof::testing::service_bounds {
namespace {

// A number around the end of what there is.
std::size_t NumberAround(std::size_t count) {
  return std::array<std::size_t, 5>{0, count - 1, count, count + 1, kMost}[Below<std::size_t>(5)];
}
std::int32_t IdAround(std::int32_t count) {
  return std::array<std::int32_t, 6>{
      0, count - 1, count, count + 1, -1, std::numeric_limits<std::int32_t>::min()}[Below<std::size_t>(6)];
}

void ReadOutput(RuntimeServices& runtime, const std::vector<std::size_t>& output_bytes) {
  std::vector<std::byte> room(64, std::byte{0x11});
  const std::size_t position = NumberAround(kCalleeOperands);
  const std::size_t there = position < kCalleeOperands ? output_bytes[position] : 1;
  const std::size_t bytes =
      std::array<std::size_t, 5>{0, there - 1, there, there + 1, room.size()}[Below<std::size_t>(5)];
  const StatusCode expected = position >= kCalleeOperands ? StatusCode::kRuntimeTensorIndex
                              : bytes > there             ? StatusCode::kSubgraphCopyBytes
                                                          : StatusCode::kOk;
  const Status status = runtime.ReadOutput(1, position, {room.data(), bytes});
  Require(status.code, expected, "an output of a called subgraph is read");
  const std::size_t read = status.ok() && expected == StatusCode::kOk ? bytes : 0;
  for (std::size_t i = 0; i < room.size(); ++i) {
    if (room[i] == (i < read ? std::byte{0x33} : std::byte{0x11}) || !complaint.empty()) continue;
    complaint = "of an output of a called subgraph other bytes are read than were asked for";
  }
}

}  // namespace

Status PrepareCaller(PrepareContext& context) {
  RuntimeServices& runtime = *context.runtime;
  std::int32_t id = 0;
  for (const char* name : {"sized", "empty"}) ARENAPROOF_RETURN_IF_ERROR(runtime.FindResource("", name, &id));
  ARENAPROOF_RETURN_IF_ERROR(runtime.SizeResource(0, kValueBytes, 1));
  const auto beyond =
      std::array<std::int32_t, 4>{2, 3, -1, std::numeric_limits<std::int32_t>::max()}[Below<std::size_t>(4)];
  Require(runtime.SizeResource(beyond, kValueBytes, 1).code, StatusCode::kResourceIndex, "a variable is sized");
  const std::size_t number = NumberAround(kCalleeOperands);
  const bool output = OneIn(2);
  Operand operand;
  // The last number of an output wraps: it lies just before the outputs, and behind all inputs.
  Require(runtime.DescribeOperand(1, output ? kFirstOutputOperand + number : number, &operand).code,
          number < kCalleeOperands ? StatusCode::kOk : StatusCode::kRuntimeTensorIndex,
          "an operand of a called subgraph is described");
  return Ok();
}

Status InvokeCaller(const InvokeContext& context) {
  RuntimeServices& runtime = *context.runtime;
  std::vector<std::size_t> input_bytes, callee_bytes(kCalleeOperands, kValueBytes);
  for (const Operand& input : context.inputs) input_bytes.push_back(input.bytes);
  const std::size_t skipped = NumberAround(kCallerInputs), callee_skipped = NumberAround(kCalleeOperands);
  const std::size_t from = skipped < kCallerInputs ? kCallerInputs - skipped : 0;
  const std::size_t to = callee_skipped < kCalleeOperands ? kCalleeOperands - callee_skipped : 0;
  StatusCode expected = from == to ? StatusCode::kOk : StatusCode::kSubgraphCopyCount;
  for (std::size_t i = 0; i < from && from == to; ++i) {
    if (input_bytes[kCallerInputs - from + i] != kValueBytes) expected = StatusCode::kSubgraphCopyBytes;
  }
  Require(runtime
              .CopyTensors({TensorListKind::kOperatorInputs, -1, skipped},
                           {TensorListKind::kSubgraphInputs, 1, callee_skipped})
              .code,
          expected, "tensors are copied");
  ARENAPROOF_RETURN_IF_ERROR(runtime.InvokeSubgraph(1));
  ReadOutput(runtime, callee_bytes);

  const bool assign = OneIn(2);
  const std::size_t count = assign ? kCallerInputs : 1;
  const std::size_t position = NumberAround(count);
  const std::int32_t id = IdAround(2);
  const StatusCode found = (assign ? runtime.AssignResource(id, position) : runtime.ReadResource(id, position)).code;
  const bool there = position < count;
  const std::size_t bytes = !there ? 0 : assign ? input_bytes[position] : context.outputs[0].bytes;
  const StatusCode answer = id < 0 || id > 1       ? StatusCode::kResourceIndex
                            : id == 1              ? StatusCode::kResourceEmpty
                            : bytes != kValueBytes ? StatusCode::kResourceBytes
                                                   : StatusCode::kOk;
  const bool both_are_wrong = !there && id != 0;
  if (!both_are_wrong || found != answer) {
    Require(found, there ? answer : StatusCode::kRuntimeTensorIndex, "a resource variable is read or assigned");
  }
  std::memset(context.outputs[0].data, 0x77, context.outputs[0].bytes);
  return Ok();
}

}  // namespace arenaproof::testing::service_bounds
