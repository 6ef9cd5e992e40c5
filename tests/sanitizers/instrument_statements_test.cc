// What instruments say beforehand that they do not see, and what kinds of accesses they promise to.
#include <gmock/gmock.h>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {
namespace {

using ::testing::HasSubstr;

// Each limit by words of it, in the order in which they are listed; nothing where the build has no such instrument.
void ExpectLimits(const char* name, const std::vector<const char*>& words) {
  const auto instrument = MakeInstrument(name);
  if (!instrument->Available().ok()) return;
  instrument->SkipSelfTest();
  CheckedMemory arena(512);
  for (int attach = 0; attach < 2; ++attach) {
    instrument->OnAttach({arena.data(), arena.bytes()}, {});
    const std::vector<std::string>& limits = instrument->self_test().limits;
    ASSERT_EQ(limits.size(), words.size()) << name << ::testing::PrintToString(limits);
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_THAT(limits[i], HasSubstr(words[i])) << name;
    instrument->OnDetach();
  }
}

TEST(InstrumentStatements, ListTheLimitsOfEach) {
  ExpectLimits("shadow", {"outside of arena and model and of the closed bytes", "reset and free", "inline assembly"});
  ExpectLimits("asan", {"outside of arena and model and of the closed bytes", "reset and free", "inline assembly",
                        "reads and writes have one right", "has overwritten in place", "not those between",
                        "that byte alone is reported", "gaps of less than 8 bytes", "up to 7 bytes before it open"});
  ExpectLimits("guard", {"that its alignment of 16 or less leaves", "but for writes to the model",
                         "operators of the runtime's own", "by an address that was kept",
                         "writes to the input in whose bytes its output lies", "than 65536 bytes",
                         "that the system makes for a kernel", "a page of 4096 bytes"});
  ExpectLimits("canary", {"outside of arena and model and of the closed bytes", "adjoining bytes that changed",
                          "only writes leave something behind", "of the byte that lies there already"});
  ExpectLimits("twofill", {"outside of arena and model and of the closed bytes", "adjoining bytes that changed",
                           "that influence no result", "in place has overwritten",
                           "of the byte that lies there already", "until it influences a result"});
}

struct Promises {
  const char* name;
  bool accesses, rights, overwritten, exact, unwritten, costly, compares, wraps, runtime, when_capped;
};

TEST(InstrumentStatements, PromiseWhatEachSees) {
  for (const Promises& one : {Promises{"shadow", true, true, true, true, false, false, false, false, true, false},
                              Promises{"asan", true, false, false, false, false, false, false, false, true, false},
                              Promises{"guard", true, true, false, true, true, false, false, true, false, true},
                              Promises{"valgrind", true, false, false, false, true, true, false, false, false, true},
                              Promises{"canary", false, true, false, true, false, false, false, false, false, false},
                              Promises{"twofill", false, true, false, true, true, false, true, false, false, false}}) {
    const auto instrument = MakeInstrument(one.name);
    EXPECT_EQ(instrument->SeesAccesses(), one.accesses) << one.name;
    EXPECT_EQ(instrument->SeesRights(), one.rights) << one.name;
    EXPECT_EQ(instrument->SeesOverwritten(), one.overwritten) << one.name;
    EXPECT_EQ(instrument->SeesExactDistances(), one.exact) << one.name;
    EXPECT_EQ(instrument->SeesUnwritten(), one.unwritten) << one.name;
    EXPECT_EQ(instrument->AccessesAreCostly(), one.costly) << one.name;
    EXPECT_EQ(instrument->ComparesRuns(), one.compares) << one.name;
    EXPECT_EQ(instrument->NeedsWrappedKernels(), one.wraps) << one.name;
    EXPECT_EQ(instrument->WatchesRuntime(), one.runtime) << one.name;
    EXPECT_EQ(instrument->ChecksWhenCapped(), one.when_capped) << one.name;
    const OperandRange operand{nullptr, 20, AccessRight::kRead, OperandKind::kInput, 0};
    if (std::string_view(one.name) == "guard") continue;
    EXPECT_EQ(instrument->BlindBytesAfter(operand, {}), 0u) << one.name;
    EXPECT_EQ(instrument->BlindBytesBefore(operand, {}), 0u) << one.name;
  }
}

}  // namespace
}  // namespace arenaproof::testing
