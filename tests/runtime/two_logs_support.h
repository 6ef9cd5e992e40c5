// A log of what a kernel's observer is told, and another one of the runtime's bookkeeping, which it is not told of.
#pragma once

#include "engine/harness/event_log.h"

namespace arenaproof::testing {

// Who is told of bookkeeping is another one, or nobody.
class TwoLogs final : public EventLog {
 public:
  explicit TwoLogs(EventLog* bookkeeping) : bookkeeping_(bookkeeping) {}
  ArenaObserver* DuringBookkeeping() override { return bookkeeping_; }

 private:
  EventLog* const bookkeeping_;
};

}  // namespace arenaproof::testing
