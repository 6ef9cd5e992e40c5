// Models that pass values on are invoked to the end, under every oracle of a model's whole way.
#include "engine/generators/models/passed_value_models.h"

#include <gtest/gtest.h>

#include "engine/generators/seeded_source.h"
#include "engine/harness/model_pipeline/model_pipeline.h"

namespace arenaproof {
namespace {

TEST(PassedValueModels, AreInvoked) {
  constexpr std::uint64_t kSeeds = 150;
  for (const OperatorRow* row : RowsOfPassedValues()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      SeededSource random(seed);
      const std::vector<std::byte> file = MakePassedValueModel(random, *row);
      const ModelStage stage = RunModelPipeline({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
      EXPECT_EQ(stage, ModelStage::kInvoked) << BuiltinOperatorName(row->code) << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace arenaproof
