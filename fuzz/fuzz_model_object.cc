// The question of fuzz_model_bytes, asked with models instead of bytes: inputs are changed as objects (mutator/), so
// most are flatbuffers whose numbers are wrong. The input is a model file all the same.
#include <cstddef>
#include <cstdint>

#include "engine/harness/fuzz_process.h"
#include "engine/harness/model_pipeline/model_pipeline.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  arenaproof::StartModelFuzzProcess();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::CountStage(
      arenaproof::RunModelPipeline({data, bytes}, arenaproof::ReferenceKernels(), arenaproof::kOraclesOfThisBuild));
  return 0;
}

// Asked for by the fuzzing engine; a build without one has no LLVMFuzzerMutate either.
#ifdef ARENAPROOF_FUZZ
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/cases/operator_case.h"
#include "engine/generators/models/call_ladder.h"
#include "engine/generators/models/model_maker.h"
#include "engine/generators/models/passed_value_models.h"
#include "engine/generators/models/sharing_models.h"
#include "engine/generators/mutator/model_mutator.h"
#include "engine/generators/operators/operator_generator.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/model_pipeline/sound_model.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes);

namespace arenaproof {
namespace {

// A network of several subgraphs: values of any type passed on, calls around their deepest, outputs that may lie in
// inputs, or any.
std::vector<std::byte> FreshNetwork(CaseRandom& random) {
  const auto passed = RowsOfPassedValues();
  if (random.OneIn(2)) return MakePassedValueModel(random, *random.Of(passed));
  constexpr std::size_t kNumbers = 200;
  std::vector<std::uint16_t> numbers(kNumbers);
  for (std::uint16_t& number : numbers) number = static_cast<std::uint16_t>(random.Below(std::size_t{1} << 16));
  testing::Choices choices(std::move(numbers));
  if (random.OneIn(4)) return testing::MakeCallLadder(choices).Finish();
  return (random.OneIn(2) ? testing::MakeSharingModel(choices) : testing::MakeSoundModel(choices)).Finish();
}

// What mutation hardly ever gets right: a valid operator of random shape, with batches, groups, dilations. Half of them
// are of any operator of the table. 0 when it has no room.
std::size_t PutFreshModel(std::uint8_t* data, std::size_t most_bytes, unsigned seed) {
  CaseRandom random(seed);
  const std::vector<std::byte> file = random.OneIn(4) ? FreshNetwork(random)
                                      : random.OneIn(2)
                                          ? ModelOf(MakeTableCase(random, DrawRowWithCases(random)).subject)
                                          : ModelOf(MakeCase(random));
  if (file.size() > most_bytes) return 0;
  std::copy(file.begin(), file.end(), reinterpret_cast<std::byte*>(data));
  return file.size();
}

}  // namespace
}  // namespace arenaproof

// Rules of validation are broken in one input of ten, kernels may refuse three; the others are changed until they are
// prepared, or made afresh.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes,
                                               unsigned seed) {
  using namespace arenaproof;
  constexpr unsigned kBrokenOneIn = 10;
  constexpr unsigned kRefusedOfTen = 3;
  constexpr unsigned kFreshOneIn = 16;
  if (seed % kBrokenOneIn != 0) {
    std::size_t made = 0;
    const ModelCondition condition = seed % kBrokenOneIn <= kRefusedOfTen ? IsSoundModel : IsPreparedModel;
    if (seed / kBrokenOneIn % kFreshOneIn != 0) made = MutateSoundModel(data, bytes, most_bytes, seed, condition);
    if (made == 0) made = PutFreshModel(data, most_bytes, seed);
    if (made != 0) return made;
  }
  return MutateModel(data, bytes, most_bytes, seed, LLVMFuzzerMutate);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_bytes,
                                                 const std::uint8_t* second, std::size_t second_bytes,
                                                 std::uint8_t* result, std::size_t most_bytes, unsigned seed) {
  const std::size_t made =
      arenaproof::CrossModels({first, first_bytes}, {second, second_bytes}, {result, most_bytes}, seed);
  return arenaproof::IsSoundModel({result, made}) ? made : 0;
}
#endif
