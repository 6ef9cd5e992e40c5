// What an operator allows for its output 0: which inputs' bytes it may lie in. A kernel says so of itself, and planners
// that share bytes decide by it. The bits are those of TensorFlow Lite's in-place flags.
#pragma once

namespace arenaproof {

inline constexpr unsigned kSharesNothing = 0;
inline constexpr unsigned kLeavesDataUnmodified = 1;  // output 0 has the bytes of the input that it shares
inline constexpr unsigned kPairwiseOutputs = 2;       // no planner here makes use of it
inline constexpr unsigned kSharesInput0 = 4;
inline constexpr unsigned kSharesInput1 = 8;
inline constexpr unsigned kSharesInput2 = 16;
inline constexpr unsigned kMostSharedInputs = 3;

// An operator that modifies data shares no tensor so small: its shape may be one that is not known yet.
inline constexpr unsigned kScalarBytes = 4;

}  // namespace arenaproof
