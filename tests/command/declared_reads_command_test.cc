// Reads beside an operand that a library declares: allowed to the byte, listed, and the arena has room for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// The furthest read behind an operand; 0: none was reported.
int FurthestOf(const Json& part) { return std::max(FurthestBehind(part, "input"), FurthestBehind(part, "constant")); }

// What a table declares is no violation, and is listed; one byte more is one, by its distance to the operand.
TEST(DeclaredReads, AreAllowedToTheByteAndListed) {
  const std::string words = "check " + SeedModel(kFullyConnected) + " --json --kernels=";
  const auto all_of = [](const std::string& declared) {
    return ExampleOfBoth(declared) + ",plain:" + Example(declared + "plain");
  };
  for (const std::string instrument : {"shadow", "asan", "guard", "valgrind", "twofill"}) {
    SCOPED_TRACE(instrument);
    const auto enough = Arenaproof(words + all_of("declared-12-") + " --instrument=" + instrument);
    EXPECT_EQ(enough.exit_status, 0) << enough.errors << enough.output;
    const Json report = ParseJson(enough.output);
    EXPECT_TRUE(HasText(report.at("verdict"), "; kernels may read beside 4 operands, as they declare"))
        << report.at("verdict");
    for (const Json& part : report.at("parts")) {
      const Json& allowances = part.at("read_allowances");
      ASSERT_EQ(allowances.size(), 4u);
      EXPECT_EQ(allowances[0].at("kind"), "input");
      EXPECT_EQ(allowances[1].at("kind"), "constant");
      EXPECT_EQ(allowances[0].at("before_bytes"), 0);
      EXPECT_EQ(allowances[0].at("after_bytes"), 12);
    }
    if (instrument == "twofill" || instrument == "guard") continue;  // the byte lies in what the alignment leaves
    const auto too_few = Arenaproof(words + all_of("declared-11-") + " --instrument=" + instrument);
    EXPECT_EQ(too_few.exit_status, 1) << too_few.errors << too_few.output;
    const Json violated = ParseJson(too_few.output);
    for (const Json& part : violated.at("parts")) EXPECT_EQ(FurthestOf(part), 12) << part;
  }
  const auto text = Arenaproof("check -v --layout=dilated " + SeedModel(kFullyConnected) +
                               " --kernels=" + ExampleOfBoth("declared-12-"));
  EXPECT_TRUE(HasText(text.output, "kernel example: 0 bytes before and 12 bytes after input 0")) << text.output;
  EXPECT_TRUE(HasText(text.output, ", as they declare, where nobody looked for room")) << text.output;
}

// Nothing of the arena lies before the first tensor: the application has to keep it, and check says how much.
TEST(DeclaredReads, NeedRoomInTheArena) {
  const std::string words = "check --json " + ReluChain() + " --kernels=" + FaultyLibrary() + " --instrument=";
  const std::string allowed = "ARENAPROOF_ALLOWED=1 ";
  const auto none = Arenaproof(words + "guard", allowed);
  EXPECT_EQ(none.exit_status, 2) << none.output;
  EXPECT_TRUE(HasText(none.errors,
                      "kernel 'faulty' declares that RELU (operator 0) reads 16 bytes before input 0 'x', "
                      "where the arena's allocation has 0; --reserve-front=16 or more would be right"))
      << none.errors;
  EXPECT_TRUE(HasText(none.output, "\"problem_code\": \"read_room\"")) << none.output;
  EXPECT_EQ(Arenaproof(words + "guard --reserve-front=15", allowed).exit_status, 2);
  struct Read {
    std::string fault, instrument;
    int exit_status;
  };
  for (const Read& read :
       {Read{"invoke_reads_allowed", "guard", 0}, Read{"invoke_reads_allowed", "shadow", 0},
        Read{"invoke_reads_allowed", "asan", 0}, Read{"invoke_reads_beyond_allowed", "guard", 1},
        Read{"invoke_reads_beyond_allowed", "shadow", 1}, Read{"invoke_reads_beyond_allowed", "asan", 1},
        Read{"invoke_reads_allowed", "valgrind", 0}, Read{"invoke_reads_beyond_allowed", "valgrind", 1},
        Read{"invoke_uses_allowed", "guard", 1}, Read{"invoke_uses_allowed", "twofill", 1},
        Read{"invoke_writes_allowed", "guard", 1}, Read{"invoke_writes_allowed", "shadow", 1},
        Read{"invoke_writes_allowed", "asan", 1}, Read{"invoke_writes_allowed", "valgrind", 1},
        Read{"invoke_writes_allowed", "canary", 1}, Read{"invoke_writes_allowed", "twofill", 1}}) {
    SCOPED_TRACE(read.fault + ", " + read.instrument);
    const bool hooks = read.instrument == "shadow" || read.instrument == "asan";
    const auto run = Arenaproof("check --json --reserve-front=16 " + ReluChain() + " --instrument=" + read.instrument +
                                    " --kernels=" + FaultyLibrary(hooks ? read.instrument : "plain"),
                                allowed + Fault(read.fault));
    ASSERT_EQ(run.exit_status, read.exit_status) << run.errors << run.output;
    const Json report = ParseJson(run.output);
    for (const Json& part : report.at("parts")) {
      ASSERT_EQ(part.at("violations").empty(), read.exit_status == 0 || part.at("exit_status") == 0) << part;
      for (const Json& violation : part.at("violations")) {
        if (read.fault == "invoke_uses_allowed") {
          EXPECT_EQ(violation.at("side"), "differs");
        } else if (part.at("layout") == "dilated") {
          const bool writes = read.fault == "invoke_writes_allowed";
          EXPECT_EQ(violation.at("access"), writes ? "write" : "read");
          EXPECT_EQ(violation.at("side"), "before");
          EXPECT_EQ(violation.at("distance_bytes"), writes ? 16 : 17);
        }
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
