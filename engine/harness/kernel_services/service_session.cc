#include "engine/harness/kernel_services/service_session.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/explain.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

constexpr std::size_t kServiceArenaBytes = 16384, kServiceGuardBytes = 64, kServiceBufferBytes = 128;
constexpr std::size_t kServiceBuffers = 4;
constexpr std::byte kServiceGuard{0xC3};

// What the application owns: two arenas, and buffers that may serve tensors, each between guards.
struct ServiceMemory {
  struct alignas(64) Part {
    std::array<std::byte, kServiceGuardBytes> before;
    std::array<std::byte, kServiceArenaBytes + kServiceGuardBytes> bytes;
  };
  Part arenas[2];
  struct alignas(64) Buffer {
    std::array<std::byte, kServiceBufferBytes> bytes;
    std::array<std::byte, kServiceGuardBytes> after;
  };
  Buffer buffers[kServiceBuffers];
};

ServiceMemory& Memory() {
  static ServiceMemory memory;
  return memory;
}

std::span<std::byte> GivenArena(std::size_t which, std::size_t bytes) {
  ServiceMemory::Part& part = Memory().arenas[which];
  part.before.fill(kServiceGuard);
  part.bytes.fill(std::byte{0xA5});
  std::memset(part.bytes.data() + bytes, static_cast<int>(kServiceGuard), part.bytes.size() - bytes);
  return std::span(part.bytes).first(bytes);
}

void RequireGuards(std::size_t which, std::size_t bytes) {
  const ServiceMemory::Part& part = Memory().arenas[which];
  const auto is_guard = [](std::byte byte) { return byte == kServiceGuard; };
  if (!std::all_of(part.before.begin(), part.before.end(), is_guard) ||
      !std::all_of(part.bytes.begin() + static_cast<std::ptrdiff_t>(bytes),
                   part.bytes.begin() + static_cast<std::ptrdiff_t>(bytes + kServiceGuardBytes), is_guard)) {
    Defect("arena", "a byte before or behind it was written");
  }
}

}  // namespace

ServiceWorld DrawServiceWorld(ByteReader& reader) {
  const std::uint8_t choice = reader.Byte();
  const std::uint8_t size = reader.Byte();
  ServiceWorld world{
      .two_arenas = choice % 2 == 1, .spaced = choice / 2 % 4 == 3, .preserves_all = choice / 8 % 4 == 3};
  world.recorded = choice / 32 % 2 == 1;
  world.resource_count = choice / 64u;
  world.arena_bytes = size < 160 ? kServiceArenaBytes : size < 224 ? 64u * (size - 96u) : 13u * (size - 200u);
  return world;
}

ServiceSession::ServiceSession(ByteReader& reader)
    : reader_(reader),
      network_(DrawServiceNetwork(reader)),
      world_(DrawServiceWorld(reader)),
      file_(network_.file),
      checker_({.persistent_spacing_bytes = world_.spaced ? std::size_t{64} : 0, .trust_plan = network_.has_plan}) {
  FollowScript(this);
  if (Explaining()) {
    Explain(ServiceNetworkWords(network_));
    Explain(std::string(world_.two_arenas ? "two arenas, each" : "an arena") + " of " +
            std::to_string(world_.arena_bytes) + " bytes, " + std::to_string(world_.resource_count) +
            " resource variables" + (world_.spaced ? ", spaced blocks" : ""));
  }
  std::vector<std::vector<GrantedBlock>*> owners{&state_.temporaries};
  for (const ServiceGraph& graph : network_.graphs) {
    state_.tensors.emplace_back(graph.tensors.size());
    state_.operators.emplace_back(graph.operators.size());
  }
  for (std::vector<ServiceOperatorState>& operators : state_.operators) {
    for (ServiceOperatorState& op : operators) owners.push_back(&op.persistent);
  }
  granted_.Watch(std::move(owners));
  frees_.assign(kKernelSlots, 0);
  had_kernel_.assign(kKernelSlots, false);
  checker_.CompareWith(&*network_.view);
  InterpreterOptions options;
  options.observer = &checker_;
  options.persistent_spacing_bytes = world_.spaced ? 64 : 0;
  options.offline_plan.trust = network_.has_plan;
  options.preserve_all_tensors = world_.preserves_all && !network_.has_plan;
  options.resource_variable_count = world_.resource_count;
  options.record_memory = world_.recorded;
  options.cancellation = this;
  arena_ = GivenArena(0, world_.arena_bytes);
  if (world_.two_arenas) {
    persistent_arena_ = GivenArena(1, world_.arena_bytes);
    const ArenaBuffers arenas{.persistent = persistent_arena_.data(),
                              .persistent_bytes = persistent_arena_.size(),
                              .non_persistent = arena_.data(),
                              .non_persistent_bytes = arena_.size()};
    interpreter_storage_.emplace(*network_.view, ScriptedKernels(), arenas, options);
  } else {
    interpreter_storage_.emplace(*network_.view, ScriptedKernels(), arena_.data(), arena_.size(), options);
  }
  interpreter_ = &*interpreter_storage_;
}

