#include "tools/plans/plan_drawing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "tools/plans/plan_groups.h"
#include "tools/text/markup.h"
#include "tools/text/names.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kStepLetters = 22;  // so that a step's name ends above the legend
constexpr double kBelowPlot = 150, kRightOfPlot = 40, kLetter = 6.2, kLine = 11;
// Light ones, told apart by neighbours' outlines and names where there is no colour.
constexpr std::array<const char*, 8> kFills = {"#dbe9f6", "#fde2c8", "#dff0d8", "#f6dbe4",
                                               "#e6e0f3", "#fff3bf", "#d6f0ef", "#ececec"};

// Digits that read back as the very same number.
std::string D(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

using arenaproof::Attribute;
std::string Attribute(const char* name, double value) { return Attribute(name, D(value)); }

std::string Shortened(const std::string& name, std::size_t most_bytes) {
  std::string text = PrintableSentence(name);
  std::size_t end = std::min(text.size(), most_bytes);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80) --end;
  return end == text.size() ? text : text.substr(0, end) + "...";
}

std::string LineTag(const char* kind, double x1, double y1, double x2, double y2) {
  return "<line" + Attribute("class", kind) + Attribute("x1", x1) + Attribute("y1", y1) + Attribute("x2", x2) +
         Attribute("y2", y2) + "/>\n";
}

std::string TextTag(const char* kind, double x, double y, const std::string& text, const std::string& turn = {}) {
  return "<text" + Attribute("class", kind) + Attribute("x", x) + Attribute("y", y) + turn + ">" + Escaped(text) +
         "</text>\n";
}

std::string TurnedBy(int degrees, double x, double y) {
  return Attribute("transform", "rotate(" + std::to_string(degrees) + " " + D(x) + " " + D(y) + ")");
}

// All of a group have the fill of its owner, `owner`.
std::string FillOf(const LabelledProblem& problem, std::size_t owner) {
  if (problem.buffers[owner].offset) return "url(#fixed)";
  if (problem.labels[owner].scratch >= 0) return "url(#scratch)";
  return kFills[owner % kFills.size()];
}

std::string WithOwnerText(const PlanDrawing& drawing, std::size_t i, std::size_t owner) {
  return owner == i ? "" : "in the bytes of " + WhatItIs(drawing.problem.labels[owner]);
}

std::string HoverText(const PlanDrawing& drawing, std::size_t i, std::size_t owner) {
  const PlanBuffer& buffer = drawing.problem.buffers[i];
  std::string text = WhatItIs(drawing.problem.labels[i]) + "\n" + Counted(buffer.bytes, "byte") + " at offset " +
                     std::to_string(*drawing.offsets[i]) + (buffer.offset ? ", fixed" : "") + "\n" +
                     AliveText(buffer, drawing.problem.labels[i]);
  if (!drawing.notes.empty() && !drawing.notes[i].empty()) text += "\n" + drawing.notes[i];
  if (owner != i) text += "\n" + WithOwnerText(drawing, i, owner);
  return text;
}

// As much of its name as there is room for, along the longer side.
std::string NameInside(const BufferLabel& label, double x, double y, double width, double height) {
  const bool upright = width < height && width < kLetter * static_cast<double>(label.id.size() + 2);
  const double along = (upright ? height : width) - 6, across = upright ? width : height;
  if (across < kLine) return {};
  const std::string name = label.name.empty() ? label.id : label.id + " " + Printable(label.name);
  for (const std::string& words : {name, label.id}) {
    if (kLetter * static_cast<double>(Columns(words)) > along) continue;
    const double middle_x = x + width / 2, middle_y = y + height / 2;
    return TextTag("name", middle_x, middle_y + 3.5, words, upright ? TurnedBy(-90, middle_x, middle_y) : "");
  }
  return {};
}

