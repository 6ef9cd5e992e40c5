// What `plan` says of a model, row by row and picture by picture, counted here again from the parts that the model was
// built of: which tensor a buffer is, when it is alive, who writes and reads it, after which operator most is alive.
// The C source of the plan leads to the same plan.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/generators/models/custom_operator_models.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/model/reference_lifetimes.h"
#include "engine/oracles/plans/drawn_plan.h"
#include "engine/oracles/plans/smallest_head.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/plan.h"
#include "tools/planner/precomputed_file.h"
#include "tools/plans/made_plan.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;
using TensorList = std::vector<std::int32_t>;

std::int64_t RoundedUp(std::int64_t bytes) { return (bytes + 15) / 16 * 16; }

// Scratch that is stated for the custom operators, by the order of kCustomOperators.
struct StatedScratch {
  std::vector<std::int64_t> bytes[std::size(kCustomOperators)];
  std::vector<std::string> words;

  explicit StatedScratch(const ModelBuilder& model) {
    for (std::size_t i = 0; i < std::size(kCustomOperators); ++i) {
      const bool is_used = std::any_of(model.codes.begin(), model.codes.end(), [&](const OperatorCodeSpec& code) {
        return *code.custom_code == kCustomOperators[i];
      });
      if (!is_used) continue;
      for (std::size_t count = Below<std::size_t>(3); count > 0; --count) bytes[i].push_back(1 + Below(200));
      for (const std::int64_t one : bytes[i]) Add(i, one);
      if (bytes[i].empty()) Add(i, 0);
    }
  }

 private:
  void Add(std::size_t index, std::int64_t count) {
    words.push_back(kCustomOperators[index] + (":" + std::to_string(count)));
    RC_LOG() << words.back() << " ";
  }
};

// A row as it has to be. Tensors first, then scratch in the order of the operators that ask for it.
struct ExpectedRow {
  std::int32_t tensor = -1, scratch = -1, owner_operator = -1;
  PlanBuffer buffer = {};
  std::string uses = {};

  std::string id() const { return tensor >= 0 ? std::to_string(tensor) : "s" + std::to_string(scratch); }
};

std::string OperatorText(const ModelBuilder& model, std::size_t index) {
  const OperatorSpec& op = model.subgraphs[0].operators[index];
  return std::to_string(index) + " custom operator '" + *model.codes[op.code].custom_code + "'";
}

bool Has(const TensorList& list, std::int32_t number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

std::string UsesOf(const ModelBuilder& model, std::int32_t tensor) {
  std::string written, read;
  const SubgraphSpec& graph = model.subgraphs[0];
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const OperatorSpec& op = graph.operators[i];
    if (Has(op.outputs, tensor)) written += (written.empty() ? "written by " : ", ") + OperatorText(model, i);
    if (Has(op.inputs, tensor)) read += (read.empty() ? "read by " : ", ") + OperatorText(model, i);
  }
  return written + (written.empty() || read.empty() ? "" : "; ") + read;
}

std::vector<ExpectedRow> RowsOf(const ModelBuilder& model, const std::vector<std::byte>& file,
                                const StatedScratch& scratch) {
  const SubgraphSpec& graph = model.subgraphs[0];
  const std::vector<Lifetime> lives = oracle::WalkAsReference(file, {}).tensors;
  std::vector<ExpectedRow> rows;
  const auto add = [&](ExpectedRow row, std::int64_t bytes, std::int32_t first, std::int32_t last) {
    row.buffer.bytes = RoundedUp(bytes);
    row.buffer.lifetime = {first, last + 1};
    rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const auto tensor = static_cast<std::int32_t>(i);
    add({.tensor = tensor, .uses = UsesOf(model, tensor)}, (*graph.tensors[i].shape)[1], lives[i].first, lives[i].last);
  }
  std::int32_t number = 0;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const std::string name = *model.codes[graph.operators[i].code].custom_code;
    const auto of = static_cast<std::size_t>(std::find(std::begin(kCustomOperators), std::end(kCustomOperators), name) -
                                             std::begin(kCustomOperators));
    const auto step = static_cast<std::int32_t>(i + 1);
    for (const std::int64_t bytes : scratch.bytes[of]) {
      add({.scratch = number++, .owner_operator = step - 1, .uses = "scratch of " + OperatorText(model, i)}, bytes,
          step, step);
    }
  }
  return rows;
}

void RequireRows(const Json& reported, const std::vector<ExpectedRow>& rows, const MadePlan& plan) {
  Require(reported.size() == rows.size(), "a report has a row for each tensor and each stated scratch buffer");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ExpectedRow& row = rows[i];
    const Json& json = reported[i];
    RC_LOG() << json.dump() << "\n";
    Require(json["id"] == row.id() && json["subgraph"] == 0 && json["tensor"] == row.tensor &&
                json["scratch"] == row.scratch && json["owner_operator"] == row.owner_operator,
            "a row says which buffer of the model it is");
    Require(json["name"] == (row.tensor >= 0 ? "t" + row.id() : ""), "a row has the name of its tensor");
    Require(json["bytes"] == row.buffer.bytes && json["lower"] == row.buffer.lifetime.lower &&
                json["upper"] == row.buffer.lifetime.upper && json["offset"] == *plan.offsets[i],
            "a row has the buffer's size, lifetime and place");
  }
}

