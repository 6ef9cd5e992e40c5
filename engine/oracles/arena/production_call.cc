#include "engine/oracles/arena/production_call.h"

#include "core/arena/tensor_arena.h"
#include "engine/oracles/arena/status_oracle.h"

namespace arenaproof {
namespace {

std::byte* PointerTo(std::uintptr_t address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): any address is a legal argument
}

}  // namespace

// A switch without default: an operation that is new in the table does not compile before the class has it.
template <typename AnyArena>
ProductionResult CallProduction(AnyArena& arena, const ArenaCall<std::uintptr_t>& call) {
  const Arguments<std::uintptr_t>& arguments = call.arguments;
  std::byte* block = nullptr;
  const auto with_block = [&](Status status) {
    return ProductionResult{status, reinterpret_cast<std::uintptr_t>(block)};
  };
  switch (call.operation) {
    case Operation::kAllocateResizable:
      return with_block(arena.AllocateResizable(arguments.size, arguments.alignment, &block));
    case Operation::kResizeHead:
      return {arena.ResizeHead(PointerTo(arguments.address), arguments.size, arguments.alignment)};
    case Operation::kDeallocateResizable:
      return {arena.DeallocateResizable(PointerTo(arguments.address))};
    case Operation::kReserveOverlay:
      return {arena.ReserveOverlay(arguments.size, arguments.alignment)};
    case Operation::kAllocateTemporary:
      return with_block(arena.AllocateTemporary(arguments.size, arguments.alignment, &block));
    case Operation::kDeallocateTemporary:
      return {arena.DeallocateTemporary(PointerTo(arguments.address))};
    case Operation::kResetTemporaries:
      return {arena.ResetTemporaries()};
    case Operation::kAllocatePersistent:
      return with_block(arena.AllocatePersistent(arguments.size, arguments.alignment, &block));
    case Operation::kMarkTail:
      return with_block(arena.MarkTail(&block));
    case Operation::kRewindTail:
      return {arena.RewindTail(PointerTo(arguments.address))};
    case Operation::kKeepTail:
      return {arena.KeepTail()};
    case Operation::kAllTemporariesDeallocated:
      return {Ok(), arena.AllTemporariesDeallocated() ? std::uintptr_t{1} : std::uintptr_t{0}};
    case Operation::kNonPersistentUsedBytes:
      return {Ok(), arena.NonPersistentUsedBytes()};
    case Operation::kPersistentUsedBytes:
      return {Ok(), arena.PersistentUsedBytes()};
    case Operation::kUsedBytes:
      return {Ok(), arena.UsedBytes()};
    case Operation::kAvailableBytes:
      return {Ok(), arena.AvailableBytes(arguments.alignment)};
  }
  return {};
}

template ProductionResult CallProduction(Arena&, const ArenaCall<std::uintptr_t>&);
template ProductionResult CallProduction(TensorArena&, const ArenaCall<std::uintptr_t>&);

const char* ProductionDiffers(const Arena& arena, const ProductionResult& production,
                              const Transition<std::uintptr_t>& step) {
  // A question has no status; what the operation refuses it answers with 0.
  const bool is_question = Describe(step.operation).section == OperationSection::kNone;
  if (!is_question && production.status.ok() != step.outcome.ok()) {
    return "the arena's verdict differs from the operation's";
  }
  if (!is_question) {
    if (const char* wrong = CheckStatus(production.status, step)) return wrong;
  }
  if (production.result != (step.outcome.ok() ? step.outcome.result : 0)) {
    return "the arena's result differs from the operation's";
  }
  if (arena.state() != step.after) return "the arena's state differs from the operation's";
  return nullptr;
}

}  // namespace arenaproof
