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
  arenaproof::CountStage(arenaproof::RunModelPipeline({data, bytes}));
  return 0;
}

// Asked for by the fuzzing engine; a build without one has no LLVMFuzzerMutate either.
#ifdef ARENAPROOF_FUZZ
#include <algorithm>
#include <vector>

#include "engine/cases/operator_case.h"
#include "engine/generators/mutator/model_mutator.h"
#include "engine/generators/operators/operator_generator.h"
#include "engine/generators/operators/table/table_case.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes,
                                               unsigned seed) {
  // Now and then a valid operator of random shape, which mutation hardly ever gets right: batches, groups, dilations.
  // Half of them are of any operator of the table.
  constexpr unsigned kFreshOneIn = 24;
  if (seed % kFreshOneIn == 0) {
    arenaproof::CaseRandom random(seed);
    const auto rows = arenaproof::RowsWithCases();
    const std::vector<std::byte> file = ModelOf(
        random.OneIn(2) ? arenaproof::MakeTableCase(random, *random.Of(rows)).subject : arenaproof::MakeCase(random));
    if (file.size() <= most_bytes) {
      std::copy(file.begin(), file.end(), reinterpret_cast<std::byte*>(data));
      return file.size();
    }
  }
  return arenaproof::MutateModel(data, bytes, most_bytes, seed, LLVMFuzzerMutate);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_bytes,
                                                 const std::uint8_t* second, std::size_t second_bytes,
                                                 std::uint8_t* result, std::size_t most_bytes, unsigned seed) {
  return arenaproof::CrossModels({first, first_bytes}, {second, second_bytes}, {result, most_bytes}, seed);
}
#endif
