// Each attach begins anew: what is watched, what was found and what was known of an arena is the new one's.
#include <gmock/gmock.h>

#include <array>

#include "sanitizers/report/attribution.h"
#include "tests/sanitizers/recording_instrument.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

alignas(64) std::array<std::byte, 4096> attached_memory;

MemoryRegion AttachedRegion(std::size_t offset, std::size_t bytes) { return {attached_memory.data() + offset, bytes}; }

// The offsets of the watched regions but the last, which is the instrument's own.
std::vector<std::ptrdiff_t> WatchedBy(const RecordingInstrument& instrument) {
  std::vector<std::ptrdiff_t> offsets;
  for (const WatchedRegion& region : instrument.watched) {
    if (&region != &instrument.watched.back()) offsets.push_back(region.whole.data - attached_memory.data());
  }
  return offsets;
}

TEST(InstrumentAttach, WatchesArenasAndModelOnce) {
  RecordingInstrument instrument;
  const MemoryRegion arena = AttachedRegion(512, 256), model = AttachedRegion(1024, 64);
  instrument.OnAttach(arena, model);
  EXPECT_THAT(WatchedBy(instrument), ElementsAre(512, 1024));
  instrument.OnAttach({arena, AttachedRegion(2048, 128)}, {});
  EXPECT_THAT(WatchedBy(instrument), ElementsAre(512, 2048));
  instrument.Watch({AttachedRegion(384, 512), arena});  // with guards
  instrument.Watch({model, model});
  instrument.OnAttach({arena, AttachedRegion(2048, 0)}, model);
  EXPECT_THAT(WatchedBy(instrument), ElementsAre(384, 1024));
  EXPECT_EQ(instrument.watched[0].usable.data, arena.data);
  // Of what is announced it has to lie in one.
  instrument.OnAttach(AttachedRegion(383, 512), AttachedRegion(1024, 65));
  EXPECT_THAT(WatchedBy(instrument), ElementsAre(384, 1024, 383, 1024));
  instrument.OnAttach(AttachedRegion(385, 512), AttachedRegion(1023, 64));
  EXPECT_THAT(WatchedBy(instrument), ElementsAre(384, 1024, 385, 1023));
  instrument.OnAttach(AttachedRegion(384, 512), model);
  EXPECT_THAT(WatchedBy(instrument), ElementsAre(384, 1024));
}

void LogOne(RecordingInstrument& instrument) {
  OperatorScope scope;
  scope.operator_name = scope.kernel_name = "mock";
  instrument.OnOperatorBegins(scope);
  instrument.CheckAccess(AddressOf(attached_memory.data()), 1, true);
  instrument.ExtentOf({}).read = true;
  instrument.OnOperatorEnds();
}

TEST(InstrumentAttach, ForgetsWhatWasFound) {
  RecordingInstrument instrument;
  instrument.OnAttach(AttachedRegion(512, 256), {});
  LogOne(instrument);
  EXPECT_EQ(instrument.log().groups().size(), 1u);
  EXPECT_EQ(instrument.extents().size(), 1u);
  instrument.OnAttach(AttachedRegion(512, 256), {});
  EXPECT_THAT(instrument.log().groups(), IsEmpty());
  EXPECT_THAT(instrument.extents(), IsEmpty());
  EXPECT_THAT(instrument.self_test().limits, ElementsAre("all of it"));
}

TEST(InstrumentAttach, KeepsTheLogOfOneOtherRunAndNotOfTwo) {
  RecordingInstrument instrument;
  instrument.OnAttach(AttachedRegion(512, 256), {});
  LogOne(instrument);
  instrument.KeepLog();
  instrument.OnDetach();
  EXPECT_EQ(instrument.log().access_count(), 1u);
  instrument.OnAttach(AttachedRegion(512, 256), {});
  LogOne(instrument);
  ASSERT_EQ(instrument.log().groups().size(), 1u);
  EXPECT_EQ(instrument.log().access_count(), 2u);
  instrument.OnAttach(AttachedRegion(512, 256), {});
  EXPECT_EQ(instrument.log().access_count(), 0u);
}

TEST(InstrumentAttach, ForgetsPlanBlocksAndTemporariesOfTheArenaBefore) {
  RecordingInstrument instrument;
  const auto state = [&](std::size_t offset) {
    return instrument.registry().OwnerOf(attached_memory.data() + offset, {}).state;
  };
  instrument.OnAttach(AttachedRegion(512, 256), AttachedRegion(1024, 64));
  const PlanEntry plan[] = {{.tensor = 0, .offset = 0, .bytes = 64, .first = 0, .last = 1}};
  instrument.OnPlanCommitted(attached_memory.data() + 512, plan);
  instrument.OnTailAllocated(AttachedRegion(704, 64));
  instrument.OnTemporaryAllocated(AttachedRegion(640, 8));
  EXPECT_EQ(state(512), ByteState::kDeadTensor);
  EXPECT_EQ(state(704), ByteState::kTail);
  EXPECT_EQ(state(640), ByteState::kTemporary);
  EXPECT_EQ(state(1024), ByteState::kModelFile);
  instrument.OnAttach(AttachedRegion(512, 256), AttachedRegion(2048, 64));
  for (const std::size_t offset : {512u, 640u, 704u}) EXPECT_EQ(state(offset), ByteState::kGap) << offset;
  EXPECT_EQ(state(1024), ByteState::kGuard);
  instrument.OnAttach(AttachedRegion(0, 64), {});
  EXPECT_EQ(state(512), ByteState::kGuard);
}

// As it is where a run came to no end.
TEST(InstrumentAttach, ForgetsOperatorsAndWorkThatNeverEnded) {
  RecordingInstrument instrument;
  const auto attach = [&] {
    instrument.OnAttach(AttachedRegion(512, 256), {});
    instrument.TakeCalls();
  };
  attach();
  instrument.OnOperatorBegins({});
  instrument.OnRuntimeEnters();
  instrument.OnOperatorBegins({});
  attach();
  instrument.OnRuntimeLeaves();
  instrument.OnOperatorBegins({});
  instrument.OnOperatorEnds();
  instrument.OnRuntimeLeaves();
  EXPECT_THAT(instrument.TakeCalls(), ElementsAre("begin 0+0", "close 0+0", "open 0+0", "end 0+0"));
  instrument.OnRuntimeWorkBegins({});
  attach();
  instrument.OnRuntimeWorkEnds();
  EXPECT_THAT(instrument.TakeCalls(), IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
