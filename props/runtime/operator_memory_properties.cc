// What operators hold while they run, beyond their tensors: any number of scratch buffers, of persistent blocks, calls
// of subgraphs whose operators hold as much. Each finds what it asked for, alone, where it was before and also after a
// call, and the access list that an observer receives is exactly that.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/kernel_interface/limits.h"
#include "engine/cases/validated.h"
#include "sanitizers/event_checks/event_relay.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "sanitizers/report/violation.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::int32_t kHolderSubgraphCount = 4;  // the main one calls 1 and 2, 1 perhaps 3
constexpr std::int32_t kHolderElements = 6;       // of every tensor
constexpr std::size_t kHolderArenaBytes = std::size_t{1} << 18;
alignas(64) std::byte holder_arena[kHolderArenaBytes];
alignas(64) std::byte other_holder_arena[kHolderArenaBytes];

struct Asked {
  std::int32_t subgraph = 0;
  std::int32_t index = 0;  // in its subgraph: reads tensor `index`, writes the next one
  std::vector<std::int32_t> calls;
  std::size_t scratch_count = 0;
  std::size_t block_count = 0;    // besides what keeps its number
  std::size_t in_init_count = 0;  // of them, at most
  std::uint32_t seed = 0;

  // None at all is granted too. By the seed's last two bits: never, or each 37th buffer and each 29th block.
  std::size_t ScratchBytes(std::size_t i) const { return seed % 2 + (seed + 13 * i) % 37; }
  std::size_t BlockBytes(std::size_t i) const { return seed / 2 % 2 + (seed + 5 * i) % 29; }

  // What it got.
  std::vector<MemoryRegion> blocks;
  std::vector<std::byte*> scratch;        // of its first invoke
  std::vector<OperandRange> access_list;  // of its code that begins
};

// One interpreter at a time: kernels find their operator here.
std::vector<Asked> operators;
std::size_t initialised_count = 0;
std::string complaint;
void Complain(const Asked& asked, const std::string& what) {
  if (!complaint.empty()) return;
  complaint =
      "operator " + std::to_string(asked.index) + " of subgraph " + std::to_string(asked.subgraph) + ": " + what;
}

struct Kept {
  std::size_t number;
};

std::byte PatternOf(std::size_t number, std::size_t block, std::size_t byte) {
  return static_cast<std::byte>(37 * number + 11 * block + 3 * byte + 1);
}
void FillPattern(std::byte* data, std::size_t bytes, std::size_t number, std::size_t block) {
  for (std::size_t i = 0; i < bytes; ++i) data[i] = PatternOf(number, block, i);
}
bool Holds(const std::byte* data, std::size_t bytes, std::size_t number, std::size_t block) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (data[i] != PatternOf(number, block, i)) return false;
  }
  return true;
}
constexpr std::size_t kFirstBlock = 1000;  // of the patterns
constexpr std::size_t kOutput = 2000;

void RequireOwnMemory(const InvokeContext& context, const Asked& asked, std::size_t number, const char* when) {
  for (std::size_t i = 0; i < asked.scratch_count; ++i) {
    if (!Holds(context.scratch[i], asked.ScratchBytes(i), number, i)) {
      Complain(asked, "L5: scratch buffer " + std::to_string(i) + " is not its own " + when);
    }
  }
  for (std::size_t i = 0; i < asked.block_count; ++i) {
    if (!Holds(asked.blocks[i + 1].data, asked.blocks[i + 1].bytes, number, kFirstBlock + i)) {
      Complain(asked, "persistent block " + std::to_string(i) + " is not its own " + when);
    }
  }
  if (!Holds(context.outputs[0].data, context.outputs[0].bytes, number, kOutput)) {
    Complain(asked, std::string("its output is not its own ") + when);
  }
}

