#include "engine/harness/lifecycle/networks.h"

#include <cstring>
#include <new>
#include <stdexcept>

#include "core/model/builtin_operator.h"
#include "core/model/validate.h"
#include "engine/cases/validated.h"
#include "kernels/kernel_sets.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::size_t kManyScratchBuffers = 14;  // more than the reference allows
constexpr std::uint32_t kMark = 0x5AFEC0DE;

void ComplainOfNetwork(const std::string& complaint) {
  if (Orders().complaint.empty()) Orders().complaint = complaint;
}

// What an operator keeps from prepare to invoke, in persistent memory.
struct NetworkKept {
  std::uint32_t mark = kMark;
  std::size_t scratch_count = 0;
  std::byte* first_scratch = nullptr;  // L5: it stays where it is
};

std::size_t ScratchBytes(std::size_t index) { return 7 * index + 1; }

Status InitNetworkOperator(PrepareContext&) {
  if (Orders().meanwhile) Orders().meanwhile();
  return Ok();
}

// The first kernel of a set-up sets an external context, which no earlier set-up may have left.
void SetContext(RuntimeServices& runtime) {
  if (Orders().contexts++ == 0 && !runtime.SetExternalContext(&Orders()).ok()) {
    ComplainOfNetwork("an external context of an earlier set-up is still there");
  }
}

Status PrepareNetworkOperator(PrepareContext& context, std::size_t scratch_count) {
  SetContext(*context.runtime);
  PrepareServices& services = *context.services;
  std::byte* block = nullptr;
  std::byte* temporary = nullptr;
  std::byte* other = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(services.AllocatePersistent(sizeof(NetworkKept), &block));
  NetworkKept* const kept = new (block) NetworkKept;
  kept->scratch_count = scratch_count;
  context.op_data = kept;
  ARENAPROOF_RETURN_IF_ERROR(services.AllocateTemporary(40, 16, &temporary));
  ARENAPROOF_RETURN_IF_ERROR(services.AllocateTemporary(8, 8, &other));
  std::memset(temporary, 0xEE, 40);
  std::memset(other, 0xDD, 8);
  if (context.runtime->PlaceOutput(0, temporary).ok()) ComplainOfNetwork("an output was placed in a temporary");
  for (std::size_t i = 0; i < scratch_count; ++i) {
    ARENAPROOF_RETURN_IF_ERROR(services.RequestScratch(ScratchBytes(i)));
  }
  for (const Operand& operand : context.inputs) {
    if (!operand.constant && operand.data != nullptr)
      ComplainOfNetwork("prepare sees the data of a tensor that has no value");
    if (operand.constant && operand.data == nullptr) ComplainOfNetwork("prepare does not see a constant");
  }
  ARENAPROOF_RETURN_IF_ERROR(services.FreeTemporary(temporary));
  if (Orders().prepares++ == Orders().leak_at_prepare) return Ok();
  return services.FreeTemporary(other);
}

Status PrepareFew(PrepareContext& context) { return PrepareNetworkOperator(context, 2); }
Status PrepareMany(PrepareContext& context) { return PrepareNetworkOperator(context, kManyScratchBuffers); }
Status PrepareNone(PrepareContext& context) { return PrepareNetworkOperator(context, 0); }

std::uint8_t At(const Operand& operand, std::size_t i) {
  return std::to_integer<std::uint8_t>(operand.data[i % operand.bytes]);
}

std::vector<std::byte> Copy(const Operand& operand) { return {operand.data, operand.data + operand.bytes}; }

