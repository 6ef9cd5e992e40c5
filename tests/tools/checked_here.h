// A check in this very process, by its events.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "tests/support/shared_files.h"
#include "tools/command/worker_report.h"
#include "tools/worker/check_run.h"

namespace arenaproof {

struct Checked {
  int exit_status = -1;
  std::string stream;
  WorkerReport report;

  std::ptrdiff_t CountOf(const std::string& event) const {
    std::ptrdiff_t count = 0;
    const std::string piece = "\"event\":\"" + event + "\"";
    for (std::size_t at = stream.find(piece); at != std::string::npos; at = stream.find(piece, at + 1)) ++count;
    return count;
  }
};

inline CheckArguments Asking(const std::string& model) {
  CheckArguments arguments;
  arguments.model = testing::SourceFolder() / "corpus/models" / (model + ".tflite");
  return arguments;
}

inline Checked CheckHere(const CheckArguments& arguments, const KernelSet* kernels = nullptr) {
  Checked checked;
  const int file = memfd_create("events", MFD_CLOEXEC);
  EventWriter events(file);
  CheckMeans means;
  means.kernels = kernels;
  checked.exit_status = RunCheckInThisProcess(arguments, events, std::move(means));
  checked.stream.resize(static_cast<std::size_t>(lseek(file, 0, SEEK_END)));
  EXPECT_EQ(pread(file, checked.stream.data(), checked.stream.size(), 0), static_cast<ssize_t>(checked.stream.size()));
  close(file);
  checked.report = ReadWorkerReport(checked.stream);
  EXPECT_EQ(checked.report.malformed, "");
  return checked;
}

}  // namespace arenaproof
