#include "corpus/memory/memory_ledger.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using ::testing::HasSubstr;

TEST(MemoryLedger, HoldsWhatEverySeedModelNeedsToTheByte) {
  std::ifstream file(SourceFolder() / "corpus/memory/ledger.txt");
  ASSERT_TRUE(file) << "corpus/memory/ledger.txt is missing";
  std::ostringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(CompareLedgers(kept.str(), MemoryLedger(SourceFolder() / "corpus/models")), "");
}

TEST(MemoryLedger, TellsWhatGrewWhatShrankAndHowToUpdate) {
  const std::string kept = "a host64 need 100\na host64 head 16\na arm32 need 60\n";
  EXPECT_EQ(CompareLedgers(kept, kept), "");
  const std::string grown = CompareLedgers(kept, "a host64 need 101\na host64 head 0\nb host64 need 7\n");
  EXPECT_THAT(grown, HasSubstr("a host64 need grew by 1 bytes: 100 in the ledger, 101 now"));
  EXPECT_THAT(grown, HasSubstr("a host64 head shrank by 16 bytes: 16 in the ledger, 0 now"));
  EXPECT_THAT(grown, HasSubstr("b host64 need: 7 bytes, which the ledger does not know"));
  EXPECT_THAT(grown, HasSubstr("a arm32 need is in the ledger only"));
  EXPECT_THAT(grown, HasSubstr("arenaproof-memory-ledger corpus/models corpus/memory/ledger.txt"));
}

TEST(MemoryLedger, AnotherOrderIsADifferenceToo) {
  EXPECT_THAT(CompareLedgers("a need 1\nb need 2\n", "b need 2\na need 1\n"), HasSubstr("order"));
}

}  // namespace
}  // namespace arenaproof::testing