// Fills all scratch, has `compute` write the output and the variable, and looks whether anything moved that nobody
// wrote.
template <typename Compute>
Status Run(const InvokeContext& context, Compute compute) {
  NetworkKept& kept = *static_cast<NetworkKept*>(context.op_data);
  if (kept.mark != kMark) ComplainOfNetwork("persistent memory of an operator was overwritten");
  if (Orders().runs++ == Orders().fail_at_run) return Failure(StatusCode::kKernelUnsupported);
  if (context.scratch.size() != kept.scratch_count)
    ComplainOfNetwork("another number of scratch buffers than asked for");
  if (!context.scratch.empty()) {
    if (kept.first_scratch == nullptr) kept.first_scratch = context.scratch[0];
    if (kept.first_scratch != context.scratch[0]) ComplainOfNetwork("L5: a scratch buffer moved between invokes");
  }
  for (std::size_t i = 0; i < context.scratch.size(); ++i) {
    if (reinterpret_cast<std::uintptr_t>(context.scratch[i]) % 16 != 0)
      ComplainOfNetwork("L5: a scratch buffer is misaligned");
    std::memset(context.scratch[i], static_cast<int>(0x30 + i), ScratchBytes(i));
  }
  std::vector<std::vector<std::byte>> before;
  for (const Operand& input : context.inputs) {
    if (!input.variable) before.push_back(Copy(input));
  }
  compute();
  for (std::size_t i = 0; i < context.scratch.size(); ++i) {
    for (std::size_t byte = 0; byte < ScratchBytes(i); ++byte) {
      if (context.scratch[i][byte] != static_cast<std::byte>(0x30 + i)) {
        ComplainOfNetwork("L5: a scratch buffer shares bytes with what its operator writes");
      }
    }
  }
  std::size_t next = 0;
  for (const Operand& input : context.inputs) {
    if (!input.variable && Copy(input) != before[next++])
      ComplainOfNetwork("L8, L11: an input shares bytes with an output");
  }
  return Ok();
}

Status Accumulate(const InvokeContext& context) {
  return Run(context, [&] {
    const Operand& variable = context.inputs[1];
    for (std::size_t i = 0; i < variable.bytes; ++i) {
      variable.data[i] = static_cast<std::byte>(At(variable, i) + At(context.inputs[0], i));
      context.outputs[0].data[i] = static_cast<std::byte>(At(variable, i) ^ At(context.inputs[2], i));
    }
  });
}

Status Mix(const InvokeContext& context) {
  return Run(context, [&] {
    for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
      context.outputs[0].data[i] = static_cast<std::byte>(3 * At(context.inputs[0], i) + At(context.inputs[1], i));
    }
  });
}

Status Stretch(const InvokeContext& context) {
  return Run(context, [&] {
    for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
      context.outputs[0].data[i] = static_cast<std::byte>(At(context.inputs[0], i) + i);
    }
  });
}

Status Count(const InvokeContext& context) {
  return Run(context, [&] { context.inputs[0].data[0] = static_cast<std::byte>(At(context.inputs[0], 0) + 1); });
}

Status Step(const InvokeContext& context) {
  return Run(context, [&] {
    for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
      context.outputs[0].data[i] = static_cast<std::byte>(At(context.inputs[0], i) - 1);
    }
  });
}

Status AnyLeft(const InvokeContext& context) {
  return Run(context,
             [&] { context.outputs[0].data[0] = static_cast<std::byte>(At(context.inputs[0], 0) % 4 != 0 ? 1 : 0); });
}

constexpr BuiltinOperator CodeOf(NetworkOperation operation) {
  switch (operation) {
    case NetworkOperation::kAccumulate:
      return BuiltinOperator::kAbs;
    case NetworkOperation::kMix:
      return BuiltinOperator::kNeg;
    case NetworkOperation::kStretch:
      return BuiltinOperator::kSquare;
    case NetworkOperation::kCount:
      return BuiltinOperator::kSqrt;
    case NetworkOperation::kStep:
      return BuiltinOperator::kFloor;
    case NetworkOperation::kAnyLeft:
      return BuiltinOperator::kCeil;
    case NetworkOperation::kIf:
      return BuiltinOperator::kIf;
    case NetworkOperation::kCallOnce:
      return BuiltinOperator::kCallOnce;
    case NetworkOperation::kWhile:
      return BuiltinOperator::kWhile;
    case NetworkOperation::kHandle:
      return BuiltinOperator::kVarHandle;
    case NetworkOperation::kRead:
      return BuiltinOperator::kReadVariable;
    case NetworkOperation::kAssign:
      return BuiltinOperator::kAssignVariable;
  }
  return BuiltinOperator::kCustom;
}

