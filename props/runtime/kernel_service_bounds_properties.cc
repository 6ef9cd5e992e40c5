// Every service that takes an address, a size or a number, asked at its edge: the last one that is right, the first
// that is not, far beyond, and where an end would wrap. Whether a request is granted follows from plain intervals kept
// here; what is granted lies in the arena, apart from all else that was granted, and a block that is refused changes
// nothing. Outputs that operators placed themselves are written, and every other block has to hold what it held.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "props/support/draws.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 15;
alignas(64) std::byte arena[kArenaBytes];
alignas(64) std::byte other_arena[kArenaBytes];
constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kCapacity = 3;        // of resource variables
constexpr std::size_t kValueBytes = 8;      // of the first; the second has none
constexpr std::size_t kCalleeOperands = 2;  // inputs, and outputs
constexpr std::size_t kCallerInputs = 3;

struct Range {
  std::uintptr_t start = 0;
  std::size_t bytes = 0;
  bool Holds(Range inner) const {
    return inner.start >= start && inner.bytes <= bytes && inner.start - start <= bytes - inner.bytes;
  }
  bool Touches(Range other) const {
    if (bytes == 0 || other.bytes == 0) return false;
    return start < other.start ? other.start - start < bytes : start - other.start < other.bytes;
  }
};
Range RangeOf(const std::byte* data, std::size_t bytes) { return {reinterpret_cast<std::uintptr_t>(data), bytes}; }

// An operator of the main graph and what it was granted.
struct Holder {
  std::vector<Range> blocks;
  std::vector<Range> temporaries;  // that it has not given back
  std::byte* placed = nullptr;     // where its output has to lie
  std::size_t output_bytes = 0;
};
// One interpreter at a time: kernels find their operator here.
std::vector<Holder> holders;
std::size_t initialised_count = 0;
bool asks_for_too_much_scratch = false;
const ModelAllocator* allocator = nullptr;
std::string complaint;

void Require(StatusCode found, StatusCode expected, const std::string& what) {
  if (found == expected || !complaint.empty()) return;
  complaint = "at the edge of a kernel's request: " + what + ": status " + std::to_string(static_cast<int>(found)) +
              " instead of " + std::to_string(static_cast<int>(expected));
}

std::byte PatternOf(const Range& block) { return static_cast<std::byte>(block.start / 16 * 7 + block.bytes); }
void Fill(const Range& block) {
  if (block.bytes > 0)
    std::memset(reinterpret_cast<void*>(block.start), std::to_integer<int>(PatternOf(block)), block.bytes);
}

// What is granted is nobody else's.
void RequireOwn(const Range& granted, const char* what) {
  const bool inside =
      RangeOf(arena, sizeof arena).Holds(granted) || RangeOf(other_arena, sizeof other_arena).Holds(granted);
  bool apart = true;
  for (const Holder& holder : holders) {
    for (const std::vector<Range>* each : {&holder.blocks, &holder.temporaries}) {
      for (const Range& other : *each) apart = apart && !granted.Touches(other);
    }
  }
  if ((!inside || !apart) && complaint.empty())
    complaint = std::string("I1, I2: ") + what + " is not its owner's alone";
}

// Around a size, and where sums wrap.
std::size_t TooMany() {
  const auto tail_begin = static_cast<std::size_t>(allocator->arena().persistent().state().tail_begin);
  return std::array<std::size_t, 7>{2 * kArenaBytes,
                                    kMost,
                                    kMost - 15,
                                    kMost - 16 - Below<std::size_t>(64),
                                    kMost / 2 + 1,
                                    kMost - tail_begin + 1,
                                    tail_begin - Below<std::size_t>(64)}[Below<std::size_t>(7)];
}

Status TakeBlock(PrepareServices& services, Holder& holder) {
  const bool refused = OneIn(6);
  const std::size_t bytes = refused ? TooMany() : Below<std::size_t>(64);
  const TensorArena::State before = allocator->arena().state();
  std::byte* data = nullptr;
  const Status status = services.AllocatePersistent(bytes, &data);
  if (refused) {
    if (status.ok() || !(allocator->arena().state() == before)) {
      if (complaint.empty()) complaint = "more bytes than there are were granted, or their refusal has an effect";
      return StatusOfKernelValue(1);
    }
    return Ok();
  }
  ARENAPROOF_RETURN_IF_ERROR(status);
  const Range block = RangeOf(data, bytes);
  RequireOwn(block, "a persistent block");
  holder.blocks.push_back(block);
  Fill(block);
  return Ok();
}

Status TakeTemporary(PrepareServices& services, Holder& holder) {
  const std::size_t alignment = std::size_t{1} << Below<std::size_t>(7);
  const bool refused = OneIn(6);
  const std::size_t bytes = refused ? TooMany() : Below<std::size_t>(64);
  std::byte* data = nullptr;
  const Status status = services.AllocateTemporary(bytes, alignment, &data);
  if (refused) {
    if (!status.ok()) return Ok();
    if (complaint.empty()) complaint = "a temporary of more bytes than there are was granted";
    return StatusOfKernelValue(1);
  }
  ARENAPROOF_RETURN_IF_ERROR(status);
  const Range temporary = RangeOf(data, bytes);
  RequireOwn(temporary, "a temporary");
  if (temporary.start % alignment != 0 && complaint.empty()) complaint = "a temporary is misaligned";
  holder.temporaries.push_back(temporary);
  Fill(temporary);
  return Ok();
}

