// An application that includes core/embedding/arenaproof.h: it compiles, answers, and is what README.md shows.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <string>

#include "tests/embedding/sine_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

std::string TextOf(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = ReadFileBytes(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Application, AnswersWithTheSine) {
  const std::vector<std::byte> file = ReadFileBytes(SourceFolder() / "corpus/models/sine_regressor_float.tflite");
  for (const float x : {-0.5f, 0.0f, 0.25f, 0.5f}) {
    float sine = 2;
    ASSERT_EQ(SineOfPiTimes(x, file, &sine), Ok());
    EXPECT_NEAR(sine, std::sin(std::numbers::pi_v<float> * x), 0.1f) << x;
  }
}

TEST(Application, RefusesWhatIsNoSoundModel) {
  std::vector<std::byte> file = ReadFileBytes(SourceFolder() / "corpus/models/sine_regressor_float.tflite");
  file.resize(file.size() / 2);
  float sine = 2;
  EXPECT_NE(SineOfPiTimes(0, file, &sine), Ok());
  EXPECT_EQ(sine, 2.0f);
}

TEST(Application, IsWhereTheHeaderSays) {
  const std::string header = TextOf(SourceFolder() / "core/embedding/arenaproof.h");
  const std::size_t begin = header.find("tests/embedding/");
  ASSERT_NE(begin, std::string::npos);
  const std::string path = header.substr(begin, header.find(".cc", begin) + 3 - begin);
  EXPECT_TRUE(std::filesystem::is_regular_file(SourceFolder() / path)) << path;
}

// But for the function's own header.
TEST(Application, IsWhatTheReadmeShows) {
  const std::string code = TextOf(SourceFolder() / "tests/embedding/sine_support.cc");
  const std::size_t begin = code.find("#include <cstring>");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_NE(TextOf(SourceFolder() / "README.md").find("```cpp\n" + code.substr(begin) + "```\n"), std::string::npos)
      << "README.md has to show, as a block of cpp:\n"
      << code.substr(begin);
}

}  // namespace
}  // namespace arenaproof::testing
