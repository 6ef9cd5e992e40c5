// The instrument of a check and its self-tests: which run, which are left out, and that none of them is lost.
#include "tools/worker/tested_instrument.h"

#include <gmock/gmock.h>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/instrument/instrument_factory.h"
#include "tools/worker/checked_arenas.h"

namespace arenaproof {
namespace {

using ::testing::IsEmpty;

CheckArguments By(const std::string& instrument) {
  CheckArguments arguments;
  arguments.instrument = instrument;
  return arguments;
}

class TestedInstruments : public ::testing::Test {
 protected:
  // Chooses, tests, and attaches.
  void Test(const CheckArguments& arguments, SelfTestRecord* record) {
    ASSERT_FALSE(tested_.Choose(arguments));
    tested_.TestBeforeAttach(arguments, record);
    if (tested_.get() == nullptr) return;
    tested_.get()->Watch(arena_.region());
    tested_.get()->OnAttach({arena_.data(), arena_.bytes()}, {});
  }
  ~TestedInstruments() override {
    if (tested_.get() != nullptr) tested_.get()->OnDetach();
  }

  CheckedMemory arena_{512};
  TestedInstrument tested_{nullptr};
};

TEST_F(TestedInstruments, AreChosenByName) {
  EXPECT_FALSE(tested_.Choose(By("none")));
  EXPECT_EQ(tested_.get(), nullptr);
  const auto unknown = tested_.Choose(By("microscope"));
  ASSERT_TRUE(unknown);
  EXPECT_THAT(unknown->sentence, ::testing::HasSubstr("there is no instrument 'microscope'; "));
  for (const char* name : {"shadow", "asan", "valgrind", "canary"}) {
    TestedInstrument one(nullptr);
    const auto refusal = one.Choose(By(name));
    EXPECT_EQ(refusal.has_value(), !MakeInstrument(name)->Available().ok()) << name;
    if (refusal) EXPECT_EQ(refusal->status.code, StatusCode::kInstrumentUnavailable);
  }
}

TEST_F(TestedInstruments, RecordThatTheyPassedAndAreNotTestedAgain) {
  int kept = 0;
  SelfTestRecord record;
  record.OnPass([&] { ++kept; });
  Test(By("canary"), &record);
  EXPECT_TRUE(record.passed());
  EXPECT_EQ(kept, 1);
  tested_.TestBeforeAttach(By("canary"), &record);
  EXPECT_EQ(kept, 1);
  EXPECT_TRUE(tested_.SelfTest().status().ok());
}

TEST_F(TestedInstruments, WithoutAnyPassAtOnce) {
  SelfTestRecord record;
  Test(By("none"), &record);
  EXPECT_TRUE(record.passed());
  tested_.TestBeforeAttach(By("none"), nullptr);
}

// Freeing is tested whatever was recorded: it is a question of this check's reserve.
TEST_F(TestedInstruments, TestFreeingWhereThereIsAReserve) {
  CheckArguments arguments = By("canary");
  SelfTestRecord record;
  record.Pass();
  Test(arguments, &record);
  const std::size_t without = tested_.SelfTest().seen.size();
  arguments.reserve_front_bytes = 16;
  tested_.TestBeforeAttach(arguments, &record);
  EXPECT_EQ(tested_.SelfTest().seen.size(), without + 4);
}

// An instrument that misses what it is shown on attach.
class MissingInstrument final : public AccessInstrument {
 public:
  const char* name() const override { return "missing"; }
  Status Available() const override { return Ok(); }
  bool SeesUnwritten() const override { return unwritten; }
  bool unwritten = false;

