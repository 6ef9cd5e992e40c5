#include <memory>
#include <new>

#include "core/runtime/interpreter.h"
#include "core/runtime/model_allocator.h"
#include "fuzz/model_pipeline/defect.h"
#include "fuzz/offline_plan/plan_model.h"
#include "fuzz/offline_plan/plan_run.h"
#include "kernels/reference/reference_kernels.h"
#include "tools/model_options.h"

namespace arenaproof {
namespace {

class WithInterpreter final : public PlanSetUp {
 public:
  WithInterpreter(const ModelView& model, std::span<std::byte> arena, const InterpreterOptions& options)
      : interpreter_(model, ReferenceKernels(), arena.data(), arena.size(), ForModel(model, options)) {}
  Status Allocate() override { return interpreter_.AllocateTensors(); }
  std::size_t head_bytes() const override { return interpreter_.head_bytes(); }
  std::size_t tail_bytes() const override { return interpreter_.tail_bytes(); }
  std::size_t lost_tail_bytes() const override { return interpreter_.lost_tail_bytes(); }

 private:
  Interpreter interpreter_;
};

class WithAllocator final : public PlanSetUp {
 public:
  WithAllocator(const ModelView& model, std::span<std::byte> arena, const InterpreterOptions& options)
      : model_(model), options_(options) {
    RequireOk(ModelAllocator::Create(arena.data(), arena.size(), options_, &allocator_), "the allocator's creation");
  }

  Status Allocate() override {
    Status status = allocator_->StartModelAllocation(model_, &allocation_);
    if (status.ok()) status = Prepare();
    if (status.ok()) status = allocator_->FinishModelAllocation(model_, &allocation_, options_.offline_plan);
    if (!status.ok()) allocator_->AbortModelAllocation();
    return status;
  }
  std::size_t head_bytes() const override { return allocator_->arena().NonPersistentUsedBytes(); }
  std::size_t tail_bytes() const override { return allocator_->arena().PersistentUsedBytes(); }
  std::size_t lost_tail_bytes() const override { return allocator_->lost_tail_bytes(); }

 private:
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

  const ModelView& model_;
  const InterpreterOptions options_;
  ModelAllocator* allocator_ = nullptr;  // in the arena
  ModelAllocation allocation_;
  alignas(16) std::byte supplied_[64];
};

template <typename SetUp>
PlanSetUp* Make(const ModelView& model, std::span<std::byte> arena, const InterpreterOptions& options, void* place) {
  static_assert(sizeof(SetUp) <= kPlanSetUpBytes && alignof(SetUp) <= 64);
  return new (place) SetUp(model, arena, options);
}

}  // namespace

PlanSetUp* InterpreterSetUp(const ModelView& model, std::span<std::byte> arena, const InterpreterOptions& options,
                            void* place) {
  return Make<WithInterpreter>(model, arena, options, place);
}

PlanSetUp* AllocatorSetUp(const ModelView& model, std::span<std::byte> arena, const InterpreterOptions& options,
                          void* place) {
  return Make<WithAllocator>(model, arena, options, place);
}

}  // namespace arenaproof
