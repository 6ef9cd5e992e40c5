#include "plan_model_support.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/cases/validated.h"
#include "tools/model/plan_recorder.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

Status NoInit(PrepareContext&) { return Ok(); }

Status AskForScratch(PrepareContext& context) {
  for (const std::size_t bytes : Behavior().scratch_bytes) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(bytes));
  }
  return Ok();
}

Status Prepare(PrepareContext& context) {
  if (Behavior().place_outputs) {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(context.outputs[0].bytes, &block));
    ARENAPROOF_RETURN_IF_ERROR(context.runtime->PlaceOutput(0, block));
  }
  return AskForScratch(context);
}

Status DoNothing(const InvokeContext&) { return Ok(); }

constexpr Kernel DoNothingKernel(BuiltinOperator op) {
  return {.op = op, .name = "nothing", .init = NoInit, .prepare = Prepare, .invoke = DoNothing};
}

// The plan, and where the tail began when it was checked.
class RoomRecorder final : public PlanRecorder {
 public:
  void OnTailAllocated(MemoryRegion block) override {
    if (plan().empty() && (lowest_ == nullptr || block.data < lowest_)) lowest_ = block.data;
  }
  std::size_t RoomBehind(const std::byte* start) const {
    if (lowest_ == nullptr) return 0;
    const auto first = (reinterpret_cast<std::uintptr_t>(start) + 15) / 16 * 16;
    return reinterpret_cast<std::uintptr_t>(lowest_) - first;
  }

 private:
  const std::byte* lowest_ = nullptr;
};

// The operator's number of operands does not matter to these kernels.
constexpr BuiltinOperator kAnyOperator = BuiltinOperator::kConcatenation;

// Whatever it holds.
std::span<const std::byte> PlanOf(const ModelView& model) {
  for (std::size_t i = model.metadata_count(); i-- > 0;) {
    if (model.metadata(i).name == kOfflinePlanName) return model.metadata(i).data;
  }
  throw std::logic_error("the model of a test has no plan");
}

PlanSubgraph SubgraphOf(std::size_t count, const std::vector<PlanOperator>& operators, std::size_t input_count) {
  PlanSubgraph subgraph{std::vector<PlanTensor>(count), operators, operators.front().inputs, operators.back().outputs};
  if (input_count > 0) subgraph.inputs.resize(input_count);
  return subgraph;
}

}  // namespace

std::vector<std::byte> PlanBytes(const Words& offsets, const OfflinePlanHeader& header) {
  std::vector<std::byte> bytes(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan(header, offsets, bytes);
  return bytes;
}

PlanModel::PlanModel(const std::vector<PlanSubgraph>& subgraphs) {
  for (const PlanSubgraph& subgraph : subgraphs) {
    SubgraphSpec& spec = builder.AddSubgraph();
    for (const PlanTensor& tensor : subgraph.tensors) {
      TensorSpec made{.type = TensorType::kInt8, .shape = std::vector<std::int32_t>{tensor.bytes}};
      made.is_variable = tensor.variable;
      if (tensor.constant) {
        made.buffer = builder.AddBuffer(std::vector<std::byte>(static_cast<std::size_t>(tensor.bytes)));
      }
      spec.AddTensor(made);
    }
    for (const PlanOperator& op : subgraph.operators) {
      spec.AddOperator({.code = builder.AddCode(kAnyOperator), .inputs = op.inputs, .outputs = op.outputs});
    }
    spec.inputs = subgraph.inputs;
    spec.outputs = subgraph.outputs;
  }
}

PlanModel::PlanModel(std::size_t count, const std::vector<PlanOperator>& operators, std::size_t input_count)
    : PlanModel({SubgraphOf(count, operators, input_count)}) {}

PlanModel& PlanModel::WithPlan(const Words& offsets, const OfflinePlanHeader& header) {
  return WithPlanBytes(PlanBytes(offsets, header));
}

PlanModel& PlanModel::WithPlanBytes(std::span<const std::byte> bytes, const std::string& name) {
  builder.AddMetadata(name, bytes);
  return *this;
}

const ValidatedModel& PlanModel::Build() {
  file_ = builder.Finish();
  view_ = Validated(file_);
  return *view_;
}

void PlanModel::OverwritePlan(std::span<const std::byte> bytes) {
  const std::size_t place = static_cast<std::size_t>(PlanOf(*view_).data() - file_.data());
  std::copy_n(bytes.begin(), std::min(bytes.size(), PlanOf(*view_).size()),
              file_.begin() + static_cast<std::ptrdiff_t>(place));
}

PlanModel Chain(std::int32_t length) {
  std::vector<PlanOperator> operators;
  for (std::int32_t i = 0; i + 1 < length; ++i) operators.push_back({{i}, {i + 1}});
  return PlanModel(static_cast<std::size_t>(length), operators);
}

PlanKernels& Behavior() {
  static PlanKernels behavior;
  return behavior;
}

const KernelSet& DoNothingKernels() {
  static constexpr std::array kKernels = {DoNothingKernel(BuiltinOperator::kAbs),
                                          DoNothingKernel(BuiltinOperator::kAdd), DoNothingKernel(kAnyOperator)};
  static const KernelSet set{"nothing", kKernels, nullptr};
  return set;
}

PlanOutcome SetUpModel(const ValidatedModel& model, const PlanSetUp& how) {
  std::vector<std::byte> memory(how.arena_bytes + 128);
  std::byte* start = memory.data();
  while (reinterpret_cast<std::uintptr_t>(start) % 64 != how.misalignment) ++start;
  PlanOutcome outcome;
  RoomRecorder recorder;
  InterpreterOptions options{.planner = how.planner, .observer = &recorder};
  options.offline_plan = {
      .trust = how.trust, .listener = &outcome.recorded, .ignore = how.ignore, .strict = how.strict};
  ModelAllocator* allocator = nullptr;
  if (how.shared_allocator) outcome.status = ModelAllocator::Create(start, how.arena_bytes, options, &allocator);
  if (!outcome.status.ok()) return outcome;
  const auto interpreter =
      how.shared_allocator ? std::make_unique<Interpreter>(model, DoNothingKernels(), *allocator, options)
                           : std::make_unique<Interpreter>(model, DoNothingKernels(), start, how.arena_bytes, options);
  outcome.status = interpreter->AllocateTensors();
  outcome.room_bytes = recorder.RoomBehind(start);
  outcome.plan = recorder.plan();
  outcome.offsets.assign(model.total_tensor_count(), kNoOffset);
  for (const PlanEntry& buffer : outcome.plan) {
    const auto offset = static_cast<std::int64_t>(buffer.offset);
    if (buffer.tensor < 0) {
      outcome.scratch_offsets.push_back(offset);
    } else {
      outcome.offsets[model.first_tensor_of(static_cast<std::size_t>(buffer.subgraph)) +
                      static_cast<std::size_t>(buffer.tensor)] = offset;
    }
  }
  outcome.head_bytes = interpreter->head_bytes();
  outcome.tail_bytes = interpreter->tail_bytes();
  outcome.lost_tail_bytes = interpreter->lost_tail_bytes();
  return outcome;
}

std::vector<std::string> Texts(const std::vector<Status>& statuses) {
  std::vector<std::string> texts;
  for (const Status& status : statuses) texts.push_back(Text(status));
  return texts;
}

std::string Text(const Status& status) {
  std::string text(StatusName(status.code));
  for (const std::uint64_t number : status.detail) text += " " + std::to_string(static_cast<std::int64_t>(number));
  return text;
}

}  // namespace arenaproof::testing
