#include "engine/generators/mutator/model_mutator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/generators/mutator/model_object.h"
#include "engine/generators/mutator/object_mutations.h"
#include "engine/generators/mutator/object_repair.h"
#include "engine/generators/mutator/random_choice.h"
#include "engine/generators/mutator/table_repair.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostMutations = 4;
constexpr std::size_t kTablePercent = 25;
constexpr std::size_t kRepairPercent = 75;
constexpr std::size_t kFreshPercent = 60;

std::vector<std::uint8_t> MutatedObject(ModelObject model, RandomChoice& random) {
  for (std::size_t left = 1 + random.Below(kMostMutations); left > 0; --left) MutateModelObject(*model, random);
  if (random.Chance(kTablePercent)) RepairByTable(*model, random);
  if (random.Chance(kRepairPercent)) RepairModelObject(*model);
  return WriteModelObject(*model);
}

}  // namespace

std::size_t MutateModel(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes, std::uint32_t seed,
                        RawMutation raw) {
  RandomChoice random(seed);
  if (random.Chance(kRawPercent)) return raw(data, bytes, most_bytes);
  ModelObject model = ReadModelObject({data, bytes});
  if (model == nullptr) {
    if (!random.Chance(kFreshPercent)) return raw(data, bytes, most_bytes);
    model = SmallestModelObject();
  }
  const std::vector<std::uint8_t> file = MutatedObject(std::move(model), random);
  if (file.size() > most_bytes) return raw(data, bytes, most_bytes);
  std::copy(file.begin(), file.end(), data);
  return file.size();
}

std::size_t MutateSoundModel(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes, std::uint32_t seed,
                             ModelCondition condition) {
  RandomChoice random(seed);
  for (std::size_t left = kMostAttempts; left > 0; --left) {
    ModelObject model = ReadModelObject({data, bytes});
    if (model == nullptr) return 0;
    const std::vector<std::uint8_t> file = MutatedObject(std::move(model), random);
    if (file.size() > most_bytes || !condition(file)) continue;
    std::copy(file.begin(), file.end(), data);
    return file.size();
  }
  return 0;
}

std::size_t CrossModels(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                        std::span<std::uint8_t> result, std::uint32_t seed) {
  RandomChoice random(seed);
  const ModelObject model = ReadModelObject(first);
  const ModelObject other = ReadModelObject(second);
  if (model == nullptr || other == nullptr) return 0;
  JoinModelObjects(*model, *other, random);
  const std::vector<std::uint8_t> file = WriteModelObject(*model);
  if (file.size() > result.size()) return 0;
  std::copy(file.begin(), file.end(), result.begin());
  return file.size();
}

}  // namespace arenaproof
