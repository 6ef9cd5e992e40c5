#include "corpus/memory/memory_ledger.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using ::testing::HasSubstr;

std::string Kept(const char* ledger) {
  std::ifstream file(SourceFolder() / ledger);
  EXPECT_TRUE(file) << ledger << " is missing";
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(MemoryLedger, HoldsWhatEverySeedModelNeedsToTheByte) {
  EXPECT_EQ(CompareLedgers(Kept("corpus/memory/ledger.txt"), MemoryLedger(SourceFolder() / "corpus/models")), "");
}

// Builds for 64 and for 32-bit words meet in this file.
TEST(MemoryLedger, HoldsWhatEverySharedModelThatRunsNeedsToTheByte) {
  const std::vector<std::filesystem::path> models = RunnableSharedModelFiles();
  if (models.empty()) GTEST_SKIP() << SharedAbsent("models");
  std::string words = "../shared/models corpus/memory/shared_ledger.txt";
  for (const std::string_view name : kRunnableSharedModels) words += " " + std::string(name);
  EXPECT_EQ(CompareLedgers(Kept("corpus/memory/shared_ledger.txt"), MemoryLedger(models), words), "");
}

TEST(MemoryLedger, OfSharedModelsHasFiguresOfEachForBothMachinesAndOfTrustedPlans) {
  const std::string kept = Kept("corpus/memory/shared_ledger.txt");
  for (const std::string_view model : kRunnableSharedModels) {
    const bool has_plan = model.ends_with("_fixed_plan");
    for (const char* machine : {" host64", " arm32"}) {
      for (const char* figure : {" need ", " two-arenas need ", " two-arenas persistent_need "}) {
        EXPECT_THAT(kept, HasSubstr("\n" + std::string(model) + machine + figure));
      }
      EXPECT_EQ(kept.find("\n" + std::string(model) + machine + " trust-plan need ") != std::string::npos, has_plan);
    }
  }
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
