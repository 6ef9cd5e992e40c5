#include "engine/oracles/plans/drawn_plan.h"

#include <algorithm>
#include <cmath>

namespace arenaproof::testing {
namespace {

constexpr double kNear = 0.01;
constexpr double kNearText = 6;                       // half a line
constexpr std::int64_t kFar = std::int64_t{1} << 40;  // times beyond are not told apart

// The tags of one class, each from its "<" to its ">".
std::vector<std::string> TagsOf(const std::string& picture, const std::string& kind) {
  std::vector<std::string> tags;
  for (std::size_t at = picture.find(kind); at != std::string::npos; at = picture.find(kind, at + 1)) {
    const std::size_t begin = picture.rfind('<', at);
    tags.push_back(picture.substr(begin, picture.find('>', at) - begin));
  }
  return tags;
}

// Of one tag; no number where it has none, which is near nothing.
double NumberOf(const std::string& tag, const std::string& name) {
  const std::vector<std::string> values = AttributesOf(tag, " " + name);
  return values.empty() ? std::nan("") : std::stod(values.front());
}

bool Near(double a, double b) { return std::abs(a - b) < kNear; }

bool IsAlive(const PlanBuffer& buffer) { return buffer.lifetime.lower < buffer.lifetime.upper; }

class Plot {
 public:
  Plot(const std::string& picture, const DrawnPlan& plan) {
    const std::vector<std::string> axes = TagsOf(picture, "class=\"axis\"");
    if (axes.size() != 2) return;
    is_there = true;
    bottom_ = NumberOf(axes[0], "y2");
    const auto most = static_cast<double>(std::max<std::int64_t>({1, plan.peak_bytes, plan.lower_bound_bytes}));
    byte_ = (bottom_ - NumberOf(axes[0], "y1")) / most;
    left_ = NumberOf(axes[1], "x1");
    bool any = false;
    std::int64_t last = 0;
    for (const PlanBuffer& buffer : plan.buffers) {
      if (!IsAlive(buffer)) continue;
      first_ = any ? std::min(first_, buffer.lifetime.lower) : buffer.lifetime.lower;
      last = any ? std::max(last, buffer.lifetime.upper) : buffer.lifetime.upper;
      any = true;
    }
    tells_times = any && first_ > -kFar && last < kFar;
    if (tells_times) step_ = (NumberOf(axes[1], "x2") - left_) / static_cast<double>(last - first_);
  }

  bool is_there = false, tells_times = false;
  double left() const { return left_; }
  double Y(std::int64_t offset) const { return bottom_ - byte_ * static_cast<double>(offset); }
  double X(std::int64_t time) const { return left_ + step_ * static_cast<double>(time - first_); }

  bool IsAcross(const std::string& tag, std::int64_t lower, std::int64_t upper) const {
    if (!tells_times) return true;
    return Near(NumberOf(tag, "x"), X(lower)) && Near(NumberOf(tag, "width"), X(upper) - X(lower));
  }
  bool IsUp(const std::string& tag, std::int64_t offset, std::int64_t bytes) const {
    return Near(NumberOf(tag, "y"), Y(offset + bytes)) && Near(NumberOf(tag, "height"), Y(offset) - Y(offset + bytes));
  }

