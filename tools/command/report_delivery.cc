#include "tools/command/report_delivery.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "tools/command/child_process.h"
#include "tools/text/text.h"

namespace arenaproof {

ExitStatus Complain(const std::string& sentence) {
  std::cerr << "arenaproof: " << sentence << "\n";
  return ExitStatus::kCouldNotRun;
}

ExitStatus Deliver(const std::string& report, ExitStatus status) {
  std::size_t written = 0;
  while (written < report.size()) {
    const ssize_t count = write(kResultDescriptor, report.data() + written, report.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      std::cerr << "arenaproof: internal error: the report cannot be handed on: " << std::strerror(errno) << "\n";
      return ExitStatus::kInternalError;
    }
    written += static_cast<std::size_t>(count);
  }
  return status;
}

ExitStatus ReportRefusal(const char* command, const std::string& model, bool json, const std::string& problem,
                         const RefusalFacts& refused, ExitStatus status) {
  Complain(PrintableSentence(problem));
  return json ? Deliver(RefusalJson(command, model, problem, refused, status), status) : status;
}

}  // namespace arenaproof
