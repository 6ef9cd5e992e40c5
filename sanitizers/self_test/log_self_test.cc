#include "sanitizers/self_test/log_self_test.h"

#include "sanitizers/report/violation.h"

namespace arenaproof {
namespace {

constexpr std::byte kOperand[64] = {};

Violation OneViolation() {
  Violation violation;
  violation.op = {.subgraph = 1, .index = 3, .phase = OperatorPhase::kInvoke, .name = "self-test", .kernel = "planted"};
  violation.operand = {kOperand + 32, 16, AccessRight::kRead, OperandKind::kInput, 2};
  violation.side = ViolationSide::kBefore;
  violation.distance_bytes = 4;
  violation.min_width_bytes = violation.max_width_bytes = 8;
  violation.count = 1;
  violation.lowest_touched = -4;
  violation.highest_touched = -1;
  violation.reserve = ReserveVerdict::kContained;
  return violation;
}

// Different faults: a report that names only the first of them would hide the second.
void KeepApart(std::vector<std::string>& wrong) {
  struct Change {
    const char* what;
    void (*make)(Violation&);
  };
  constexpr Change kChanges[] = {
      {"subgraph", [](Violation& v) { v.op.subgraph = 0; }},
      {"operator", [](Violation& v) { v.op.index = 4; }},
      {"phase", [](Violation& v) { v.op.phase = OperatorPhase::kPrepare; }},
      {"operand's place", [](Violation& v) { v.operand.data = kOperand; }},
      {"operand's kind", [](Violation& v) { v.operand.kind = OperandKind::kVariable; }},
      {"operand's number", [](Violation& v) { v.operand.index = 1; }},
      {"side", [](Violation& v) { v.side = ViolationSide::kAfter; }},
      {"right", [](Violation& v) { v.write = true; }},
  };
  for (const Change& change : kChanges) {
    ViolationLog log;
    log.Add(OneViolation());
    Violation other = OneViolation();
    change.make(other);
    if (log.Find(other) != nullptr) wrong.push_back(std::string("a violation of another ") + change.what + " is found");
    log.Add(other);
    if (log.groups().size() != 2)
      wrong.push_back(std::string("violations of another ") + change.what + " are one group");
  }
}

// The same fault at another distance: where it lies is taken from the furthest, everything else is the worst or the
// sum.
void PutTogether(std::vector<std::string>& wrong) {
  Violation further = OneViolation(), nearer = OneViolation();
  further.distance_bytes = 9;
  further.max_width_bytes = further.min_width_bytes = 16;
  further.lowest_touched = -9;
  further.highest_touched = 6;
  further.state_kind = ByteState::kTail;
  further.state = "far";
  further.reserve = ReserveVerdict::kReachesObject;
  nearer.distance_bytes = 2;
  nearer.min_width_bytes = nearer.max_width_bytes = 2;
  nearer.count = 5;
  nearer.lowest_touched = -2;
  nearer.state_kind = ByteState::kScratch;
  nearer.state = "near";
  for (const bool furthest_first : {true, false}) {
    ViolationLog log;
    log.Add(OneViolation());
    log.Add(furthest_first ? further : nearer);
    log.Add(furthest_first ? nearer : further);
    if (log.groups().size() != 1) {
      wrong.push_back("violations of one operator, phase, operand, side and right are several groups");
      continue;
    }
    const Violation& group = log.groups()[0];
    const bool right = group.count == 7 && group.distance_bytes == 9 && group.min_width_bytes == 2 &&
                       group.max_width_bytes == 16 && group.lowest_touched == -9 && group.highest_touched == 6 &&
                       group.state_kind == ByteState::kTail && group.state == "far" &&
                       group.reserve == ReserveVerdict::kReachesObject;
    if (!right || log.access_count() != 7)
      wrong.push_back("a group of violations does not hold its furthest and worst");
  }
}

// A log that cannot take a group has to report that it is full.
void Overfill(std::vector<std::string>& wrong) {
  ViolationLog log;
  for (std::size_t i = 0; i <= ViolationLog::kMaxGroups; ++i) {
    if (log.capped()) wrong.push_back("a violation log reports that it is full before it is");
    Violation violation = OneViolation();
    violation.op.index = static_cast<std::int32_t>(i);
    log.Add(violation);
  }
  if (!log.capped()) wrong.push_back("a violation log that dropped a group and does not report it");
  if (log.access_count() != ViolationLog::kMaxGroups + 1) wrong.push_back("an access that the log does not count");
}

}  // namespace

std::vector<std::string> RunViolationLogSelfTest() {
  std::vector<std::string> wrong;
  KeepApart(wrong);
  PutTogether(wrong);
  Overfill(wrong);
  return wrong;
}

}  // namespace arenaproof
