#include <array>
#include <cstring>

#include "core/arena/step.h"
#include "engine/generators/bytes/arena_call_reader.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/oracles/arena/arena_history.h"
#include "engine/oracles/arena/arena_of_kind.h"
#include "engine/oracles/arena/production_call.h"
#include "faults/plain/heap_block.h"
#include "faults/plain/replay.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostCalls = 64;  // as in the target

// `perform(call)` gives the step. Nothing is checked; the history only holds the addresses that a call may name.
template <typename Word, typename Perform>
void ReplayCalls(ByteReader& reader, const ArenaState<Word>& empty, bool bare, Perform&& perform) {
  auto history = EmptyHistory<kMostCalls>(empty);
  ArenaState<Word> arena = empty;
  for (std::size_t i = 0; i < kMostCalls && !reader.empty(); ++i) {
    const Transition<Word> step = perform(arena, DrawCall(reader, arena, history, bare));
    Record(history, step);
    arena = step.after;
  }
}

template <typename Word>
void ReplayBare(ByteReader& reader, const ArenaWorld& world) {
  ReplayCalls(reader, BareArena<Word>(world), true, [](const ArenaState<Word>& before, const ArenaCall<Word>& call) {
    return Step(before, call.operation, call.arguments);
  });
}

void ReplayOnHeap(ByteReader& reader, const ArenaWorld& world) {
  using MachineWord = std::uintptr_t;
  const HeapBlock block = AllocateBlock(64, std::size_t{world.misalignment} + world.bytes);
  ArenaOfKind production;
  if (!production.Init(world.arena, block.get() + world.misalignment, world.bytes).ok()) return;
  Arena& arena = production.arena();
  ReplayCalls(
      reader, arena.state(), false, [&](const ArenaState<MachineWord>& before, const ArenaCall<MachineWord>& call) {
        const ProductionResult result = CallProduction(arena, call);
        Outcome<MachineWord> outcome{Refusal::kNone, result.result};
        if (!result.status.ok()) outcome.refusal = Refusal::kDoesNotFit;
        if (outcome.ok() && Describe(call.operation).result == OperationResult::kBlock && call.arguments.size != 0) {
          std::byte* const start = block.get() + (result.result - reinterpret_cast<MachineWord>(block.get()));
          std::memset(start, 0x5a, call.arguments.size);
        }
        return Transition<MachineWord>{before, call.operation, call.arguments, outcome, arena.state()};
      });
}

}  // namespace

void ReplayArenaCalls(InputBytes input) {
  ByteReader reader(input.data(), input.size());
  const ArenaWorld world = DrawWorld(reader);
  switch (world.kind) {
    case ArenaWorldKind::kBare32:
      return ReplayBare<std::uint32_t>(reader, world);
    case ArenaWorldKind::kBare64:
      return ReplayBare<std::uint64_t>(reader, world);
    case ArenaWorldKind::kBuffer:
      return ReplayOnHeap(reader, world);
  }
}

}  // namespace arenaproof
