// Does any sequence of arena operations break an invariant of the arena?
//
// The input is a world (word, base address, length, kind of arena; on a real buffer through Arena, recorded, or the
// bare operations at 32 or 64 bits at any address, up to the last one) and up to 64 calls. Every step is checked by the
// oracle that proof, small-scope search and state machine use. On a violation the readable sequence and the invariant's
// name are printed and the process aborts.
//
// The input's format: engine/generators/bytes/arena_call_reader.h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/arena/step.h"
#include "engine/cases/arena_call.h"
#include "engine/explain.h"
#include "engine/generators/bytes/arena_call_reader.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/arena/arena_buffer.h"
#include "engine/oracles/arena/arena_history.h"
#include "engine/oracles/arena/arena_of_kind.h"
#include "engine/oracles/arena/production_call.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostCalls = 64;
constexpr std::size_t kGuardBytes = 64;

template <typename Word>
using History = ArenaHistory<Word, kMostCalls>;

template <typename Word>
struct Sequence {
  std::array<Transition<Word>, kMostCalls> steps;
  std::size_t count = 0;
};

template <typename Word>
std::string ArenaText(const ArenaState<Word>& first) {
  return std::string(KindName(first.kind)) + " arena: " + std::to_string(first.end - first.begin) +
         " bytes at address " + std::to_string(first.begin) + ", " + std::to_string(sizeof(Word) * 8) +
         "-bit words; sequence:";
}

template <typename Word>
std::string StepText(const Transition<Word>& step, Word begin) {
  return "  " + ShowCall<Word>({step.operation, step.arguments}, begin) + " -> " +
         ShowOutcome(step.operation, step.outcome, begin);
}

template <typename Word>
[[noreturn]] void ReportAndAbort(const Sequence<Word>& sequence, const char* broken) {
  const ArenaState<Word>& first = sequence.steps[0].before;
  std::fprintf(stderr, "VIOLATED: %s\n%s\n", broken, ArenaText(first).c_str());
  for (std::size_t i = 0; i < sequence.count; ++i) {
    std::fprintf(stderr, "%s\n", StepText(sequence.steps[i], first.begin).c_str());
  }
  const Transition<Word>& last = sequence.steps[sequence.count - 1];
  std::fprintf(stderr, "  before: %s\n  after:  %s\n", ShowState(last.before).c_str(), ShowState(last.after).c_str());
  std::abort();
}

// `perform(call, step)` carries the call out and returns what is wrong, or nullptr.
template <typename Word, typename Perform>
void RunCalls(ByteReader& reader, ArenaState<Word> arena, bool bare, Perform&& perform) {
  static Sequence<Word> sequence;  // 64 transitions are too large to clear for each input; `count` is what counts
  sequence.count = 0;
  if (Explaining()) Explain(ArenaText(arena));
  const Word begin = arena.begin;
  History<Word> history = EmptyHistory<kMostCalls>(arena);
  while (!reader.empty() && sequence.count < kMostCalls) {
    const ArenaCall<Word> call = DrawCall(reader, arena, history, bare);
    const Transition<Word> step = Step(arena, call.operation, call.arguments);
    sequence.steps[sequence.count++] = step;
    if (Explaining()) Explain(StepText(step, begin));
    const char* broken = FirstBroken(history, step);
    if (broken == nullptr) broken = perform(call, step);
    if (broken != nullptr) ReportAndAbort(sequence, broken);
    Record(history, step);
    arena = step.after;
  }
}

template <typename Word>
void RunBare(ByteReader& reader, const ArenaWorld& world) {
  RunCalls(reader, BareArena<Word>(world), true,
           [](const ArenaCall<Word>&, const Transition<Word>&) -> const char* { return nullptr; });
}

std::byte CanaryAt(std::size_t offset) { return static_cast<std::byte>((offset * 37 + 11) & 0xff); }

void RunOnBuffer(ByteReader& reader, const ArenaWorld& world) {
  constexpr std::size_t kNearBytes = 256, kMostWatchedBytes = kGuardBytes * 2 + 64 + kFarthest;
  static_assert(kMostWatchedBytes <= kArenaBufferBytes);
  std::byte* const watched = ArenaBuffer();
  static std::array<std::byte, kMostWatchedBytes> expected;
  const std::size_t watched_bytes = kGuardBytes * 2 + 64 + std::max(kNearBytes, world.bytes);
  for (std::size_t i = 0; i < watched_bytes; ++i) expected[i] = CanaryAt(i);
  std::memcpy(watched, expected.data(), watched_bytes);

  ArenaOfKind production_arena;
  if (!production_arena.Init(world.arena, watched + kGuardBytes + world.misalignment, world.bytes).ok()) std::abort();
  Arena& arena = production_arena.arena();
  RunCalls(reader, arena.state(), false,
           [&](const ArenaCall<std::uintptr_t>& call, const Transition<std::uintptr_t>& step) -> const char* {
             const ProductionResult production = CallProduction(arena, call);
             if (const char* differs = ProductionDiffers(arena, production, step)) return differs;
             if (const char* broken = production_arena.CheckCounters(step)) return broken;
             if (std::memcmp(watched, expected.data(), watched_bytes) != 0)
               return "I15 no silent writes: a byte changed";
             if (!step.outcome.ok() || Describe(call.operation).result != OperationResult::kBlock) return nullptr;
             const std::size_t offset = step.outcome.result - reinterpret_cast<std::uintptr_t>(watched);
             std::memset(watched + offset, call.operation == Operation::kAllocatePersistent ? 0xa5 : 0x5a,
                         call.arguments.size);
             std::memcpy(expected.data() + offset, watched + offset, call.arguments.size);
             return nullptr;
           });
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  const arenaproof::ArenaWorld world = arenaproof::DrawWorld(reader);
  arenaproof::CountReach("bytes of an arena", world.bytes);
  switch (world.kind) {
    case arenaproof::ArenaWorldKind::kBare32:
      arenaproof::RunBare<std::uint32_t>(reader, world);
      break;
    case arenaproof::ArenaWorldKind::kBare64:
      arenaproof::RunBare<std::uint64_t>(reader, world);
      break;
    case arenaproof::ArenaWorldKind::kBuffer:
      arenaproof::RunOnBuffer(reader, world);
  }
  return 0;
}
