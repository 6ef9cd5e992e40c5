// A plan as a C source: what a device links instead of planning at run time, and what `--planner=precomputed:FILE`
// takes.
//
//   // Where each buffer lies in the head of sine.tflite's arena, planned by arena.
//   // head bytes: 192
//   #include <stdint.h>
//
//   const int32_t arenaproof_plan[3] = {
//       0,    // subgraph 0, tensor 0 "input": 64 bytes, alive 0 to 1
//       128,  // subgraph 0, tensor 4 "output": 64 bytes, alive 2 to 3
//       64,   // subgraph 0, operator 1, scratch buffer 0: 64 bytes, alive 2 to 2
//   };
//
// One number for each buffer, in the order in which the runtime adds them to its planner (MemoryPlanner::AddBuffer):
// tensors that need a place by subgraph and index, then scratch buffers in the order of requests. Offsets are bytes
// from the head's aligned start. The array is of int32_t, or of int64_t when an offset needs that. Comments are for
// people: nothing in them is read. Whether the plan is right is the certifier's question, not this file's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arenaproof {

struct PrecomputedBuffer {
  std::int64_t offset = 0;
  std::size_t bytes = 0;
  std::int64_t first = -1;  // closed interval of scopes
  std::int64_t last = -1;
  std::string name = {};  // subgraph and tensor, or whose scratch buffer it is
};

struct PrecomputedSource {
  std::string model = {};    // its file's name
  std::string planner = {};  // who made the plan
  std::size_t head_bytes = 0;
  std::vector<PrecomputedBuffer> buffers = {};  // in the order of AddBuffer
};

// The C source. Names may hold anything: what would end a comment, or cannot be printed, is replaced.
std::string WritePrecomputedSource(const PrecomputedSource& source);

struct PrecomputedPlan {
  std::string refusal = {};  // one sentence that names the line, or nothing
  std::vector<std::int64_t> offsets = {};

  bool ok() const { return refusal.empty(); }
};

inline constexpr std::size_t kMostPrecomputedBytes = std::size_t{64} << 20U;

// Takes what the writer makes, and what people make of it: comments of both kinds, lines that begin with '#', CRLF, a
// byte-order mark, `static`, `const` and `std::` or not, any name, no count between the brackets, no comma behind the
// last number. Refuses any other word, a count that is not that of the numbers, numbers that are negative or that the
// array's type does not hold, missing braces, a second array, and more than `most_bytes`. O(bytes).
PrecomputedPlan ReadPrecomputedSource(std::string_view text, std::size_t most_bytes = kMostPrecomputedBytes);

}  // namespace arenaproof
