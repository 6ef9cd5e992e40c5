// Does any sequence of bytes, taken for a model file, make the system crash, leak, hang, or touch what is not an
// operator's own? The input is the file. What is checked: engine/harness/model_pipeline/model_pipeline.h.
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
