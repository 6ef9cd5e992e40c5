// A violated obligation as a step of the production arena: small numbers, a line that replays, a test to copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/operation_table.h"
#include "props/proof/explorer.h"

namespace arenaproof::proof {

// Values by the names of ArenaState's and Arguments' members; what is missing is 0.
using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

// Makes the numbers of a violation small. To be called while the solver holds the path and the negated claim.
// Divisibility, uninterpreted in the proof, is the real one here, with an alignment from a short list; nothing if no
// such numbers break the claim.
std::optional<Numbers> FindSmallNumbers(Explorer& explorer);

struct Counterexample {
  Operation operation;
  unsigned bits;
  ArenaKind kind;
  Numbers numbers;
};

// "AllocateTemporary bits=32 begin=0 ... size=5 alignment=4": what --replay takes.
std::string ReplayLine(const Counterexample& example);
// Throws std::invalid_argument, naming the word it did not understand.
Counterexample ParseReplayLine(const std::string& line);

// Runs the production templates at std::uint32_t or std::uint64_t: the name of the first broken invariant, or nothing.
std::optional<std::string> Replay(const Counterexample& example);

// A googletest test that fails as long as the code is wrong.
std::string AsTest(const Counterexample& example);

}  // namespace arenaproof::proof
