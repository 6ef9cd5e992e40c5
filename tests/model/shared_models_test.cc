// The files that others made: what real models do is accepted, what brought the reference down is answered.
#include <gtest/gtest.h>

#include <string>

#include "core/model/lifetimes.h"
#include "tests/model/models_support.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

class FolderOfSharedModels : public ::testing::TestWithParam<std::string> {};

TEST_P(FolderOfSharedModels, PassesValidation) {
  const auto folder = SharedFile(GetParam());
  if (!folder) GTEST_SKIP() << SharedAbsent(GetParam());
  const auto paths = ModelFilesIn(*folder);
  EXPECT_FALSE(paths.empty());
  for (const auto& path : paths) EXPECT_EQ(Text(Validate(ReadFileBytes(path)).status), Text(Ok())) << path;
}

INSTANTIATE_TEST_SUITE_P(SharedModels, FolderOfSharedModels, ::testing::Values("models", "golden/kernels/models"));

// Accepted ones are sound as far as this room can see: their lifetimes can be computed.
TEST(SharedModels, HostileFilesAreRefusedOrSound) {
  const auto folder = SharedFile("hostile");
  if (!folder) GTEST_SKIP() << SharedAbsent("hostile");
  for (const auto& path : ModelFilesIn(*folder)) {
    const auto bytes = ReadFileBytes(path);
    ModelView view;
    ValidationReport report;
    Status status = ModelView::Open(bytes, &view);
    if (status.ok()) status = ValidateModel(view, &report);
    RecordProperty(path.filename().string(), static_cast<int>(status.code));
    if (!status.ok()) continue;
    std::vector<Lifetime> lifetimes(view.total_tensor_count());
    EXPECT_TRUE(ComputeLifetimes(view, lifetimes, {}, {}).ok()) << path;
  }
}

// Any prefix and any single flipped byte of a sound file is answered, without a crash.
TEST(SharedModels, DamagedFilesAreAnswered) {
  const auto path = SharedFile("models/control_if.tflite");
  if (!path) GTEST_SKIP() << SharedAbsent("models/control_if.tflite");
  const auto bytes = ReadFileBytes(*path);
  std::size_t refused = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    refused += !Validate({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}).status.ok();
  }
  EXPECT_GT(refused, 0u);
  auto damaged = bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      damaged[i] ^= static_cast<std::byte>(flip);
      refused += !Validate(damaged).status.ok();
      damaged[i] = bytes[i];
    }
  }
  EXPECT_GT(refused, bytes.size() / 4);
}

}  // namespace
}  // namespace arenaproof::testing
