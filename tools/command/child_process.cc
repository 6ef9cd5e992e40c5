#include "tools/command/child_process.h"

#include <poll.h>

#include <utility>
#include <vector>

#include "tools/command/running_child.h"

namespace arenaproof {

ChildResult RunChild(const std::vector<std::string>& command, const ChildLimits& limits,
                     const ChildSurroundings& surroundings) {
  RunningChild child(limits, surroundings.progress);
  child.Start(command, surroundings);
  while (!child.Ended()) {
    std::vector<pollfd> polled;
    child.AddPolled(polled);
    poll(polled.data(), polled.size(), static_cast<int>(child.Patience().count()));
    child.Read();
  }
  return std::move(child.result());
}

}  // namespace arenaproof
