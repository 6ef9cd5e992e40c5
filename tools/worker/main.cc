// The child of `arenaproof check`: see protocol.h.
#include <cstdlib>
#include <exception>
#include <span>
#include <string_view>

#include "sanitizers/asan/asan_instrument.h"
#include "tools/worker/check_run.h"
#include "tools/worker/protocol.h"
#include "tools/worker/report_events.h"

namespace {

int result_descriptor = 1;

void EndWithInternalError() {
  arenaproof::EventWriter(result_descriptor)
      .Write(arenaproof::protocol::kInternalError,
             {{arenaproof::protocol::kSentence,
               "the sanitizer reported an access that is not about the checked arena or model; its text is in the "
               "child's diagnostics (ASAN_OPTIONS=symbolize=1 adds names)"}});
  std::_Exit(arenaproof::protocol::kExitInternalError);
}

}  // namespace

int main(int count, char** words) {
  using namespace arenaproof;
  CheckArguments arguments;
  std::string problem = "the first word has to be 'check'";
  if (count >= 2 && std::string_view(words[1]) == "check") {
    problem = ParseCheckArguments(std::span<char* const>(words + 2, static_cast<std::size_t>(count - 2)), &arguments);
  }
  result_descriptor = arguments.result_descriptor;
  EventWriter events(result_descriptor);
  if (!problem.empty()) {
    events.Write(protocol::kRefused, RefusalFields({"arguments", Ok(), {}, problem}, nullptr));
    return protocol::kExitCouldNotRun;
  }
  AsanInstrument::OnForeignReport(EndWithInternalError);
  try {
    return RunCheckInThisProcess(arguments, events);
  } catch (const std::exception& exception) {
    events.Write(protocol::kInternalError, {{protocol::kSentence, exception.what()}});
    return protocol::kExitInternalError;
  }
}
