#include "engine/harness/fuzz_process.h"

#include <cstdio>
#include <cstdlib>

#include "engine/harness/model_pipeline/stage_counts.h"
#include "engine/harness/model_pipeline/watched_run.h"
#include "engine/harness/self_test/oracle_self_test.h"
#include "sanitizers/instrument/asan/asan_instrument.h"

#ifdef ARENAPROOF_ASAN
#include <sanitizer/common_interface_defs.h>

// No contexts of allocations and a small quarantine: both cost more than the inputs here, and a report's own stack is
// there in any case.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "halt_on_error=0:suppress_equal_pcs=0:malloc_context_size=2:quarantine_size_mb=8:allocator_may_return_null=0";
}

extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

// Called before the report is written: while an operator runs, reports go nowhere until the instrument has examined
// them, and undefined behaviour is none of its business.
extern "C" void __ubsan_on_report();
extern "C" void __ubsan_on_report() { __sanitizer_set_report_fd(reinterpret_cast<void*>(2)); }
#endif

namespace arenaproof {

void StartWatching() {
  AsanInstrument::OnForeignReport(std::abort);
  std::fprintf(stderr, "instrument: %s\n", ProveInstrument());
}

void StartModelFuzzProcess() {
  StartWatching();
  RunOracleSelfTest();
  std::atexit([] { std::fprintf(stderr, "%s", StageTable().c_str()); });
}

}  // namespace arenaproof
