// Every reference case of kind `arena`: the state of the arena after each call.
#include <gtest/gtest.h>

#include <map>

#include "core/planner/host/simple_arena.h"
#include "tests/host_planner/golden_graph_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using nlohmann::json;

class ArenaReplay {
 public:
  explicit ArenaReplay(const json& golden) : arena_(golden.at("arena_alignment").get<std::size_t>()) {}

  void Make(const json& call) {
    const std::string name = call.at("call");
    Status status;
    if (name == "allocate") {
      const bool null_record = call.at("record").is_null();
      Allocation& record = RecordOf(call);
      status = arena_.Allocate(call.at("alignment"), call.at("size"), call.at("tensor"), call.at("first"),
                               call.at("last"), null_record ? nullptr : &record);
      if (call.contains("offset")) {
        EXPECT_EQ(record.offset, call.at("offset").get<std::size_t>());
      }
    } else if (name == "commit") {
      bool moved = true;
      status = arena_.Commit(&moved);
      EXPECT_EQ(moved, call.at("moved").get<bool>());
    } else if (name == "commit_null") {
      status = arena_.Commit(nullptr);
    } else if (name == "resolve") {
      std::byte* address = nullptr;
      status = arena_.Resolve(RecordOf(call), &address);
      if (call.contains("result")) {
        EXPECT_EQ(address == nullptr ? json() : json(address - arena_.base()), call.at("result"));
      }
    } else {
      Forget(name, call);
    }
    if (call.contains("status")) {
      EXPECT_EQ(status.ok() ? 0 : 1, call.at("status").get<int>());
    }
    ExpectState(call);
  }

 private:
  Allocation& RecordOf(const json& call) {
    return records_[call.at("record").is_null() ? -1 : call.at("record").get<int>()];
  }

  void Forget(const std::string& name, const json& call) {
    if (name == "purge_active") {
      arena_.PurgeActive(call.at("node"));
    } else if (name == "purge_after") {
      arena_.PurgeAfter(call.at("node"));
    } else if (name == "calculate_active") {
      std::vector<Allocation> records;
      for (const auto& [number, record] : records_) {
        if (number >= 0) records.push_back(record);
      }
      arena_.CalculateActive(records, call.at("node"));
    } else if (name == "reset_record") {
      RecordOf(call) = {};
    } else if (name == "reset_allocs") {
      arena_.ResetAllocations();
    } else if (name == "clear_plan") {
      arena_.ClearPlan();
    } else if (name == "release_buffer") {
      arena_.ReleaseBuffer();
    } else {
      FAIL() << "no call is named '" << name << "'";
    }
  }

  void ExpectState(const json& call) {
    EXPECT_EQ(arena_.high_water(), call.at("high_water").get<std::size_t>());
    EXPECT_EQ(arena_.buffer_bytes(), call.at("buffer_size").get<std::size_t>());
    EXPECT_EQ(arena_.state().committed, call.at("committed").get<bool>());
    EXPECT_EQ(arena_.base() != nullptr, call.at("has_buffer").get<bool>());
    json active = json::array();
    for (const Allocation& each : arena_.active()) {
      active.push_back({each.offset, each.size, each.tensor, each.first, each.last});
    }
    EXPECT_EQ(active, call.at("active"));
  }

  SimpleArena arena_;
  std::map<int, Allocation> records_;
};

TEST(SimpleArena, EqualsEveryReferenceCase) {
  const auto cases = GoldenCases("arena");
  if (cases.empty()) GTEST_SKIP() << SharedAbsent(kArenaPlannerCases);
  for (const json& golden : cases) {
    ArenaReplay replay(golden);
    for (std::size_t i = 0; i < golden.at("calls").size(); ++i) {
      SCOPED_TRACE(Title(golden) + ", call " + std::to_string(i));
      replay.Make(golden.at("calls")[i]);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
