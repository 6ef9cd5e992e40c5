// `plan` by the arena planner and by a given plan, and `verify` of plans in which tensors lie in the bytes of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

bool SaysSo(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

const std::string& Residual() {
  static const std::string path = SeedModel("residual_int8");
  return path;
}

// The plan of the arena planner, once.
const Json& SharedPlan() {
  static const Json plan = ParseJson(Arenaproof("plan --planner=arena --json " + Residual()).output);
  return plan;
}

CommandRun Verify(const Json& plan) {
  return Arenaproof("verify " + Residual() + " " + WriteText(plan.dump(), "plan.json"));
}

std::vector<std::int64_t> OffsetsIn(const Json& buffers) {
  std::vector<std::int64_t> offsets;
  for (const Json& buffer : buffers) offsets.push_back(buffer.at("offset"));
  return offsets;
}

TEST(SharedPlanCommand, IsThatOfASetUpWithOrWithoutSharing) {
  for (const std::string words : {" --planner=arena", " --planner=arena --no-sharing"}) {
    const Json plan = ParseJson(Arenaproof("plan --json " + Residual() + words).output);
    const Json set_up = ParseJson(Arenaproof("describe --json " + Residual() + words).output);
    EXPECT_EQ(OffsetsIn(plan.at("buffers")), OffsetsIn(set_up.at("plan")));
    EXPECT_EQ(plan.at("peak_bytes"), set_up.at("head_bytes"));
    EXPECT_EQ(plan.contains("sharing"), !plan.at("no_sharing").get<bool>());
    EXPECT_EQ(plan.value("sharing", Json()), set_up.value("sharing", Json()));
    EXPECT_EQ(plan.at("peak"), set_up.at("peak"));
  }
  std::size_t in_groups = 0;
  for (const Json& buffer : SharedPlan().at("buffers")) in_groups += buffer.contains("group") ? 1 : 0;
  EXPECT_GT(in_groups, SharedPlan().at("sharing").size());
}

TEST(SharedPlanCommand, EveryFormatSaysWhoShares) {
  const std::string words = "plan --planner=arena " + Residual();
  const CommandRun text = Arenaproof(words);
  EXPECT_TRUE(SaysSo(text.output, " lies in the bytes of tensor ")) << text.output;
  EXPECT_TRUE(SaysSo(text.output, "lower bound with this sharing ")) << text.output;
  EXPECT_FALSE(SaysSo(text.output, "!")) << "a group is drawn once\n" << text.output;
  const CommandRun csv = Arenaproof(words + " --format=csv");
  EXPECT_TRUE(csv.output.starts_with("id,lower,upper,size,offset,alignment,group\n")) << csv.output;
  for (const auto& [format, piece] : {std::pair("svg", "in the bytes of tensor "), std::pair("html", "<th>shares")}) {
    const CommandRun run = Arenaproof(words + " --format=" + format);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(SaysSo(run.output, piece)) << format;
  }
  const CommandRun apart = Arenaproof(words + " --no-sharing");
  EXPECT_TRUE(SaysSo(apart.output, " --planner=arena --no-sharing\n")) << apart.output;
  EXPECT_FALSE(SaysSo(apart.output, " lies in the bytes of ")) << apart.output;
}

TEST(SharedPlanCommand, IsVerifiedFromEveryFormat) {
  for (const auto& [format, file] : {std::pair("json", "p.json"), std::pair("csv", "p.csv"), std::pair("c", "p.c")}) {
    const CommandRun plan = Arenaproof("plan --planner=arena " + Residual() + " --format=" + format);
    ASSERT_EQ(plan.exit_status, 0) << plan.errors;
    const std::string words = "verify " + Residual() + " " + WriteText(plan.output, file);
    const CommandRun text = Arenaproof(words);
    EXPECT_EQ(text.exit_status, 0) << format << text.errors;
    EXPECT_TRUE(SaysSo(text.output, " lies in the bytes of tensor ")) << text.output;
    const Json report = ParseJson(Arenaproof(words + " --json").output);
    EXPECT_EQ(report.at("sharing"), SharedPlan().at("sharing")) << format;
    EXPECT_EQ(report.at("peak_bytes"), SharedPlan().at("peak_bytes"));
    EXPECT_EQ(report.at("lower_bound_bytes"), SharedPlan().at("lower_bound_bytes"));
    const CommandRun none = Arenaproof(words + " --no-sharing");
    EXPECT_EQ(none.exit_status, 1) << none.output;
    EXPECT_TRUE(SaysSo(none.errors, "share bytes from offset ")) << none.errors;
  }
}

TEST(SharedPlanCommand, APlanThatDoesNotSayItSharesIsRefused) {
  Json plan = SharedPlan();
  for (Json& buffer : plan.at("buffers")) buffer.erase("group");
  const CommandRun run = Verify(plan);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_TRUE(SaysSo(run.errors, "share bytes from offset ")) << run.errors;
}

TEST(SharedPlanCommand, EachConditionOfSharingRefusesAPlan) {
  const Json& sharing = SharedPlan().at("sharing");
  const Json& buffers = SharedPlan().at("buffers");
  const auto index_of = [](const Json& alias, const char* which) { return alias.at(which).get<std::size_t>(); };
  const auto refused = [&](const Json& plan, const std::string& fault, const std::string& sentence) {
    const CommandRun run = Verify(plan);
    EXPECT_EQ(run.exit_status, 1) << fault << run.output;
    EXPECT_TRUE(SaysSo(run.errors, sentence)) << run.errors;
    const std::string path = WriteText(plan.dump(), "plan.json");
    const Json report = ParseJson(Arenaproof("verify --json " + Residual() + " " + path).output);
    EXPECT_EQ(report.at("fault"), fault);
    EXPECT_EQ(report.at("buffers").size(), 2u);
    EXPECT_FALSE(report.contains("sharing"));
  };
  // Apart: the whole group said, one of it elsewhere.
  Json apart = SharedPlan();
  apart["buffers"][index_of(sharing[0], "buffer")]["offset"] = 1 << 20;
  refused(apart, "sharing_apart", "and lies apart from it");
  // No operator: of every pair of buffers that share with none.
  std::size_t no_operator = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = 0; j < buffers.size(); ++j) {
      if (i == j || buffers[i].contains("group") || buffers[j].contains("group")) continue;
      Json plan = SharedPlan();
      plan["buffers"][i]["group"] = buffers[j].at("id");
      plan["buffers"][i]["offset"] = buffers[j].at("offset");
      const CommandRun run = Verify(plan);
      EXPECT_EQ(run.exit_status, 1) << run.output;
      no_operator += SaysSo(run.errors, "and no operator that writes it lets it lie there") ? 1 : 0;
    }
  }
  EXPECT_GT(no_operator, 0u);
  // Two that lie in each other's bytes.
  Json circle = SharedPlan();
  circle["buffers"][index_of(sharing[0], "owner")]["group"] = buffers[index_of(sharing[0], "buffer")].at("id");
  refused(circle, "sharing_operator", "and no operator that writes it lets it lie there");
}