Range SomeRange(const Holder& holder) {
  std::vector<Range> ranges;
  for (const Holder& each : holders) {
    if (&each != &holder && !OneIn(4)) continue;
    ranges.insert(ranges.end(), each.blocks.begin(), each.blocks.end());
    if (&each != &holder || OneIn(4)) ranges.insert(ranges.end(), each.temporaries.begin(), each.temporaries.end());
  }
  return ranges.empty() ? Range() : ranges[Below(ranges.size())];
}

// Where `bytes` would begin.
std::uintptr_t NearTheEdgeOf(const Range& range, std::size_t bytes) {
  const std::uintptr_t end = range.start + range.bytes;
  switch (Below(10)) {
    case 0:
      return range.start;
    case 1:
      return end - bytes;
    case 2:
      return end - bytes + 1;
    case 3:
      return end - 1;
    case 4:
      return end;
    case 5:
      return range.start - 1;
    case 6:
      return std::uintptr_t{0};
    case 7:
      return kMost - Below<std::uintptr_t>(2 * bytes + 2);
    default:
      return range.start + Below<std::uintptr_t>(range.bytes + 16);
  }
}

void PlaceOutput(RuntimeServices& runtime, Holder& holder) {
  const std::size_t output = OneIn(6) ? std::array<std::size_t, 3>{1, 2, kMost}[Below<std::size_t>(3)] : 0;
  const Range wish{NearTheEdgeOf(SomeRange(holder), holder.output_bytes), holder.output_bytes};
  auto* const block = reinterpret_cast<std::byte*>(wish.start);
  const bool own =
      std::any_of(holder.blocks.begin(), holder.blocks.end(), [&](const Range& each) { return each.Holds(wish); });
  const StatusCode expected = output != 0 ? StatusCode::kRuntimeTensorIndex
                              : own       ? StatusCode::kOk
                                          : StatusCode::kPlacedOutputBlock;
  const Status status = runtime.PlaceOutput(output, block);
  if (output != 0 && !own && status.code == StatusCode::kPlacedOutputBlock) return;  // both are wrong
  Require(status.code, expected, "an output is placed, whose bytes have to lie in one block of its operator");
  if (status.ok()) holder.placed = block;
}

void FreeTemporary(PrepareServices& services, Holder& holder) {
  const std::uintptr_t address = NearTheEdgeOf(SomeRange(holder), 1);
  const auto found = std::find_if(holder.temporaries.begin(), holder.temporaries.end(),
                                  [&](const Range& each) { return each.start == address; });
  const bool own = found != holder.temporaries.end();
  const Status status = services.FreeTemporary(reinterpret_cast<std::byte*>(address));
  Require(status.code, own ? StatusCode::kOk : StatusCode::kForeignTemporary, "a temporary is given back");
  if (own) holder.temporaries.erase(found);
}

Status InitHolder(PrepareContext& context) {
  Holder& holder = holders[initialised_count++];
  context.op_data = &holder;
  for (std::size_t count = Below<std::size_t>(4); count > 0; --count) {
    ARENAPROOF_RETURN_IF_ERROR(TakeBlock(*context.services, holder));
  }
  return Ok();
}

Status PrepareHolder(PrepareContext& context) {
  Holder& holder = *static_cast<Holder*>(context.op_data);
  for (std::size_t count = Below<std::size_t>(10); count > 0; --count) {
    switch (Below(6)) {
      case 0:
        ARENAPROOF_RETURN_IF_ERROR(TakeBlock(*context.services, holder));
        break;
      case 1:
        ARENAPROOF_RETURN_IF_ERROR(TakeTemporary(*context.services, holder));
        break;
      case 2:
        FreeTemporary(*context.services, holder);
        break;
      default:
        PlaceOutput(*context.runtime, holder);
        break;
    }
  }
  for (const Range& temporary : holder.temporaries) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->FreeTemporary(reinterpret_cast<std::byte*>(temporary.start)));
  }
  holder.temporaries.clear();
  return asks_for_too_much_scratch ? context.services->RequestScratch(TooMany()) : Ok();
}

Status InvokeHolder(const InvokeContext& context) {
  Holder& holder = *static_cast<Holder*>(context.op_data);
  const Operand& output = context.outputs[0];
  if (holder.placed != nullptr && output.data != holder.placed && complaint.empty()) {
    complaint = "an output does not lie where its operator placed it";
  }
  std::memset(output.data, 0x77, output.bytes);
  return Ok();
}

