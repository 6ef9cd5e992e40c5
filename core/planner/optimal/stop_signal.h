// Why a search ends before its steps do: a deadline, or somebody who has no more use for it.
#pragma once

#include <atomic>
#include <chrono>

namespace arenaproof {

class StopSignal {
 public:
  using Clock = std::chrono::steady_clock;

  explicit StopSignal(Clock::time_point deadline = Clock::time_point::max()) : deadline_(deadline) {}

  void Stop() { stopped_.store(true, std::memory_order_relaxed); }
  // Reads the clock only when there is a deadline.
  bool IsStopped() const {
    return stopped_.load(std::memory_order_relaxed) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

 private:
  std::atomic<bool> stopped_ = false;
  Clock::time_point deadline_;
};

}  // namespace arenaproof