OperatorOptions OptionsOf(const NetworkGraph& graph, const NetworkOperator& op) {
  if (op.operation == NetworkOperation::kIf) return IfOptions{op.called[0], op.called[1]};
  if (op.operation == NetworkOperation::kCallOnce) return CallOnceOptions{op.called[0]};
  if (op.operation == NetworkOperation::kWhile) return WhileOptions{op.called[0], op.called[1]};
  if (op.operation == NetworkOperation::kHandle) {
    return VarHandleOptions{"", graph.tensors[static_cast<std::size_t>(op.outputs[0])].resource};
  }
  return std::monostate{};
}

void Build(Network& network) {
  ModelBuilder builder;
  for (const NetworkGraph& graph : network.graphs) {
    SubgraphSpec& subgraph = builder.AddSubgraph();
    for (const NetworkTensor& tensor : graph.tensors) {
      TensorSpec spec;
      spec.type = tensor.truth ? TensorType::kBool : TensorType::kInt8;
      spec.shape = {static_cast<std::int32_t>(tensor.bytes)};
      spec.is_variable = tensor.variable;
      if (tensor.variable) spec.quantization = Scale(0.5f, static_cast<std::int8_t>(tensor.zero_point));
      if (tensor.resource != nullptr) {
        spec.type = TensorType::kResource;
        spec.shape = {};
      }
      if (!tensor.constant.empty()) spec.buffer = builder.AddBufferOf(tensor.constant);
      subgraph.AddTensor(spec);
    }
    for (const NetworkOperator& op : graph.operators) {
      OperatorSpec spec;
      spec.code = builder.AddCode(CodeOf(op.operation));
      spec.inputs = op.inputs;
      spec.outputs = op.outputs;
      spec.options = OptionsOf(graph, op);
      subgraph.AddOperator(spec);
    }
    subgraph.inputs = graph.inputs;
    subgraph.outputs = graph.outputs;
  }
  network.file = builder.Finish();
  network.view = Validated(network.file);
}

NetworkTensor Constant(std::size_t bytes, std::uint8_t first) {
  NetworkTensor tensor{.bytes = bytes};
  for (std::size_t i = 0; i < bytes; ++i) tensor.constant.push_back(static_cast<std::uint8_t>(first + 5 * i));
  return tensor;
}
NetworkTensor Variable(std::size_t bytes, std::uint8_t zero_point) {
  return {.bytes = bytes, .variable = true, .zero_point = zero_point};
}

using enum NetworkOperation;

NetworkGraph Accumulator() {
  return {{{40}, Variable(40, 3), Constant(40, 17), {40}, {200}, {72}, {64}},
          {{kAccumulate, {0, 1, 2}, {3}}, {kStretch, {3}, {4}}, {kMix, {4, 3}, {5}}, {kMix, {5, 4}, {6}}},
          {0},
          {6}};
}

NetworkGraph Ladder() {
  return {{{33}, {96}, {500}, {12}, {250}, {300}, {80}},
          {{kMix, {0, 1}, {2}}, {kStretch, {2}, {3}}, {kMix, {2, 3}, {4}}, {kMix, {3, 4}, {5}}, {kMix, {5, 0}, {6}}},
          {0, 1},
          {6, 3}};
}

// then: accumulates; else: stretches. Both 48 bytes in, 48 bytes out.
std::vector<NetworkGraph> Branches() {
  const NetworkTensor truth{.bytes = 1, .truth = true};
  NetworkGraph main{{truth, {48}, {48}, {100}, {16}},
                    {{kIf, {0, 1}, {2}, {1, 2}}, {kStretch, {2}, {3}}, {kMix, {3, 1}, {4}}},
                    {0, 1},
                    {4, 2}};
  NetworkGraph accumulate{{{48}, Variable(48, 250), Constant(48, 99), {48}}, {{kAccumulate, {0, 1, 2}, {3}}}, {0}, {3}};
  NetworkGraph stretch{{{48}, {130}, {48}}, {{kStretch, {0}, {1}}, {kMix, {1, 0}, {2}}}, {0}, {2}};
  return {main, accumulate, stretch};
}

std::vector<NetworkGraph> Once() {
  NetworkGraph main{
      {{24}, {60}, {24}}, {{kStretch, {0}, {1}}, {kCallOnce, {}, {}, {1}}, {kMix, {1, 0}, {2}}}, {0}, {2}};
  NetworkGraph init{{Variable(4, 7), Variable(9, 0)}, {{kCount, {0}, {}}, {kCount, {1}, {}}}, {}, {}};
  return {main, init};
}

