// Does any graph with any sequence of calls make the arena planner differ from its specification, or lose a byte?
//
// The input: one byte of options, then four bytes for each draw (engine/cases/planner_session.h): up to 12 tensors, up
// to 12 nodes, up to 40 calls; the second and third byte say how many tensors and nodes there are, and the second one's
// highest bit whether the nodes make chains of sharing. An odd first byte plays the growing arena's operations instead,
// all of them calls; the highest odd ones are buffers of a head.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "engine/explain.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/host_planner/arena_session_run.h"
#include "engine/harness/host_planner/head_plan_run.h"
#include "engine/harness/host_planner/planner_session_run.h"

namespace arenaproof {
namespace {

// Of a session's options: its graph has chains of sharing. The first byte has no room for it.
constexpr std::uint8_t kChains = 128;

testing::SessionDraw DrawOf(ByteReader& reader) {
  testing::SessionDraw draw;
  draw.what = reader.Byte();
  draw.a = reader.Byte();
  draw.b = reader.Byte();
  draw.c = reader.Byte();
  return draw;
}

// The numbers that the input is, before anything is done with them, and what was done.
template <typename Session, typename Run>
void ExplainSession(const char* what, const Session& session, Run&& run) {
  if (!Explaining()) return;
  std::ostringstream numbers;
  numbers << session;
  Explain(std::string(what) + ", as numbers: " + numbers.str());
  Explain(run().history);
}

template <typename Result>
[[noreturn]] void ReportAndAbort(const Result& result) {
  std::fprintf(stderr, "VIOLATED: %s\n%s", result.fault.c_str(), result.history.c_str());
  std::abort();
}

void RunOperations(std::uint8_t world, ByteReader& reader) {
  testing::ArenaSession session;
  session.world = world;
  while (!reader.empty()) session.calls.push_back(DrawOf(reader));
  ExplainSession("operations of the growing arena", session, [&] { return RunArenaSession(session, true); });
  const testing::ArenaSessionResult result = RunArenaSession(session);
  if (!result.fault.empty()) ReportAndAbort(RunArenaSession(session, true));
  CountReach("active allocations", result.most_active);
}

void RunHead(std::uint8_t alignment, ByteReader& reader) {
  testing::HeadSession session;
  session.alignment = alignment;
  while (!reader.empty()) session.buffers.push_back(DrawOf(reader));
  ExplainSession("buffers of a head", session, [&] { return RunHeadSession(session); });
  const testing::HeadSessionResult result = RunHeadSession(session);
  if (!result.fault.empty()) ReportAndAbort(result);
}

void RunPlanner(std::uint8_t options, ByteReader& reader) {
  testing::PlannerSession session;
  const std::uint8_t tensors_and_chains = reader.Byte();
  session.options = options | (tensors_and_chains & kChains);
  const std::size_t tensors = (tensors_and_chains & ~kChains) % 13;
  const std::size_t nodes = reader.Below(13);
  while (!reader.empty()) {
    auto& list = session.tensors.size() < tensors ? session.tensors
                 : session.nodes.size() < nodes   ? session.nodes
                                                  : session.calls;
    list.push_back(DrawOf(reader));
  }
  ExplainSession("a graph and calls of the arena planner", session, [&] { return RunSession(session, true); });
  const testing::SessionResult result = RunSession(session);
  if (!result.fault.empty()) ReportAndAbort(RunSession(session, true));
  CountReach("tensors that share bytes", result.shared);
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  const std::uint8_t first = reader.Byte();
  constexpr std::uint8_t kHeads = 224;
  if (first % 2 != 0 && first >= kHeads) {
    arenaproof::RunHead(static_cast<std::uint8_t>((first - kHeads) / 2), reader);
  } else if (first % 2 != 0) {
    arenaproof::RunOperations(first / 2, reader);
  } else {
    arenaproof::RunPlanner(first / 2, reader);
  }
  return 0;
}
