// Copies of several tensors are as if every source were read before the first destination is written, or refused, and
// then no order of copies would have been right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/runtime/interpreter/tensor_copy.h"
#include "core/runtime/kernel_interface/limits.h"

namespace arenaproof::testing {
namespace {

bool On(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// Whether `early` may be made before `late`.
bool MayPrecede(const TensorMove& early, const TensorMove& late) {
  if (early.to == early.from || late.to == late.from) return true;
  return !On(early.to, early.bytes, late.from, late.bytes);
}

// The definition read literally: every order is tried.
bool SomeOrderOfAllIsRight(const std::vector<TensorMove>& moves) {
  std::vector<std::size_t> order(moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    bool right = true;
    for (std::size_t i = 0; i < order.size() && right; ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) right = right && MayPrecede(moves[order[i]], moves[order[j]]);
    }
    if (right) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// For many moves: whichever may precede all that are left is made, until none is left or none may.
bool SomeOrderIsRight(std::vector<TensorMove> moves) {
  constexpr std::size_t kMostOrdered = 6;
  if (moves.size() <= kMostOrdered) return SomeOrderOfAllIsRight(moves);
  const auto may_be_next = [&](const TensorMove& move) {
    return std::all_of(moves.begin(), moves.end(),
                       [&](const TensorMove& other) { return &other == &move || MayPrecede(move, other); });
  };
  while (!moves.empty()) {
    const auto next = std::find_if(moves.begin(), moves.end(), may_be_next);
    if (next == moves.end()) return false;
    moves.erase(next);
  }
  return true;
}

constexpr std::size_t kMostBytesOfAMove = 8;

// Where sources lie: anywhere; behind all destinations; on the destination of the next move, or of the one before
// (chains, which one order serves).
enum class Sources : std::uint8_t { kAnywhere, kElsewhere, kNext, kBefore };

std::vector<TensorMove> DrawMoves(std::vector<std::byte>& memory) {
  const bool many = *rc::gen::inRange(0, 4).as("many") == 0;
  const auto count =
      many ? *rc::gen::inRange<std::size_t>(6, kMaxOperandsPerOperator + 1) : *rc::gen::inRange<std::size_t>(1, 6);
  const auto sources = static_cast<Sources>(*rc::gen::inRange(0, 4).as("sources"));
  const std::size_t half = (kMostBytesOfAMove + 6) * count;
  memory.resize(2 * half + 2 * kMostBytesOfAMove);
  std::vector<TensorMove> moves;
  std::size_t destination = kMostBytesOfAMove;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bytes = *rc::gen::inRange<std::size_t>(0, kMostBytesOfAMove + 1);
    destination += *rc::gen::inRange<std::size_t>(0, 6);
    std::size_t source = 0;
    // Most moves of long lists are apart, so that some lists can be made.
    const bool apart = sources == Sources::kElsewhere || (many && *rc::gen::inRange(0, 3) != 0);
    if (sources == Sources::kAnywhere || apart) {
      source = *rc::gen::inRange<std::size_t>(apart ? half + kMostBytesOfAMove : 0, memory.size() - bytes);
    } else {
      source = sources == Sources::kNext ? destination + bytes : destination - kMostBytesOfAMove;
    }
    moves.push_back({memory.data() + destination, memory.data() + source, bytes});
    destination += bytes;
  }
  for (std::size_t i = 0; i + 1 < moves.size(); ++i) {
    if (*rc::gen::arbitrary<bool>()) std::swap(moves[i], moves[i + 1]);
  }
  return moves;
}

RC_GTEST_PROP(CopyTogether, IsRightOrNoOrderIs, ()) {
  std::vector<std::byte> memory;
  const std::vector<TensorMove> moves = DrawMoves(memory);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i % 251 + 1);
  const std::vector<std::byte> before = memory;
  const Status status = CopyTogether(moves);
  if (!status.ok()) {
    RC_ASSERT(status.code == StatusCode::kSubgraphCopyOverlap);
    if (SomeOrderIsRight(moves)) RC_FAIL("moves are refused that can be made in some order");
    return;
  }
  for (const TensorMove& move : moves) {
    const auto start = static_cast<std::size_t>(move.from - memory.data());
    for (std::size_t i = 0; i < move.bytes; ++i) {
      if (move.to[i] != before[start + i]) RC_FAIL("a move was not made, or not from what its source held before");
    }
  }
  std::size_t untouched = 0;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const bool written = std::any_of(moves.begin(), moves.end(), [&](const TensorMove& move) {
      return On(move.to, move.bytes, memory.data() + i, 1);
    });
    if (!written) RC_ASSERT(memory[i] == before[i]);
    untouched += written ? 0 : 1;
  }
  RC_ASSERT(untouched > 0u);
}

}  // namespace
}  // namespace arenaproof::testing
