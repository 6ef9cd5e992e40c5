#include "props/operators/case_turns.h"

#include "engine/generators/operators/far_cases.h"
#include "engine/generators/operators/invalid_case.h"
#include "engine/generators/operators/limit_cases.h"
#include "props/operators/case_runs.h"
#include "props/operators/single_kernel.h"
#include "props/operators/table_turns.h"

namespace arenaproof::props {

// Every other case is of the table, whose operators come by turns. Of the others ten of eighteen are valid. Five kinds
// that random operators seldom are come by turns: far extents, extremes, rules, limits from within and from beyond.
bool RunCaseOfNumber(CaseRandom& random, std::uint64_t all) {
  if (OnlyRowName() != nullptr) return RunOfTable(random, all);
  if (all % 2 == 1) return RunOfTable(random, all / 2);
  const std::uint64_t number = all / 2;
  const std::uint64_t turn = number / 18;
  const auto extreme = [&](std::uint64_t which) {
    return RunValid(random, MakeExtremeCase(random, (3 * turn + which) % ExtremeKindCount()));
  };
  switch (number % 18) {
    case 0:
      return RunCall(random);
    case 1:
      return RunLimit(random, turn % LimitCount(), false);
    case 9:
      return RunLimit(random, turn % LimitCount(), true);
    case 2:
      return extreme(0);
    case 7:
      return extreme(1);
    case 12:
      return extreme(2);
    case 4:
      return RunInvalid(random, 2 * turn % RuleCount());
    case 10:
      return RunInvalid(random, (2 * turn + 1) % RuleCount());
    case 5:
    case 8:
    case 13:
      return RunInvalid(random);
    case 16:
      return RunFar(random, turn % FarDimensionCount());
    case 17:
      return RunOtherTypes(random);
    default:
      return RunValid(random, MakeCase(random));
  }
}

}  // namespace arenaproof::props