ServiceSession::~ServiceSession() {
  if (Explaining()) Explain("the interpreter goes");
  interpreter_storage_.reset();
  FollowScript(nullptr);
  RequireEventsFit();
  for (std::size_t slot = 0; slot < kKernelSlots; ++slot) {
    if (frees_[slot] != (had_kernel_[slot] ? 1 : 0)) Defect("kernel", "not freed once when the interpreter goes");
  }
}

std::size_t ServiceSession::Run() {
  for (std::size_t calls = 0; calls < kMostApplicationCalls && !reader_.empty(); ++calls) CallOfApplication();
  frees_.assign(kKernelSlots, 0);
  return kernel_calls_;
}

void ServiceSession::CallOfApplication() {
  const std::uint8_t choice = reader_.Byte();
  switch (choice % 16) {
    case 10:
      ResetAll();
      return RequireSound("Reset");
    case 11:
      ResetOneVariable();
      return RequireSound("ResetVariable");
    case 12:
      SetContextOfApplication();
      return RequireSound("SetExternalContext");
    case 13:
      DescribeTensorStruct();
      return RequireSound("a tensor's struct");
    case 14:
      Query();
      return RequireSound("a query");
    case 15:
      Preallocate();
      return RequireSound("RegisterPreallocatedTensor");
    default:
      break;
  }
  if (choice % 16 < 5) {
    Allocate();
    RequireSound("AllocateTensors");
  } else {
    InvokeMain();
    RequireSound("Invoke");
  }
}

void ServiceSession::RequireSound(const char* after) {
  RequireEventsFit();
  if (std::memcmp(file_.data(), network_.file.data(), file_.size()) != 0) Defect(after, "the model's file was written");
  RequireGuards(0, arena_.size());
  if (world_.two_arenas) RequireGuards(1, persistent_arena_.size());
  granted_.RequireUntouched();
  if (interpreter_->allocator() == nullptr) return;
  if (temporary_end() != head_end()) Defect(after, "the temporary region was not reset");
  if (interpreter_->lost_tail_bytes() != 0) Defect(after, "bytes of the tail are lost");
}

// The checker knows of no tensors that the application serves, which are in no plan, and of no output that is
// placed on another or in a longer block, which both are the operator's.
void ServiceSession::RequireEventsFit() const {
  for (const std::string& inconsistency : checker_.inconsistencies()) {
    if (serves_tensors_ && inconsistency.find("is not in the committed plan") != std::string::npos) continue;
    if (operands_overlap_ && inconsistency.find("share bytes") != std::string::npos) continue;
    Defect("events and arena do not fit", inconsistency.c_str());
  }
}

void ServiceSession::Allocate() {
  Explain("AllocateTensors");
  BeginSetUp();
  FinishSetUp(interpreter_->AllocateTensors());
}