// Compares the access list with what the operator holds.
void RequireAccessList(const Asked& asked, const std::vector<OperandRange>& held) {
  const auto same = [](const OperandRange& a, const OperandRange& b) {
    return a.data == b.data && a.bytes == b.bytes && a.right == b.right && a.kind == b.kind && a.index == b.index;
  };
  const auto lacks = [&](const std::vector<OperandRange>& list, const OperandRange& one) {
    return std::none_of(list.begin(), list.end(), [&](const OperandRange& other) { return same(one, other); });
  };
  for (const OperandRange& one : held) {
    if (lacks(asked.access_list, one)) {
      Complain(asked,
               "its access list lacks " + std::string(OperandKindName(one.kind)) + " " + std::to_string(one.index));
    }
  }
  for (const OperandRange& one : asked.access_list) {
    if (lacks(held, one)) {
      Complain(asked, "its access list opens too much: " + std::string(OperandKindName(one.kind)) + " " +
                          std::to_string(one.index));
    }
  }
}

std::vector<OperandRange> BlocksOf(const Asked& asked) {
  std::vector<OperandRange> held;
  for (std::size_t i = 0; i < asked.blocks.size(); ++i) {
    if (asked.blocks[i].bytes == 0) continue;
    held.push_back({asked.blocks[i].data, asked.blocks[i].bytes, AccessRight::kReadWrite, OperandKind::kPersistent,
                    static_cast<std::int32_t>(i)});
  }
  return held;
}

// What it has in invoke, by what it asked for and was given.
std::vector<OperandRange> HeldBy(const InvokeContext& context, const Asked& asked) {
  std::vector<OperandRange> held = BlocksOf(asked);
  const Operand &input = context.inputs[0], &output = context.outputs[0];
  held.push_back({input.data, input.bytes, AccessRight::kRead, OperandKind::kInput, asked.index});
  held.push_back({output.data, output.bytes, AccessRight::kReadWrite, OperandKind::kOutput, asked.index + 1});
  for (std::size_t i = 0; i < asked.scratch_count; ++i) {
    if (asked.ScratchBytes(i) == 0) continue;  // nothing to hold, and it still has a place in the list of addresses
    held.push_back({context.scratch[i], asked.ScratchBytes(i), AccessRight::kReadWrite, OperandKind::kScratch,
                    static_cast<std::int32_t>(i)});
  }
  if (asked.scratch_count > kScratchOutsideArena) {
    held.push_back({reinterpret_cast<const std::byte*>(context.scratch.data()), context.scratch.size_bytes(),
                    AccessRight::kRead, OperandKind::kPersistent, static_cast<std::int32_t>(asked.blocks.size())});
  }
  return held;
}

// Blocks are taken in init as long as `in_init_count` says, the others in prepare.
Status TakeBlocks(PrepareServices& services, Asked& asked, std::size_t number, std::size_t count) {
  for (std::size_t i = asked.blocks.size() - 1; i < count; ++i) {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(services.AllocatePersistent(asked.BlockBytes(i), &block));
    asked.blocks.push_back({block, asked.BlockBytes(i)});
    FillPattern(block, asked.BlockBytes(i), number, kFirstBlock + i);
  }
  return Ok();
}

Status Init(PrepareContext& context) {
  const std::size_t number = initialised_count++;
  Asked& asked = operators[number];
  RequireAccessList(asked, {});
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(sizeof(Kept), &block));
  context.op_data = new (block) Kept{number};
  asked.blocks = {{block, sizeof(Kept)}};
  return TakeBlocks(*context.services, asked, number, asked.in_init_count);
}

Status Prepare(PrepareContext& context) {
  const std::size_t number = static_cast<const Kept*>(context.op_data)->number;
  Asked& asked = operators[number];
  RequireAccessList(asked, BlocksOf(asked));
  for (std::size_t i = 0; i < asked.scratch_count; ++i) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(asked.ScratchBytes(i)));
    if (i == asked.scratch_count / 2) {
      ARENAPROOF_RETURN_IF_ERROR(TakeBlocks(*context.services, asked, number, asked.block_count));
    }
  }
  return TakeBlocks(*context.services, asked, number, asked.block_count);
}

