// Observers that stand in front of another pass on each event that they get, once and in its order.
#include "sanitizers/event_checks/event_relay.h"

#include <gtest/gtest.h>

#include <string>

#include "sanitizers/event_checks/event_stream_checker.h"

namespace arenaproof::testing {
namespace {

alignas(64) std::byte relayed[64];

// Counts what comes, each event by its name.
class EventCounter final : public ArenaObserver {
 public:
  void OnAttach(const AttachedArena&, MemoryRegion) override { seen += "attach "; }
  void OnHeadResized(MemoryRegion) override { seen += "head "; }
  void OnTemporaryAllocated(MemoryRegion) override { seen += "temporary "; }
  void OnTemporaryFreed(const std::byte*) override { seen += "free "; }
  void OnTemporariesReset() override { seen += "reset "; }
  void OnTailAllocated(MemoryRegion) override { seen += "tail "; }
  void OnTailRewound(const std::byte*) override { seen += "rewind "; }
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry>) override { seen += "plan "; }
  void OnBytesShared(std::span<const BufferAlias>) override { seen += "shared "; }
  void OnOperatorBegins(const OperatorScope&) override { seen += "begin "; }
  void OnOperatorEnds() override { seen += "end "; }
  void OnRuntimeEnters() override { seen += "enter "; }
  void OnRuntimeLeaves() override { seen += "leave "; }
  void OnDetach() override { seen += "detach "; }
  void OnRuntimeWorkBegins(const RuntimeScope&) override { seen += "work "; }
  void OnRuntimeWorkEnds() override { seen += "done "; }
  void OnShape(const StructureBytes&, std::size_t) override { seen += "shape "; }
  void OnOperation(Operation, std::size_t, std::size_t) override { seen += "operation "; }
  ArenaObserver* DuringBookkeeping() override { return this; }

  std::string seen;
};

class PlainRelay final : public EventRelay {
 public:
  using EventRelay::EventRelay;
};

void SendEachEvent(ArenaObserver& observer) {
  observer.OnAttach({{relayed, sizeof relayed}, {}}, {});
  observer.OnHeadResized({});
  observer.OnTemporaryAllocated({});
  observer.OnTemporaryFreed(nullptr);
  observer.OnTemporariesReset();
  observer.OnTailAllocated({});
  observer.OnTailRewound(nullptr);
  observer.OnBytesShared({});
  observer.OnPlanCommitted(relayed, {});
  observer.OnOperatorBegins({});
  observer.OnRuntimeEnters();
  observer.OnRuntimeLeaves();
  observer.OnOperatorEnds();
  observer.OnRuntimeWorkBegins({});
  observer.OnRuntimeWorkEnds();
  observer.OnShape({}, 1);
  observer.OnOperation({}, 0, 0);
  observer.OnDetach();
}

// Right or wrong, all that comes in goes on.
TEST(EventRelays, PassEachEventOnOnce) {
  EventCounter direct, behind_relay, behind_checker;
  SendEachEvent(direct);
  PlainRelay relay(&behind_relay), to_nobody(nullptr);
  SendEachEvent(relay);
  SendEachEvent(to_nobody);
  EventStreamChecker checker;
  checker.ForwardTo(&behind_checker);
  SendEachEvent(checker);
  EXPECT_EQ(direct.seen.size(), std::string("attach head temporary free reset tail rewind shared plan begin enter "
                                            "leave end work done shape operation detach ")
                                    .size());
  EXPECT_EQ(behind_relay.seen, direct.seen);
  EXPECT_EQ(behind_checker.seen, direct.seen);
  EXPECT_EQ(relay.DuringBookkeeping(), &behind_relay);
  EXPECT_EQ(to_nobody.DuringBookkeeping(), nullptr);
  checker.ForwardTo(nullptr);
  SendEachEvent(checker);
  EXPECT_EQ(behind_checker.seen, direct.seen);
}

}  // namespace
}  // namespace arenaproof::testing
