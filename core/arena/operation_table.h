// The operations of an arena, listed once.
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

namespace arenaproof {

// Which section an operation may change.
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

// X(name, arguments, section it may change, result)
#define ARENAPROOF_ARENA_OPERATIONS(X)                                         \
  X(AllocateResizable, kTakesSize | kTakesAlignment, kHead, kBlock)            \
  X(ResizeHead, kTakesAddress | kTakesSize | kTakesAlignment, kHead, kNothing) \
  X(DeallocateResizable, kTakesAddress, kHead, kNothing)                       \
  X(ReserveOverlay, kTakesSize | kTakesAlignment, kHead, kNothing)             \
  X(AllocateTemporary, kTakesSize | kTakesAlignment, kTemporary, kBlock)       \
  X(DeallocateTemporary, kTakesAddress, kTemporary, kNothing)                  \
  X(ResetTemporaries, kTakesNothing, kTemporary, kNothing)                     \
  X(AllocatePersistent, kTakesSize | kTakesAlignment, kTail, kBlock)           \
  X(AllTemporariesDeallocated, kTakesNothing, kNone, kValue)                   \
  X(NonPersistentUsedBytes, kTakesNothing, kNone, kValue)                      \
  X(PersistentUsedBytes, kTakesNothing, kNone, kValue)                         \
  X(UsedBytes, kTakesNothing, kNone, kValue)                                   \
  X(AvailableBytes, kTakesAlignment, kNone, kValue)

enum class Operation : std::uint8_t {
#define ARENAPROOF_ENUMERATOR(name, arguments, section, result) k##name,
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
};

inline constexpr std::array kOperationTable = {
#define ARENAPROOF_DESCRIPTOR(name, arguments, section, result) \
  OperationDescriptor{Operation::k##name,                       \
                      #name,                                    \
                      ((arguments) & kTakesSize) != 0,          \
                      ((arguments) & kTakesAlignment) != 0,     \
                      ((arguments) & kTakesAddress) != 0,       \
                      OperationSection::section,                \
                      OperationResult::result},
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
#define ARENAPROOF_CASE(name, arguments, section, result) \
  case Operation::k##name:                                \
    return function(OperationTag<Operation::k##name>{});
    ARENAPROOF_ARENA_OPERATIONS(ARENAPROOF_CASE)
#undef ARENAPROOF_CASE
  }
  __builtin_unreachable();
}

}  // namespace arenaproof
