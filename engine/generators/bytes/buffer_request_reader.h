// Buffer requests for a planner, from a fuzzer's bytes: how many (mod 65), then of each the size, first scope, duration
// and offset, as drawn below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cases/buffer_request.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach.h"

namespace arenaproof {

inline constexpr std::size_t kMostBuffers = 64;

// Small, far, near the largest number, or any.
inline std::uint64_t DrawWord(ByteReader& reader) {
  const std::uint8_t choice = reader.Byte();
  if (choice < 240) return choice;
  if (choice < 244) return std::uint64_t{0} - reader.Byte();
  if (choice < 248) return DrawReach(reader);
  return reader.Number(8);
}

inline std::int32_t DrawScope(ByteReader& reader) {
  const std::uint8_t choice = reader.Byte();
  if (choice < 250) return choice % 16 - 1;
  return static_cast<std::int32_t>(reader.Number(4));
}

inline testing::BufferRequest DrawRequest(ByteReader& reader) {
  testing::BufferRequest request;
  request.bytes = DrawWord(reader);
  request.first = DrawScope(reader);
  const std::uint8_t duration = reader.Byte();
  request.last = request.first > INT32_MAX - 8 ? request.first : request.first + duration % 8;
  if (duration >= 250) request.last = request.first < INT32_MIN + 2 ? request.first : request.first - 2;  // inverted
  const std::uint8_t offset = reader.Byte();
  if (offset >= 160) request.offline_offset = offset < 250 ? offset - 160 : static_cast<std::int64_t>(DrawWord(reader));
  return request;
}

inline std::vector<testing::BufferRequest> DrawRequests(ByteReader& reader) {
  std::vector<testing::BufferRequest> requests(reader.Below(kMostBuffers + 1));
  for (testing::BufferRequest& request : requests) request = DrawRequest(reader);
  return requests;
}

}  // namespace arenaproof
