// Which models of the reference material wait for what: the exact list, with the sentence each is refused with. A model
// that starts to work, or that fails for another reason, has to be moved here or out of here.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tests/models/model_files_support.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"
#include "tools/command/run.h"
#include "tools/memory/arena_memory.h"
#include "tools/model/model_file.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof::testing {
namespace {

// Part of the sentence.
const std::map<std::string, std::string> kWaiting = {};

TEST(WaitingModels, AreExactlyTheseForTheseReasons) {
  const std::vector<std::filesystem::path> models = SharedModels();
  if (models.empty()) GTEST_SKIP() << SharedAbsent("models");
  const KernelSet& kernels = *FindKernelSet("reference");
  const KernelSetSupport support(kernels);
  std::vector<std::string> found;
  std::size_t running_count = 0;
  for (const auto& path : models) {
    const std::string name = path.stem().string();
    ModelFile file;
    std::string problem = file.Load(path, &support);
    if (problem.empty()) problem = RunModel({}, file.model(), kernels).problem;
    const auto waiting = kWaiting.find(name);
    if (waiting == kWaiting.end()) {
      EXPECT_EQ(problem, "") << name << " is not among the models that wait";
      EXPECT_EQ(std::count(kRunnableSharedModels.begin(), kRunnableSharedModels.end(), name), 1)
          << name << " is neither among the models that wait nor among those that run";
      ++running_count;
    } else {
      found.push_back(name);
      EXPECT_NE(problem.find(waiting->second), std::string::npos) << name << ": " << problem;
    }
  }
  EXPECT_EQ(found.size(), kWaiting.size()) << "a model that waits is not there";
  EXPECT_EQ(running_count, kRunnableSharedModels.size()) << "a model that runs is not there";
}

}  // namespace
}  // namespace arenaproof::testing
