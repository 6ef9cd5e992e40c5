// The operations of a growing arena, listed once. Proof, small-scope search, state machine and fuzz target iterate
// kGrowingTable and call Apply() of growing_operations.h; none of them names an operation. A new line here does not
// compile before growing_operations.h has its code (Run) and growing_specification.h its specification (Expect).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/planner/host/growing_state.h"

namespace arenaproof {

inline constexpr unsigned kGrowingTakesNothing = 0;
inline constexpr unsigned kGrowingTakesSize = 1;
inline constexpr unsigned kGrowingTakesAlignment = 2;
inline constexpr unsigned kGrowingTakesInterval = 4;
inline constexpr unsigned kGrowingTakesNode = 8;
inline constexpr unsigned kGrowingTakesOffset = 16;
inline constexpr unsigned kGrowingTakesMemory = 32;
inline constexpr unsigned kGrowingTakesRecords = 64;

// X(name, arguments)
#define ARENAPROOF_GROWING_OPERATIONS(X)                                          \
  X(Allocate, kGrowingTakesSize | kGrowingTakesAlignment | kGrowingTakesInterval) \
  X(Commit, kGrowingTakesMemory)                                                  \
  X(Resolve, kGrowingTakesOffset | kGrowingTakesSize)                             \
  X(ClearPlan, kGrowingTakesNothing)                                              \
  X(ReleaseBuffer, kGrowingTakesNothing)                                          \
  X(ResetAllocations, kGrowingTakesNothing)                                       \
  X(PurgeActive, kGrowingTakesNode)                                               \
  X(PurgeAfter, kGrowingTakesNode)                                                \
  X(CalculateActive, kGrowingTakesNode | kGrowingTakesRecords)

enum class GrowingOperation : std::uint8_t {
#define ARENAPROOF_GROWING_ENUMERATOR(name, arguments) k##name,
  ARENAPROOF_GROWING_OPERATIONS(ARENAPROOF_GROWING_ENUMERATOR)
#undef ARENAPROOF_GROWING_ENUMERATOR
};

template <GrowingOperation operation>
using GrowingTag = std::integral_constant<GrowingOperation, operation>;

struct GrowingDescriptor {
  GrowingOperation operation;
  const char* name;
  unsigned arguments;

  constexpr bool takes(unsigned argument) const { return (arguments & argument) != 0; }
};

inline constexpr std::array kGrowingTable = {
#define ARENAPROOF_GROWING_DESCRIPTOR(name, arguments) GrowingDescriptor{GrowingOperation::k##name, #name, (arguments)},
    ARENAPROOF_GROWING_OPERATIONS(ARENAPROOF_GROWING_DESCRIPTOR)
#undef ARENAPROOF_GROWING_DESCRIPTOR
};

constexpr const GrowingDescriptor& Describe(GrowingOperation operation) {
  return kGrowingTable[static_cast<std::size_t>(operation)];
}

// Calls `function(GrowingTag<operation>{})`: from a value to a type.
template <typename Function>
constexpr decltype(auto) WithTag(GrowingOperation operation, Function&& function) {
  switch (operation) {
#define ARENAPROOF_GROWING_CASE(name, arguments) \
  case GrowingOperation::k##name:                \
    return function(GrowingTag<GrowingOperation::k##name>{});
    ARENAPROOF_GROWING_OPERATIONS(ARENAPROOF_GROWING_CASE)
#undef ARENAPROOF_GROWING_CASE
  }
  __builtin_unreachable();
}

enum class GrowingRefusal : std::uint8_t {
  kNone,
  kZeroAlignment,
  kAlignmentTooLarge,  // more than the arena's own
  kOverflow,           // an end or a rounding does not fit a word
  kNoMemory,           // the host has none to grow with
  kNotCommitted,       // the memory does not cover the plan yet
  kOutsideBuffer       // the allocation ends behind the memory
};

template <typename Word>
struct GrowingArguments {
  Word size{};
  Word alignment{};
  Word offset{};
  Node<Word> first{};
  Node<Word> last{};
  Node<Word> node{};
  std::int32_t tensor = -1;
  bool memory = true;  // whether the host has memory to grow with
  std::span<const AllocationRecord<Word>> records{};
};

// `result` after success: Allocate: the offset. Commit: 1 when memory had to grow, else 0. Resolve: the offset, which
// says nothing when the size is 0, because such an allocation has no address. Else 0.
template <typename Word>
struct GrowingOutcome {
  GrowingRefusal refusal = GrowingRefusal::kNone;
  Word result{};

  constexpr bool ok() const { return refusal == GrowingRefusal::kNone; }
};

}  // namespace arenaproof