 private:
  void Start(std::span<const WatchedRegion>) override { DeclareBlind("something"); }
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void Stop() override {}
};

TEST(GivenInstrument, IsNeitherChosenNorTestedBefore) {
  auto given = std::make_unique<MissingInstrument>();
  given->SkipSelfTest();
  MissingInstrument* const instrument = given.get();
  TestedInstrument tested(std::move(given));
  EXPECT_FALSE(tested.Choose(By("microscope")));
  EXPECT_EQ(tested.get(), instrument);
  SelfTestRecord record;
  CheckArguments arguments = By("missing");
  arguments.reserve_front_bytes = 16;
  tested.TestBeforeAttach(arguments, &record);
  EXPECT_FALSE(record.passed());
  instrument->OnAttach({}, {});
  const SelfTestResult result = tested.SelfTest();
  EXPECT_THAT(result.missed, ::testing::ElementsAre("something"));
  EXPECT_THAT(result.seen, IsEmpty());
  EXPECT_THAT(result.limits, ::testing::ElementsAre(::testing::HasSubstr("stale bytes of its own output is not seen")));
  instrument->unwritten = true;
  EXPECT_THAT(tested.SelfTest().limits, IsEmpty());
  tested.Discard();
  EXPECT_EQ(tested.get(), nullptr);
}

class WatchingInstrument final : public AccessInstrument {
 public:
  WatchingInstrument() { SkipSelfTest(); }
  const char* name() const override { return "watching"; }
  Status Available() const override { return Ok(); }
  std::vector<const std::byte*> watched;

 private:
  void Start(std::span<const WatchedRegion> regions) override {
    for (const WatchedRegion& region : regions) watched.push_back(region.usable.data);
  }
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void Stop() override {}
};

TEST(CheckedArenasMemory, IsThatOfTheLayoutAndAnnounced) {
  ArenaSize size;
  size.faithful = {1000, 300, true};
  size.dilated = {2000, 600, true};
  for (const Layout layout : {Layout::kFaithful, Layout::kDilated}) {
    const bool dilated = layout == Layout::kDilated;
    for (const bool two_arenas : {true, false}) {
      size.faithful.two_arenas = size.dilated.two_arenas = two_arenas;
      CheckArguments arguments;
      arguments.layout = layout;
      arguments.reserve_front_bytes = 48;
      WatchingInstrument instrument;
      CheckedArenas arenas;
      ASSERT_FALSE(arenas.Make(arguments, size, &instrument));
      EXPECT_EQ(arenas.sizes().bytes, dilated ? 2000u : 1000u);
      EXPECT_EQ(arenas.sizes().persistent_bytes, !two_arenas ? 0u : dilated ? 600u : 300u);
      EXPECT_EQ(arenas.sizes().two_arenas, two_arenas);
      EXPECT_EQ(arenas.device_sizes().bytes, 1000u);
      EXPECT_EQ(arenas.allocation().data, arenas.start() - 48);
      EXPECT_EQ(arenas.allocation().bytes, arenas.sizes().bytes + 48);
      instrument.OnAttach({arenas.start(), arenas.sizes().bytes}, {});
      EXPECT_EQ(instrument.watched.size(), two_arenas ? 3u : 2u);  // with its own
      EXPECT_EQ(std::ranges::count(instrument.watched, arenas.start()), 1);
      const auto start = reinterpret_cast<std::uintptr_t>(arenas.start());
      EXPECT_EQ(instrument.registry().CheckReserve(start - 48, start, {}),
                dilated ? ReserveVerdict::kNotChecked : ReserveVerdict::kContained);
      arenas.Overwrite(std::byte{0x5c});
      for (const std::byte* const arena : instrument.watched) {
        if (arena != instrument.watched.back()) EXPECT_EQ(*arena, std::byte{0x5c});
      }
      EXPECT_EQ(arenas.start()[arenas.sizes().bytes - 1], std::byte{0x5c});
      EXPECT_EQ(arenas.start()[-1], std::byte{0});
      EXPECT_EQ(arenas.Free(), "");
      EXPECT_NE(arenas.Free(), "");
    }
  }
}

TEST(CheckedArenasMemory, ThatTheSystemDoesNotHaveIsRefusedForEachArena) {
  ArenaSize size;
  CheckArguments arguments;
  size.faithful = {SIZE_MAX, 0, false};
  size.dilated = {64, 64, true};
  CheckedArenas arenas;
  const auto refusal = arenas.Make(arguments, size, nullptr);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, Failure(StatusCode::kLayoutMemory, SIZE_MAX));
  size.faithful = {64, SIZE_MAX - 1, true};
  const auto of_second = arenas.Make(arguments, size, nullptr);
  ASSERT_TRUE(of_second);
  EXPECT_EQ(of_second->status, Failure(StatusCode::kLayoutMemory, SIZE_MAX - 1));
  size.faithful = {64, 64, true};
  EXPECT_FALSE(arenas.Make(arguments, size, nullptr));
  EXPECT_EQ(arenas.sizes().persistent_bytes, 64u);
}

}  // namespace
}  // namespace arenaproof