// Descriptions of operands that a kernel holds on to over a call.
std::vector<std::pair<const std::byte*, std::size_t>> Places(const InvokeContext& context) {
  std::vector<std::pair<const std::byte*, std::size_t>> places;
  for (const Operand& operand : context.inputs) places.emplace_back(operand.data, operand.bytes);
  for (const Operand& operand : context.outputs) places.emplace_back(operand.data, operand.bytes);
  for (const std::byte* scratch : context.scratch) places.emplace_back(scratch, 0);
  return places;
}

Status Invoke(const InvokeContext& context) {
  const std::size_t number = static_cast<const Kept*>(context.op_data)->number;
  Asked& asked = operators[number];
  if (context.scratch.size() != asked.scratch_count) {
    Complain(asked, "another number of scratch buffers than asked for");
    return Ok();
  }
  RequireAccessList(asked, HeldBy(context, asked));
  if (asked.scratch.empty()) asked.scratch.assign(context.scratch.begin(), context.scratch.end());
  if (!std::equal(asked.scratch.begin(), asked.scratch.end(), context.scratch.begin())) {
    Complain(asked, "L5: a scratch buffer moved between invokes");
  }
  const std::vector<std::byte> input(context.inputs[0].data, context.inputs[0].data + context.inputs[0].bytes);
  for (std::size_t i = 0; i < asked.scratch_count; ++i)
    FillPattern(context.scratch[i], asked.ScratchBytes(i), number, i);
  FillPattern(context.outputs[0].data, context.outputs[0].bytes, number, kOutput);
  RequireOwnMemory(context, asked, number, "after it was written");
  const auto places = Places(context);
  for (const std::int32_t called : asked.calls) {
    ARENAPROOF_RETURN_IF_ERROR(context.runtime->InvokeSubgraph(called));
    if (Places(context) != places) {
      Complain(asked, "L5: after a call its operands or scratch buffers have other addresses");
      return Ok();
    }
    RequireOwnMemory(context, asked, number, "after a call");
  }
  if (std::memcmp(input.data(), context.inputs[0].data, input.size()) != 0) Complain(asked, "its input changed");
  return Ok();
}

constexpr Kernel kHolderKernels[] = {
    {.op = BuiltinOperator::kIf, .name = "caller", .init = Init, .prepare = Prepare, .invoke = Invoke},
    {.op = BuiltinOperator::kRelu, .name = "callee", .init = Init, .prepare = Prepare, .invoke = Invoke}};
const KernelSet holder_kernels{"holders", kHolderKernels};

// Keeps the list of each operator that begins; the checker behind it compares everything with its recorded state.
class AccessListRecorder final : public EventRelay {
 public:
  explicit AccessListRecorder(ArenaObserver* next) : EventRelay(next) {}
  void OnOperatorBegins(const OperatorScope& scope) override {
    for (Asked& asked : operators) {
      if (asked.subgraph == scope.subgraph && asked.index == scope.operator_index)
        asked.access_list.assign(scope.operands.begin(), scope.operands.end());
    }
    EventRelay::OnOperatorBegins(scope);
  }
};

Asked DrawOperator(std::int32_t subgraph, std::int32_t index) {
  Asked asked;
  asked.subgraph = subgraph;
  asked.index = index;
  // Around what is kept outside the arena, what a prepare has slots for, and none.
  asked.scratch_count = *rc::gen::weightedOneOf<std::size_t>(
      {{4, rc::gen::inRange<std::size_t>(0, 4)},
       {1, rc::gen::inRange<std::size_t>(kScratchSlotsPerPrepare - 1, kScratchSlotsPerPrepare + 4)},
       {2, rc::gen::inRange<std::size_t>(kScratchOutsideArena - 1, kScratchOutsideArena + 4)},
       {1, rc::gen::inRange<std::size_t>(100, 140)}});
  asked.block_count = *rc::gen::weightedOneOf<std::size_t>(
      {{5, rc::gen::inRange<std::size_t>(0, 4)},
       {1, rc::gen::inRange<std::size_t>(kMaxPersistentBlocksPerOperator - 5, kMaxPersistentBlocksPerOperator)}});
  asked.in_init_count = *rc::gen::inRange<std::size_t>(0, asked.block_count + 1);
  asked.seed = *rc::gen::inRange<std::uint32_t>(0, 1000);
  return asked;
}

