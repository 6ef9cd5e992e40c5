#include "core/runtime/interpreter/tensor_copy.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "core/arena/runtime_work.h"

namespace arenaproof {
namespace {

static_assert(kMaxOperandsPerOperator <= 64, "a bit for each move");

bool Overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a);
  const auto second = reinterpret_cast<std::uintptr_t>(b);
  return first < second ? second - first < a_bytes : first - second < b_bytes;
}

bool Waits(std::uint64_t waiting, std::size_t i) { return (waiting >> i & 1) != 0; }

// The first move whose source the destination of move `i` lies on and which waits; moves.size() when there is none.
std::size_t ReaderOfDestination(std::span<const TensorMove> moves, std::uint64_t waiting, std::size_t i) {
  for (std::size_t j = 0; j < moves.size(); ++j) {
    if (j != i && Waits(waiting, j) && Overlap(moves[i].to, moves[i].bytes, moves[j].from, moves[j].bytes)) return j;
  }
  return moves.size();
}

}  // namespace

Status CopyTogether(std::span<const TensorMove> moves) {
  std::uint64_t waiting = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].bytes != 0 && moves[i].to != moves[i].from) waiting |= std::uint64_t{1} << i;
  }
  while (waiting != 0) {
    const std::uint64_t before = waiting;
    std::size_t held_up = 0;
    std::size_t reader = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (!Waits(waiting, i)) continue;
      const std::size_t j = ReaderOfDestination(moves, waiting, i);
      if (j != moves.size()) {
        held_up = i;
        reader = j;
        continue;
      }
      std::memmove(moves[i].to, moves[i].from, moves[i].bytes);
      waiting &= ~(std::uint64_t{1} << i);
    }
    if (waiting == before) return Failure(StatusCode::kSubgraphCopyOverlap, held_up, reader);
  }
  return Ok();
}

namespace {

// A function of its own: nobody pays with stack who does not watch.
[[gnu::noinline]] Status CopyWatched(std::span<const TensorMove> moves, ArenaObserver* observer) {
  std::array<OperandRange, 2 * kMaxOperandsPerOperator> operands;
  std::size_t count = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto place = static_cast<std::int32_t>(i);
    operands[count++] = {moves[i].from, moves[i].bytes, AccessRight::kRead, OperandKind::kSource, place};
    operands[count++] = {moves[i].to, moves[i].bytes, AccessRight::kWrite, OperandKind::kDestination, place};
  }
  const RuntimeWorkScope work(observer, RuntimeWork::kTensorCopy, std::span(operands).first(count));
  return CopyTogether(moves);
}

}  // namespace

Status CopyTogether(std::span<const TensorMove> moves, ArenaObserver* observer) {
  return observer == nullptr ? CopyTogether(moves) : CopyWatched(moves, observer);
}

}  // namespace arenaproof
