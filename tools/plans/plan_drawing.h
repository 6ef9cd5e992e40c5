// A plan as a picture: time across, offset up, one rectangle for each buffer.
//
// Nothing depends on colour: fixed buffers are hatched, scratch buffers dotted, what has room for its name carries it,
// and hovering shows name, place, lifetime and operators. Peak and lower bound are lines, the busiest moment is a mark.
// A rectangle's corners are its buffer's numbers exactly (in doubles that read back as written) on linear scales, and
// data- attributes of it repeat them. Gaps are white and dashed, above their buffer; closed bytes are crossed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/plans/busiest_moment.h"
#include "tools/plans/labelled_problem.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof {

// Bytes that an operator touched in the step that it ran in, crossed out in the picture.
struct DrawnAccess {
  std::int64_t time = 0;
  std::int64_t lowest = 0, end = 0;  // offsets; below 0: in front of the arena
  std::string text = {};             // shown on hover
};

struct PlanDrawing {
  std::string title;
  std::string summary;  // one line below it
  const LabelledProblem& problem;
  PlanOffsets offsets;  // of a certified plan
  std::int64_t peak_bytes = 0;
  std::int64_t lower_bound_bytes = 0;
  BusiestMoment busiest;
  std::string busiest_text;
  std::vector<std::string> notes = {};       // one for each buffer, or none at all: shown on hover
  std::vector<std::string> step_names = {};  // of the times from 0 on, below the axis; none: times are numbers
  std::vector<std::string> remarks = {};     // lines below the title
  std::vector<DrawnAccess> accesses = {};    // without right, drawn above everything else
  // Closed bytes on each side of every buffer while it is alive, drawn where nothing else lies; 0: there are none.
  std::int64_t redzone_bytes = 0;
};

// Where the plot lies: what a reader of the rectangles has to know.
struct PlotScale {
  static constexpr double kLeft = 100, kTop = 92, kWidth = 1040, kHeight = 560;
  std::int64_t first_time = 0, last_time = 1;
  std::int64_t top_bytes = 1;

  // Times may be any, so that their difference need not fit.
  double duration() const { return static_cast<double>(last_time) - static_cast<double>(first_time); }
  double X(std::int64_t time) const {
    return kLeft + kWidth * (static_cast<double>(time) - static_cast<double>(first_time)) / duration();
  }
  double Y(std::int64_t offset) const {
    return kTop + kHeight - kHeight * static_cast<double>(offset) / static_cast<double>(top_bytes);
  }
};

PlotScale ScaleOf(const PlanDrawing& drawing);

// A file of its own.
std::string PlanSvg(const PlanDrawing& drawing);

// The table of the buffers, for a page that holds the picture.
std::string PlanTableHtml(const PlanDrawing& drawing);

// One file that needs no other: the picture and a table of the buffers.
std::string PlanHtml(const PlanDrawing& drawing);

}  // namespace arenaproof