// From `covered_from` on another lies over it, in its bytes.
std::string BufferTags(const PlanDrawing& drawing, const PlotScale& scale, std::size_t i, std::size_t owner,
                       std::int64_t covered_from) {
  const PlanBuffer& buffer = drawing.problem.buffers[i];
  const BufferLabel& label = drawing.problem.labels[i];
  const std::int64_t offset = *drawing.offsets[i];
  // One that is never alive has its place in the head all the same: a line at the left.
  const bool alive = buffer.lifetime.lower < buffer.lifetime.upper;
  const double x = scale.X(alive ? buffer.lifetime.lower : scale.first_time);
  const double y = scale.Y(offset + buffer.bytes), height = scale.Y(offset) - y;
  const double width = alive ? scale.X(buffer.lifetime.upper) - x : 0;
  std::string text = "<g><title>";
  for (const std::string& line : LinesOf(HoverText(drawing, i, owner))) text += Escaped(line) + "\n";
  text.pop_back();
  text += "</title><rect" + Attribute("class", buffer.offset ? "buffer fixed" : "buffer") + Attribute("x", x) +
          Attribute("y", y) + Attribute("width", width) + Attribute("height", height) +
          Attribute("fill", FillOf(drawing.problem, owner)) + Attribute("data-id", label.id) +
          Attribute("data-offset", std::to_string(offset)) + Attribute("data-bytes", std::to_string(buffer.bytes)) +
          Attribute("data-lower", std::to_string(buffer.lifetime.lower)) +
          Attribute("data-upper", std::to_string(buffer.lifetime.upper)) + "/>\n";
  for (const TimeInterval& gap : buffer.gaps) {
    text += "<rect" + Attribute("class", "gap") + Attribute("x", scale.X(gap.lower)) + Attribute("y", y) +
            Attribute("width", scale.X(gap.upper) - scale.X(gap.lower)) + Attribute("height", height) + "/>\n";
  }
  return text + NameInside(label, x, y, std::min(width, scale.X(covered_from) - x), height) + "</g>\n";
}

// Whether somebody lies there while the buffer is alive, as only trusted tensors may.
bool IsTaken(const PlanDrawing& drawing, std::size_t i, std::int64_t begin, std::int64_t end) {
  if (!drawing.problem.trusts_fixed) return false;
  const TimeInterval& time = drawing.problem.buffers[i].lifetime;
  for (std::size_t j = 0; j < drawing.problem.buffers.size(); ++j) {
    const PlanBuffer& other = drawing.problem.buffers[j];
    const bool together = other.lifetime.lower < time.upper && time.lower < other.lifetime.upper;
    if (j != i && together && *drawing.offsets[j] < end && *drawing.offsets[j] + other.bytes > begin) return true;
  }
  return false;
}

std::string RedzoneTags(const PlanDrawing& drawing, const PlotScale& scale, std::size_t i) {
  const PlanBuffer& buffer = drawing.problem.buffers[i];
  if (drawing.redzone_bytes == 0 || buffer.bytes == 0 || buffer.lifetime.lower >= buffer.lifetime.upper) return {};
  const std::int64_t below = *drawing.offsets[i] - drawing.redzone_bytes, above = *drawing.offsets[i] + buffer.bytes;
  const double x = scale.X(buffer.lifetime.lower), width = scale.X(buffer.lifetime.upper) - x;
  std::string text;
  for (const std::int64_t begin : {below, above}) {
    const std::int64_t end = begin + drawing.redzone_bytes;
    if (IsTaken(drawing, i, begin, end)) continue;
    const double y = scale.Y(end);
    text += "<rect" + Attribute("class", "redzone") + Attribute("x", x) + Attribute("y", y) +
            Attribute("width", width) + Attribute("height", scale.Y(begin) - y) + " fill=\"url(#closed)\"><title>" +
            Counted(drawing.redzone_bytes, "closed byte") + " beside " + Escaped(WhatItIs(drawing.problem.labels[i])) +
            "</title></rect>\n";
  }
  return text;
}

