#include "tools/memory/memory_need.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/layout/dilating_planner.h"
#include "tools/memory/allowed_reads.h"
#include "tools/memory/host_arenas.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/memory_replay.h"
#include "tools/memory/memory_trace.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

// The category in which a report counts a structure.
constexpr std::pair<std::string_view, std::string_view> kCategoryOfStructure[] = {
    {"SingleArena", "allocator"},
    {"PersistentArena", "allocator"},
    {"NonPersistentArena", "allocator"},
    {"RecordingSingleArena", "allocator"},
    {"RecordingPersistentArena", "allocator"},
    {"MemoryRecord", "allocator"},
    {"GreedyPlanner", "allocator"},
    {"LinearPlanner", "allocator"},
    {"ModelAllocator", "allocator"},
    {"ResourceVariable", "resource variables"},
    {"ResourceVariables", "resource variables"},
    {"SubgraphAllocation", "subgraph records"},
    {"EvalTensor", "tensor records"},
    {"OperatorRecord", "operator records"},
    {"PersistentBlock", "records of operators' blocks"},
    {"Overflow", "scratch requests beyond the table"},
    {"address", "scratch addresses and sizes"},
    {"size", "scratch addresses and sizes"},
    {"OperandRange", "access lists"},
    {"Operand", "model inputs and outputs"},
};
constexpr std::string_view kOperatorData = "operators' own data";
constexpr std::string_view kOperatorBuffers = "operators' buffers";
constexpr std::string_view kVariables = "variables";
constexpr std::string_view kSpacing = "closed bytes of the layout";
constexpr std::string_view kResources = "resource variables";

std::string_view CategoryOf(const TracedOperation& traced) {
  if (traced.alignment == 1) return kSpacing;
  if (traced.plain()) {
    if (traced.bookkeeping) return kResources;
    return traced.asked_for ? kOperatorBuffers : kVariables;
  }
  for (const auto& [structure, category] : kCategoryOfStructure) {
    if (structure == traced.element.name) return category;
  }
  return kOperatorData;
}

std::string Limit(const TracedOperation& traced) {
  if (traced.planning) return "planning, with planner and certifier, beside the tail";
  switch (traced.operation) {
    case Operation::kReserveOverlay:
      return "the head beside the tail, before the model's inputs and outputs are described";
    case Operation::kAllocatePersistent:
      return "a block of the tail: " + std::string(CategoryOf(traced));
    case Operation::kAllocateTemporary:
      return "a temporary in prepare";
    default:
      return "the table of scratch requests";
  }
}

// The smallest size that `fits`. Every larger one fits too, kMaxArenaBytes does.
std::size_t Smallest(const std::function<bool(std::size_t)>& fits) {
  std::size_t enough = kFirstTriedBytes;
  while (!fits(enough)) {
    if (enough >= kMaxArenaBytes) throw std::runtime_error("a set-up that succeeded is refused when it is repeated");
    enough *= 2;
  }
  std::size_t too_small = 0;  // no arena of no bytes is enough
  while (enough - too_small > 1) {
    const std::size_t middle = too_small + (enough - too_small) / 2;
    (fits(middle) ? enough : too_small) = middle;
  }
  return enough;
}

// One real set-up with enough memory. A null trace comes with the status of the largest arena tried.
struct TracedSetUp {
  std::unique_ptr<MemoryTrace> trace;
  std::size_t end_of_allowed_reads = 0;
  Status status;
  OperatorLocation location;
};

TracedSetUp TraceSetUp(const ValidatedModel& model, const KernelSet& kernels, const MemoryQuestion& question) {
  TracedSetUp result;
  HostArenas memory;
  for (std::size_t bytes = kFirstTriedBytes;; bytes *= 2) {
    const std::size_t persistent_bytes = question.two_arenas ? std::min(bytes, question.most_persistent_bytes) : 0;
    const ArenaSizes sizes{bytes, persistent_bytes, question.two_arenas};
    if (!memory.Grow(sizes)) {
      // The location remains that of the operator, if any, which asked for more.
      result.status = Failure(StatusCode::kLayoutMemory, bytes + persistent_bytes);
      return result;
    }
    DevicePlanner device;
    DilatingPlanner dilating(device.Of(question.set_up), question.set_up.offline_plan.trust);
    auto trace = std::make_unique<MemoryTrace>();
    const InterpreterOptions options = MeasuredOptions(model, question, dilating, trace.get());
    const auto interpreter = memory.MakeInterpreter(model, kernels, sizes, options);
    result.status = interpreter->AllocateTensors();
    result.location = interpreter->failed_operator();
    if (result.status.ok()) {
      result.end_of_allowed_reads = EndOfAllowedReads(AllowedReadsOf(model, *interpreter), trace->plan());
      result.trace = std::move(trace);
      return result;
    }
    if (!AsksForALargerArena(result.status) || bytes == kMaxArenaBytes) return result;
  }
}

PlanningCounts CountPlanned(const ModelView& model, const std::vector<PlanEntry>& plan) {
  PlanningCounts counts{model.total_tensor_count(), 0, plan.size()};
  for (const PlanEntry& buffer : plan) counts.scratch_count += buffer.tensor < 0 ? 1 : 0;
  return counts;
}