// Up to three times round a body that accumulates.
std::vector<NetworkGraph> Loop() {
  const NetworkTensor truth{.bytes = 1, .truth = true};
  NetworkGraph main{{{40}, {72}, {40}, {72}, {100}},
                    {{kStretch, {0}, {1}}, {kWhile, {0, 1}, {2, 3}, {1, 2}}, {kMix, {2, 3}, {4}}},
                    {0},
                    {4, 3}};
  NetworkGraph condition{{{40}, {72}, truth}, {{kAnyLeft, {0}, {2}}}, {0, 1}, {2}};
  NetworkGraph body{{{40}, {72}, {40}, Variable(40, 9), Constant(40, 61), {40}, {72}},
                    {{kStep, {0}, {2}}, {kAccumulate, {0, 3, 4}, {5}}, {kMix, {1, 5}, {6}}},
                    {0, 1},
                    {2, 6}};
  return {main, condition, body};
}

// A sum that a resource variable keeps, which CALL_ONCE gives its first value.
std::vector<NetworkGraph> Sum() {
  const NetworkTensor sum{.bytes = 4, .resource = "sum"}, other{.bytes = 4, .resource = "other"};
  NetworkGraph main{{{32}, sum, {32}, {32}, other, {90}, {90}, {48}},
                    {{kCallOnce, {}, {}, {1}},
                     {kHandle, {}, {1}},
                     {kRead, {1}, {2}},
                     {kMix, {0, 2}, {3}},
                     {kAssign, {1, 3}, {}},
                     {kHandle, {}, {4}},
                     {kRead, {4}, {5}},
                     {kMix, {3, 5}, {6}},
                     {kAssign, {4, 6}, {}},
                     {kStretch, {6}, {7}}},
                    {0},
                    {7, 3}};
  NetworkGraph first{{sum, Constant(32, 77)}, {{kHandle, {}, {0}}, {kAssign, {0, 1}, {}}}, {}, {}};
  return {main, first};
}

constexpr Kernel kNetworkKernels[] = {
    {.op = BuiltinOperator::kAbs,
     .name = "accumulate",
     .init = InitNetworkOperator,
     .prepare = PrepareFew,
     .invoke = Accumulate},
    {.op = BuiltinOperator::kNeg, .name = "mix", .init = InitNetworkOperator, .prepare = PrepareNone, .invoke = Mix},
    {.op = BuiltinOperator::kSquare,
     .name = "stretch",
     .init = InitNetworkOperator,
     .prepare = PrepareMany,
     .invoke = Stretch},
    {.op = BuiltinOperator::kSqrt,
     .name = "count",
     .init = InitNetworkOperator,
     .prepare = PrepareFew,
     .invoke = Count},
    {.op = BuiltinOperator::kFloor, .name = "step", .init = InitNetworkOperator, .prepare = PrepareFew, .invoke = Step},
    {.op = BuiltinOperator::kCeil,
     .name = "any left",
     .init = InitNetworkOperator,
     .prepare = PrepareNone,
     .invoke = AnyLeft},
};

}  // namespace

const std::vector<Network>& Networks() {
  static const std::vector<Network>* const networks = [] {
    auto* built = new std::vector<Network>(6);
    (*built)[0] = {"accumulator", {Accumulator()}, {}, {}};
    (*built)[1] = {"ladder", {Ladder()}, {}, {}};
    (*built)[2] = {"branches", Branches(), {}, {}};
    (*built)[3] = {"once", Once(), {}, {}};
    (*built)[4] = {"loop", Loop(), {}, {}};
    (*built)[5] = {"sum", Sum(), {}, {}};
    for (Network& network : *built) Build(network);
    return built;
  }();
  return *networks;
}

const char* NameOf(NetworkOperation operation) { return BuiltinOperatorName(CodeOf(operation)); }

const KernelSet& NetworkKernels() {
  static const KernelSet set{.name = "networks", .kernels = kNetworkKernels, .fallback = FindKernelSet("reference")};
  return set;
}

KernelOrders& Orders() {
  static KernelOrders orders;
  return orders;
}

}  // namespace arenaproof
