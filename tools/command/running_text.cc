#include "tools/command/running_text.h"

#include "sanitizers/report/violation.h"
#include "tools/command/check_report_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string Title(const ActiveOperator& one) {
  const std::string title = OperatorTitle(one.subgraph, one.operator_index, one.name);
  return one.phase == OperatorPhase::kInvoke ? title : std::string(OperatorPhaseName(one.phase)) + " of " + title;
}

std::string InIt(const ActiveOperators& running) {
  std::string text;
  for (std::size_t i = 1; i < running.nested.size(); ++i) text += ", in it " + Title(running.nested[i]);
  return text;
}

}  // namespace

std::string RunningText(const ActiveOperators& running) {
  return running.nested.empty() ? std::string() : Title(running.nested.front()) + InIt(running);
}

std::string WhileRunning(const ActiveOperators& running) {
  if (running.nested.empty()) {
    const std::string call = LibraryCallText(running);
    return call.empty() ? call : " in " + call;
  }
  return " while " + Title(running.nested.front()) + " ran" + InIt(running) + " (" +
         Counted(static_cast<long long>(running.begun_count), "operator") + " had begun)";
}

std::string AfterLast(const ActiveOperators& running) {
  return running.last && running.library_call == LibraryCall::kNone
             ? " after " + Title(*running.last) + ", which ran last, had returned"
             : std::string();
}

std::string LibraryCallText(const ActiveOperators& running) {
  const std::string subject = Printable(running.library_subject);
  switch (running.library_call) {
    case LibraryCall::kNone:
      return {};
    case LibraryCall::kLoad:
      return "the loading of the library";
    case LibraryCall::kTable:
      return "its function " + subject + "()";
    case LibraryCall::kServes:
      return "serves of " + subject;
    case LibraryCall::kInit:
      return "init of " + subject;
    case LibraryCall::kPrepare:
      return "prepare of " + subject;
    case LibraryCall::kInvoke:
      return "invoke of " + subject;
    case LibraryCall::kReset:
      return "reset of " + subject;
    case LibraryCall::kFree:
      return "free of " + subject;
  }
  return {};
}

}  // namespace arenaproof