// A number around the end of what there is.
std::size_t NumberAround(std::size_t count) {
  return std::array<std::size_t, 5>{0, count - 1, count, count + 1, kMost}[Below<std::size_t>(5)];
}
std::int32_t IdAround(std::int32_t count) {
  return std::array<std::int32_t, 6>{
      0, count - 1, count, count + 1, -1, std::numeric_limits<std::int32_t>::min()}[Below<std::size_t>(6)];
}

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
  // Of outputs the last number wraps: it lies just before them, and behind all inputs.
  Require(runtime.DescribeOperand(1, output ? kFirstOutputOperand + number : number, &operand).code,
          number < kCalleeOperands ? StatusCode::kOk : StatusCode::kRuntimeTensorIndex,
          "an operand of a called subgraph is described");
  return Ok();
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

Status InvokeCallee(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0x33, context.outputs[0].bytes);
  return Ok();
}

constexpr Kernel kKernels[] = {
    {.op = BuiltinOperator::kRelu,
     .name = "holder",
     .init = InitHolder,
     .prepare = PrepareHolder,
     .invoke = InvokeHolder},
    {.op = BuiltinOperator::kIf, .name = "caller", .prepare = PrepareCaller, .invoke = InvokeCaller},
    {.op = BuiltinOperator::kRelu6, .name = "callee", .invoke = InvokeCallee}};
const KernelSet kernel_set{"edges", kKernels};

std::int32_t AddTensor(SubgraphSpec& graph, std::size_t bytes) {
  return graph.AddTensor({.type = TensorType::kInt8, .shape = {{static_cast<std::int32_t>(bytes)}}});
}

// A chain of holders, whose last output goes to the caller besides two inputs of the graph.
std::vector<std::byte> DrawModel() {
  holders.clear();
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto about_a_value = [] { return OneIn(3) ? kValueBytes + Below<std::size_t>(3) - 1 : kValueBytes; };
  graph.inputs = {AddTensor(graph, 8), AddTensor(graph, about_a_value()), AddTensor(graph, about_a_value())};
  std::int32_t last = graph.inputs[0];
  for (std::size_t count = 1 + Below<std::size_t>(3); count > 0; --count) {
    holders.emplace_back();
    holders.back().output_bytes = 1 + Below<std::size_t>(48);
    const std::int32_t output = AddTensor(graph, holders.back().output_bytes);
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {last}, .outputs = {output}});
    last = output;
  }
  graph.outputs = {AddTensor(graph, about_a_value())};
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kIf),
                     .inputs = {last, graph.inputs[1], graph.inputs[2]},
                     .outputs = graph.outputs,
                     .options = IfOptions{1, 2}});
  for (int called = 0; called < 2; ++called) {
    SubgraphSpec& callee = builder.AddSubgraph();
    for (std::size_t i = 0; i < kCalleeOperands; ++i) {
      callee.inputs.push_back(AddTensor(callee, kValueBytes));
      callee.outputs.push_back(AddTensor(callee, kValueBytes));
      callee.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu6),
                          .inputs = {callee.inputs.back()},
                          .outputs = {callee.outputs.back()}});
    }
  }
  return builder.Finish();
}

void RequireBlocksHeld() {
  for (const Holder& holder : holders) {
    for (const Range& block : holder.blocks) {
      const bool shared = std::any_of(holders.begin(), holders.end(), [&](const Holder& other) {
        return other.placed != nullptr && block.Touches(RangeOf(other.placed, other.output_bytes));
      });
      if (shared) continue;
      const auto* const data = reinterpret_cast<const std::byte*>(block.start);
      if (!std::all_of(data, data + block.bytes, [&](std::byte byte) { return byte == PatternOf(block); })) {
        RC_FAIL("I1: a persistent block was overwritten");
      }
    }
  }
}

RC_GTEST_PROP(KernelServiceBounds, AreGrantedToTheirLastByteAndNoFurther, ()) {
  complaint.clear();
  const std::vector<std::byte> file = DrawModel();
  ModelView model;
  RC_ASSERT(ModelView::Open(file, &model).ok());
  const InterpreterOptions options{.resource_variable_count = kCapacity};
  const bool two_arenas = OneIn(3);
  Interpreter interpreter =
      two_arenas
          ? Interpreter(model, kernel_set, ArenaBuffers{arena, sizeof arena, other_arena, sizeof other_arena}, options)
          : Interpreter(model, kernel_set, arena, sizeof arena, options);
  allocator = interpreter.allocator();
  asks_for_too_much_scratch = OneIn(12);
  const std::vector<Holder> fresh = holders;
  initialised_count = 0;
  Status status = interpreter.AllocateTensors();
  if (!complaint.empty()) RC_FAIL(complaint);
  if (asks_for_too_much_scratch) {
    if (status.ok()) RC_FAIL("a scratch buffer of more bytes than there are was granted");
    asks_for_too_much_scratch = false;
    initialised_count = 0;
    holders = fresh;
    status = interpreter.AllocateTensors();
    if (!complaint.empty()) RC_FAIL(complaint);
  }
  RC_ASSERT(status.ok());
  for (int run = 0; run < 3; ++run) {
    RC_ASSERT(interpreter.Invoke().ok());
    if (!complaint.empty()) RC_FAIL(complaint);
    RequireBlocksHeld();
  }
}

}  // namespace
}  // namespace arenaproof::testing
