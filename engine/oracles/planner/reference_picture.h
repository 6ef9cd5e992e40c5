// The picture of a plan, text for text, by a loop over columns: a line for each buffer, then for each time 80 columns,
// '!' where, and only where, two live buffers share a column, and what is alive in KB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/planner/placed_buffer.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

using WidePictureNumber = unsigned __int128;

inline char PictureLetter(const PlacedBuffer& buffer, std::size_t index) {
  if (buffer.first == buffer.last) return '*';
  const std::size_t ordinal = index % 62;
  if (ordinal < 10) return static_cast<char>('0' + ordinal);
  return static_cast<char>(ordinal < 36 ? 'a' + (ordinal - 10) : 'A' + (ordinal - 36));
}

inline std::string PictureRow(const std::vector<PlacedBuffer>& buffers, std::int32_t time, std::size_t scale) {
  std::string columns(80, '.');
  WidePictureNumber live_bytes = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    if (time < buffer.first || time > buffer.last) continue;
    live_bytes += buffer.bytes;
    if (buffer.offset == kUnplaced) continue;
    const WidePictureNumber begin = WidePictureNumber{buffer.offset} * 80 / scale;
    const WidePictureNumber end = WidePictureNumber{buffer.offset + buffer.bytes} * 80 / scale;
    for (std::size_t column = 0; column < 80; ++column) {
      if (column < begin || column >= end) continue;
      columns[column] = columns[column] == '.' ? PictureLetter(buffer, i) : '!';
    }
  }
  const auto kilobytes = static_cast<std::size_t>((std::min<WidePictureNumber>(live_bytes, SIZE_MAX) + 1023) / 1024);
  std::string number = std::to_string(time);
  number.insert(0, 4 - std::min<std::size_t>(4, number.size()), ' ');
  return number + ": " + columns + " (" + std::to_string(kilobytes) + "k)";
}

inline std::vector<std::string> ReferencePicture(const std::vector<PlacedBuffer>& buffers) {
  std::vector<std::string> lines;
  std::size_t scale = 80;
  std::int32_t last_time = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    const bool placed = buffer.offset != kUnplaced;
    lines.push_back(std::string(1, PictureLetter(buffer, i)) + " (id=" + std::to_string(i) + "): size=" +
                    std::to_string(buffer.bytes) + ", offset=" + (placed ? std::to_string(buffer.offset) : "-1") +
                    ", first_used=" + std::to_string(buffer.first) + " last_used=" + std::to_string(buffer.last));
    if (placed) scale = std::max(scale, buffer.offset + buffer.bytes);
    last_time = std::max(last_time, buffer.last);
  }
  for (std::int32_t time = 0; time <= last_time; ++time) lines.push_back(PictureRow(buffers, time, scale));
  return lines;
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
