// A model on a device, by itself and then under the canary: prints plan, need and outputs, what the canary found and
// what it cannot see. Exit status as of `arenaproof check`: 0 clean, 1 violations, 2 could not run; 3 a fault.
#include <algorithm>

#include "core/base/line_text.h"
#include "kernels/reference/reference_kernels.h"
#include "sanitizers/device/canary_limits.h"
#include "sanitizers/device/device_canary.h"
#include "sanitizers/device/finding_text.h"
#include "tests/device/board/semihosting.h"
#include "tests/device/board/start_up.h"
#include "tests/device/model_run.h"
#include "tests/device/plan_printer.h"
#include "tests/device/program_options.h"

namespace arenaproof::device {
namespace {

constexpr std::size_t kGuardBytes = 64, kMostArenaBytes = 64 * 1024;
constexpr std::size_t kOperandCount = 256, kFindingCount = 16;

// The arena between closed bytes, and what the canary needs.
alignas(64) std::byte memory[kGuardBytes + kMostArenaBytes + kGuardBytes];
std::byte saved[sizeof memory];
OperandRange operands[kOperandCount];
CanaryFinding findings[kFindingCount];

int CouldNotRun(const char* what, const Status& status) {
  LineText line;
  line.Put("could not run: ");
  line.Put(what);
  line.Put(": status ");
  line.PutNumber(static_cast<std::uint64_t>(status.code));
  for (const std::uint64_t number : status.detail) {
    line.Put(' ');
    line.PutSigned(static_cast<std::int64_t>(number));
  }
  WriteLine(line.text());
  return 2;
}

void PrintWatched(const DeviceCanary& canary) {
  LineText line;
  line.Put("canary watched ");
  line.PutNumber(canary.watched_count());
  line.Put(" runs of operators' code and not ");
  line.PutNumber(canary.unwatched_count());
  WriteLine(line.text());
  for (const char* const limit : {kReadsLeaveNothing, kSameByteLeavesNothing, kAdjoiningBytesAreOne,
                                  "accesses outside of the arena and of the 64 bytes before and behind it"}) {
    LineText unseen;
    unseen.Put("canary cannot see ");
    unseen.Put(limit);
    WriteLine(unseen.text());
  }
}

int Verdict(const DeviceCanary& canary) {
  PrintWatched(canary);
  for (const CanaryFinding& finding : canary.findings()) {
    LineText line;
    line.Put("VIOLATION ");
    line.Put(TextOf(finding).text());
    WriteLine(line.text());
  }
  if (canary.finding_count() > 0) {
    WriteLine("violations found");
    return 1;
  }
  if (canary.unwatched_count() > 0) return CouldNotRun("operators with more operands than the list holds", Ok());
  WriteLine("clean");
  return 0;
}

int RunUnderCanary(const ValidatedModel& model, const KernelSet& kernels, std::size_t need) {
  const CoveredRegion region{memory, kGuardBytes + need + kGuardBytes, saved};
  DeviceCanary canary({{&region, 1}, operands, findings});
  const Status status =
      RunOnce(model, kernels, std::span(memory).subspan(kGuardBytes, need), canary, "watched-output", false);
  if (!canary.status().ok()) return CouldNotRun("the canary does not see what was planted", canary.status());
  if (!status.ok()) return CouldNotRun("under the canary", status);
  return Verdict(canary);
}

int RunModel(const ProgramOptions& options) {
  LineText line;
  line.Put("model ");
  line.Put(options.model->name);
  WriteLine(line.text());
  ValidationReport report;
  const KernelSetSupport support(ReferenceKernels());
  const std::optional<ValidatedModel> model = ValidatedModel::Open(options.model->file, &report, &support);
  if (!model) return CouldNotRun("the model", report.status);

  const std::span<std::byte> arena = std::span(memory).subspan(kGuardBytes, kMostArenaBytes);
  std::size_t need = 0;
  Status status = FindNeed(*model, ReferenceKernels(), arena, &need);
  if (!status.ok()) return CouldNotRun("set-up", status);
  PlanPrinter plan;
  status = RunOnce(*model, ReferenceKernels(), arena.first(need), plan, "output", true);
  if (!status.ok()) return CouldNotRun("by itself", status);
  if (!options.overwritten) return RunUnderCanary(*model, ReferenceKernels(), need);
  return RunUnderCanary(*model, OverwritingKernels(*options.overwritten, options.bytes), need);
}

}  // namespace

int Main() {
  ProgramOptions options;
  if (ReadOptions(CommandLine(), &options)) return RunModel(options);
  WriteLine("could not run: the words are MODEL [inside=N | behind=N | before=N], N from 1 to 64");
  return 2;
}

}  // namespace arenaproof::device
