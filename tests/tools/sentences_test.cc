#include "tools/text/sentences.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "tests/support/shared_files.h"

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

// A rule by its number alone explains nothing: each is a row of the document that the sentence names, and the reverse.
TEST(Sentences, NameRulesThatTheDocumentExplains) {
  std::set<std::string> named, explained;
  const std::regex rule(R"(\bV[0-9]+\b)");
  for (const StatusCode code : kAllCodes) {
    const std::string text(SentenceTemplate(code));
    for (std::sregex_iterator found(text.begin(), text.end(), rule), end; found != end; ++found) {
      named.insert(found->str());
      EXPECT_NE(text.find("rule " + found->str() + " of docs/offline_plans.md"), std::string::npos) << text;
    }
  }
  std::ifstream document(testing::SourceFolder() / "docs" / "offline_plans.md");
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("| V")) explained.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_GT(named.size(), 20u);
  EXPECT_EQ(named, explained);
}

// Of a model, of its plan, of its operators: what a user can mend says what would have been right, or the limit that
// was passed.
TEST(Sentences, OfWhatAUserCanMendSayWhatWouldBeRight) {
  const std::regex right(
      "would be right|ha(s|ve) to|needs?\\b|at (most|least)|the most allowed|counted from 0|takes? \\{|must|a scale is|"
      "below 0 only|no multiple of|more than 2147483647|has bytes for|leaves|both are alive|keep its value|"
      "supplies its memory|its header alone|is written by one|nearest it can|the limit there|which has \\{|and has \\{|"
      "offsets in it reach|types are|no fixed offsets|-1 only|zero, or -1|a value below zero|docs/operators.md|is "
      "accepted");
  for (const StatusCode code : kAllCodes) {
    const std::string name(StatusName(code)), text(SentenceTemplate(code));
    const bool of_the_user = name.starts_with("kModel") || name.starts_with("kOfflinePlan") ||
                             name.starts_with("kKernel") || code == StatusCode::kUnresolvedOperator;
    // A warning, and a kernel's own number.
    const bool nothing_to_mend = name.starts_with("kOfflinePlanFor") || name == "kOfflinePlanNameAlmost" ||
                                 name == "kOfflinePlanRepeated" || name.starts_with("kOfflinePlanShared") ||
                                 name == "kOfflinePlanReusedInput" || code == StatusCode::kKernelFailed;
    if (!of_the_user || nothing_to_mend) continue;
    EXPECT_TRUE(std::regex_search(text, right)) << name << ": " << text;
  }
}

TEST(Sentences, CountOneOfAThingInTheSingular) {
  EXPECT_EQ(Sentence(Failure(StatusCode::kModelTooSmall, 1u, 8u)),
            "the file of 1 byte is too short for a model, which has at least 8 bytes");
  EXPECT_EQ(Sentence(Failure(StatusCode::kPlanDoesNotFit, 32u, 1u)),
            "the arena is too small: the plan needs 32 bytes of head, and 1 byte is left");
  const std::regex several(
      R"(\b1 ((persistent|temporary|preallocated) )?(bytes|buffers|tensors|subgraphs|dimensions|elements|scales|offsets|entries|allocations)\b)");
  for (const StatusCode code : kAllCodes) {
    const std::string text = Sentence(Failure(code, 1u, 1u, 1u, 1u));
    EXPECT_FALSE(std::regex_search(text, several)) << text;
    EXPECT_EQ(text.find("there are 1,"), std::string::npos) << text;
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
