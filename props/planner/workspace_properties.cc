// How much memory planning takes, here and on a machine of another word.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"

namespace arenaproof::testing {
namespace {

void Require(bool holds, const char* what) {
  const std::string message = std::string("VIOLATED: ") + what;
  if (!holds) RC_FAIL(message);
}

// A set of ranks: as many words as it has words of bits, and as many for those, until one is enough.
std::size_t WordsOfSet(std::size_t count, std::size_t word_bits) {
  std::size_t words = 0;
  for (std::size_t bits = count; words == 0 || bits > 1; bits = (bits + word_bits - 1) / word_bits) {
    words += (bits + word_bits - 1) / word_bits;
  }
  return words;
}

// Two words for size and offset, two scopes of four bytes, four bytes of order: 28 bytes of 64 bits, 20 of 32.
RC_GTEST_PROP(Workspace, OfTheGreedyPlannerIsThatOfTheMachineAskedAbout, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 100000);
  Require(GreedyPlanner::AlignedWorkspaceBytes(count, WordSize::k64) == 28 * count,
          "the greedy planner's workspace on 64 bits is not 28 bytes for each buffer (I10)");
  Require(GreedyPlanner::AlignedWorkspaceBytes(count, WordSize::k32) == 20 * count,
          "the greedy planner's workspace on 32 bits is not 20 bytes for each buffer (I10)");
  const std::size_t own_bytes = GreedyPlanner().WorkspaceBytes(count);
  Require(own_bytes == GreedyPlanner::AlignedWorkspaceBytes(count, kOwnWordSize) + sizeof(std::size_t) - 1,
          "the greedy planner asks for another workspace than it is said to need (I10)");
}

RC_GTEST_PROP(Workspace, OfTheCertifierIsThatOfTheMachineAskedAboutAndNoMoreThanThePlanners, ()) {
  const auto count = *rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 200), rc::gen::inRange<std::size_t>(0, 100000));
  for (const WordSize word : {WordSize::k32, WordSize::k64}) {
    const auto word_bytes = static_cast<std::size_t>(word);
    const std::size_t planner_bytes = GreedyPlanner::AlignedWorkspaceBytes(count, word) + word_bytes - 1;
    const std::size_t certifier_bytes = CertifierWorkspaceBytes(count, word);
    Require(certifier_bytes <= planner_bytes, "the certifier needs more room than the greedy planner");
    if (count == 0) continue;
    // Three orders of four bytes; two sets; of a tree of maxima over all buffers a word for each inner node.
    const std::size_t words = 2 * WordsOfSet(count, word_bytes * 8) + (count - 1);
    Require(certifier_bytes == word_bytes - 1 + 12 * count + words * word_bytes,
            "the certifier's workspace is that of a machine of another word (I10)");
  }
}

}  // namespace
}  // namespace arenaproof::testing
