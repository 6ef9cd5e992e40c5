// The picture is read back: every rectangle is its buffer.
#include "tools/plans/plan_drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/generators/seeded_source.h"
#include "tools/plans/made_plan.h"

namespace arenaproof {
namespace {

using Attributes = std::map<std::string, std::string>;

// The attributes of every rectangle of a class.
std::vector<Attributes> RectanglesOf(const std::string& svg, const std::string& kind) {
  std::vector<Attributes> all;
  const std::regex tag("<rect ([^>]*)/>"), attribute("([a-z-]+)=\"([^\"]*)\"");
  for (std::sregex_iterator found(svg.begin(), svg.end(), tag), end; found != end; ++found) {
    const std::string inside = (*found)[1];
    Attributes attributes;
    for (std::sregex_iterator one(inside.begin(), inside.end(), attribute); one != end; ++one) {
      attributes[(*one)[1]] = (*one)[2];
    }
    if (attributes["class"] == kind || attributes["class"].starts_with(kind + " ")) all.push_back(attributes);
  }
  return all;
}

LabelledProblem DrawnProblem(std::uint64_t seed) {
  SeededSource random(seed);
  LabelledProblem problem;
  for (int i = 0; i < 30; ++i) {
    PlanBuffer& buffer = problem.buffers.emplace_back();
    buffer.lifetime.lower = random.Between(0, 20);
    buffer.lifetime.upper = buffer.lifetime.lower + random.Between(i == 7 ? 0 : 1, 9);
    if (i == 7) buffer.lifetime.upper = buffer.lifetime.lower;
    buffer.bytes = random.Between(0, 100'000);
    if (i == 3) buffer.offset = 5'000'000;
    if (i == 4) {
      buffer.lifetime = {2, 12};
      buffer.gaps = {{4, 6}, {8, 9}};
    }
    problem.labels.push_back(
        {.id = "b" + std::to_string(i), .name = i == 5 ? "a<b>&\"c\"" : "", .asked_bytes = buffer.bytes});
  }
  return problem;
}

PlanDrawing DrawingFor(const LabelledProblem& problem, const MadePlan& plan) {
  return {.title = "plan",
          .summary = "made",
          .problem = problem,
          .offsets = plan.offsets,
          .peak_bytes = plan.peak_bytes,
          .lower_bound_bytes = plan.lower_bound_bytes,
          .busiest = FindBusiestMoment(problem.buffers),
          .busiest_text = "peak"};
}

TEST(PlanDrawing, HasARectangleForEachBufferThatReadsBackAsIt) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const LabelledProblem problem = DrawnProblem(seed);
    const MadePlan plan = MakePlan("optimal", problem, {.work_limit = 2000});
    ASSERT_EQ(plan.problem, "");
    const PlanDrawing drawing = DrawingFor(problem, plan);
    const PlotScale scale = ScaleOf(drawing);
    const std::vector<Attributes> rectangles = RectanglesOf(PlanSvg(drawing), "buffer");
    ASSERT_EQ(rectangles.size(), problem.buffers.size());
    const double byte = PlotScale::kHeight / static_cast<double>(scale.top_bytes);
    const double time = PlotScale::kWidth / scale.duration();
    for (std::size_t i = 0; i < rectangles.size(); ++i) {
      const PlanBuffer& buffer = problem.buffers[i];
      const auto number = [&](const char* name) { return std::stod(rectangles[i].at(name)); };
      const double bottom = PlotScale::kTop + PlotScale::kHeight;
      EXPECT_EQ(rectangles[i].at("data-id"), problem.labels[i].id);
      EXPECT_EQ(std::llround((bottom - number("y") - number("height")) / byte), *plan.offsets[i]);
      EXPECT_EQ(std::llround(number("height") / byte), buffer.bytes);
      EXPECT_EQ(std::llround(number("width") / time), buffer.lifetime.upper - buffer.lifetime.lower);
      if (buffer.lifetime.lower < buffer.lifetime.upper) {
        EXPECT_EQ(scale.first_time + std::llround((number("x") - PlotScale::kLeft) / time), buffer.lifetime.lower);
      }
      EXPECT_EQ(rectangles[i].at("data-offset"), std::to_string(*plan.offsets[i]));
      EXPECT_EQ(rectangles[i].at("data-bytes"), std::to_string(buffer.bytes));
      EXPECT_EQ(rectangles[i].at("data-lower"), std::to_string(buffer.lifetime.lower));
      EXPECT_EQ(rectangles[i].at("data-upper"), std::to_string(buffer.lifetime.upper));
      EXPECT_EQ(rectangles[i].at("class") == "buffer fixed", buffer.offset.has_value());
      EXPECT_EQ(rectangles[i].at("fill") == "url(#fixed)", buffer.offset.has_value());
    }
    EXPECT_EQ(RectanglesOf(PlanSvg(drawing), "gap").size(), 2u);
  }
}

TEST(PlanDrawing, NamesBuffersOnHoverAndEscapesNames) {
  const LabelledProblem problem = DrawnProblem(1);
  const MadePlan plan = MakePlan("optimal", problem, {.work_limit = 2000});
  PlanDrawing drawing = DrawingFor(problem, plan);
  drawing.notes.assign(problem.buffers.size(), "written by 2 CONV_2D");
  const std::string svg = PlanSvg(drawing);
  EXPECT_NE(svg.find("<title>buffer 'b7'\n"), std::string::npos);
  EXPECT_NE(svg.find("written by 2 CONV_2D</title>"), std::string::npos);
  EXPECT_EQ(svg.find("a<b>"), std::string::npos);
  EXPECT_NE(svg.find("class=\"peak\""), std::string::npos);
  EXPECT_NE(svg.find("class=\"bound\""), std::string::npos);
  const std::string html = PlanHtml(drawing);
  EXPECT_NE(html.find(svg), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http", html.find("</svg>")), std::string::npos);
}

// A line that is cut ends behind a whole character: else browsers refuse the picture.
TEST(PlanDrawing, CutsNoCharacterInTwo) {
  const LabelledProblem problem = DrawnProblem(2);
  const MadePlan plan = MakePlan("greedy", problem);
  PlanDrawing drawing = DrawingFor(problem, plan);
  for (const char* character : {"\u00fc", "\u20ac", "\u0fff", "\U0001f600", "\U0003ffff"}) {
    for (std::size_t before = 0; before < 4; ++before) {
      drawing.busiest_text = std::string(before, 'a');
      while (drawing.busiest_text.size() < 300) drawing.busiest_text += character;
      const std::string svg = PlanSvg(drawing);
      EXPECT_NE(svg.find("...</text>"), std::string::npos);
      EXPECT_NO_THROW(nlohmann::json(svg).dump()) << "no valid UTF-8";
    }
  }
}

TEST(PlanDrawing, TakesTimesThatFillAllBits) {
  LabelledProblem problem;
  problem.buffers.push_back({.lifetime = {INT64_MIN, INT64_MAX}, .bytes = 1, .offset = {}, .gaps = {}});
  problem.buffers.push_back({.lifetime = {5, 5}, .bytes = 3, .offset = {}, .gaps = {}});
  problem.labels = {{.id = "a"}, {.id = "b"}};
  const MadePlan plan = MakePlan("greedy", problem);
  EXPECT_EQ(plan.problem, "");
  EXPECT_EQ(RectanglesOf(PlanSvg(DrawingFor(problem, plan)), "buffer").size(), 2u);
  const LabelledProblem none;
  const MadePlan nothing = MakePlan("optimal", none);
  EXPECT_TRUE(RectanglesOf(PlanSvg(DrawingFor(none, nothing)), "buffer").empty());
}

}  // namespace
}  // namespace arenaproof