PlanningBytes PlanningOf(const PlanningCounts& counts, const MemoryQuestion& question) {
  PlanningBytes bytes = PlanningBytesFor(counts, question.word);
  if (question.set_up.planner != nullptr) {
    bytes.planner = question.set_up.planner->WorkspaceBytes(counts.buffer_count);
  } else if (question.set_up.preserve_all_tensors) {
    bytes.planner = counts.buffer_count * BytesOf<std::size_t>().bytes(question.word);  // a LinearPlanner's offsets
  }
  return bytes;
}

void AddUp(const std::vector<TracedOperation>& operations, const Replay& replay, WordSize word, MemoryNeed& need) {
  std::map<std::pair<std::int32_t, std::int32_t>, OperatorMemory> operators;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> temporaries;
  const auto category = [&](std::string_view name) -> TailCategory& {
    for (TailCategory& known : need.categories) {
      if (known.name == name) return known;
    }
    need.categories.push_back({std::string(name), 0, 0, 0});
    return need.categories.back();
  };
  for (const auto& [structure, name] : kCategoryOfStructure) category(name);
  for (const std::string_view name : {kOperatorData, kOperatorBuffers, kVariables, kSpacing}) category(name);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const TracedOperation& traced = operations[i];
    const std::size_t taken_bytes = replay.operations[i].taken_bytes;
    const std::pair key{traced.subgraph, traced.operator_index};
    const bool owned = traced.operator_index >= 0;
    if (traced.operation == Operation::kAllocatePersistent) {
      TailCategory& sum = category(CategoryOf(traced));
      sum.used_bytes += taken_bytes;
      sum.requested_bytes += traced.bytes(word);
      sum.block_count += traced.plain() ? 1 : traced.count;
      const bool of_operator = traced.asked_for || (!traced.plain() && std::string_view(traced.element.name) ==
                                                                           BytesOf<PersistentBlock>().name);
      if (owned && of_operator) operators[key].persistent_bytes += taken_bytes;
    }
    if (traced.temporary_of_operator()) {
      temporaries[key] += taken_bytes;
      OperatorMemory& memory = operators[key];
      memory.temporary_peak_bytes = std::max(memory.temporary_peak_bytes, temporaries[key]);
    }
    if (traced.operation == Operation::kResetTemporaries) temporaries.clear();
  }
  for (auto& [key, memory] : operators) {
    memory.subgraph = key.first;
    memory.operator_index = key.second;
    need.operators.push_back(memory);
  }
}

}  // namespace

InterpreterOptions MeasuredOptions(const ModelView& model, const MemoryQuestion& question, MemoryPlanner& dilating,
                                   ArenaObserver* observer) {
  InterpreterOptions options = ForModel(model, question.set_up);
  options.observer = observer;
  if (question.layout == Layout::kDilated) {
    options.planner = &dilating;
    options.persistent_spacing_bytes = kClosedBytes;
  }
  return options;
}

MemoryNeed MeasureMemory(const ValidatedModel& model, const KernelSet& kernels, const MemoryQuestion& question) {
  MemoryNeed need;
  const TracedSetUp set_up = TraceSetUp(model, kernels, question);
  need.status = set_up.status;
  need.location = set_up.location;
  if (set_up.trace == nullptr) return need;

  const std::vector<TracedOperation>& operations = set_up.trace->operations();
  need.plan = set_up.trace->plan();
  need.sharing = set_up.trace->sharing();
  need.planning = PlanningOf(CountPlanned(model, need.plan), question);
  constexpr std::size_t kPlenty = kMaxArenaBytes;
  const auto replay = [&](std::size_t bytes, std::size_t persistent_bytes) {
    return ReplaySetUp(operations, need.planning.total(), question.word,
                       {.two = question.two_arenas, .bytes = bytes, .persistent_bytes = persistent_bytes});
  };
  const auto limit = [&](std::size_t bytes, std::size_t persistent_bytes) {
    return Limit(operations[replay(bytes, persistent_bytes).refused.value_or(0)]);
  };
  need.padding_by_chance_bytes = MostPaddingByChance(operations);
  if (const auto refused = replay(kPlenty, kPlenty).refused; refused && need.padding_by_chance_bytes > 0) {
    const TracedOperation& asked = operations[*refused];
    need.status = Failure(StatusCode::kArenaTemporaryDoesNotFit, asked.bytes(question.word), asked.alignment, kPlenty);
    need.location = {asked.subgraph, asked.operator_index, OperatorPhase::kPrepare};
    return need;
  }
  need.set_up_need_bytes = Smallest([&](std::size_t bytes) { return replay(bytes, kPlenty).ok(); });
  need.need_bytes = need.set_up_need_bytes;
  need.limited_by = limit(need.need_bytes - 1, kPlenty);
  if (set_up.end_of_allowed_reads > need.need_bytes) {
    need.need_bytes = set_up.end_of_allowed_reads;
    need.limited_by = "reads behind a tensor that its operator's kernel declares";
  }
  if (question.two_arenas) {
    need.persistent_need_bytes = Smallest([&](std::size_t bytes) { return replay(kPlenty, bytes).ok(); });
    need.persistent_limited_by = limit(kPlenty, need.persistent_need_bytes - 1);
  }
  const Replay exact = replay(need.need_bytes, need.persistent_need_bytes);
  need.head_bytes = exact.head_bytes;
  need.tail_bytes = exact.tail_bytes;
  need.set_up_peak_bytes = exact.set_up_peak_bytes;
  AddUp(operations, exact, question.word, need);
  return need;
}

}  // namespace arenaproof