// x -> RELU -> a -> RELU -> b, and a + b -> y: b must not lie in a's bytes, and a not in those of the input x.
std::string ReadTwice() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "a", "b", "y"}) graph.AddTensor({.name = name, .shape = {{1, 4}}});
  const std::uint32_t relu = builder.AddCode(BuiltinOperator::kRelu);
  graph.AddOperator({.code = relu, .inputs = {0}, .outputs = {1}});
  graph.AddOperator({.code = relu, .inputs = {1}, .outputs = {2}});
  graph.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kAdd), .inputs = {1, 2}, .outputs = {3}, .options = AddOptions{}});
  graph.inputs = {0};
  graph.outputs = {3};
  return WriteModel(builder.Finish());
}

TEST(SharedPlanCommand, WhatIsStillReadOrKeptIsNotWrittenOver) {
  const std::string model = ReadTwice();
  const std::pair<const char*, const char*> kPlans[] = {
      {"id,offset,group\n0,0,\n1,16,\n2,16,1\n3,32,\n",
       "tensor 2 \"b\" (16 bytes at offset 16, alive in steps 2 to 3) "
       "is written over tensor 1 \"a\" (16 bytes at offset 16, alive in "
       "steps 1 to 3), which is still needed"},
      {"id,offset,group\n0,0,\n1,0,0\n2,16,\n3,32,\n",
       "and one of the two is kept: an input or output of its subgraph"},
      {"id,offset,group\n0,0,\n1,16,\n2,32,\n3,32,2\n",
       "and one of the two is kept: an input or output of its subgraph"},
      {"id,offset,group\n0,0,\n1,16,\n2,0,0\n3,48,\n", "and no operator that writes it lets it lie there"},
  };
  for (const auto& [plan, sentence] : kPlans) {
    const CommandRun run = Arenaproof("verify " + model + " " + WriteText(plan, "plan.csv"));
    EXPECT_EQ(run.exit_status, 1) << plan << run.output;
    EXPECT_TRUE(SaysSo(run.errors, sentence)) << run.errors;
  }
  const std::string apart = "id,offset,group\n0,0,0\n1,16,\n2,32,\n3,48,\n";
  EXPECT_EQ(Arenaproof("verify " + model + " " + WriteText(apart, "plan.csv")).exit_status, 0);
}

