// The child of `arenaproof check`: see protocol.h.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>

#ifdef ARENAPROOF_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#include "sanitizers/instrument/asan/asan_instrument.h"
#include "tools/text/memory_end.h"
#include "tools/worker/check_run.h"
#include "tools/worker/protocol.h"
#include "tools/worker/report_events.h"

namespace {

int result_descriptor = 1;

void ReportInternalError(const char* what) {
  arenaproof::EventWriter(result_descriptor)
      .Write(arenaproof::protocol::kInternalError,
             {{arenaproof::protocol::kSentence,
               std::string("the sanitizer reported ") + what + "; its text is in the child's diagnostics"}});
}

void EndWithInternalError() {
  ReportInternalError("an access that is not about the checked arena or model");
  std::_Exit(arenaproof::protocol::kExitInternalError);
}

// Where no memory is left, neither an exception nor an event can be made.
void EndWithoutMemory() {
  if (!arenaproof::MemoryRanOut()) std::abort();
  static constexpr std::string_view kEvent =
      R"({"event":"refused","stage":"memory","sentence":"the limit of memory was met"})"
      "\n";
  [[maybe_unused]] const ssize_t written = write(result_descriptor, kEvent.data(), kEvent.size());
  std::_Exit(arenaproof::protocol::kExitCouldNotRun);
}

// Before the objects of any library are made: they take memory too.
[[gnu::constructor(101)]] void ExpectNoMemory() { std::set_terminate(EndWithoutMemory); }

}  // namespace

#ifdef ARENAPROOF_ASAN
// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
// The sanitizer calls this before it writes its text and ends the process. While an operator runs the text would go
// nowhere: it could be about watched memory, which undefined behaviour never is.
extern "C" void __ubsan_on_report();
extern "C" void __ubsan_on_report() {
  __sanitizer_set_report_fd(reinterpret_cast<void*>(2));
  ReportInternalError("undefined behaviour");
}
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)
#endif

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
    events.Write(protocol::kRefused,
                 RefusalFields(Refusal(protocol::kStageArguments, ToolRefusal::kArguments, problem), nullptr));
    return protocol::kExitCouldNotRun;
  }
  AsanInstrument::OnForeignReport(EndWithInternalError);
  try {
    return RunCheckInThisProcess(arguments, events);
  } catch (const std::bad_alloc&) {
    events.Write(protocol::kRefused, RefusalFields(Refusal(protocol::kStageMemory, ToolRefusal::kMemoryLimit,
                                                           "the limit of memory was met"),
                                                   nullptr));
    return protocol::kExitCouldNotRun;
  } catch (const std::exception& exception) {
    events.Write(protocol::kInternalError, {{protocol::kSentence, exception.what()}});
    return protocol::kExitInternalError;
  }
}