std::string AxesText(const PlanDrawing& drawing, const PlotScale& scale) {
  const double bottom = PlotScale::kTop + PlotScale::kHeight, right = PlotScale::kLeft + PlotScale::kWidth;
  std::string text = LineTag("axis", PlotScale::kLeft, PlotScale::kTop, PlotScale::kLeft, bottom) +
                     LineTag("axis", PlotScale::kLeft, bottom, right, bottom);
  constexpr std::int64_t kTicks = 8;
  for (std::int64_t tick = 0; tick <= kTicks; ++tick) {
    const std::int64_t offset = scale.top_bytes / kTicks * tick + scale.top_bytes % kTicks * tick / kTicks;
    const double y = scale.Y(offset);
    text += LineTag("tick", PlotScale::kLeft - 4, y, PlotScale::kLeft, y) +
            TextTag("number", PlotScale::kLeft - 7, y + 3.5, std::to_string(offset));
  }
  // As many names of times as have room, each below the middle of its own.
  const std::uint64_t times =
      static_cast<std::uint64_t>(scale.last_time) - static_cast<std::uint64_t>(scale.first_time);
  constexpr auto kMostNames = static_cast<std::uint64_t>(PlotScale::kWidth / kLine);
  constexpr std::uint64_t kMostNumbers = 16;
  const std::uint64_t most = drawing.step_names.empty() ? kMostNumbers : kMostNames;
  const std::uint64_t stride = times / most + (times % most == 0 ? 0 : 1);
  for (std::uint64_t past = 0; past < times; past += std::min(stride, times - past)) {
    const auto time = static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.first_time) + past);
    const bool named = time >= 0 && static_cast<std::uint64_t>(time) < drawing.step_names.size();
    const std::string name = named ? drawing.step_names[static_cast<std::size_t>(time)] : std::to_string(time);
    const double begin = scale.X(time), middle = begin + PlotScale::kWidth / scale.duration() / 2;
    text += LineTag("tick", begin, bottom, begin, bottom + 4) +
            TextTag("step", middle + 3, bottom + 8, Shortened(name, kStepLetters), TurnedBy(60, middle, bottom + 8));
  }
  const std::string what = drawing.step_names.empty() ? "time goes" : "steps go";
  return text + TextTag("title", PlotScale::kLeft - 92, PlotScale::kTop - 12, "offset in bytes") +
         TextTag("number", right, bottom + kBelowPlot - 8.5, what + " to the right");
}

std::string BoundsText(const PlanDrawing& drawing, const PlotScale& scale) {
  const double right = PlotScale::kLeft + PlotScale::kWidth;
  const double peak = scale.Y(drawing.peak_bytes), bound = scale.Y(drawing.lower_bound_bytes);
  const std::string peak_bytes = Counted(drawing.peak_bytes, "byte");
  std::string text =
      LineTag("bound", PlotScale::kLeft, bound, right, bound) + LineTag("peak", PlotScale::kLeft, peak, right, peak);
  if (drawing.peak_bytes == drawing.lower_bound_bytes) {
    text += TextTag("number", right, peak - 5, "peak = lower bound: " + peak_bytes);
  } else {
    text += TextTag("number", right, peak - 5, "peak: " + peak_bytes) +
            TextTag("number", right, bound + 12, "lower bound: " + Counted(drawing.lower_bound_bytes, "byte"));
  }
  if (drawing.busiest.buffers.empty()) return text;
  const double x = (scale.X(drawing.busiest.time) + scale.X(drawing.busiest.time + 1)) / 2;
  const double bottom = PlotScale::kTop + PlotScale::kHeight;
  return text + "<path" + Attribute("class", "busiest") + Attribute("d", "M" + D(x) + " " + D(bottom) + "l-5 9h10z") +
         "><title>" + Escaped(drawing.busiest_text) + "</title></path>\n";
}

// At least as high as can be seen; cut where it leaves the picture below.
std::string AccessTags(const DrawnAccess& access, const PlotScale& scale) {
  constexpr double kLeastHeight = 6;
  const double x = scale.X(access.time), width = scale.X(access.time + 1) - x;
  const double bottom = scale.Y(std::max<std::int64_t>(0, access.lowest));
  const double height = std::max(kLeastHeight, bottom - scale.Y(std::max<std::int64_t>(0, access.end)));
  return "<g><title>" + Escaped(access.text) + "</title><rect" + Attribute("class", "access") + Attribute("x", x) +
         Attribute("y", bottom - height) + Attribute("width", width) + Attribute("height", height) +
         Attribute("data-time", std::to_string(access.time)) + Attribute("data-lowest", std::to_string(access.lowest)) +
         Attribute("data-end", std::to_string(access.end)) + "/>\n" +
         TextTag("mark", x + width / 2, bottom - height - 3, "!") + "</g>\n";
}