TEST(SharedPlanCommand, SaysWhatIsWrongWithAPlanInJson) {
  const std::pair<const char*, const char*> kTexts[] = {
      {"{", "The file is no JSON from line 1, column 2 on."},
      {"{\n \"buffers\": [}\n", "The file is no JSON from line 2, column 14 on."},
      {R"({"buffers":[{"id":"0","offset":1e999}]})", "The file has a number that no machine holds."},
      {R"({"buffers":[],"buffers":[]})", "The file has the key \"buffers\" twice in one object."},
      {R"({"buffers":[{"id":"0","offset":0,"offset":16}]})", "The file has the key \"offset\" twice in one object."},
      {R"({"buffers":[{"id":"0","gaps":[{"lower":3}]}]})", "has gaps that are no list of lower and upper."},
      {"{}", "it has no list 'buffers'"},
      {R"({"buffers":{}})", "it has no list 'buffers'"},
      {R"({"buffers":[1]})", "The buffer at index 0 of the list 'buffers' is no object."},
      {R"({"buffers":[{"offset":0}]})", "has no id."},
      {R"({"buffers":[{"id":7}]})", "has no id."},
      {R"({"buffers":[{"id":"0","offset":"0"}]})", "has as its offset \"0\", which is no whole number of 64 bits."},
      {R"({"buffers":[{"id":"0","offset":18446744073709551615}]})",
       "has as its offset 18446744073709551615, which is no whole number of 64 bits."},
      {R"({"buffers":[{"id":"0","bytes":0.5}]})", "has as its bytes 0.5, which is no whole number of 64 bits."},
      {R"({"buffers":[{"id":"0","bytes":1},{"id":"1"}]})", "at index 1 of the list 'buffers' has other fields"},
      {R"({"buffers":[{"id":"0"},{"id":"0"}]})", "has the id of one before it."},
      {R"({"buffers":[{"id":"0","group":1}]})", "has a group that is no text."},
      {R"({"buffers":[{"id":"x"}]})", "names the buffer 'x', which the problem does not have"},
      {R"({"buffers":[{"id":"0","group":"x"}]})",
       "has the buffer '0' in the bytes of 'x', which the problem does not have"},
      {R"({"buffers":[{"id":"0","bytes":1}]})", "is of another problem: the buffer '0' has size 1 there"},
  };
  for (const auto& [text, sentence] : kTexts) {
    const CommandRun run = Arenaproof("verify " + ReadTwice() + " " + WriteText(text, "plan.json"));
    EXPECT_EQ(run.exit_status, 2) << text;
    EXPECT_TRUE(SaysSo(run.errors, sentence)) << run.errors;
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
  }
  // Deep, and with nothing in it that counts.
  const std::string deep = R"({"other":)" + std::string(100000, '[') + std::string(100000, ']') + R"(,"buffers":[]})";
  const CommandRun run = Arenaproof("verify " + ReadTwice() + " " + WriteText(deep, "plan.json"));
  EXPECT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_TRUE(SaysSo(run.errors, "has no offset")) << run.errors;
}

TEST(SharedPlanCommand, OfCsvNothingShares) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,16\nb,3,9,16\n", "problem.csv");
  const CommandRun plan = Arenaproof("plan --planner=arena --format=csv " + problem);
  EXPECT_EQ(plan.output, "id,lower,upper,size,offset\na,0,4,16,0\nb,3,9,16,16\n") << plan.errors;
  const CommandRun said = Arenaproof("verify " + problem + " " + WriteText("id,offset,group\na,0,\nb,0,a\n", "p.csv"));
  EXPECT_EQ(said.exit_status, 1);
  EXPECT_TRUE(SaysSo(said.errors, "and no operator that writes it lets it lie there")) << said.errors;
  for (const std::string command : {"plan ", "verify "}) {
    const CommandRun alone =
        Arenaproof(command + WriteText("id,lower,upper,size,offset,group\na,0,4,16,0,\n", "planned.csv"));
    EXPECT_EQ(alone.exit_status, 2);
    EXPECT_TRUE(SaysSo(alone.errors, "Line 1 has a column 'group': only a model says")) << alone.errors;
  }
}

TEST(SharedPlanCommand, SmallSizesOfCsvLieSideBySide) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,3\nb,1,2,5\nc,2,9,4\nd,3,5,2\n", "problem.csv");
  const Json plan = ParseJson(Arenaproof("plan --planner=arena --json " + problem).output);
  EXPECT_EQ(plan.at("peak_bytes"), 10);
  const std::string aligned = WriteText("id,lower,upper,size,alignment\na,0,4,3,128\nb,1,2,5,128\n", "aligned.csv");
  EXPECT_EQ(ParseJson(Arenaproof("plan --planner=arena --json " + aligned).output).at("peak_bytes"), 133);
}

