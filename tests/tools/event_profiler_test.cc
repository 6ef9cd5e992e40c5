#include "tools/model/event_profiler.h"

#include <gtest/gtest.h>

namespace arenaproof {
namespace {

std::uint64_t ticks = 0;
std::uint64_t TenMore() { return ticks += 10; }

TEST(EventProfiler, TellsEachEventItsTicksAndTheSums) {
  ticks = 0;
  EventProfiler profiler(TenMore, 1000.0);
  const std::uint32_t outer = profiler.BeginEvent("IF");    // 10
  const std::uint32_t first = profiler.BeginEvent("ADD");   // 20
  profiler.EndEvent(first);                                 // 30
  const std::uint32_t second = profiler.BeginEvent("ADD");  // 40
  profiler.EndEvent(second);                                // 50
  profiler.EndEvent(outer);                                 // 60
  EXPECT_EQ(profiler.LogText(),
            "IF took 50 ticks (0.050 ms).\nADD took 10 ticks (0.010 ms).\nADD took 10 ticks (0.010 ms).\n");
  EXPECT_EQ(profiler.CsvText(), "\"Event\",\"Tag\",\"Ticks\"\n0,IF,50\n1,ADD,10\n2,ADD,10\n");
  EXPECT_EQ(profiler.TotalsText(), "IF: 1 events, 50 ticks\nADD: 2 events, 20 ticks\n");
  EXPECT_EQ(profiler.TotalTicks(), 50u) << "what is inside another event is counted there";
  profiler.Clear();
  EXPECT_EQ(profiler.event_count(), 0u);
}

TEST(EventProfiler, CountsWhatItCannotKeep) {
  ticks = 0;
  EventProfiler profiler(TenMore);
  for (std::size_t i = 0; i < EventProfiler::kMostEvents + 3; ++i) profiler.EndEvent(profiler.BeginEvent("ADD"));
  EXPECT_EQ(profiler.event_count(), EventProfiler::kMostEvents);
  EXPECT_EQ(profiler.dropped_count(), 3u);
  EXPECT_TRUE(profiler.LogText().ends_with("3 later events were not kept.\n"));
}

}  // namespace
}  // namespace arenaproof
