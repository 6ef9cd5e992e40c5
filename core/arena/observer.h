// What instruments learn about an arena. The runtime sends every event; with no observer attached that costs one
// predictable branch. An observer may inspect but never changes anything the runtime sees.
//
// Between OnOperatorBegins and OnOperatorEnds the running operator's code may touch the listed operands and nothing
// else of the arena or of the model file. Calls that the operator makes into the runtime (persistent allocation,
// scratch request, ...) are bracketed by OnRuntimeEnters and OnRuntimeLeaves: in between the runtime's own bookkeeping
// is legal again, except between OnRuntimeWorkBegins and OnRuntimeWorkEnds, where it too has a list of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/operation_table.h"
#include "core/base/buffer_alias.h"
#include "core/base/structure_bytes.h"

namespace arenaproof {

// An input, and the output that the operator writes in the input's very bytes, are one group of ranges "in place": a
// byte of them that was written is not to be read again.
enum class AccessRight : std::uint8_t {
  kNone = 0,
  kRead = 1,
  kWrite = 2,
  kReadWrite = 3,
  kReadInPlace = kRead | 4,
  kReadWriteInPlace = kReadWrite | 4
};

constexpr bool IsInPlace(AccessRight right) { return (static_cast<unsigned>(right) & 4U) != 0; }
constexpr AccessRight InPlace(AccessRight right) { return static_cast<AccessRight>(static_cast<unsigned>(right) | 4U); }
// The right itself, in place or not.
constexpr AccessRight RightOf(AccessRight right) { return static_cast<AccessRight>(static_cast<unsigned>(right) & 3U); }

enum class OperandKind : std::uint8_t {
  kInput,
  kOutput,
  kConstant,
  kVariable,
  kScratch,
  kPersistent,
  kTemporary,
  kQuantization,
  kOptions,
  // Of the runtime's own work only.
  kWorkspace,  // of the planner
  kRecord,     // the runtime's own bookkeeping
  kSource,     // a tensor that is copied, and where it is copied to
  kDestination
};

// kRuntime: none of an operator's, the runtime's own work.
enum class OperatorPhase : std::uint8_t { kInit, kPrepare, kInvoke, kRuntime };

// What the runtime does itself, on bytes that it lists as operators' are listed.
enum class RuntimeWork : std::uint8_t {
  kRecords,       // a block of the tail that was handed out is filled with records
  kPlanning,      // the planner plans and the certifier checks, in the planner's workspace
  kTensorCopy,    // tensors go to a subgraph that is called, come back, or are read and assigned as variables
  kVariableFill,  // a variable gets its first value
};

// One contiguous range an operator may touch. `index`: tensor index in its subgraph for kInput, kOutput, kConstant,
// kVariable and kQuantization (scales or zero points of that tensor), 0 for kOptions (a custom operator's option
// bytes); else ordinal of the operator's own allocation.
struct OperandRange {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  AccessRight right = AccessRight::kNone;
  OperandKind kind = OperandKind::kInput;
  std::int32_t index = -1;
};

struct OperatorScope {
  OperatorPhase phase = OperatorPhase::kInvoke;
  std::int32_t subgraph = 0;
  std::int32_t operator_index = 0;
  const char* operator_name = "";  // "FULLY_CONNECTED", a custom operator's own name
  const char* kernel_name = "";    // "aligned-faulty"
  std::span<const OperandRange> operands;
  // Bytes around operands that its kernel may read and declares not to use, with kind and index of the operand. The
  // runtime lists none: whoever knows of them adds them for the observers behind it.
  std::span<const OperandRange> read_allowances = {};
};

// `subgraph`: of kVariable operands; else -1. The index of a source or destination is its place in the list.
struct RuntimeScope {
  RuntimeWork work = RuntimeWork::kRecords;
  std::int32_t subgraph = -1;
  std::span<const OperandRange> operands;
};

struct MemoryRegion {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
};

// All bytes that the caller gave: one region of a single arena; of a pair, `arena` has head and temporaries and
// `persistent` the tail.
struct AttachedArena {
  MemoryRegion arena;
  MemoryRegion persistent;  // no bytes when single

  constexpr AttachedArena() = default;
  constexpr AttachedArena(MemoryRegion single)
      : arena(single) {}  // NOLINT(google-explicit-constructor): the usual case
  constexpr AttachedArena(const std::byte* data, std::size_t bytes) : arena{data, bytes} {}
  constexpr AttachedArena(MemoryRegion non_persistent, MemoryRegion tail) : arena(non_persistent), persistent(tail) {}
};

// One buffer of a certified plan: a tensor (tensor >= 0) or a scratch buffer (tensor == -1, scratch >= 0).
struct PlanEntry {
  std::int32_t subgraph = 0;
  std::int32_t tensor = -1;
  std::int32_t scratch = -1;
  std::int32_t owner_operator = -1;  // of a scratch buffer
  std::size_t offset = 0;            // from the head's aligned start
  std::size_t bytes = 0;             // requested, not rounded up
  std::int32_t first = -1;           // closed interval of scopes; -1: before the first
  std::int32_t last = -1;
};

ARENAPROOF_PIN_BYTES(OperandRange, 24, 8, 16, 4);
ARENAPROOF_PIN_BYTES(PlanEntry, 40, 8, 32, 4);

class ArenaObserver {
 public:
  // `model` are the bytes of the model file.
  virtual void OnAttach(const AttachedArena& arena, MemoryRegion model) = 0;
  virtual void OnHeadResized(MemoryRegion head) = 0;
  virtual void OnTemporaryAllocated(MemoryRegion block) = 0;
  virtual void OnTemporaryFreed(const std::byte* address) = 0;
  virtual void OnTemporariesReset() = 0;
  virtual void OnTailAllocated(MemoryRegion block) = 0;
  // Every tail block below `tail_begin` is gone: a model's allocation failed and gave them back.
  virtual void OnTailRewound(const std::byte* tail_begin) = 0;
  // `head_start` is where offsets count from.
  virtual void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) = 0;
  // Which buffers of the plan that is committed next share bytes on purpose; not sent when none do.
  virtual void OnBytesShared(std::span<const BufferAlias> /*aliases*/) {}
  virtual void OnOperatorBegins(const OperatorScope& scope) = 0;
  virtual void OnOperatorEnds() = 0;
  virtual void OnRuntimeEnters() = 0;
  virtual void OnRuntimeLeaves() = 0;
  virtual void OnDetach() = 0;
  // Never while an operator's own code runs, and with no other event in between: they do not nest.
  virtual void OnRuntimeWorkBegins(const RuntimeScope& /*scope*/) {}
  virtual void OnRuntimeWorkEnds() {}

  // ---- for measurements: every movement of a cursor, with what it is made of
  // The next operation with an alignment above 1 is for `count` of these. Without it an operation is about plain bytes,
  // which are as many whatever a word is.
  virtual void OnShape(const StructureBytes& /*element*/, std::size_t /*count*/) {}
  // An operation was granted; before its other event.
  virtual void OnOperation(Operation /*operation*/, std::size_t /*size*/, std::size_t /*alignment*/) {}
  // The observer that receives the arena's events while the runtime does bookkeeping, which is not announced to this
  // one (a kernel would be charged with it); null: none.
  virtual ArenaObserver* DuringBookkeeping() { return nullptr; }

 protected:
  ~ArenaObserver() = default;
};

}  // namespace arenaproof
