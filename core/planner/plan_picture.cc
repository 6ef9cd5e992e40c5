#include "core/planner/plan_picture.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/line_text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kColumnCount = 80;

char OrdinalCharacter(std::size_t index) {
  constexpr std::string_view kCharacters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return kCharacters[index % kCharacters.size()];
}

char CharacterOf(const PlacedBuffer& buffer, std::size_t index) {
  return buffer.first == buffer.last ? '*' : OrdinalCharacter(index);
}

std::size_t SaturatingSum(std::size_t a, std::size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

std::size_t EndOf(const PlacedBuffer& buffer) { return SaturatingSum(buffer.offset, buffer.bytes); }

// floor(offset * 80 / scale) without the product: the number of columns k whose start, ceil(k * scale / 80), is not
// behind the offset.
std::size_t ColumnOf(std::size_t offset, std::size_t scale) {
  std::size_t column = 0;
  while (column < kColumnCount) {
    const std::size_t next = column + 1;
    const std::size_t rest = next * (scale % kColumnCount);
    const std::size_t start = next * (scale / kColumnCount) + rest / kColumnCount + (rest % kColumnCount != 0 ? 1 : 0);
    if (start > offset) break;
    column = next;
  }
  return column;
}

void PutRow(std::span<const PlacedBuffer> buffers, std::int64_t time, std::size_t scale, LineText& line) {
  std::array<char, kColumnCount> row;
  row.fill('.');
  std::size_t live_bytes = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    if (time < buffer.first || time > buffer.last) continue;
    live_bytes = SaturatingSum(live_bytes, buffer.bytes);
    if (buffer.offset == kUnplaced) continue;
    const std::size_t end = ColumnOf(EndOf(buffer), scale);
    for (std::size_t column = ColumnOf(buffer.offset, scale); column < end; ++column) {
      row[column] = row[column] == '.' ? CharacterOf(buffer, i) : '!';
    }
  }
  line.PutNumber(static_cast<std::uint64_t>(time), false, 4);
  line.Put(": ");
  line.Put(std::string_view(row.data(), row.size()));
  line.Put(" (");
  line.PutNumber(live_bytes / 1024 + (live_bytes % 1024 != 0 ? 1 : 0));
  line.Put("k)");
}

}  // namespace

void DrawPlan(std::span<const PlacedBuffer> buffers, PictureSink& sink) {
  std::size_t scale = kColumnCount;
  std::int64_t last_time = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    LineText line;
    line.Put(CharacterOf(buffer, i));
    line.Put(" (id=");
    line.PutNumber(i);
    line.Put("): size=");
    line.PutNumber(buffer.bytes);
    line.Put(", offset=");
    if (buffer.offset == kUnplaced) {
      line.PutSigned(-1);
    } else {
      line.PutNumber(buffer.offset);
      scale = std::max(scale, EndOf(buffer));
    }
    line.Put(", first_used=");
    line.PutSigned(buffer.first);
    line.Put(" last_used=");
    line.PutSigned(buffer.last);
    if (!sink.Line(line.text())) return;
    last_time = std::max<std::int64_t>(last_time, buffer.last);
  }
  for (std::int64_t time = 0; time <= last_time; ++time) {
    LineText line;
    PutRow(buffers, time, scale, line);
    if (!sink.Line(line.text())) return;
  }
}

}  // namespace arenaproof
