#include "tools/model/event_profiler.h"

#include <cstdio>
#include <utility>

namespace arenaproof {
namespace {

constexpr std::uint32_t kDropped = UINT32_MAX;

}  // namespace

std::uint32_t EventProfiler::BeginEvent(const char* tag) {
  const bool nested = open_count_++ > 0;
  if (events_.size() == kMostEvents) {
    ++dropped_count_;
    return kDropped;
  }
  const std::uint64_t now = clock_();
  events_.push_back({tag, now, now, nested});
  return static_cast<std::uint32_t>(events_.size() - 1);
}

void EventProfiler::EndEvent(std::uint32_t handle) {
  if (open_count_ > 0) --open_count_;
  if (handle < events_.size()) events_[handle].end = clock_();
}

std::uint64_t EventProfiler::TotalTicks() const {
  std::uint64_t ticks = 0;
  for (const Event& event : events_) ticks += event.nested ? 0 : event.end - event.begin;
  return ticks;
}

void EventProfiler::Clear() {
  events_.clear();
  dropped_count_ = 0;
}

std::string EventProfiler::LogText() const {
  std::string text;
  for (const Event& event : events_) {
    const std::uint64_t ticks = event.end - event.begin;
    char line[64];
    std::snprintf(line, sizeof line, " took %llu ticks (%.3f ms).\n", static_cast<unsigned long long>(ticks),
                  static_cast<double>(ticks) / ticks_per_millisecond_);
    text += event.tag;
    text += line;
  }
  if (dropped_count_ > 0) text += std::to_string(dropped_count_) + " later events were not kept.\n";
  return text;
}

std::string EventProfiler::CsvText() const {
  std::string text = "\"Event\",\"Tag\",\"Ticks\"\n";
  for (std::size_t i = 0; i < events_.size(); ++i) {
    text += std::to_string(i) + "," + events_[i].tag + "," + std::to_string(events_[i].end - events_[i].begin) + "\n";
  }
  return text;
}

std::string EventProfiler::TotalsText() const {
  struct Total {
    std::string tag;
    std::uint64_t ticks, count;
  };
  std::vector<Total> totals;
  for (const Event& event : events_) {
    std::size_t i = 0;
    while (i < totals.size() && totals[i].tag != event.tag) ++i;
    if (i == totals.size()) totals.push_back({event.tag, 0, 0});
    totals[i].ticks += event.end - event.begin;
    ++totals[i].count;
  }
  std::string text;
  for (const Total& total : totals) {
    text += total.tag + ": " + std::to_string(total.count) + " events, " + std::to_string(total.ticks) + " ticks\n";
  }
  return text;
}

}  // namespace arenaproof
