// Where self-tests plant accesses: every place that they promise is among those that were seen, so that none is left
// out without a word.
#include <gmock/gmock.h>

#include "sanitizers/instrument/instrument_factory.h"
#include "sanitizers/self_test/instrument_self_test.h"

namespace arenaproof::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void ExpectPlaces(const char* name, const std::vector<const char*>& places) {
  const auto instrument = MakeInstrument(name);
  if (!instrument->Available().ok()) return;
  const SelfTestResult result = RunInstrumentSelfTest(*instrument);
  EXPECT_THAT(result.missed, IsEmpty()) << name;
  EXPECT_THAT(result.legal_reported, IsEmpty()) << name;
  for (const char* const place : places) EXPECT_THAT(result.seen, Contains(HasSubstr(place))) << name;
}

TEST(SelfTestPlaces, AreBesideEveryOperandInEveryStateAndWhereWindowsClose) {
  std::vector<const char*> places = {"of persistent memory before it is given",
                                     "behind an own temporary",
                                     "of another operator's persistent block",
                                     "before the own input",
                                     "behind the own output",
                                     "before the own constant",
                                     "across the start of the own scratch",
                                     "across the end of the own persistent",
                                     "write at byte -34 of an input of 21",
                                     "write at byte 54 of an input of 21",
                                     "write at byte 21 of an input of 21",
                                     "write at byte 53 of an scratch of 20",
                                     "before the next operand's start",
                                     "in a dead tensor",
                                     "in another live tensor",
                                     "in another operator's scratch buffer",
                                     "in the allocator's bookkeeping",
                                     "in another operator's persistent block",
                                     "in another constant",
                                     "in the gap",
                                     "between two tensors",
                                     "in the model file",
                                     "in the reserve",
                                     "before the reserve",
                                     "behind the arena",
                                     "behind the model",
                                     "write to the input of the operator before",
                                     "write to the output of the operator before",
                                     "write to the constant of the operator before",
                                     "write to the scratch of the operator before",
                                     "write to the persistent of the operator before",
                                     "of a temporary of the runtime",
                                     "where a temporary was before the reset"};
  ExpectPlaces("asan", places);
  places.insert(places.end(), {"across the end of the reserve", "across the start of the reserve"});
  ExpectPlaces("canary", places);
  places.emplace_back("read of the input of the operator before");
  ExpectPlaces("shadow", places);
}

TEST(SelfTestPlaces, OfTwoRunsAreReadsWritesAndWhatIsNotWritten) {
  ExpectPlaces("twofill", {"write in a dead tensor",
                           "write in the own input",
                           "write in the own constant",
                           "write in another constant",
                           "write in the model file",
                           "read at byte -34 of an input of 21",
                           "read at byte -1 of an input of 21",
                           "read at byte 21 of an input of 21",
                           "read at byte 54 of an input of 21",
                           "read in a dead tensor",
                           "read in another operator's scratch buffer",
                           "read in another operator's persistent block",
                           "read in another constant",
                           "read in the model file",
                           "read in the gap",
                           "read in the reserve",
                           "read before the reserve",
                           "read behind the arena",
                           "read behind the model",
                           "read of closed bytes for the next operator",
                           "read of closed bytes for a variable",
                           "output whose last byte is not written",
                           "use of scratch that was not written",
                           "use of an output that was not written",
                           "read of what the operator that it called has written"});
}

TEST(SelfTestPlaces, OfAGuardAreAroundEveryKindAndSizeOfOperand) {
  ExpectPlaces(
      "guard",
      {"read at byte -2 of input of 1", "write at byte -3 of constant of 2", "read at byte -4 of output of 3",
       "write at byte -13 of scratch of 32", "write at byte 47 of input of 33", "read at byte 61 of scratch of 33",
       "write at byte -1 of output of 33", "read at byte -64 of constant of 33", "read at byte -66 of input of 33",
       "write at byte 128 of output of 33", "write at byte 0 of input of 16", "write at byte 0 of constant of 33"});
}

}  // namespace
}  // namespace arenaproof::testing
