// Does any sequence of arena operations break an invariant of the arena?
//
// The input is a world (word, base address, length; on a real buffer through SingleArena, or the bare operations at 32
// or 64 bits at any address, up to the last one) and up to 64 calls. Every step is judged by the oracle that proof,
// small-scope search and state machine use. On a violation the readable sequence and the invariant's name are printed
// and the process aborts.
//
//   byte 0     world: 0 and 3 real buffer, 1 bare 32 bits, 2 bare 64 bits (mod 4)
//   byte 1, 2  bytes past alignment (mod 64), arena bytes
//   byte 3     base address of a bare world
//   then       per call: operation (mod table size), and as it takes them: size, alignment, address (see Draw... below)
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/common/byte_reader.h"
#include "props/arena_engine/arena_buffer.h"
#include "props/arena_engine/arena_call.h"
#include "props/arena_engine/arena_history.h"
#include "props/arena_engine/production_call.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostCalls = 64;
constexpr std::size_t kGuardBytes = 64;

template <typename Word>
using History = ArenaHistory<Word, kMostCalls>;

// Small, around what is left, near the largest, or any.
template <typename Word>
Word DrawSize(ByteReader& reader, const ArenaState<Word>& arena) {
  const std::uint8_t choice = reader.Byte();
  if (choice < 160) return choice;
  if (choice < 208) return static_cast<Word>(arena.tail_begin - arena.temporary_end + choice - 184);
  if (choice < 232) return static_cast<Word>(Largest<Word>() - (choice - 208u));
  if (choice < 248) return static_cast<Word>(Word{0} - arena.tail_begin + choice - 232);
  return static_cast<Word>(reader.Number(sizeof(Word)));
}

// `bare`: any number; on a real buffer only what behaves the same wherever the buffer lies.
template <typename Word>
Word DrawAlignment(ByteReader& reader, bool bare) {
  constexpr std::array<Word, 16> kCommon = {1, 2, 4, 8,  16, 32, 64, 128,
                                            3, 5, 6, 12, 24, 48, 0,  Word{1} << (sizeof(Word) * 8 - 1)};
  const std::uint8_t choice = reader.Byte();
  if (choice < 224) return kCommon[choice % kCommon.size()];
  if (choice < 240) return static_cast<Word>(Largest<Word>() - (choice - 224u));
  if (!bare) return 16;
  return static_cast<Word>(reader.Number(sizeof(Word)));
}

// An outstanding temporary, an address near the arena, or any.
template <typename Word>
Word DrawAddress(ByteReader& reader, const ArenaState<Word>& arena, const History<Word>& history, bool bare) {
  const std::uint8_t choice = reader.Byte();
  if (choice < 128 && history.outstanding_count > 0) return history.outstanding[choice % history.outstanding_count];
  if (choice < 192) return static_cast<Word>(arena.begin + choice % 64);
  if (choice < 208) return static_cast<Word>(arena.head_end + choice - 200);
  if (choice < 224) return static_cast<Word>(arena.temporary_end + choice - 216);
  if (choice < 240 || !bare) return static_cast<Word>(arena.end + choice - 232);
  return static_cast<Word>(reader.Number(sizeof(Word)));
}

template <typename Word>
struct Sequence {
  std::array<Transition<Word>, kMostCalls> steps;
  std::size_t count = 0;
};

template <typename Word>
[[noreturn]] void ReportAndAbort(const Sequence<Word>& sequence, const char* broken) {
  const ArenaState<Word>& first = sequence.steps[0].before;
  std::fprintf(stderr, "VIOLATED: %s\narena: %llu bytes at address %llu, %zu-bit words; sequence:\n", broken,
               static_cast<unsigned long long>(first.end - first.begin), static_cast<unsigned long long>(first.begin),
               sizeof(Word) * 8);
  for (std::size_t i = 0; i < sequence.count; ++i) {
    const Transition<Word>& step = sequence.steps[i];
    std::fprintf(stderr, "  %s -> %s\n", ShowCall<Word>({step.operation, step.arguments}, first.begin).c_str(),
                 ShowOutcome(step.operation, step.outcome, first.begin).c_str());
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
  History<Word> history = EmptyHistory<kMostCalls>(arena);
  while (!reader.empty() && sequence.count < kMostCalls) {
    const OperationDescriptor& descriptor = kOperationTable[reader.Byte() % kOperationTable.size()];
    ArenaCall<Word> call{descriptor.operation, {}};
    if (descriptor.takes_size) call.arguments.size = DrawSize(reader, arena);
    if (descriptor.takes_alignment) call.arguments.alignment = DrawAlignment<Word>(reader, bare);
    if (descriptor.takes_address) call.arguments.address = DrawAddress(reader, arena, history, bare);

    const Transition<Word> step = Step(arena, call.operation, call.arguments);
    sequence.steps[sequence.count++] = step;
    const char* broken = FirstBroken(history, step);
    if (broken == nullptr) broken = perform(call, step);
    if (broken != nullptr) ReportAndAbort(sequence, broken);
    Record(history, step);
    arena = step.after;
  }
}

template <typename Word>
void RunBare(ByteReader& reader, std::uint8_t misalignment, std::uint8_t bytes, std::uint8_t base) {
  constexpr Word kLargest = Largest<Word>();
  Word begin = static_cast<Word>(base) * 64 + misalignment;
  if (base >= 192) begin = static_cast<Word>(kLargest - bytes - misalignment);            // ends near the last address
  if (base >= 128 && base < 192) begin = static_cast<Word>(kLargest / 2 - misalignment);  // around the sign bit
  if (base < 16) begin = misalignment;                                                    // address 0 and after
  RunCalls(reader, EmptyArena<Word>(begin, static_cast<Word>(begin + bytes)), true,
           [](const ArenaCall<Word>&, const Transition<Word>&) -> const char* { return nullptr; });
}

std::byte CanaryAt(std::size_t offset) { return static_cast<std::byte>((offset * 37 + 11) & 0xff); }

void RunOnBuffer(ByteReader& reader, std::uint8_t misalignment, std::uint8_t bytes) {
  constexpr std::size_t kWatchedBytes = kGuardBytes * 2 + 64 + 256;
  static_assert(kWatchedBytes <= kArenaBufferBytes);
  std::byte* const watched = ArenaBuffer();
  std::array<std::byte, kWatchedBytes> expected;
  for (std::size_t i = 0; i < kWatchedBytes; ++i) expected[i] = CanaryAt(i);
  std::memcpy(watched, expected.data(), kWatchedBytes);

  SingleArena arena;
  if (!arena.Init(watched + kGuardBytes + misalignment, bytes).ok()) std::abort();
  RunCalls(reader, arena.state(), false,
           [&](const ArenaCall<std::uintptr_t>& call, const Transition<std::uintptr_t>& step) -> const char* {
             const ProductionResult production = CallProduction(arena, call);
             if (const char* differs = ProductionDiffers(arena, production, step)) return differs;
             if (std::memcmp(watched, expected.data(), kWatchedBytes) != 0)
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
  const std::uint8_t world = reader.Byte();
  const auto misalignment = static_cast<std::uint8_t>(reader.Byte() % 64);
  const std::uint8_t arena_bytes = reader.Byte();
  const std::uint8_t base = reader.Byte();
  switch (world % 4) {
    case 1:
      arenaproof::RunBare<std::uint32_t>(reader, misalignment, arena_bytes, base);
      break;
    case 2:
      arenaproof::RunBare<std::uint64_t>(reader, misalignment, arena_bytes, base);
      break;
    default:
      arenaproof::RunOnBuffer(reader, misalignment, arena_bytes);
  }
  return 0;
}
