// The text picture of a plan, character for character that of the micro runtime's greedy planner: one line for each
// buffer, then one row for each time step that shows 80 columns of memory, each buffer by its character ('*' when it
// lives for one step only), '.' where nothing lies, '!' where two live buffers touch one column. A column can stand for
// many bytes, so '!' alone does not prove an overlap. Products and sums are exact for every offset (the reference
// computes offset * 80 in 32 bits). Lines go to a sink one by one, nothing is allocated.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/planner/placed_buffer.h"

namespace arenaproof {

class PictureSink {
 public:
  // One line without its line end, valid during the call. Returning false ends the picture.
  virtual bool Line(std::string_view line) = 0;

 protected:
  ~PictureSink() = default;
};

// Buffers with offset kUnplaced get their line and no columns.
void DrawPlan(std::span<const PlacedBuffer> buffers, PictureSink& sink);

}  // namespace arenaproof