 private:
  double bottom_ = 0, byte_ = 0, left_ = 0, step_ = 0;
  std::int64_t first_ = 0;
};

std::string RectanglesWrong(const std::string& picture, const Plot& plot, const DrawnPlan& plan) {
  const std::vector<std::string> rectangles = TagsOf(picture, "data-offset=\""),
                                 gaps = TagsOf(picture, "class=\"gap\"");
  if (rectangles.size() != plan.buffers.size()) return "there is no rectangle for each buffer";
  std::size_t gap = 0;
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    const PlanBuffer& buffer = plan.buffers[i];
    const auto [lower, upper] = buffer.lifetime;
    const std::string& tag = rectangles[i];
    const auto says = [&](const char* name, std::int64_t number) {
      return AttributesOf(tag, name) == std::vector{std::to_string(number)};
    };
    if (!says("data-offset", *plan.offsets[i]) || !says("data-bytes", buffer.bytes) || !says("data-lower", lower) ||
        !says("data-upper", upper)) {
      return "a rectangle has other figures than its buffer: " + tag;
    }
    if ((tag.find("fixed\"") != std::string::npos) != buffer.offset.has_value()) {
      return "a rectangle is marked as fixed, or not, against its buffer: " + tag;
    }
    if (!plot.IsUp(tag, *plan.offsets[i], buffer.bytes)) return "a rectangle lies at other offsets: " + tag;
    if (IsAlive(buffer) && !plot.IsAcross(tag, lower, upper)) return "a rectangle lies at other times: " + tag;
    for (const TimeInterval& interval : buffer.gaps) {
      if (gap == gaps.size()) return "a gap is not drawn";
      if (!plot.IsUp(gaps[gap], *plan.offsets[i], buffer.bytes) ||
          !plot.IsAcross(gaps[gap], interval.lower, interval.upper)) {
        return "a gap lies elsewhere: " + gaps[gap];
      }
      ++gap;
    }
  }
  return gap == gaps.size() ? "" : "a gap is drawn that no buffer has";
}

// Below and above each buffer, in the order of the buffers.
std::string RedzonesWrong(const std::string& picture, const Plot& plot, const DrawnPlan& plan) {
  const std::vector<std::string> zones = TagsOf(picture, "class=\"redzone\"");
  std::size_t next = 0;
  for (std::size_t i = 0; i < plan.buffers.size() && plan.redzone_bytes > 0; ++i) {
    const PlanBuffer& buffer = plan.buffers[i];
    if (!IsAlive(buffer) || buffer.bytes == 0) continue;
    for (const std::int64_t offset : {*plan.offsets[i] - plan.redzone_bytes, *plan.offsets[i] + buffer.bytes}) {
      if (next == zones.size()) return "closed bytes are not drawn";
      const std::string& zone = zones[next++];
      if (!plot.IsUp(zone, offset, plan.redzone_bytes)) return "closed bytes lie at other offsets: " + zone;
      if (!plot.IsAcross(zone, buffer.lifetime.lower, buffer.lifetime.upper)) {
        return "closed bytes lie at other times: " + zone;
      }
    }
  }
  return next == zones.size() ? "" : "closed bytes are drawn that no buffer has";
}

// Each number of the axis of offsets stands where that offset is.
std::string NumbersWrong(const std::string& picture, const Plot& plot) {
  for (const std::string& tag : TagsOf(picture, "<text class=\"number\"")) {
    if (NumberOf(tag, "x") > plot.left()) continue;  // of the legend
    const std::size_t begin = picture.find(tag) + tag.size() + 1;
    const std::string number = picture.substr(begin, picture.find('<', begin) - begin);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
      return "the axis has what is no offset: " + number;
    }
    if (std::abs(NumberOf(tag, "y") - plot.Y(std::stoll(number))) > kNearText) {
      return "a number of the axis stands elsewhere: " + number;
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> AttributesOf(const std::string& text, const std::string& name) {
  std::vector<std::string> values;
  const std::string begin = name + "=\"";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    values.push_back(text.substr(at, text.find('"', at) - at));
  }
  return values;
}

std::string WhatIsDrawnWrong(const std::string& picture, const DrawnPlan& plan) {
  const Plot plot(picture, plan);
  if (!plot.is_there) return "there are not two axes";
  if (std::string wrong = RectanglesWrong(picture, plot, plan); !wrong.empty()) return wrong;
  if (std::string wrong = RedzonesWrong(picture, plot, plan); !wrong.empty()) return wrong;
  if (std::string wrong = NumbersWrong(picture, plot); !wrong.empty()) return wrong;
  const std::vector<std::string> peaks = TagsOf(picture, "<line class=\"peak\""),
                                 bounds = TagsOf(picture, "<line class=\"bound\"");
  // The second ones are the legend's.
  if (peaks.size() != 2 || !Near(NumberOf(peaks[0], "y1"), plot.Y(plan.peak_bytes)))
    return "the peak's line is elsewhere";
  if (bounds.size() != 2 || !Near(NumberOf(bounds[0], "y1"), plot.Y(plan.lower_bound_bytes))) {
    return "the bound's line is elsewhere";
  }
  return {};
}

std::string WhatIsTabledWrong(const std::string& html, const DrawnPlan& plan) {
  std::size_t at = html.find("<table>");
  if (at == std::string::npos) return "there is no table";
  at = html.find("</tr>", at);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto [lower, upper] = plan.buffers[i].lifetime;
    const std::size_t begin = html.find("<tr>", at);
    if (begin == std::string::npos) return "a buffer has no row";
    at = html.find("</tr>", begin);
    const std::string row = html.substr(begin, at - begin);
    const auto cell = [](std::int64_t number) { return "<td class=\"n\">" + std::to_string(number); };
    const bool alive = IsAlive(plan.buffers[i]);
    const std::string place = cell(*plan.offsets[i]) + cell(plan.buffers[i].bytes);
    if (row.find(alive ? place + cell(lower) + cell(upper) + "<td>" : place) == std::string::npos) {
      return "a row has other figures than its buffer: " + row;
    }
  }
  return html.find("<tr>", at) == std::string::npos ? "" : "a row belongs to no buffer";
}

}  // namespace arenaproof::testing
