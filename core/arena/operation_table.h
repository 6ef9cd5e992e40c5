// The operations of an arena, listed once, and which arenas have them: a single one, and the two of a pair.
//
// Whoever drives the arena (proof, small-scope search, RapidCheck machine, fuzz target, replay of a counterexample)
// iterates kOperationTable and calls Apply() of operations.h; none of them names an operation. A new line here does not
// compile before operations.h has its code (Run), invariants.h its specification (Expect); code that is not listed here
// has no tag and so cannot be written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/arena/arena_state.h"

namespace arenaproof {

// Which section an operation may change or ask about.
enum class OperationSection : std::uint8_t { kHead, kTemporary, kTail, kNone };

// What Outcome::result means after success.
enum class OperationResult : std::uint8_t {
  kNothing,  // always 0
  kBlock,    // address of `size` bytes, a multiple of `alignment`
  kValue     // a number
};

inline constexpr unsigned kTakesNothing = 0;
inline constexpr unsigned kTakesSize = 1;
inline constexpr unsigned kTakesAlignment = 2;
inline constexpr unsigned kTakesAddress = 4;

inline constexpr unsigned kInSingle = 1u << static_cast<unsigned>(ArenaKind::kSingle);
inline constexpr unsigned kInPersistent = 1u << static_cast<unsigned>(ArenaKind::kPersistent);
inline constexpr unsigned kInNonPersistent = 1u << static_cast<unsigned>(ArenaKind::kNonPersistent);
inline constexpr unsigned kWithHead = kInSingle | kInNonPersistent;
inline constexpr unsigned kWithTail = kInSingle | kInPersistent;
inline constexpr unsigned kInAny = kInSingle | kInPersistent | kInNonPersistent;

// X(name, arguments, section it may change, result, arenas that have it)
#define ARENAPROOF_ARENA_OPERATIONS(X)                                                    \
  X(AllocateResizable, kTakesSize | kTakesAlignment, kHead, kBlock, kWithHead)            \
  X(ResizeHead, kTakesAddress | kTakesSize | kTakesAlignment, kHead, kNothing, kWithHead) \
  X(DeallocateResizable, kTakesAddress, kHead, kNothing, kWithHead)                       \
  X(ReserveOverlay, kTakesSize | kTakesAlignment, kHead, kNothing, kWithHead)             \
  X(AllocateTemporary, kTakesSize | kTakesAlignment, kTemporary, kBlock, kWithHead)       \
  X(DeallocateTemporary, kTakesAddress, kTemporary, kNothing, kWithHead)                  \
  X(ResetTemporaries, kTakesNothing, kTemporary, kNothing, kWithHead)                     \
  X(AllocatePersistent, kTakesSize | kTakesAlignment, kTail, kBlock, kWithTail)           \
  X(MarkTail, kTakesNothing, kTail, kValue, kWithTail)                                    \
  X(RewindTail, kTakesAddress, kTail, kNothing, kWithTail)                                \
  X(KeepTail, kTakesNothing, kTail, kNothing, kWithTail)                                  \
  X(AllTemporariesDeallocated, kTakesNothing, kNone, kValue, kWithHead)                   \
  X(NonPersistentUsedBytes, kTakesNothing, kNone, kValue, kWithHead)                      \
  X(PersistentUsedBytes, kTakesNothing, kNone, kValue, kWithTail)                         \
  X(UsedBytes, kTakesNothing, kNone, kValue, kInAny)                                      \
  X(AvailableBytes, kTakesAlignment, kNone, kValue, kInAny)

enum class Operation : std::uint8_t {
#define ARENAPROOF_ENUMERATOR(name, arguments, section, result, arenas) k##name,
  ARENAPROOF_ARENA_OPERATIONS(ARENAPROOF_ENUMERATOR)
#undef ARENAPROOF_ENUMERATOR
};

template <Operation operation>
using OperationTag = std::integral_constant<Operation, operation>;

struct OperationDescriptor {
  Operation operation;
  const char* name;
  bool takes_size;
  bool takes_alignment;
  bool takes_address;
  OperationSection section;
  OperationResult result;
  unsigned arenas;

  constexpr bool in(ArenaKind kind) const { return ((arenas >> static_cast<unsigned>(kind)) & 1u) != 0; }
};

inline constexpr std::array kOperationTable = {
#define ARENAPROOF_DESCRIPTOR(name, arguments, section, result, arenas) \
  OperationDescriptor{Operation::k##name,                               \
                      #name,                                            \
                      ((arguments) & kTakesSize) != 0,                  \
                      ((arguments) & kTakesAlignment) != 0,             \
                      ((arguments) & kTakesAddress) != 0,               \
                      OperationSection::section,                        \
                      OperationResult::result,                          \
                      (arenas)},
    ARENAPROOF_ARENA_OPERATIONS(ARENAPROOF_DESCRIPTOR)
#undef ARENAPROOF_DESCRIPTOR
};

constexpr const OperationDescriptor& Describe(Operation operation) {
  return kOperationTable[static_cast<std::size_t>(operation)];
}

// Calls `function(OperationTag<operation>{})`: from a value to a type.
template <typename Function>
constexpr decltype(auto) WithTag(Operation operation, Function&& function) {
  switch (operation) {
#define ARENAPROOF_CASE(name, arguments, section, result, arenas) \
  case Operation::k##name:                                        \
    return function(OperationTag<Operation::k##name>{});
    ARENAPROOF_ARENA_OPERATIONS(ARENAPROOF_CASE)
#undef ARENAPROOF_CASE
  }
  __builtin_unreachable();
}

}  // namespace arenaproof