TEST(GivenPlanCommand, IsCertifiedAndReportedInEveryFormat) {
  const std::string source = Arenaproof("plan --planner=arena --format=c " + Residual()).output;
  const std::string planner = "--planner=precomputed:" + WriteText(source, "plan.c");
  const CommandRun json = Arenaproof("plan --json " + planner + " " + Residual());
  ASSERT_EQ(json.exit_status, 0) << json.errors;
  Json report = ParseJson(json.output);
  EXPECT_EQ(report.at("planner"), planner.substr(planner.find('=') + 1));
  for (const char* field : {"buffers", "sharing", "peak", "peak_bytes", "lower_bound_bytes"}) {
    EXPECT_EQ(report.at(field), SharedPlan().at(field)) << field;
  }
  for (const char* format : {"text", "csv", "svg", "html", "c"}) {
    EXPECT_EQ(Arenaproof("plan " + planner + " " + Residual() + " --format=" + format).exit_status, 0) << format;
  }
  const CommandRun apart = Arenaproof("plan --no-sharing " + planner + " " + Residual());
  EXPECT_EQ(apart.exit_status, 1) << apart.output;
  EXPECT_TRUE(SaysSo(apart.errors, "share bytes from offset ")) << apart.errors;
}

TEST(GivenPlanCommand, OfCsvHasAnOffsetForEachLine) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,16\nb,3,9,16\n", "problem.csv");
  const auto plan = [&](const std::string& offsets) {
    return Arenaproof("plan --format=csv " + problem +
                      " --planner=precomputed:" + WriteText("const int32_t p[] = " + offsets + ";", "plan.c"));
  };
  EXPECT_EQ(plan("{16, 0}").output, "id,lower,upper,size,offset\na,0,4,16,16\nb,3,9,16,0\n");
  EXPECT_EQ(plan("{0, 8}").exit_status, 1);
  const CommandRun few = plan("{0}");
  EXPECT_EQ(few.exit_status, 2);
  EXPECT_TRUE(SaysSo(few.errors, "the plan has 1 offset, and there are 2 buffers to place")) << few.errors;
}

TEST(GivenPlanCommand, SaysWhatIsWrongWithTheFileOrTheWord) {
  for (const std::string word : {"precomputed", "precomputed:", "Arena", ""}) {
    const CommandRun run = Arenaproof("plan " + Residual() + " --planner=" + word);
    EXPECT_EQ(run.exit_status, 2) << word;
    EXPECT_TRUE(SaysSo(run.errors, "optimal, greedy, linear, arena or precomputed:FILE would be right") || word.empty())
        << run.errors;
  }
  const std::string bad = WriteText("const int32_t p[3] = {0,\n16};", "bad.c");
  for (const auto& [file, sentence] :
       {std::pair(std::string("/nowhere.c"), std::string("/nowhere.c")),
        std::pair(bad, "'" + bad + "': line 1 counts '3' offsets, and the array has 2")}) {
    const CommandRun run = Arenaproof("plan --json " + Residual() + " --planner=precomputed:" + file);
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_TRUE(SaysSo(run.errors, sentence)) << run.errors;
    EXPECT_EQ(ParseJson(run.output).at("refused").at("code"), "planner_unusable");
  }
  // A plan of the model's own stays where it is, and these planners place every tensor themselves.
  const std::string fixed = ReluChainWithPlan({0, 48, -1});
  const CommandRun arena = Arenaproof("plan --planner=arena " + fixed);
  EXPECT_EQ(arena.exit_status, 2);
  EXPECT_TRUE(SaysSo(arena.errors, "the planner 'arena' places every buffer itself")) << arena.errors;
  EXPECT_EQ(Arenaproof("plan --planner=arena --ignore-plan " + fixed).exit_status, 0);
  const std::string moved = WriteText("int32_t p[] = {0, 16, 0};", "moved.c");
  const CommandRun given = Arenaproof("plan --planner=precomputed:" + moved + " " + fixed);
  EXPECT_EQ(given.exit_status, 1);
  EXPECT_TRUE(SaysSo(given.errors, "does not lie where it is fixed, which is offset 48")) << given.errors;
}

TEST(SharedPlanCommand, IsNotEmbedded) {
  const std::string out = TemporaryFolder() + "/planned.tflite";
  const CommandRun shared = Arenaproof("plan --planner=arena " + Residual() + " --embed=" + out);
  EXPECT_EQ(shared.exit_status, 2);
  EXPECT_TRUE(SaysSo(shared.errors, "does not say which tensors lie in the bytes of others")) << shared.errors;
  const CommandRun apart = Arenaproof("plan --planner=arena --no-sharing " + Residual() + " --embed=" + out);
  EXPECT_EQ(apart.exit_status, 0) << apart.errors;
  EXPECT_EQ(Arenaproof("verify " + out).exit_status, 0);
}

}  // namespace
}  // namespace arenaproof::testing
