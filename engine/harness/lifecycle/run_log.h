// What an invoke shows of itself to those who watch it: to its cancellation where it is, to the observer which operator
// begins and ends, to the profiler the same by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/runtime/interpreter/cancellation.h"
#include "core/runtime/interpreter/profiler.h"
#include "engine/harness/lifecycle/lifecycle_model.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof {

class RunLog final : public PlanRecorder, public Cancellation, public Profiler {
 public:
  void Start(std::size_t cancel_at_ask) {
    cancel_at_ask_ = cancel_at_ask;
    asked.clear();
    events.clear();
    profiled.clear();
  }

  bool Cancelled(const OperatorLocation& next) override {
    asked.emplace_back(next.subgraph, next.operator_index);
    return asked.size() - 1 == cancel_at_ask_;
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    events.emplace_back(scope.subgraph, scope.operator_index);
  }
  void OnOperatorEnds() override { events.push_back(kNoOperator); }
  std::uint32_t BeginEvent(const char* tag) override {
    profiled.emplace_back(tag);
    return static_cast<std::uint32_t>(profiled.size() - 1);
  }
  void EndEvent(std::uint32_t handle) override {
    profiled.push_back("end of " + (handle < profiled.size() ? profiled[handle] : "nothing"));
  }

  std::vector<OperatorPlace> asked;
  std::vector<OperatorPlace> events;
  std::vector<std::string> profiled;

 private:
  std::size_t cancel_at_ask_ = Ending::kNever;
};

}  // namespace arenaproof
