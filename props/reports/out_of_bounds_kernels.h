// Kernels that break rules at known places: the reference kernels, each of which touches single bytes beside its
// operands before it does its work and after it. An instrument watches them; beside it stands written what the kernels
// did, in which operator of which subgraph, followed call by call, and what was open to them when they did it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "props/reports/chain_model.h"
#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof::testing {

// subgraph, operator
using OperatorPlace = std::pair<std::int64_t, std::int64_t>;

struct OutOfBoundsAccess {
  bool happens = false;
  bool output = false;    // beside which operand
  std::size_t input = 0;  // modulo how many there are
  bool behind = false;    // or before
  bool write = false;     // of the value that is there
  std::int64_t distance = 1;
  std::size_t times = 1;
};

// What each operator does: in prepare, behind the kernel's own work (beside a constant, if it has any); in each invoke
// before the kernel's own work and behind it.
struct OutOfBoundsAccesses {
  OutOfBoundsAccess in_prepare, before_work, after_work;
};

struct AccessRecord {
  // Operator, phase is prepare, write.
  using Key = std::tuple<OperatorPlace, bool, bool>;
  // The edge of an operand: its tensor, and whether behind it.
  using Edge = std::tuple<OperatorPlace, bool, bool, std::int32_t, bool>;
  struct Found {
    std::int64_t count = 0, furthest = 0;
  };
  struct Pair {
    OperatorPlace place;
    std::int64_t first_index, second_index, distance;
    bool operator==(const Pair&) const = default;
  };
  struct Inexact {
    OperatorPlace place;
    std::string kind;
    std::int64_t index, before, after;
    bool operator==(const Inexact&) const = default;
  };

  std::map<Key, std::int64_t> least_reported, most_reported;  // accesses; the same, unless near the end
  std::map<Edge, Found> edges;
  std::vector<Pair> pairs, prepare_pairs;  // closer than the closed bytes, at an operator's first run
  std::vector<Inexact> inexact;
  std::map<OperatorPlace, bool> seen;  // of operators that ran in the first run or later: whether to the end of each
  bool capped = false;
  std::optional<OperatorPlace> capped_at;  // when it was for one window's sake
  bool near_the_end = false;               // of what the instrument takes in all, or behind it
};

// The instrument of this build, with edges that it says it cannot see; null where none is made of real accesses.
std::unique_ptr<AccessInstrument> MakeOutOfBoundsInstrument();

// What the kernels shall do from now on, to which model; until the next call.
void BeginOutOfBoundsAccesses(const ChainModel& model, const std::map<OperatorPlace, OutOfBoundsAccesses>& plan,
                              const AccessInstrument& instrument);
const AccessRecord& AccessRecordOfKernels();

const KernelSet& OutOfBoundsKernels();

}  // namespace arenaproof::testing
