// The child of `arenaproof check`: see protocol.h.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifdef ARENAPROOF_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#include "sanitizers/instrument/asan/asan_instrument.h"
#include "sanitizers/instrument/valgrind/memcheck_log.h"
#include "tools/kernel_library/loaded_file.h"
#include "tools/text/memory_end.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/check_run.h"
#include "tools/worker/job_loop.h"
#include "tools/worker/protocol.h"
#include "tools/worker/report_events.h"
#include "tools/worker/valgrind_program.h"
#include "tools/worker/valgrind_start.h"

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

std::string ParseWords(const std::vector<std::string>& words, arenaproof::CheckArguments* arguments) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  return ParseCheckArguments(pointers, arguments);
}

// Nothing is written about words that are in order.
bool RefuseWords(const std::string& problem, arenaproof::EventWriter& events) {
  using namespace arenaproof;
  if (problem.empty()) return false;
  events.Write(protocol::kRefused,
               RefusalFields(Refusal(protocol::kStageArguments, ToolRefusal::kArguments, problem), nullptr));
  return true;
}

int DoCheck(const std::vector<std::string>& words, arenaproof::SelfTestRecord* self_test) {
  using namespace arenaproof;
  CheckArguments arguments;
  const std::string problem = ParseWords(words, &arguments);
  result_descriptor = arguments.result_descriptor;
  EventWriter events(result_descriptor);
  if (RefuseWords(problem, events)) return protocol::kExitCouldNotRun;
  CheckMeans means;
  means.self_test = self_test;
  return RunCheckInThisProcess(arguments, events, std::move(means));
}

int RefuseValgrind(const std::string& why, int result) {
  using namespace arenaproof;
  EventWriter(result).Write(protocol::kRefused,
                            RefusalFields(Refusal("instrument", ToolRefusal::kInstrumentMissing, why), nullptr));
  return protocol::kExitCouldNotRun;
}

int DoChecks(const std::vector<std::string>& words) {
  using namespace arenaproof;
  CheckArguments arguments;
  // Words that are in disorder are refused as those of one check.
  const bool in_order = ParseWords(words, &arguments).empty();
  MemcheckLog::UseDescriptor(arguments.valgrind_log_descriptor);
  if (in_order && arguments.instrument == kValgrindInstrument && !MemcheckLog::Exists()) {
    return RefuseValgrind(StartUnderValgrind(words), arguments.result_descriptor);
  }
  if (MemcheckLog::Exists()) LoadCopiesOfFiles();
  if (!in_order || arguments.jobs_descriptor < 0) return DoCheck(words, nullptr);
  return DoJobs(
      arguments.jobs_descriptor, arguments.result_descriptor, words,
      [](const std::vector<std::string>& job, SelfTestRecord& self_test) { return DoCheck(job, &self_test); });
}

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
  EventWriter events(result_descriptor);
  if (count < 2 || std::string_view(words[1]) != "check") {
    RefuseWords("the first word has to be 'check'", events);
    return protocol::kExitCouldNotRun;
  }
  AsanInstrument::OnForeignReport(EndWithInternalError);
  try {
    return DoChecks({words + 2, words + count});
  } catch (const std::bad_alloc&) {
    EventWriter(result_descriptor)
        .Write(protocol::kRefused,
               RefusalFields(Refusal(protocol::kStageMemory, ToolRefusal::kMemoryLimit, "the limit of memory was met"),
                             nullptr));
    return protocol::kExitCouldNotRun;
  } catch (const std::exception& exception) {
    EventWriter(result_descriptor).Write(protocol::kInternalError, {{protocol::kSentence, exception.what()}});
    return protocol::kExitInternalError;
  }
}