void ServiceSession::InvokeMain() {
  const std::uint8_t choice = reader_.Byte();
  cancel_at_ = choice < 160 ? 0 : choice - 159u;
  questions_ = 0;
  if (Explaining()) {
    Explain("Invoke" + (cancel_at_ == 0 ? "" : ", cancelled at question " + std::to_string(cancel_at_)));
  }
  if (!attempted_) BeginSetUp();
  if (state_.allocated) {
    EnterGraph(0);
    for (std::size_t i = 0; i < interpreter_->inputs().size(); ++i) {
      const Operand& input = interpreter_->inputs()[i];
      std::vector<std::byte> value(input.bytes, static_cast<std::byte>(++next_value_));
      if (!value.empty()) std::memcpy(input.data, value.data(), value.size());
      Write(0, graph_of(0).inputs[i], std::move(value));
    }
  }
  const std::uintptr_t head = state_.allocated ? head_end() : 0;
  const std::uintptr_t tail = state_.allocated ? tail_begin() : 0;
  state_.failed.reset();
  state_.running.assign(1, {});
  const Status status = interpreter_->Invoke();
  if (setting_up_) return FinishSetUp(status);
  ExpectedAnswer expected;
  expected.RefuseIf(!state_.allocated, StatusCode::kRuntimeState);
  if (state_.allocated) {
    ExpectEndOfGraph(expected);
    LeaveGraph(0);
  }
  RequireAnswer("Invoke", status, expected);
  state_.running.clear();
  if (!state_.allocated) return;
  if (interpreter_->state() != InterpreterState::kInvoke) Defect("Invoke", "the model is not ready for the next one");
  if (head != 0 && (head_end() != head || tail_begin() != tail)) Defect("L4", "an invoke moved the arena");
  const bool quiet = status.code == StatusCode::kInvokeCancelled || status.code == StatusCode::kInvokeAborted;
  const OperatorLocation& failed = interpreter_->failed_operator();
  if ((status.ok() || quiet) && failed.known()) Defect("failed_operator", "it names one although nothing failed");
  if (!status.ok() && !quiet &&
      (!failed.known() || failed.phase != OperatorPhase::kInvoke ||
       OperatorPlace{static_cast<std::size_t>(failed.subgraph), static_cast<std::size_t>(failed.operator_index)} !=
           *state_.failed)) {
    Defect("failed_operator", "it does not name the innermost operator that failed");
  }
}

void ServiceSession::ResetAll() {
  Explain("Reset");
  ExpectedAnswer expected;
  expected.RefuseIf(!state_.allocated, StatusCode::kRuntimeState);
  for (auto& operators : state_.operators) {
    for (ServiceOperatorState& op : operators) op.resets = 0;
  }
  RequireAnswer("Reset", interpreter_->Reset(), expected);
  if (state_.allocated) RequireOneReset("Reset");
}

void ServiceSession::ResetOneVariable() {
  const auto subgraph = static_cast<std::int32_t>(reader_.Below(network_.graphs.size() + 2)) - 1;
  const bool exists = subgraph >= 0 && static_cast<std::size_t>(subgraph) < network_.graphs.size();
  const std::size_t count = exists ? graph_of(static_cast<std::size_t>(subgraph)).tensors.size() : 3;
  const auto tensor = static_cast<std::int32_t>(reader_.Below(count + 2)) - 1;
  const bool found = exists && tensor >= 0 && static_cast<std::size_t>(tensor) < count;
  const bool variable = found && described(static_cast<std::size_t>(subgraph), tensor).variable;
  ExpectedAnswer expected;
  expected.RefuseIf(!state_.allocated, StatusCode::kRuntimeState);
  expected.RefuseIf(!exists, StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, network_.graphs.size());
  expected.RefuseIf(exists && !found, StatusCode::kRuntimeTensorIndex, std::int64_t{tensor}, count);
  expected.RefuseIf(found && !variable, StatusCode::kTensorNotVariable, std::int64_t{subgraph}, std::int64_t{tensor});
  if (Explaining()) Explain("ResetVariable " + std::to_string(tensor) + " of graph " + std::to_string(subgraph));
  std::vector<std::byte> before = ArenaBytes();
  RequireAnswer("ResetVariable", interpreter_->ResetVariable(tensor, subgraph), expected);
  MemoryRegion written;
  if (!expected.refused()) {
    const auto graph = static_cast<std::size_t>(subgraph);
    const ServiceTensor& reset = described(graph, tensor);
    written = {tensor_at(graph, tensor).address, reset.bytes};
    Write(graph, tensor, std::vector<std::byte>(reset.bytes, std::byte{reset.reset_value()}));
    if (std::memcmp(written.data, tensor_at(graph, tensor).value.data(), reset.bytes) != 0) {
      Defect("ResetVariable", "the variable does not have its first value");
    }
  }
  RequireArenaUnchanged(std::move(before), {&written, 1}, "ResetVariable");
}

