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
  if (running.nested.empty()) return {};
  return " while " + Title(running.nested.front()) + " ran" + InIt(running) + " (" +
         Counted(static_cast<long long>(running.begun_count), "operator") + " had begun)";
}

}  // namespace arenaproof
