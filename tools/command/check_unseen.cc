#include "tools/command/check_unseen.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/text/text.h"

namespace arenaproof {
namespace {

using Place = std::pair<std::int64_t, std::int64_t>;  // subgraph, operator

bool SawAnOperator(const CheckPart& part) {
  return std::any_of(part.report.operators.begin(), part.report.operators.end(),
                     [](const OperatorSeen& one) { return one.seen; });
}

std::vector<std::string> Names(const CheckResult& result, const std::function<bool(const CheckPart&)>& counts) {
  std::vector<std::string> names;
  for (const CheckPart& part : result.parts) {
    const std::string name(part.instrument->name);
    if (counts(part) && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

// "a", "a and b", "a, b and c".
std::string Listed(std::vector<std::string> names) {
  if (names.size() < 2) return Joined(names, "");
  const std::string last = names.back();
  names.pop_back();
  return Joined(names, ", ") + " and " + last;
}

// The layout in which fewest things stayed unseen, and how many: what one layout shows, the others need not.
using Least = std::pair<std::int64_t, std::string>;

Least LeastOfLayouts(const std::map<std::string, std::int64_t>& count_of_layout) {
  Least least{0, ""};
  for (const auto& [layout, count] : count_of_layout) {
    if (least.second.empty() || count < least.first) least = {count, layout};
  }
  return least;
}

Least BlindPairsLeft(const CheckResult& result, std::optional<std::int64_t> WorkerReport::* count) {
  std::map<std::string, std::int64_t> pairs;
  for (const CheckPart& part : result.parts) {
    std::int64_t& most = pairs.emplace(part.layout, 0).first->second;
    most = std::max(most, (part.report.*count).value_or(0));
  }
  return LeastOfLayouts(pairs);
}

bool SeesEveryRead(const CheckPart& part) { return (part.instrument->blind_to & kReadsWithoutInfluence) == 0; }

// Operands whose edges no instrument decided to the byte, of those that see accesses and saw their operator.
std::int64_t InexactLeft(const CheckResult& result) {
  using OperandPlace = std::tuple<std::int64_t, std::int64_t, std::string, std::int64_t>;
  struct Counts {
    std::map<Place, std::int64_t> saw;  // how many parts
    std::map<OperandPlace, std::int64_t> inexact;
  };
  std::map<std::string, Counts> layouts;
  for (const CheckPart& part : result.parts) {
    if (!SeesEveryRead(part) || !SawAnOperator(part)) continue;
    Counts& counts = layouts[part.layout];
    std::set<Place> seen;
    for (const OperatorSeen& one : part.report.operators) {
      if (one.seen) seen.insert({one.subgraph, one.index});
    }
    for (const Place& place : seen) ++counts.saw[place];
    for (const NotExactOperand& operand : part.report.not_exact) {
      if (!seen.contains({operand.subgraph, operand.operator_index})) continue;
      ++counts.inexact[{operand.subgraph, operand.operator_index, operand.kind, operand.index}];
    }
  }
  std::map<std::string, std::int64_t> left;
  for (auto& [layout, counts] : layouts) {
    left[layout] =
        std::count_if(counts.inexact.begin(), counts.inexact.end(), [&saw = counts.saw](const auto& operand) {
          return operand.second >= saw[{std::get<0>(operand.first), std::get<1>(operand.first)}];
        });
  }
  return LeastOfLayouts(left).first;
}

std::string KindsText(unsigned kinds) {
  const std::string outside = " in init and prepare and around persistent blocks";
  if (kinds == (kReadsOutsideInvoke | kWritesOutsideInvoke)) return "accesses" + outside;
  std::vector<std::string> pieces;
  if ((kinds & kReadsWithInfluence) != 0) {
    pieces.emplace_back("reads");
  } else if ((kinds & kReadsWithoutInfluence) != 0) {
    pieces.emplace_back("reads that influence no result");
  } else if ((kinds & kReadsOutsideInvoke) != 0) {
    pieces.push_back("reads" + outside);
  }
  if ((kinds & kWritesOutsideInvoke) != 0) pieces.push_back("writes" + outside);
  return Joined(pieces, " and ");
}

// Kinds of accesses that no part saw which saw the operator, as "reads, which canary does not see"; empty when each
// kind was seen of each operator. Of an operator that no part saw they are another matter.
std::string UnseenKinds(const CheckResult& result) {
  constexpr unsigned kAll = ~0U;
  std::map<Place, unsigned> left;
  for (const CheckPart& part : result.parts) {
    for (const OperatorSeen& one : part.report.operators) {
      if (one.seen) left.emplace(Place{one.subgraph, one.index}, kAll).first->second &= part.instrument->blind_to;
    }
  }
  std::map<unsigned, std::int64_t> counts;
  for (const auto& [place, kinds] : left) ++counts[kinds];
  std::vector<std::string> pieces;
  for (const auto& [kinds, count] : counts) {
    if (kinds == 0) continue;
    const bool of_all = counts.size() == 1;
    pieces.push_back(KindsText(kinds) + (of_all ? "" : " (" + Counted(count, "operator") + ")"));
  }
  if (pieces.empty()) return {};
  const std::vector<std::string> names = Names(result, SawAnOperator);
  const std::string who = names.size() == 1 ? names.front() + " does not see" : "none of " + Listed(names) + " sees";
  return Joined(pieces, "; ") + ", which " + who;
}

}  // namespace

std::string InstrumentsUsed(const CheckResult& result) {
  return Listed(Names(result, [](const CheckPart&) { return true; }));
}

std::string InstrumentsThatSaw(const CheckResult& result) {
  const std::vector<std::string> names = Names(result, SawAnOperator);
  return names.empty() ? InstrumentsUsed(result) : Listed(names);
}

std::int64_t UnseenOperators(const CheckResult& result) {
  std::set<Place> all, seen;
  for (const CheckPart& part : result.parts) {
    for (const OperatorSeen& one : part.report.operators) {
      all.insert({one.subgraph, one.index});
      if (one.seen) seen.insert({one.subgraph, one.index});
    }
  }
  return static_cast<std::int64_t>(all.size() - seen.size());
}

std::int64_t BlindPairsLeftInPrepare(const CheckResult& result) {
  return BlindPairsLeft(result, &WorkerReport::prepare_blind_pair_count).first;
}

std::string WhatStayedUnseen(const CheckResult& result) {
  std::vector<std::string> unseen;
  if (std::string kinds = UnseenKinds(result); !kinds.empty()) unseen.push_back(std::move(kinds));
  if (const auto [pairs, layout] = BlindPairsLeft(result, &WorkerReport::blind_pair_count); pairs > 0) {
    unseen.push_back(Counted(pairs, "blind pair") + " in the " + layout + " layout" +
                     (layout == "faithful" ? ", which --layout=dilated takes apart" : ""));
  }
  if (const std::int64_t operands = InexactLeft(result); operands > 0) {
    const auto decides = [](const CheckPart& part) { return SeesEveryRead(part) && SawAnOperator(part); };
    unseen.push_back(Counted(operands, "operand") + " around which " + Listed(Names(result, decides)) +
                     " cannot decide to the byte");
  }
  if (const std::int64_t operators = UnseenOperators(result); operators > 0) {
    unseen.push_back(Counted(operators, "operator") + " not seen");
  }
  for (const CodeScan& scan : result.code_scans) {
    if (const auto count = static_cast<long long>(scan.functions.size()); count > 0) {
      unseen.push_back(Counted(count, "function") + " of '" + scan.file + "' that " + scan.instrument +
                       " sees in part only");
    }
    if (const auto count = static_cast<long long>(scan.calls.size()); count > 0) {
      unseen.push_back(Counted(count, "function") + " that '" + scan.file + "' calls and " + scan.instrument +
                       " does not watch");
    }
    if (!scan.not_scanned.empty()) unseen.push_back("the code of '" + scan.file + "', which was not scanned");
  }
  return Joined(unseen, "; ");
}

}  // namespace arenaproof
