#include "tools/command/worker_report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arenaproof {
namespace {

TEST(WorkerReport, ReadsEveryEvent) {
  const WorkerReport report = ReadWorkerReport(
      R"({"event":"started","instrument":"shadow","layout":"dilated"}
{"event":"self_test","sees":true,"what":["scalar load"],"missed":[]}
{"event":"plan","head_bytes":64,"tail_bytes":32,"used_bytes":96,"arena_bytes":128,"buffers":[{"tensor":3,"scratch":-1,"name":"x","owner_operator":-1,"offset":16,"bytes":20,"first_step":0,"last_step":1}]}
{"event":"blind_pairs","count":7,"pairs":[{"subgraph":0,"operator":1,"operator_name":"ADD","first_kind":"input","first_index":0,"second_kind":"output","second_index":2,"distance_bytes":-4}]}
{"event":"operator","index":0,"subgraph":0,"name":"FULLY_CONNECTED","kernel":"reference","seen_by_instrument":true}
{"event":"violation","subgraph":0,"operator":0,"operator_name":"FULLY_CONNECTED","phase":"invoke","kernel":"aligned-faulty","operand_kind":"input","operand_index":3,"operand_name":"x","operand_bytes":20,"access":"read","side":"before","distance_bytes":12,"min_width_bytes":16,"max_width_bytes":16,"count":48,"lowest_touched":-12,"highest_touched":-1,"state":"closed","state_kind":"guard","map":["line"],"sentence":"s"}
{"event":"output","run":0,"index":0,"tensor":4,"name":"y","type":"FLOAT32","shape":[1,2],"bytes":8,"sha256":"ab","first_values":[1.5,null,-81]}
{"event":"something new","field":1}
{"event":"finished","violation_count":48,"groups":1,"capped":false}
)");
  EXPECT_EQ(report.malformed, "");
  ASSERT_TRUE(report.self_test);
  EXPECT_TRUE(report.self_test->sees);
  ASSERT_TRUE(report.plan);
  EXPECT_EQ(report.plan->buffers.at(0).offset, 16);
  EXPECT_EQ(report.blind_pair_count, 7);
  EXPECT_EQ(report.blind_pairs.at(0).distance_bytes, -4);
  EXPECT_TRUE(report.operators.at(0).seen);
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].lowest_touched, -12);
  EXPECT_EQ(report.violations[0].map, std::vector<std::string>{"line"});
  EXPECT_EQ(report.outputs.at(0).first_values.at(0), ElementValue(1.5));
  EXPECT_TRUE(std::isnan(std::get<double>(report.outputs[0].first_values.at(1))));
  EXPECT_EQ(report.outputs[0].first_values.at(2), ElementValue(std::int64_t{-81}));
  EXPECT_TRUE(report.finished);
}

TEST(WorkerReport, ReadsARefusalWithTheArenasThatAreTooSmall) {
  const WorkerReport report = ReadWorkerReport(
      R"({"event":"refused","stage":"allocate","code":"plan_does_not_fit","detail":[1,2,0,0],"larger_arena":true,"small_arenas":[{"arena":"tail","given_bytes":64,"need_bytes":80}],"subgraph":1,"operator":2,"operator_name":"ADD","sentence":"s"}
)");
  ASSERT_TRUE(report.refusal);
  EXPECT_EQ(report.refusal->code, "plan_does_not_fit");
  EXPECT_TRUE(report.refusal->larger_arena);
  ASSERT_EQ(report.refusal->small_arenas.size(), 1u);
  EXPECT_EQ(report.refusal->small_arenas[0].arena, "tail");
  EXPECT_EQ(report.refusal->small_arenas[0].given_bytes, 64u);
  EXPECT_EQ(report.refusal->small_arenas[0].need_bytes, 80u);
  EXPECT_EQ(report.refusal->operator_index, 2);
}

TEST(WorkerReport, SaysWhereAStreamIsBroken) {
  for (const char* stream : {"{\"event\":\"plan\"}\n{\"event\":", "{\"event\":\"plan\"}\n[1,2]",
                             "{\"event\":\"plan\"}\n{\"event\":\"operator\",\"index\":\"four\"}",
                             "{\"event\":\"plan\"}\n{\"event\":\"plan\",\"buffers\":[{\"tensor\":1}],"
                             "\"sharing\":[{\"buffer\":0,\"source\":1,\"owner\":0}]}"}) {
    const WorkerReport report = ReadWorkerReport(stream);
    EXPECT_TRUE(report.malformed.starts_with("line 2 of the worker's report")) << report.malformed;
    EXPECT_FALSE(report.finished);
  }
}

TEST(WorkerReport, OfNothingIsNotFinished) { EXPECT_FALSE(ReadWorkerReport("").finished); }

}  // namespace
}  // namespace arenaproof
