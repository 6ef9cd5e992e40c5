#include "core/runtime/interpreter/model_allocator.h"
#include "engine/generators/offline_plan/plan_model.h"
#include "engine/harness/offline_plan/place_set_up.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

class WithAllocator final : public PlanSetUp {
 public:
  WithAllocator(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options)
      : model_(model), options_(options) {
    RequireOk(ModelAllocator::Create(arena.data(), arena.size(), options_, &allocator_), "the allocator's creation");
  }

  Status Allocate() override {
    RequireIdle();
    Status status = allocator_->StartModelAllocation(model_, &allocation_);
    if (status.ok()) status = Prepare();
    if (status.ok()) status = allocator_->FinishModelAllocation(model_, &allocation_, options_.offline_plan);
    if (!status.ok()) allocator_->AbortModelAllocation();
    RequireIdle();
    return status;
  }
  std::size_t head_bytes() const override { return allocator_->arena().NonPersistentUsedBytes(); }
  std::size_t tail_bytes() const override { return allocator_->arena().PersistentUsedBytes(); }
  std::size_t lost_tail_bytes() const override { return allocator_->lost_tail_bytes(); }

 private:
  // Steps of a set-up that is not under way are refused, temporaries are granted; neither leaves anything.
  void RequireIdle() {
    const TensorArena::State before = allocator_->arena().state();
    for (const Status& answer : {allocator_->RequestScratch(16), allocator_->FinishPrepareNodeAllocations(0, 0),
                                 allocator_->FinishModelAllocation(model_, &allocation_, options_.offline_plan)}) {
      if (answer.code != StatusCode::kAllocatorIdle) Defect("a step of a set-up without a start", answer);
    }
    const Operand* described = nullptr;
    const Status taken = allocator_->AllocateTemporaryTensor(model_, nullptr, 0, 0, &described);
    if (taken.ok()) {
      ModelAllocation none;
      const Status refused = allocator_->StartModelAllocation(model_, &none);
      if (refused.code != StatusCode::kArenaTemporariesLive) Defect("a start while a temporary is held", refused);
      RequireOk(allocator_->FreeTemporaryTensor(described), "freeing a temporary without a set-up");
    } else if (taken.code != StatusCode::kArenaTemporaryDoesNotFit) {
      Defect("a temporary without a set-up", taken);
    }
    if (!(allocator_->arena().state() == before)) Defect("an idle allocator", "a call had an effect");
  }

  Status Prepare() {
    for (std::size_t s = 0; s < allocation_.subgraphs.size(); ++s) {
      const SubgraphAllocation& subgraph = allocation_.subgraphs[s];
      for (std::size_t i = 0; i < subgraph.operators.size(); ++i) {
        for (const std::size_t bytes : PlanScratchBytes(subgraph.operators[i].inputs.size())) {
          ARENAPROOF_RETURN_IF_ERROR(allocator_->RequestScratch(bytes));
        }
        ARENAPROOF_RETURN_IF_ERROR(
            allocator_->FinishPrepareNodeAllocations(static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)));
      }
    }
    allocation_.subgraphs[0].tensors[kSuppliedTensor].data = supplied_;
    return Ok();
  }

  const ValidatedModel& model_;
  const InterpreterOptions options_;
  ModelAllocator* allocator_ = nullptr;  // in the arena
  ModelAllocation allocation_;
  alignas(16) std::byte supplied_[64];
};

}  // namespace

PlanSetUp* AllocatorSetUp(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options,
                          void* place) {
  return PlaceSetUp<WithAllocator>(model, arena, options, place);
}

}  // namespace arenaproof
