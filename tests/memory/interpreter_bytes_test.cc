// What is said of the interpreter's own object (core/runtime/interpreter/interpreter.h, docs/benchmarks.md,
// engine/harness/offline_plan/plan_run.cc): 15 KB; 10 KB with 32-bit words. Whoever changes it changes those words too.
#include "core/base/structure_bytes.h"
#include "core/runtime/interpreter/interpreter.h"

namespace arenaproof {

static_assert((sizeof(Interpreter) + 500) / 1000 == (kOwnWordSize == WordSize::k64 ? 15 : 10));

}  // namespace arenaproof
