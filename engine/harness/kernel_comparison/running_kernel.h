// Which kernel of a comparison runs: on a terminal as a line that is replaced, and in the report of a kernel that ends
// the process, for kernels run in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/harness/kernel_comparison/kernel_speeds.h"
#include "tools/command/progress_line.h"

namespace arenaproof::testing {

// From then on a signal that a kernel brings about ends the process as a difference does, and a wish to end it as
// kCouldNotRun, with the case and how to run it again on standard error.
void ReportSignals();

// One at a time.
class RunningKernel final : public ComparisonListener {
 public:
  explicit RunningKernel(const KernelSetPair& sets) : sets_(sets) {}

  void Begins(const KernelSet& set, const NumberedCase& which, bool measured) override;
  void Ended() override;

 private:
  void Show(const std::string& text);

  const KernelSetPair sets_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point shown_{};
  std::uint64_t number_ = 0;
  std::string name_, subject_, again_;
};

}  // namespace arenaproof::testing
