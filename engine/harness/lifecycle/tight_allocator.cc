#include "engine/harness/lifecycle/tight_allocator.h"

#include <utility>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "engine/harness/lifecycle/network_figures.h"
#include "engine/harness/lifecycle/networks.h"
#include "engine/harness/lifecycle/unexpected_status.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

class TightAllocator {
 public:
  explicit TightAllocator(std::size_t bytes) : memory_(bytes) {}

  std::string Run(const ValidatedModel& first, const ValidatedModel& second) {
    if (Status status = ModelAllocator::Create(memory_.data(), memory_.size(), {}, &allocator_); !status.ok()) {
      return Unexpected("making an allocator", status.code, StatusCode::kOk);
    }
    Interpreter one(first, NetworkKernels(), *allocator_, ForModel(first));
    if (Status status = one.AllocateTensors(); !status.ok()) {
      return Unexpected("the first of two set-ups", status.code, StatusCode::kOk);
    }
    const TensorArena::State before = allocator_->arena().state();
    Interpreter other(second, NetworkKernels(), *allocator_, ForModel(second));
    const Status status = other.AllocateTensors();
    const TensorArena::State& after = allocator_->arena().state();
    if (allocator_->allocating()) return "L2: the allocator is allocating after a set-up in a tight arena";
    if (after.persistent.tail_begin < after.non_persistent.head_end) return "L5: a tail that lies in the head";
    if (status.ok()) return "";
    if (after.non_persistent.head_end != before.non_persistent.head_end) {
      return "L2: a set-up that was refused in a tight arena leaves another head";
    }
    return Refused("the second of two set-ups", status);
  }

 private:
  // The only reason that there is.
  static std::string Refused(const char* what, const Status& status) {
    if (AsksForALargerArena(status)) return "";
    return Unexpected(what, status.code, StatusCode::kTailWouldCrossHead);
  }

  std::vector<std::byte> memory_;
  ModelAllocator* allocator_ = nullptr;
};

}  // namespace

std::string SetUpTightly(std::size_t first, std::size_t second, std::size_t spare_bytes) {
  TightAllocator tight(NeedBytes(first) + spare_bytes);
  KernelOrders of_others = std::exchange(Orders(), {});
  std::string wrong = tight.Run(*Networks()[first].view, *Networks()[second].view);
  if (wrong.empty()) wrong = Orders().complaint;
  Orders() = std::move(of_others);
  InjectedRefusals::ForgetArenas();
  return wrong;
}

}  // namespace arenaproof
