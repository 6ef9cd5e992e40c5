// Kernels may use threads while they are invoked: what each of them touches is counted, whoever is reported meanwhile.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

constexpr int kThreads = 6;
constexpr int kRounds = 300;  // asan stops checking an operator after 2000 reports

class Threads : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, Threads, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(Threads, LoseNoAccessToEachOther) {
  std::atomic<int> waiting = kThreads;
  Run({Input(arena(128), 16), Output(arena(512), 64)}, [&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        --waiting;
        while (waiting > 0) std::this_thread::yield();
        for (int round = 0; round < kRounds; ++round) Load<std::uint8_t>(arena(144 + static_cast<std::size_t>(i)));
      });
    }
    for (std::thread& thread : threads) thread.join();
    // They are seen after the threads' as before.
    Store<std::uint8_t>(arena(128 - 1));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[0].count, static_cast<std::uint64_t>(kThreads * kRounds));
  EXPECT_EQ(groups()[0].distance_bytes, static_cast<std::size_t>(kThreads));
  EXPECT_EQ(groups()[1].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[1].count, 1U);
}

}  // namespace
}  // namespace arenaproof::testing
