#include "core/runtime/interpreter/interpreter.h"
#include "engine/harness/offline_plan/place_set_up.h"
#include "kernels/reference/reference_kernels.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

class WithInterpreter final : public PlanSetUp {
 public:
  WithInterpreter(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options)
      : interpreter_(model, ReferenceKernels(), arena.data(), arena.size(), ForModel(model, options)) {}
  Status Allocate() override { return interpreter_.AllocateTensors(); }
  std::size_t head_bytes() const override { return interpreter_.head_bytes(); }
  std::size_t tail_bytes() const override { return interpreter_.tail_bytes(); }
  std::size_t lost_tail_bytes() const override { return interpreter_.lost_tail_bytes(); }

 private:
  Interpreter interpreter_;
};

}  // namespace

PlanSetUp* InterpreterSetUp(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options,
                            void* place) {
  return PlaceSetUp<WithInterpreter>(model, arena, options, place);
}

}  // namespace arenaproof
