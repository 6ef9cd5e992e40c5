#include "engine/harness/injected_refusals/injected_refusals.h"

namespace arenaproof {
namespace {

std::size_t counted = 0;
std::size_t to_refuse = InjectedRefusals::kNone;
Status made;  // by order
std::set<const Arena*> asked;

// Ok, or what the operation has to fail with.
Status Ask(const Arena* arena, StatusCode exhausted, std::size_t size, std::size_t alignment) {
  asked.insert(arena);
  if (counted++ != to_refuse) return Ok();
  made = Failure(exhausted, size, alignment, arena->AvailableBytes(1));
  return made;
}

}  // namespace

void InjectedRefusals::Begin(std::size_t refused) {
  counted = 0;
  to_refuse = refused;
  made = Ok();
  asked.clear();
}
std::size_t InjectedRefusals::operation_count() { return counted; }
bool InjectedRefusals::refused() { return !made.ok(); }
StatusCode InjectedRefusals::refused_with() { return made.code; }
const Status& InjectedRefusals::refusal() { return made; }
void InjectedRefusals::ForgetArenas() { asked.clear(); }
const std::set<const Arena*>& InjectedRefusals::arenas() { return asked; }

// Each pair stands for the member function of its name: the linker's __real_ and __wrap_ symbols.
Status RealAllocateResizable(Arena* arena, std::size_t size, std::size_t alignment,
                             std::byte** block) asm("__real__ZN10arenaproof5Arena17AllocateResizableEmmPPSt4byte");
Status WrapAllocateResizable(Arena* arena, std::size_t size, std::size_t alignment,
                             std::byte** block) asm("__wrap__ZN10arenaproof5Arena17AllocateResizableEmmPPSt4byte");
Status RealResizeHead(Arena* arena, std::byte* block, std::size_t size,
                      std::size_t alignment) asm("__real__ZN10arenaproof5Arena10ResizeHeadEPSt4bytemm");
Status WrapResizeHead(Arena* arena, std::byte* block, std::size_t size,
                      std::size_t alignment) asm("__wrap__ZN10arenaproof5Arena10ResizeHeadEPSt4bytemm");
Status RealReserveOverlay(Arena* arena, std::size_t size,
                          std::size_t alignment) asm("__real__ZN10arenaproof5Arena14ReserveOverlayEmm");
Status WrapReserveOverlay(Arena* arena, std::size_t size,
                          std::size_t alignment) asm("__wrap__ZN10arenaproof5Arena14ReserveOverlayEmm");
Status RealAllocateTemporary(Arena* arena, std::size_t size, std::size_t alignment,
                             std::byte** block) asm("__real__ZN10arenaproof5Arena17AllocateTemporaryEmmPPSt4byte");
Status WrapAllocateTemporary(Arena* arena, std::size_t size, std::size_t alignment,
                             std::byte** block) asm("__wrap__ZN10arenaproof5Arena17AllocateTemporaryEmmPPSt4byte");
Status RealAllocatePersistent(Arena* arena, std::size_t size, std::size_t alignment,
                              std::byte** block) asm("__real__ZN10arenaproof5Arena18AllocatePersistentEmmPPSt4byte");
Status WrapAllocatePersistent(Arena* arena, std::size_t size, std::size_t alignment,
                              std::byte** block) asm("__wrap__ZN10arenaproof5Arena18AllocatePersistentEmmPPSt4byte");

Status WrapAllocateResizable(Arena* arena, std::size_t size, std::size_t alignment, std::byte** block) {
  ARENAPROOF_RETURN_IF_ERROR(Ask(arena, StatusCode::kArenaHeadDoesNotFit, size, alignment));
  return RealAllocateResizable(arena, size, alignment, block);
}
Status WrapResizeHead(Arena* arena, std::byte* block, std::size_t size, std::size_t alignment) {
  ARENAPROOF_RETURN_IF_ERROR(Ask(arena, StatusCode::kArenaHeadDoesNotFit, size, alignment));
  return RealResizeHead(arena, block, size, alignment);
}
Status WrapReserveOverlay(Arena* arena, std::size_t size, std::size_t alignment) {
  ARENAPROOF_RETURN_IF_ERROR(Ask(arena, StatusCode::kArenaHeadDoesNotFit, size, alignment));
  return RealReserveOverlay(arena, size, alignment);
}
Status WrapAllocateTemporary(Arena* arena, std::size_t size, std::size_t alignment, std::byte** block) {
  ARENAPROOF_RETURN_IF_ERROR(Ask(arena, StatusCode::kArenaTemporaryDoesNotFit, size, alignment));
  return RealAllocateTemporary(arena, size, alignment, block);
}
Status WrapAllocatePersistent(Arena* arena, std::size_t size, std::size_t alignment, std::byte** block) {
  ARENAPROOF_RETURN_IF_ERROR(Ask(arena, StatusCode::kArenaPersistentDoesNotFit, size, alignment));
  return RealAllocatePersistent(arena, size, alignment, block);
}

}  // namespace arenaproof
