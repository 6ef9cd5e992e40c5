// Where the interpreter reports how an invoke's time is spent; lives outside the arena. tools/model/event_profiler.h
// keeps the events.
#pragma once

#include <cstdint>

namespace arenaproof {

class Profiler {
 public:
  // Around each operator's invoke, with the operator's name ("FULLY_CONNECTED", a custom one's own; for ever in place).
  // Events nest: a control-flow operator's lasts as long as the subgraphs it calls. Every begin is followed by one end
  // with the handle it answered, also when the operator fails.
  virtual std::uint32_t BeginEvent(const char* tag) = 0;
  virtual void EndEvent(std::uint32_t handle) = 0;

 protected:
  ~Profiler() = default;
};

}  // namespace arenaproof
