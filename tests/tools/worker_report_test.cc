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

TEST(WorkerReport, ReadsWhatNotEveryPartHas) {
  const WorkerReport report = ReadWorkerReport(
      R"({"event":"read_allowances","operands":[{"subgraph":1,"operator":2,"operator_name":"ADD","kernel":"k","kind":"input","index":3,"name":"x","before_bytes":4,"after_bytes":5}]}
{"event":"not_exact","operands":[{"subgraph":1,"operator":2,"operator_name":"ADD","kind":"input","index":3,"name":"x","blind_before_bytes":4,"blind_after_bytes":5},{"index":9}]}

{"event":"blind_pairs","count":1,"pairs":[],"prepare_count":2,"prepare_pairs":[{"operator":8}]}
{"event":"extents","operands":[{"subgraph":1,"operator":2,"kind":"input","index":3,"bytes":8,"lowest_read":-1,"highest_read":6},{"lowest_written":0,"highest_written":7},{}]}
{"event":"operator","index":4,"subgraph":1,"name":"MUL","kernel":"k","invokes":6,"invokes_seen":5,"without_hooks":true}
{"event":"capped","subgraph":1,"operator":2,"operator_name":"ADD","phase":"invoke"}
{"event":"internal_error","sentence":"first"}
{"event":"internal_error","sentence":"second"}
{"event":"finished","capped":false})");
  EXPECT_EQ(report.malformed, "");
  ASSERT_EQ(report.read_allowances.size(), 1u);
  EXPECT_EQ(report.read_allowances[0].subgraph, 1);
  EXPECT_EQ(report.read_allowances[0].operator_index, 2);
  EXPECT_EQ(report.read_allowances[0].index, 3);
  EXPECT_EQ(report.read_allowances[0].before_bytes, 4);
  EXPECT_EQ(report.read_allowances[0].after_bytes, 5);
  EXPECT_EQ(report.read_allowances[0].kernel, "k");
  ASSERT_EQ(report.not_exact.size(), 2u);
  EXPECT_EQ(report.not_exact[0].operator_index, 2);
  EXPECT_EQ(report.not_exact[0].blind_before_bytes, 4);
  EXPECT_EQ(report.not_exact[0].blind_after_bytes, 5);
  EXPECT_EQ(report.not_exact[1].index, 9);
  EXPECT_EQ(report.blind_pair_count, 1);
  EXPECT_EQ(report.prepare_blind_pair_count, 2);
  EXPECT_TRUE(report.blind_pairs.empty());
  ASSERT_EQ(report.prepare_blind_pairs.size(), 1u);
  ASSERT_TRUE(report.extents);
  ASSERT_EQ(report.extents->size(), 3u);
  const OperandExtentReport &read = report.extents->at(0), &written = report.extents->at(1);
  ASSERT_TRUE(read.read && written.written);
  EXPECT_EQ(read.read->lowest, -1);
  EXPECT_EQ(read.read->highest, 6);
  EXPECT_FALSE(read.written || written.read || report.extents->at(2).read);
  EXPECT_EQ(written.written->highest, 7);
  EXPECT_EQ(report.operators.at(0).invokes, 6);
  EXPECT_EQ(report.operators[0].invokes_seen, 5);
  EXPECT_TRUE(report.operators[0].without_hooks);
  EXPECT_FALSE(report.operators[0].seen);
  EXPECT_EQ(report.internal_errors, (std::vector<std::string>{"first", "second"}));
  // What was capped stays so, whatever the last line says.
  EXPECT_TRUE(report.capped);
  ASSERT_TRUE(report.capped_at);
  EXPECT_EQ(report.capped_at->operator_index, 2);
  EXPECT_TRUE(report.finished) << "a line break at the end is not asked for";
}

TEST(WorkerReport, HasNothingThatWasNotReported) {
  const WorkerReport report = ReadWorkerReport("{\"event\":\"blind_pairs\",\"count\":0}\n{\"event\":\"finished\"}\n");
  EXPECT_EQ(report.blind_pair_count, 0);
  EXPECT_FALSE(report.prepare_blind_pair_count);
  EXPECT_FALSE(report.extents || report.plan || report.refusal || report.self_test || report.capped_at);
  EXPECT_FALSE(report.capped);
  EXPECT_TRUE(ReadWorkerReport(R"({"event":"finished","capped":true})").capped);
  // An arena of which only one size is reported has that one on a device too; buffers without a tensor have none.
  const auto plan =
      ReadWorkerReport(R"({"event":"plan","arena_bytes":128,"persistent_arena_bytes":64,"buffers":[{}]})").plan;
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->device_arena_bytes, 128);
  EXPECT_EQ(plan->device_persistent_arena_bytes, 64);
  EXPECT_EQ(plan->buffers.at(0).tensor, -1);
  EXPECT_EQ(plan->buffers[0].scratch, -1);
  EXPECT_EQ(plan->buffers[0].owner_operator, -1);
}

TEST(WorkerReport, ReadsWhichBuffersShareBytes) {
  const std::string plan =
      R"({"event":"plan","buffers":[{},{}],"sharing":[{"buffer":1,"source":0,"owner":0,"subgraph":0,"operator":5,"operator_name":"RELU","input":6,"modifies":true}]})";
  const WorkerReport report = ReadWorkerReport(plan);
  ASSERT_TRUE(report.plan);
  ASSERT_EQ(report.plan->sharing.size(), 1u);
  EXPECT_EQ(report.plan->sharing[0].buffer, 1);
  EXPECT_EQ(report.plan->sharing[0].source, 0);
  for (const char* field : {"buffer", "source", "owner"}) {
    for (const char* none : {"2", "-1", "null"}) {
      std::string other = plan;
      const std::string name = "\"" + std::string(field) + "\":";
      other.replace(other.rfind(name) + name.size(), 1, none);
      EXPECT_TRUE(ReadWorkerReport(other).malformed.starts_with("line 1 ")) << other;
    }
  }
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