constexpr const char* kStyle =
    "text{font:11px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#000}"
    ".title{font-weight:bold}.head{font-size:15px;font-weight:bold}"
    ".name{text-anchor:middle;pointer-events:none;font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:3px}."
    "number{text-anchor:end;paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".buffer{stroke:#222;stroke-width:.8}.buffer:hover{stroke:#000;stroke-width:2.5}"
    ".gap{fill:#fff;stroke:#222;stroke-dasharray:2 2}"
    ".axis{stroke:#000}.tick{stroke:#000;stroke-width:.7}"
    ".peak{stroke:#000;stroke-width:2}.bound{stroke:#000;stroke-width:2;stroke-dasharray:7 5}.busiest{fill:#000}"
    ".access{fill:url(#access);stroke:#c00;stroke-width:2}"
    ".mark{text-anchor:middle;font-size:16px;font-weight:bold;fill:#c00;paint-order:stroke;stroke:#fff;stroke-width:"
    "3px}";

constexpr const char* kPatterns =
    "<defs><pattern id=\"fixed\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><path d=\"M0 0h7v7h-7z\" fill=\"#fff\"/><path d=\"M0 0v7\" stroke=\"#666\" "
    "stroke-width=\"2\"/></pattern>"
    "<pattern id=\"scratch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 0h6v6h-6z\" "
    "fill=\"#fff\"/><circle cx=\"3\" cy=\"3\" r=\"1.1\" fill=\"#555\"/></pattern>"
    "<pattern id=\"access\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 0l6 6M6 0l-6 6\" "
    "stroke=\"#c00\" stroke-width=\"1.2\"/></pattern>"
    "<pattern id=\"closed\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 0h5v5h-5z\" "
    "fill=\"#fff\"/><path d=\"M0 0l5 5M5 0l-5 5\" stroke=\"#444\" stroke-width=\".8\"/></pattern></defs>\n";

std::string LegendText(bool accesses, bool with_redzones) {
  const double y = PlotScale::kTop + PlotScale::kHeight + kBelowPlot - 18;
  std::string text;
  const auto box = [&](double x, const std::string& fill, const std::string& words) {
    text += "<rect class=\"key\"" + Attribute("x", x) + Attribute("y", y) + " width=\"22\" height=\"11\"" +
            Attribute("fill", fill) + " stroke=\"#222\"/>\n" + TextTag("words", x + 28, y + 9.5, words);
  };
  box(PlotScale::kLeft, kFills[0], "placed by the planner");
  box(PlotScale::kLeft + 190, "url(#fixed)", "fixed");
  box(PlotScale::kLeft + 280, "url(#scratch)", "scratch buffer");
  if (with_redzones) box(PlotScale::kLeft + 780, "url(#closed)", "closed bytes");
  text += LineTag("peak", PlotScale::kLeft + 420, y + 6, PlotScale::kLeft + 450, y + 6) +
          TextTag("words", PlotScale::kLeft + 456, y + 9.5, "peak") +
          LineTag("bound", PlotScale::kLeft + 510, y + 6, PlotScale::kLeft + 540, y + 6) +
          TextTag("words", PlotScale::kLeft + 546, y + 9.5, "lower bound") + "<path class=\"busiest\"" +
          Attribute("d", "M" + D(PlotScale::kLeft + 650) + " " + D(y + 1) + "l-5 9h10z") + "/>\n" +
          TextTag("words", PlotScale::kLeft + 660, y + 9.5, "busiest moment");
  if (accesses) box(PlotScale::kLeft + 790, "url(#access)", "violation");
  return text;
}

}  // namespace

