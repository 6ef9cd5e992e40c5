// How much memory planning takes, here and on a machine of another word.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/planning/plan_head.h"
#include "core/runtime/planning/planning_bytes.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

// A set of ranks: as many words as it has words of bits, and as many for those, until one is enough.
std::size_t WordsOfSet(std::size_t count, std::size_t word_bits) {
  std::size_t words = 0;
  for (std::size_t bits = count; words == 0 || bits > 1; bits = (bits + word_bits - 1) / word_bits) {
    words += (bits + word_bits - 1) / word_bits;
  }
  return words;
}

// Two words for size and offset, two scopes of four bytes, four bytes of order: 28 bytes of 64 bits, 20 of 32. Of 64
// and more buffers two scopes in an order of their own.
std::size_t BytesOfPlanner(std::size_t count, std::size_t bytes_of_few) {
  return count * (count < 64 ? bytes_of_few : bytes_of_few + 8);
}

RC_GTEST_PROP(Workspace, OfTheGreedyPlannerIsThatOfTheMachineAskedAbout, ()) {
  const auto count =
      *rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 200), rc::gen::inRange<std::size_t>(0, 100000), Reach());
  Require(GreedyPlanner::AlignedWorkspaceBytes(count, WordSize::k64) == BytesOfPlanner(count, 28),
          "the greedy planner's workspace on 64 bits is not 28 bytes for each buffer, 36 of many (I10)");
  Require(GreedyPlanner::AlignedWorkspaceBytes(count, WordSize::k32) == BytesOfPlanner(count, 20),
          "the greedy planner's workspace on 32 bits is not 20 bytes for each buffer, 28 of many (I10)");
  const std::size_t own_bytes = GreedyPlanner().WorkspaceBytes(count);
  Require(own_bytes == GreedyPlanner::AlignedWorkspaceBytes(count, kOwnWordSize) + sizeof(std::size_t) - 1,
          "the greedy planner asks for another workspace than it is said to need (I10)");
}

RC_GTEST_PROP(Workspace, OfTheCertifierIsThatOfTheMachineAskedAboutAndNoMoreThanThePlanners, ()) {
  const auto count =
      *rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 200), rc::gen::inRange<std::size_t>(0, 100000), Reach());
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

// None, one, two: what is the largest part of many buffers need not be of few.
std::size_t DrawCount() {
  if (OneIn(6)) return *Reach();
  return OneIn(3) ? Below<std::size_t>(3000) : Below<std::size_t>(6);
}

std::size_t BytesOfCertifier(std::size_t count, std::size_t word_bytes) {
  return count == 0 ? 0
                    : word_bytes - 1 + 12 * count + word_bytes * (2 * WordsOfSet(count, word_bytes * 8) + count - 1);
}

RC_GTEST_PROP(Workspace, OfPlanningIsItsRecordsAndTheLargestOfThoseThatWorkInTheRest, ()) {
  const PlanningCounts counts{DrawCount(), DrawCount(), DrawCount()};
  RC_LOG() << counts.buffer_count << " buffers\n";
  for (const WordSize word : {WordSize::k32, WordSize::k64}) {
    const bool wide = word == WordSize::k64;
    const std::size_t records =
        8 * counts.tensor_count + 16 * counts.scratch_count + (wide ? 32 : 20) * counts.buffer_count;
    const std::size_t planner = BytesOfPlanner(counts.buffer_count, wide ? 28 : 20);
    const std::size_t certifier = BytesOfCertifier(counts.buffer_count, wide ? 8 : 4);
    const std::size_t description = (wide ? 8 : 12) * counts.buffer_count;
    const PlanningBytes reported = PlanningBytesFor(counts, word);
    Require(reported.records == records && reported.planner == planner && reported.certifier == certifier &&
                reported.description == description,
            "a part of the memory of planning is reported as another than it is (I10)");
    Require(reported.total() == records + std::max(std::max(planner, certifier), description),
            "the memory of planning is not that of its records and its hungriest part (I10)");
  }
}

// Planner and certifier do their work in what is reported beside the records; in a byte less they ask for more.
RC_GTEST_PROP(Workspace, ThatIsReportedIsEnoughToPlanAndToCertifyAndNotOneByteTooMuch, ()) {
  const std::size_t count = OneIn(4) ? Below<std::size_t>(150) : Below<std::size_t>(6);
  std::vector<PlacedBuffer> buffers(count);
  for (PlacedBuffer& buffer : buffers) {
    buffer.bytes = 16 * Below<std::size_t>(5);
    buffer.first = Below(4);
    buffer.last = buffer.first + Below(4);
  }
  const PlanningBytes reported = PlanningBytesFor({.buffer_count = count}, kOwnWordSize);
  const std::size_t bytes = std::max(reported.planner, reported.certifier);
  std::vector<std::size_t> memory(bytes / sizeof(std::size_t) + 1);
  for (std::size_t missing = 0; missing < 2; ++missing) {
    if (bytes < missing) continue;
    std::vector<PlacedBuffer> placed = buffers;
    GreedyPlanner planner;
    std::size_t head_bytes = 0;
    const Status status =
        PlanHead(planner, placed, {}, std::as_writable_bytes(std::span(memory)).first(bytes - missing), &head_bytes);
    RC_LOG() << count << " buffers, " << bytes - missing << " bytes\n";
    if (missing == 0) {
      Require(status.ok(), "in the memory that planning is reported to need nothing can be planned (I10)");
    } else {
      Require(status.code == StatusCode::kPlanMemoryDoesNotFit,
              "planning is reported to need more memory than it does, or does not say that it has too little (I10)");
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