std::vector<std::byte> DrawHoldingModel() {
  operators.clear();
  ModelBuilder builder;
  for (std::int32_t s = 0; s < kHolderSubgraphCount; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph();
    graph.AddTensor({.shape = {{kHolderElements}}});
    const auto count = *rc::gen::inRange<std::int32_t>(1, s == 0 ? 4 : 3);
    const auto caller = s > 1 ? count : *rc::gen::inRange<std::int32_t>(0, count + 1);  // `count`: none
    for (std::int32_t i = 0; i < count; ++i) {
      graph.AddTensor({.shape = {{kHolderElements}}});
      Asked asked = DrawOperator(s, i);
      OperatorSpec op{.code = builder.AddCode(i == caller ? BuiltinOperator::kIf : BuiltinOperator::kRelu),
                      .inputs = {i},
                      .outputs = {i + 1}};
      if (i == caller) {
        asked.calls = s == 0 ? std::vector<std::int32_t>{1, 2} : std::vector<std::int32_t>{3, 3};
        op.options = IfOptions{asked.calls[0], asked.calls[1]};
      }
      graph.AddOperator(op);
      operators.push_back(std::move(asked));
    }
    graph.inputs = {0};
    graph.outputs = {count};
  }
  return builder.Finish();
}

std::unique_ptr<Interpreter> MakeHoldingInterpreter(const ValidatedModel& model, ArenaObserver* observer) {
  const ArenaBuffers both{holder_arena, sizeof holder_arena, other_holder_arena, sizeof other_holder_arena};
  const InterpreterOptions options{.observer = observer};
  ModelAllocator* allocator = nullptr;
  switch (*rc::gen::inRange(0, 4).as("memory: one arena, two, a shared allocator of one, of two")) {
    case 0:
      return std::make_unique<Interpreter>(model, holder_kernels, holder_arena, sizeof holder_arena, options);
    case 1:
      return std::make_unique<Interpreter>(model, holder_kernels, both, options);
    case 2:
      observer->OnAttach({holder_arena, sizeof holder_arena}, {});
      RC_ASSERT(ModelAllocator::Create(holder_arena, sizeof holder_arena, options, &allocator).ok());
      break;
    default:
      observer->OnAttach({MemoryRegion{other_holder_arena, sizeof other_holder_arena},
                          MemoryRegion{holder_arena, sizeof holder_arena}},
                         {});
      RC_ASSERT(ModelAllocator::Create(both, options, &allocator).ok());
      break;
  }
  return std::make_unique<Interpreter>(model, holder_kernels, *allocator);
}

RC_GTEST_PROP(OperatorMemory, IsWhatWasAskedForAlsoAfterACallAndIsListedSo, ()) {
  complaint.clear();
  const std::vector<std::byte> file = DrawHoldingModel();
  const ValidatedModel model = Validated(file);
  for (const Asked& asked : operators) {
    RC_LOG() << "operator " << asked.index << " of subgraph " << asked.subgraph << ": " << asked.scratch_count
             << " scratch buffers, " << asked.block_count << " blocks (" << asked.in_init_count << " in init), "
             << asked.calls.size() << " calls\n";
  }
  EventStreamChecker checker;
  checker.CompareWith(&model);
  AccessListRecorder recorder(&checker);
  const std::unique_ptr<Interpreter> interpreter = MakeHoldingInterpreter(model, &recorder);
  for (int set_up = *rc::gen::inRange(1, 3); set_up > 0; --set_up) {
    initialised_count = 0;
    for (Asked& asked : operators) asked.scratch.clear();
    RC_ASSERT(interpreter->AllocateTensors().ok());
    for (int run = 0; run < 2; ++run) {
      std::memset(interpreter->inputs()[0].data, 0x40 + run, interpreter->inputs()[0].bytes);
      RC_ASSERT(interpreter->Invoke().ok());
      if (!complaint.empty()) RC_FAIL(complaint);
    }
  }
  if (!checker.inconsistencies().empty()) RC_FAIL("event checker: " + checker.inconsistencies().front());
}

}  // namespace
}  // namespace arenaproof::testing
