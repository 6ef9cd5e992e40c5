#include "engine/harness/kernel_comparison/running_kernel.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "engine/harness/kernel_comparison/comparison_report.h"
#include "tools/text/exit_status.h"

namespace arenaproof::testing {
namespace {

// What the handler prints. Empty while no kernel runs: then it is not a kernel that ended the process.
std::array<char, 4096> running{};

void OnSignal(int signal) {
  ProgressLine::Clear();
  const std::string_view words = running.data();
  if (words.empty()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  const bool is_wished = signal == SIGINT || signal == SIGTERM;
  const std::string_view what = is_wished ? "ended while this ran: " : "DIFFERENT: this ended the process: ";
  for (const std::string_view part : {what, words}) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, part.data(), part.size());
  }
  _exit(static_cast<int>(is_wished ? ExitStatus::kCouldNotRun : ExitStatus::kViolations));
}

}  // namespace

void ReportSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGABRT}) std::signal(signal, OnSignal);
#ifndef ARENAPROOF_ASAN  // which reports more of these
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, OnSignal);
#endif
}

void RunningKernel::Begins(const KernelSet& set, const NumberedCase& which, bool measured) {
  const std::string name = BuiltinOperatorName(which.subject.code);
  if (which.number != number_ || name != name_) {
    number_ = which.number;
    name_ = name;
    subject_ = which.subject.Describe();
    again_ = RepeatWords(sets_, name_, number_);
    Show(name_ + ", case " + std::to_string(number_) + (measured ? ", measured" : ""));
  }
  std::snprintf(running.data(), running.size(), "%s, case %llu, kernels %s: %.2000s\nagain: %s\n", name_.c_str(),
                static_cast<unsigned long long>(number_), set.name, subject_.c_str(), again_.c_str());
}

void RunningKernel::Ended() { running[0] = '\0'; }

void RunningKernel::Show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  line_.Show(text);
}

}  // namespace arenaproof::testing