void ServiceSession::SetContextOfApplication() {
  void* const context = reader_.Below(4) == 0 ? nullptr : this;
  ExpectedAnswer expected;
  expected.RefuseIf(context == nullptr, StatusCode::kExternalContextNull);
  expected.RefuseIf(state_.context != nullptr, StatusCode::kExternalContextTwice);
  Explain("SetExternalContext");
  RequireAnswer("SetExternalContext", interpreter_->SetExternalContext(context), expected);
  if (!expected.refused()) state_.context = context;
}

ServiceSession::DrawnTensor ServiceSession::DrawTensor() {
  DrawnTensor drawn;
  drawn.subgraph = static_cast<std::int32_t>(reader_.Below(network_.graphs.size() + 2)) - 1;
  drawn.exists = drawn.subgraph >= 0 && static_cast<std::size_t>(drawn.subgraph) < network_.graphs.size();
  drawn.graph = drawn.exists ? static_cast<std::size_t>(drawn.subgraph) : 0;
  drawn.count = graph_of(drawn.graph).tensors.size();
  drawn.tensor = static_cast<std::int32_t>(reader_.Below(drawn.count + 2)) - 1;
  drawn.found = drawn.exists && drawn.tensor >= 0 && static_cast<std::size_t>(drawn.tensor) < drawn.count;
  return drawn;
}

void ServiceSession::Preallocate() {
  const auto [subgraph, tensor, graph, count, exists, found] = DrawTensor();
  const std::uint8_t choice = reader_.Byte();
  std::byte* buffer = Memory().buffers[choice % kServiceBuffers].bytes.data();
  std::size_t bytes = kServiceBufferBytes;
  if (choice >= 248) buffer = nullptr;
  if (choice >= 240 && choice < 248) buffer = arena_.data() + 64;
  if (choice >= 232 && choice < 240) buffer += 8;
  if (choice >= 216 && choice < 232) bytes = choice - 216u;
  const MemoryRegion given{buffer, bytes};
  ExpectedAnswer expected;
  expected.RefuseIf(state_.allocated, StatusCode::kPreallocatedTooLate, std::int64_t{subgraph}, std::int64_t{tensor});
  expected.RefuseIf(!exists, StatusCode::kPreallocatedSubgraph, std::int64_t{subgraph}, network_.graphs.size());
  expected.RefuseIf(exists && !found, StatusCode::kPreallocatedTensor, graph, std::int64_t{tensor}, count);
  if (found) {
    const ServiceTensor& wanted = described(graph, tensor);
    expected.RefuseIf(wanted.constant, StatusCode::kPreallocatedConstant, graph, std::int64_t{tensor});
    expected.RefuseIf(wanted.variable, StatusCode::kPreallocatedVariable, graph, std::int64_t{tensor});
    expected.RefuseIf(wanted.offset >= 0, StatusCode::kPreallocatedOfflinePlanned, graph, std::int64_t{tensor});
    expected.RefuseIf(tensor_at(graph, tensor).preallocated != nullptr, StatusCode::kPreallocatedTwice);
    expected.RefuseIf(buffer == nullptr, StatusCode::kPreallocatedNull);
    expected.RefuseIf(reinterpret_cast<std::uintptr_t>(buffer) % 16 != 0, StatusCode::kPreallocatedMisaligned);
    expected.RefuseIf(bytes < wanted.bytes, StatusCode::kPreallocatedTooShort, graph, std::int64_t{tensor}, bytes,
                      wanted.bytes);
    expected.RefuseIf(ShareBytes(given, {arena_.data(), arena_.size()}), StatusCode::kPreallocatedOverlapsArena);
    for (const auto& tensors : state_.tensors) {
      for (const ServiceTensorState& other : tensors) {
        expected.RefuseIf(other.preallocated != nullptr && ShareBytes(given, {other.preallocated, 1}),
                          StatusCode::kPreallocatedOverlapsBuffer);
      }
    }
  }
  if (Explaining()) {
    Explain("RegisterPreallocatedTensor " + std::to_string(tensor) + " of graph " + std::to_string(subgraph));
  }
  RequireAnswer("RegisterPreallocatedTensor", interpreter_->RegisterPreallocatedTensor(subgraph, tensor, buffer, bytes),
                expected);
  if (!expected.refused()) {
    tensor_at(graph, tensor).preallocated = buffer;
    serves_tensors_ = true;
  }
}

}  // namespace arenaproof
