// Records what a profiler receives, begin and end of each operator's invoke, in order, and reports it as lines, as CSV
// or in sum. It holds up to kMostEvents; later ones are counted, not kept (the reference ends the process there).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/runtime/interpreter/profiler.h"

namespace arenaproof {

class EventProfiler final : public Profiler {
 public:
  static constexpr std::size_t kMostEvents = 4096;

  // Counts ticks. The steady clock counts nanoseconds; a test may bring a clock of its own.
  using Clock = std::uint64_t (*)();
  explicit EventProfiler(Clock clock = SteadyTicks, double ticks_per_millisecond = 1e6)
      : clock_(clock), ticks_per_millisecond_(ticks_per_millisecond) {}

  std::uint32_t BeginEvent(const char* tag) override;
  void EndEvent(std::uint32_t handle) override;

  std::size_t event_count() const { return events_.size(); }
  std::size_t dropped_count() const { return dropped_count_; }
  // The sum over the events that are not inside another one.
  std::uint64_t TotalTicks() const;
  void Clear();

  // "<tag> took <ticks> ticks (<ms> ms)." for each event; a line more when events were dropped.
  std::string LogText() const;
  // "Event","Tag","Ticks" and a line for each event.
  std::string CsvText() const;
  // A line for each tag, in the order of their first events: how many, and their ticks together. An event inside
  // another counts in both.
  std::string TotalsText() const;

 private:
  struct Event {
    const char* tag;
    std::uint64_t begin, end;
    bool nested;
  };

  static std::uint64_t SteadyTicks() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
  }

  const Clock clock_;
  const double ticks_per_millisecond_;
  std::vector<Event> events_;
  std::size_t open_count_ = 0;
  std::size_t dropped_count_ = 0;
};

}  // namespace arenaproof
