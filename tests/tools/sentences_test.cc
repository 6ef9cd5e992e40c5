#include "tools/text/sentences.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace arenaproof {
namespace {

constexpr StatusCode kAllCodes[] = {
#define ARENAPROOF_STATUS(code, meaning) StatusCode::code,
#include "core/base/status_codes.inc"
#undef ARENAPROOF_STATUS
};

TEST(Sentences, ExistForEveryStatusCode) {
  for (const StatusCode code : kAllCodes) {
    EXPECT_FALSE(SentenceTemplate(code).empty())
        << "tools/text/sentence_table.inc has no sentence for " << StatusName(code);
  }
}

TEST(Sentences, BelongToAStatusCode) {
  for (const std::string_view name : SentencesWithoutCode()) {
    ADD_FAILURE() << "core/base/status_codes.inc has no " << name << " any more; tools/text/sentence_table.inc has";
  }
}

TEST(Sentences, UseOnlyKnownPlaceholders) {
  for (const StatusCode code : kAllCodes) {
    if (SentenceTemplate(code).empty()) continue;  // said by the test above
    EXPECT_TRUE(IsValidTemplate(SentenceTemplate(code))) << StatusName(code) << ": " << SentenceTemplate(code);
  }
}

TEST(Sentences, CarryTheNumbersOfTheStatus) {
  EXPECT_EQ(Sentence(Failure(StatusCode::kArenaHeadDoesNotFit, 4096u, 16u, 1000u)),
            "the arena is too small: its head needs 4096 bytes aligned to 16, and 1000 bytes are left");
}

TEST(Sentences, NameOperandsAndTypes) {
  EXPECT_EQ(Sentence(Failure(StatusCode::kKernelType, 1000u, 0u, 9u)),
            "output 0 has type FLOAT32; INT8 would be right");
  EXPECT_EQ(Sentence(Failure(StatusCode::kKernelType, 2u, 77u, 9u)),
            "input 2 has type unknown type 77; INT8 would be right");
}

TEST(Sentences, ShowSignedNumbersAndDoubles) {
  EXPECT_EQ(Sentence(Failure(StatusCode::kKernelZeroPoint, 0u, -5, 0)), "input 0 has zero point -5; 0 would be right");
  EXPECT_EQ(Sentence(Failure(StatusCode::kKernelScale, 0u, std::bit_cast<std::uint64_t>(0.5),
                             std::bit_cast<std::uint64_t>(0.25))),
            "input 0 has scale 0.5; 0.25 would be right");
}

TEST(Sentences, ShowTheWordsOfAPlanWithTheirSign) {
  const Status status = Failure(StatusCode::kOfflinePlanSubgraphCount, 0u, 0xFFFFFFFFu, 1u);
  EXPECT_NE(Sentence(status).find("it is for -1 subgraphs"), std::string::npos) << Sentence(status);
  const Status count = Failure(StatusCode::kOfflinePlanCountTooLarge, 0u, 0xFFFFFFFFu, 3u);
  EXPECT_NE(Sentence(count).find("it announces -1 offsets"), std::string::npos) << Sentence(count);
}

// The head may be the model's own: variables come after its plan.
TEST(Sentences, SpeakOfNoModelThatNeedNotBeThere) {
  EXPECT_EQ(
      Sentence(Failure(StatusCode::kTailWouldCrossHead, 96u, 8u, 88u)),
      "the arena is too small: 96 persistent bytes aligned to 8 are needed, and 88 bytes are left between the head "
      "and the tail");
}

TEST(Sentences, OfAnUnknownCodeStillShowTheNumbers) {
  const Status status = Failure(static_cast<StatusCode>(65000), 7u, -1);
  EXPECT_EQ(Sentence(status), "unknown status (numbers: 7 -1 0 0)");
}

TEST(Sentences, RefuseMalformedTemplates) {
  EXPECT_TRUE(IsValidTemplate("{0} of {1:signed}, {2:type}, {3:operator}"));
  for (const char* text : {"", "{", "{}", "{4}", "{0:}", "{0:colour}", "{0", "{a}", "{0signed}"}) {
    EXPECT_FALSE(IsValidTemplate(text)) << text;
  }
}

}  // namespace
}  // namespace arenaproof