std::string JoinedByCommaAnd(const std::vector<std::string>& words) {
  std::string text = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

std::string CountedWords(const std::string& what, const std::vector<std::string>& words) {
  return words.empty() ? "" : what + (words.size() > 1 ? "s " : " ") + JoinedByCommaAnd(words);
}

// "peak after operator 2 custom operator 'fold': tensors 1 and 3 and scratch buffer 0, 96 bytes".
std::string PeakOf(const ModelBuilder& model, const std::vector<ExpectedRow>& rows, std::int64_t head_bytes) {
  std::vector<PlanBuffer> buffers;
  for (const ExpectedRow& row : rows) buffers.push_back(row.buffer);
  constexpr std::int64_t kFirstStep = 1;  // of an operator
  const LoadMoment most = LargestLoad(buffers, kFirstStep);
  std::vector<std::string> tensors, scratch;
  for (const std::size_t i : most.buffers) {
    if (rows[i].tensor >= 0) {
      tensors.push_back(rows[i].id());
    } else {
      scratch.push_back(std::to_string(rows[i].scratch));
    }
  }
  const std::string both = tensors.empty() || scratch.empty() ? "" : " and ";
  return (most.bytes == head_bytes ? "peak " : "busiest moment ") +
         (most.time < kFirstStep ? "before the first operator"
                                 : "after operator " + OperatorText(model, static_cast<std::size_t>(most.time - 1))) +
         ": " + CountedWords("tensor", tensors) + both + CountedWords("scratch buffer", scratch) + ", " +
         std::to_string(most.bytes) + " bytes";
}

std::string Unescaped(std::string text) {
  for (const auto& [escaped, plain] : {std::pair{"&quot;", "\""}, {"&apos;", "'"}, {"&#39;", "'"}}) {
    for (std::size_t at = text.find(escaped); at != std::string::npos; at = text.find(escaped)) {
      text.replace(at, std::string(escaped).size(), plain);
    }
  }
  return text;
}

// What hovering shows of each buffer, in the order of the rows.
void RequireHovers(const std::string& picture, const std::vector<ExpectedRow>& rows) {
  std::size_t at = 0;
  for (const ExpectedRow& row : rows) {
    const std::size_t end = picture.find("data-id=\"" + row.id() + "\"", at);
    Require(end != std::string::npos, "each buffer has a rectangle of its name");
    const std::size_t begin = picture.rfind("<g><title>", end);
    const std::string title = Unescaped(picture.substr(begin + 10, picture.find("</title>", begin) - begin - 10));
    RC_LOG() << title << "\n";
    const std::string lines = "\n" + title + "\n";
    Require(row.uses.empty() || lines.find("\n" + row.uses + "\n") != std::string::npos,
            "hovering shows which operators use a buffer: " + row.uses);
    Require(row.tensor < 0 || title.find("\"t" + row.id() + "\"") != std::string::npos, "hovering shows the name");
    at = end;
  }
}

RC_GTEST_PROP(ModelReports, AreThePlanOfTheModel, ()) {
  RapidCheckSource random;
  const CustomOperatorModel made = MakeCustomOperatorModel(random);
  const std::vector<std::byte> file = made.builder.Finish();
  static const ScratchFile model_file;
  model_file.Replace({reinterpret_cast<const char*>(file.data()), file.size()});
  const StatedScratch scratch(made.builder);
  PlanOptions options;
  options.path = model_file.path();
  options.scratch = scratch.words;
  options.planner = OneIn(2) ? "greedy" : "optimal";
  PlannedSubject subject;
  const std::string refused = subject.Load(options, OwnPlan::kKept);
  Require(refused.empty(), "a sound model is planned without its kernels: " + refused);
  const MadePlan plan = MakePlan(options.planner, subject.problem(), {.work_limit = 500});
  Require(plan.problem.empty(), "a sound model has a plan: " + plan.problem);

  const std::vector<ExpectedRow> rows = RowsOf(made.builder, file, scratch);
  CountReach("scratch buffers in a report", rows.size() - made.builder.subgraphs[0].tensors.size());
  const ReportedPlan report{subject, plan};
  const Json json = Json::parse(PlanReportJson(options, report));
  RequireRows(json["buffers"], rows, plan);
  const std::string peak = PeakOf(made.builder, rows, plan.peak_bytes);
  RC_LOG() << peak << "\n" << json["peak"].dump() << "\n";
  Require(json["peak"]["sentence"] == peak, "the peak names the operator after which most is alive");
  Require(PlanReportText(options, report).find("\n" + peak + "\n") != std::string::npos,
          "the text has the same sentence");

  const std::string svg = PlanReportSvg(options, report);
  const std::string wrong =
      WhatIsDrawnWrong(svg, {subject.problem().buffers, plan.offsets, plan.peak_bytes, plan.lower_bound_bytes});
  Require(wrong.empty(), "the picture is the plan: " + wrong);
  RequireHovers(svg, rows);

  const PrecomputedPlan read = ReadPrecomputedSource(PlanReportC(options, report));
  Require(read.ok() && read.offsets.size() == rows.size(), "the C source of a plan is read back: " + read.refusal);
  const MadePlan given = MakeGivenPlan(read.offsets, subject.problem());
  Require(given.problem.empty() && given.offsets == plan.offsets && given.peak_bytes == plan.peak_bytes,
          "and is the same plan: " + given.problem);
}

}  // namespace
}  // namespace arenaproof::testing