PlotScale ScaleOf(const PlanDrawing& drawing) {
  PlotScale scale;
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
  for (const PlanBuffer& buffer : drawing.problem.buffers) {
    if (buffer.lifetime.lower >= buffer.lifetime.upper) continue;
    first = std::min(first, buffer.lifetime.lower);
    last = std::max(last, buffer.lifetime.upper);
  }
  for (const DrawnAccess& access : drawing.accesses) {
    first = std::min(first, access.time);
    last = std::max(last, access.time + 1);
    scale.top_bytes = std::max(scale.top_bytes, access.end);
  }
  if (first < last) {
    scale.first_time = first;
    scale.last_time = last;
  }
  scale.top_bytes = std::max<std::int64_t>({scale.top_bytes, drawing.peak_bytes, drawing.lower_bound_bytes});
  return scale;
}

std::string PlanSvg(const PlanDrawing& drawing) {
  const PlotScale scale = ScaleOf(drawing);
  const double width = PlotScale::kLeft + PlotScale::kWidth + kRightOfPlot;
  const double height = PlotScale::kTop + PlotScale::kHeight + kBelowPlot;
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"" + Attribute("viewBox", "0 0 " + D(width) + " " + D(height)) +
      Attribute("width", width) + Attribute("height", height) + ">\n<title>" + Escaped(drawing.title) +
      "</title>\n<style>" + kStyle + "</style>\n" + kPatterns +
      "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + TextTag("head", 8, 20, drawing.title) +
      TextTag("words", 8, 39, drawing.summary) + TextTag("words", 8, 55, Shortened(drawing.busiest_text, 180));
  if (!drawing.remarks.empty()) {
    const std::string more =
        drawing.remarks.size() == 1 ? "" : " (and " + std::to_string(drawing.remarks.size() - 1) + " more operators)";
    text += TextTag("words", 112, PlotScale::kTop - 12, drawing.remarks.front() + more);
  }
  const std::vector<std::optional<std::size_t>> owners = OwnersOf(drawing.problem);
  std::vector<std::int64_t> covered_from(owners.size(), scale.last_time);
  for (const BufferAlias& alias : drawing.problem.sharing) {
    std::int64_t& from = covered_from[alias.source];
    from = std::min(from, drawing.problem.buffers[alias.buffer].lifetime.lower);
  }
  for (std::size_t i = 0; i < owners.size(); ++i) {
    text += BufferTags(drawing, scale, i, owners[i].value_or(i), covered_from[i]) + RedzoneTags(drawing, scale, i);
  }
  text += AxesText(drawing, scale) + BoundsText(drawing, scale);
  for (const DrawnAccess& access : drawing.accesses) text += AccessTags(access, scale);
  return text + LegendText(!drawing.accesses.empty(), drawing.redzone_bytes > 0) + "</svg>\n";
}

std::string PlanTableHtml(const PlanDrawing& drawing) {
  std::string text = "<table><tr><th>buffer<th>offset<th>bytes<th>alive from<th>before<th>fixed";
  if (!drawing.notes.empty()) text += "<th>operators";
  const std::vector<std::optional<std::size_t>> owners = OwnersOf(drawing.problem);
  text += drawing.problem.sharing.empty() ? "</tr>\n" : "<th>shares</tr>\n";
  for (std::size_t i = 0; i < drawing.problem.buffers.size(); ++i) {
    const PlanBuffer& buffer = drawing.problem.buffers[i];
    text += "<tr><td>" + Escaped(WhatItIs(drawing.problem.labels[i]));
    for (const std::int64_t number :
         {*drawing.offsets[i], buffer.bytes, buffer.lifetime.lower, buffer.lifetime.upper}) {
      text += "<td class=\"n\">" + std::to_string(number);
    }
    text += std::string("<td>") + (buffer.offset ? "fixed" : "");
    if (!drawing.notes.empty()) text += "<td>" + Escaped(drawing.notes[i]);
    if (!drawing.problem.sharing.empty()) {
      text += "<td>" + Escaped(WithOwnerText(drawing, i, owners[i].value_or(i)));
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string PlanHtml(const PlanDrawing& drawing) {
  std::string text = PlanSvg(drawing);
  for (const std::string& remark : drawing.remarks) text += "<p>" + Escaped(remark) + "</p>\n";
  return HtmlPage(drawing.title, text + PlanTableHtml(drawing));
}

}  // namespace arenaproof
