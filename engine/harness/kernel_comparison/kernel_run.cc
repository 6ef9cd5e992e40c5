#include "engine/harness/kernel_comparison/kernel_run.h"

#include <algorithm>
#include <stdexcept>

namespace arenaproof::testing {
namespace {

InvokeResults ResultsOf(const KernelHarness& harness, const TestOperator& subject) {
  InvokeResults results;
  for (std::size_t i = 0; i < subject.outputs.size(); ++i) results.outputs.push_back(harness.output(i));
  for (std::size_t i = 0; i < subject.inputs.size(); ++i) {
    results.variables.push_back(subject.inputs[i].variable ? harness.input(i) : std::vector<std::byte>{});
  }
  return results;
}

void Run(KernelHarness& harness, const TestOperator& subject, KernelRun& run) {
  run.status = harness.Prepare();
  if (harness.outstanding_temporaries() != 0) run.broken_promise = "prepare keeps a temporary";
  run.prepared = run.status.ok();
  while (run.status.ok() && run.invokes.size() < kComparedInvokes) {
    run.status = harness.Invoke();
    if (run.status.ok()) run.invokes.push_back(ResultsOf(harness, subject));
    if (!harness.InputsUnchanged()) run.broken_promise = "invoke changes an input";
  }
}

}  // namespace

bool ServesByItself(const KernelSet& set, const TestOperator& subject) {
  const KernelHarness harness(set, subject);
  return std::any_of(set.kernels.begin(), set.kernels.end(),
                     [&](const Kernel& kernel) { return &kernel == harness.kernel(); });
}

KernelRun RunForComparison(const KernelSet& set, const TestOperator& subject, HarnessOptions options) {
  KernelRun run;
  KernelHarness harness(set, subject, options);
  try {
    Run(harness, subject, run);
  } catch (const std::logic_error& error) {  // the harness about a request that no kernel may make
    run.broken_promise = error.what();
  }
  return run;
}

}  // namespace arenaproof::testing
