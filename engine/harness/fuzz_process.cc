#include "engine/harness/fuzz_process.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "engine/generators/operators/reach/table_reach.h"
#include "engine/harness/model_pipeline/sound_model.h"
#include "engine/harness/model_pipeline/stage_counts.h"
#include "engine/harness/model_pipeline/watched_run.h"
#include "engine/harness/self_test/oracle_self_test.h"
#include "sanitizers/instrument/asan/asan_instrument.h"
#include "sanitizers/instrument/asan/sanitizer_options.h"

// Longer contexts of allocations and a larger quarantine cost more than the inputs here; a report's own stack is there
// in any case.
ARENAPROOF_ASAN_OPTIONS(ARENAPROOF_GOES_ON_AFTER_REPORTS
                        ":" ARENAPROOF_SHORT_CONTEXTS
                        ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64:allocator_may_return_null=0");
ARENAPROOF_UBSAN_REPORTS_AT_ONCE();

namespace arenaproof {

namespace {

// The input that a mutator asked about when the process died: the engine would write the one before it.
constexpr const char* kExaminedFile = "examined-model.tflite";

[[noreturn]] void EndProcess() {
  if (const std::span<const std::byte> model = ExaminedModel(); !model.empty()) {
    std::FILE* const file = std::fopen(kExaminedFile, "wb");
    const bool kept = file != nullptr && std::fwrite(model.data(), 1, model.size(), file) == model.size();
    if (file != nullptr) std::fclose(file);
    std::fprintf(stderr, "a mutator was asking about a model, which %s %s\n", kept ? "is in" : "could not be kept in",
                 kExaminedFile);
  }
  std::abort();
}

}  // namespace

void StartWatching() {
  AsanInstrument::OnForeignReport(EndProcess);
  const std::string_view name = ProveInstrument();
  std::fprintf(stderr, "instrument: %s%s\n", name.data(),
               name == "none" ? ", nobody sees closed bytes; invariants, certifier and oracles decide alone" : "");
}

void StartModelFuzzProcess() {
  StartWatching();
  RunOracleSelfTest();
  ReachOfThisProcess();  // made before, so that it is there at exit
  std::atexit([] {
    std::fprintf(stderr, "%s%s%s%s", StageTable().c_str(), RefusalTable().c_str(), ReachOfThisProcess().Line().c_str(),
                 ReachOfThisProcess().Missing().c_str());
  });
}

}  // namespace arenaproof
