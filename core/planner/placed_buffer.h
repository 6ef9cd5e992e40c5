// A buffer of a finished plan, as the certifier, the picture and the layouts take it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/structure_bytes.h"

namespace arenaproof {

// The offset of a buffer that no planner has placed.
inline constexpr std::size_t kUnplaced = SIZE_MAX;

struct PlacedBuffer {
  std::size_t offset = kUnplaced;  // from the head's aligned start
  std::size_t bytes = 0;           // as planned, that is rounded up to 16
  std::int32_t first = -1;         // closed interval of scopes; last < 0: no operator ever touches it
  std::int32_t last = -1;
  bool trusted = false;   // fixed by an offline plan whose overlaps the caller trusts: may share bytes with its like
  bool variable = false;  // keeps its value between invokes; looked at by the rules of offline plans and of sharing
  std::uint8_t kept = 0;  // kKeptInput, kKeptOutput: of its subgraph; marked only where buffers are to share bytes
  bool shares = false;    // joined to the buffer whose bytes it shares: nothing is to be planned for it
};
inline constexpr std::uint8_t kKeptInput = 1;
inline constexpr std::uint8_t kKeptOutput = 2;
ARENAPROOF_PIN_BYTES(PlacedBuffer, 32, 8, 20, 4);

}  // namespace arenaproof
