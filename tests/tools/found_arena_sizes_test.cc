// How large arenas become that nobody gave, or of which one was given.
#include <gtest/gtest.h>

#include "kernels/reference/reference_kernels.h"
#include "sanitizers/layout/relocated_model.h"
#include "tests/support/shared_files.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_file.h"
#include "tools/worker/arena_size.h"

namespace arenaproof {
namespace {

class FoundArenaSizes : public ::testing::Test {
 protected:
  FoundArenaSizes() {
    const auto path = testing::SourceFolder() / "corpus/models/fully_connected_20_to_64_int8.tflite";
    EXPECT_EQ(file_.Load(path.string(), nullptr), "");
  }
  ArenaSize Find(const GivenArenas& given, bool dilated = false) {
    EXPECT_TRUE(
        RelocatedModel::Create(file_.model(), dilated ? Layout::kDilated : Layout::kFaithful, &relocated_).ok());
    return FindArenaSize(relocated_.view(), ReferenceKernels(), given, dilated, &relocated_);
  }
  MemoryNeed Need(bool two_arenas) const {
    MemoryQuestion question;
    question.two_arenas = two_arenas;
    return MeasureMemory(file_.model(), ReferenceKernels(), question);
  }

 private:
  ModelFile file_;
  RelocatedModel relocated_;
};

TEST_F(FoundArenaSizes, AreTheLeastThatDo) {
  const std::size_t need = Need(false).need_bytes;
  const ArenaSize found = Find({});
  ASSERT_TRUE(found.status.ok());
  EXPECT_EQ(found.faithful.bytes, need);
  EXPECT_EQ(found.faithful.persistent_bytes, 0u);
  EXPECT_EQ(found.dilated.bytes, 0u) << "nobody asked";
  EXPECT_TRUE(Find({.bytes = need, .persistent_bytes = {}}).status.ok());
  EXPECT_FALSE(Find({.bytes = need - 1, .persistent_bytes = {}}).status.ok());
}

TEST_F(FoundArenaSizes, LeaveWhatIsGivenAsItIs) {
  const MemoryNeed need = Need(true);
  const ArenaSize both = Find({.bytes = {}, .persistent_bytes = {}, .two_arenas = true});
  EXPECT_EQ(both.faithful.bytes, need.need_bytes);
  EXPECT_EQ(both.faithful.persistent_bytes, need.persistent_need_bytes);
  const ArenaSize head_given = Find({.bytes = 70001, .persistent_bytes = {}, .two_arenas = true});
  ASSERT_TRUE(head_given.status.ok());
  EXPECT_EQ(head_given.faithful.bytes, 70001u);
  EXPECT_EQ(head_given.faithful.persistent_bytes, need.persistent_need_bytes);
  const ArenaSize tail_given = Find({.bytes = {}, .persistent_bytes = 70001, .two_arenas = true});
  ASSERT_TRUE(tail_given.status.ok());
  EXPECT_EQ(tail_given.faithful.bytes, need.need_bytes);
  EXPECT_EQ(tail_given.faithful.persistent_bytes, 70001u);
  EXPECT_FALSE(Find({.bytes = need.need_bytes - 1, .persistent_bytes = need.persistent_need_bytes, .two_arenas = true})
                   .status.ok());
  EXPECT_FALSE(Find({.bytes = need.need_bytes, .persistent_bytes = need.persistent_need_bytes - 1, .two_arenas = true})
                   .status.ok());
}

// By multiples of 64, so that addresses keep their places in them; what a device's planner takes of the tail is gone.
TEST_F(FoundArenaSizes, GrowInTheDilatedLayoutByMultiplesOf64) {
  const ArenaSize two = Find({.bytes = {}, .persistent_bytes = {}, .two_arenas = true}, true);
  ASSERT_TRUE(two.status.ok());
  const std::size_t more = two.dilated.bytes - two.faithful.bytes;
  const std::size_t more_persistent = two.dilated.persistent_bytes - two.faithful.persistent_bytes;
  EXPECT_GT(two.dilated.bytes, two.faithful.bytes);
  EXPECT_EQ(more % 64, 0u);
  EXPECT_TRUE(two.dilated.two_arenas);
  const ArenaSize one = Find({}, true);
  ASSERT_TRUE(one.status.ok());
  EXPECT_FALSE(one.dilated.two_arenas);
  EXPECT_EQ(one.dilated.persistent_bytes, 0u);
  const std::size_t planner_bytes = more - more_persistent;
  EXPECT_GT(planner_bytes, 0u);
  EXPECT_EQ((one.dilated.bytes - one.faithful.bytes + planner_bytes) % 64, 0u);
}

// What a device refuses is refused however much there is to spread.
TEST_F(FoundArenaSizes, AreNoneInTheDilatedLayoutWhereADeviceHasNone) {
  const ArenaSize refused = Find({.bytes = Need(false).need_bytes - 1, .persistent_bytes = {}}, true);
  EXPECT_FALSE(refused.status.ok());
  EXPECT_EQ(refused.dilated.bytes, 0u);
}

}  // namespace
}  // namespace arenaproof
