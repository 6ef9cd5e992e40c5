// Every kind of illegal access by every instrument: each sees what it promises, by its operator, side, distance and
// what lay there, and says beforehand what it does not see. The promises are in access_rules.h, the accesses in
// access_rows.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "tests/command/access_model.h"
#include "tests/command/access_rules.h"
#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// So many operators that the arena is near enough to every operand, and no log is full.
constexpr std::size_t kRowsOfAModel = 150;
// Under Valgrind an operator takes a hundred times as long. A number without a common divisor with those of widths,
// distances and kinds of access, so that all of them have their turn.
constexpr std::size_t kSlowlyEvery = 7;

// Of one instrument and one place.
struct Tally {
  std::size_t rows = 0, promised = 0, seen = 0;
};

class AccessMatrix : public ::testing::Test {
 protected:
  static std::array<std::map<std::string, Tally>, kAccessPlaceCount>& Tallies() {
    static std::array<std::map<std::string, Tally>, kAccessPlaceCount> tallies;
    return tallies;
  }

  // A cell: how many of the promised ones were seen, and how many were said not to be.
  static void TearDownTestSuite() {
    const char* const columns[] = {"shadow", "asan", "guard", "valgrind", "canary", "twofill"};
    std::printf("%-26s", "seen/promised, not seen");
    for (const char* column : columns) std::printf(" %14s", column);
    for (std::size_t place = 0; place < kAccessPlaceCount; ++place) {
      std::printf("\n%-26s", AccessPlaceName(static_cast<AccessPlace>(place)));
      for (const char* column : columns) {
        const Tally& tally = Tallies()[place][column];
        const std::string cell = std::to_string(tally.seen) + "/" + std::to_string(tally.promised) + ", " +
                                 std::to_string(tally.rows - tally.promised);
        std::printf(" %14s", tally.rows == 0 ? "-" : cell.c_str());
      }
    }
    std::printf("\n");
  }

  // All rows of its choice by the instrument.
  static void Check(const std::string& instrument, const RowChoice& choice, const std::string& build = "plain");

 private:
  static void Compare(const PlacedRow& row, const std::vector<Json>& found, const Json& part);
};

bool IsAsPromised(const Json& violation, const PlacedRow& row, const AccessPromise& promise) {
  const Json& operand = violation.at("operand");
  const std::size_t distance = violation.at("distance_bytes"), width = violation.at("max_width_bytes");
  return violation.at("side") == promise.side &&
         violation.at("access") == (row.row.words.kind == AccessKind::kStore ? "write" : "read") &&
         violation.at("phase") == (row.row.words.in_prepare != 0 ? "prepare" : "invoke") &&
         (promise.side == "differs" ||
          (distance >= promise.least_distance_bytes && distance <= promise.most_distance_bytes)) &&
         (promise.operand_name.empty() ||
          (operand.at("name") == promise.operand_name && operand.at("kind") == promise.operand_kind)) &&
         (promise.width_bytes == 0 || promise.width_bytes == width) &&
         (promise.state_kind.empty() || violation.at("state_kind") == promise.state_kind);
}

bool SaysBeforehand(const Json& part, const PlacedRow& row, const AccessPromise& promise) {
  const Json &limits = part.at("self_test").at("limits"), &not_exact = part.at("not_exact");
  const bool listed = std::ranges::any_of(not_exact, [&](const Json& operand) {
    return operand.at("operator") == row.operator_index && operand.at("name") == row.base_name;
  });
  return (listed || !promise.not_exact) && std::ranges::any_of(limits, [&](const Json& said) {
           return said.get<std::string>().starts_with(promise.limit);
         });
}

void AccessMatrix::Compare(const PlacedRow& row, const std::vector<Json>& found, const Json& part) {
  const std::string instrument = part.at("instrument");
  const AccessPromise promise = PromiseBy(instrument, row);
  Tally& tally = Tallies()[static_cast<std::size_t>(row.row.place)][instrument];
  ++tally.rows;
  if (!promise.seen) {
    EXPECT_TRUE(found.empty()) << found[0];
    EXPECT_TRUE(SaysBeforehand(part, row, promise)) << promise.limit;
    return;
  }
  ++tally.promised;
  std::size_t count = 0;
  bool as_promised = true;
  for (const Json& violation : found) {
    if (promise.differs_too && violation.at("side") == "differs") continue;
    ++count;
    as_promised = as_promised && IsAsPromised(violation, row, promise);
  }
  as_promised = as_promised && count == 1;
  EXPECT_TRUE(as_promised) << Json(found) << "\npromised: once, " << promise.side << ", distance "
                           << promise.least_distance_bytes << " to " << promise.most_distance_bytes << " from "
                           << promise.operand_kind << " " << promise.operand_name << ", width " << promise.width_bytes
                           << ", " << promise.state_kind;
  if (as_promised) ++tally.seen;
}

void AccessMatrix::Check(const std::string& instrument, const RowChoice& choice, const std::string& build) {
  const std::vector<AccessRow> rows = ChosenRows(choice);
  ASSERT_GE(rows.size(), 100u);
  for (std::size_t first = 0; first < rows.size(); first += kRowsOfAModel) {
    const AccessScene scene(std::span(rows).subspan(first, std::min(kRowsOfAModel, rows.size() - first)));
    const auto run =
        Arenaproof("check --json --layout=faithful --arena-bytes=" + std::to_string(kAccessArenaBytes) +
                   " --instrument=" + instrument + " " + scene.model() + " --kernels=" + AccessLibrary(build));
    ASSERT_LE(run.exit_status, 1) << run.errors << run.output;
    const Json report = ParseJson(run.output);
    const Json& part = report.at("parts").at(0);
    ASSERT_FALSE(part.contains("problem")) << part.at("problem") << part.value("running", Json());
    std::map<std::int32_t, std::vector<Json>> found;
    for (const Json& violation : part.at("violations")) {
      found[violation.at("operator").get<std::int32_t>()].push_back(violation);
    }
    for (const PlacedRow& row : scene.rows()) {
      SCOPED_TRACE(Describe(row.row));
      Compare(row, found[row.operator_index], part);
      found.erase(row.operator_index);
    }
    EXPECT_TRUE(found.empty()) << "of operators that do nothing wrong: " << found.begin()->second;
  }
}

TEST_F(AccessMatrix, IsSeenByShadowAsPromised) { Check("shadow", {}, "shadow"); }
TEST_F(AccessMatrix, IsSeenByAsanAsPromised) { Check("asan", {}, "asan"); }
TEST_F(AccessMatrix, IsSeenByGuardAsPromised) { Check("guard", {.undone = true}); }
TEST_F(AccessMatrix, IsSeenByCanaryAsPromised) { Check("canary", {.undone = true}); }
TEST_F(AccessMatrix, IsSeenByTwofillAsPromised) { Check("twofill", {.undone = true}); }

using AccessMatrixByValgrind = AccessMatrix;
TEST_F(AccessMatrixByValgrind, IsSeenAsPromised) { Check("valgrind", {.every = kSlowlyEvery}); }

}  // namespace
}  // namespace arenaproof::testing
