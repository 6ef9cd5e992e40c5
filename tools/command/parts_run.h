// Runs the parts of checks, several at a time. The order in which they end decides nothing: each part has its place.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/command/check.h"
#include "tools/command/running_child.h"
#include "tools/command/worker_process.h"

namespace arenaproof {

// How many: as asked, or (0) as many as there are processors; no more than the limit on open files allows.
std::size_t PartsAtATime(std::uint32_t asked);

class PartsRun {
 public:
  explicit PartsRun(std::size_t most_at_a_time) : most_at_a_time_(most_at_a_time) {}

  // Those of one model, of which instrument and layout are named. All stay where they are; `progress` may be null.
  void Add(const CheckOptions& options, std::vector<CheckPart>& parts, const CheckProgress& progress);
  // All that were added, begun in that order.
  void Run();

 private:
  using Clock = std::chrono::steady_clock;

  // What a model has used of its time: as long as any of its parts runs, however many do.
  class ModelTime {
   public:
    void Begin();
    void End();
    Clock::duration used() const;

   private:
    std::size_t running_count_ = 0;
    Clock::time_point since_;
    Clock::duration used_{0};
  };
  struct Part {
    const CheckOptions* options;
    CheckPart* part;
    std::string title;  // "shadow over the faithful layout (1 of 4)"
    CheckProgress progress;
    std::shared_ptr<ModelTime> time;
  };
  struct Running {
    const Part* part;
    WorkerProcess* worker;
    Clock::time_point start;
    std::unique_ptr<RunningChild> child;
  };
  struct OfInstrument {
    std::deque<std::size_t> waiting;  // their numbers, in order
    WorkerProcess worker;
  };

  OfInstrument* Next();
  void StartSome();
  void Start(const Part& part, WorkerProcess& worker);
  void Give(Running& running);
  void Await() const;
  // Whether it is over.
  bool Step(Running& running);
  static void Finish(Running& running);

  const std::size_t most_at_a_time_;
  std::vector<Part> parts_;
  std::map<const Instrument*, OfInstrument> instruments_;
  std::vector<Running> running_;  // the one that began first is the first
};

}  // namespace arenaproof
