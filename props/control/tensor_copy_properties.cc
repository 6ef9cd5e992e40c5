// Copies of several tensors are as if every source were read before the first destination is written, or refused, and
// then no order of copies would have been right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/runtime/tensor_copy.h"

namespace arenaproof::testing {
namespace {

bool On(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

bool SomeOrderIsRight(const std::vector<TensorMove>& moves) {
  std::vector<std::size_t> order(moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    bool right = true;
    for (std::size_t i = 0; i < order.size() && right; ++i) {
      const TensorMove& early = moves[order[i]];
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        const TensorMove& late = moves[order[j]];
        if (early.to == early.from || late.to == late.from) continue;
        right = right && !On(early.to, early.bytes, late.from, late.bytes);
      }
    }
    if (right) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

RC_GTEST_PROP(CopyTogether, IsRightOrNoOrderIs, ()) {
  std::vector<std::byte> memory(96);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i + 1);
  const std::vector<std::byte> before = memory;
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<TensorMove> moves;
  std::size_t destination = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bytes = *rc::gen::inRange<std::size_t>(0, 9);
    destination += *rc::gen::inRange<std::size_t>(0, 6);
    const std::size_t source = *rc::gen::inRange<std::size_t>(0, memory.size() - bytes);
    moves.push_back({memory.data() + destination, memory.data() + source, bytes});
    destination += bytes;
  }
  for (std::size_t i = 0; i + 1 < moves.size(); ++i) {
    if (*rc::gen::arbitrary<bool>()) std::swap(moves[i], moves[i + 1]);
  }
  const Status status = CopyTogether(moves);
  if (!status.ok()) {
    RC_ASSERT(status.code == StatusCode::kSubgraphCopyOverlap);
    RC_ASSERT(!SomeOrderIsRight(moves));
    return;
  }
  for (const TensorMove& move : moves) {
    const auto start = static_cast<std::size_t>(move.from - memory.data());
    for (std::size_t i = 0; i < move.bytes; ++i) RC_ASSERT(move.to[i] == before[start + i]);
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
