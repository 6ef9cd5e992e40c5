// Which operators run just now, in memory that a process shares with its parent: the parent shows them on a terminal
// and names them when a limit ends the process, whatever state it is in. Beginning or ending an operator costs some
// stores.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

struct ActiveOperator {
  OperatorPhase phase = OperatorPhase::kInvoke;
  std::int32_t subgraph = 0, operator_index = 0;
  std::string name;  // bytes that another process wrote: not trusted
};

struct ActiveOperators {
  std::vector<ActiveOperator> nested;  // the innermost last; empty: none runs
  std::size_t begun_count = 0;         // since the start, every phase of every run
};

// Zeroed memory is an empty board, and the board of one process reads as that of another: numbers and bytes, no
// pointers.
class OperatorBoard {
 public:
  void Begin(const OperatorScope& scope);
  void End();

  // What is read while another process writes may mix two moments; it is bounded all the same.
  ActiveOperators Read() const;

 private:
  static constexpr std::size_t kMostNested = 8;  // those further inside are counted only
  static constexpr std::size_t kNameBytes = 40;
  using Number = std::atomic<std::uint32_t>;
  using Count = std::atomic<std::size_t>;
  static_assert(Number::is_always_lock_free && Count::is_always_lock_free);

  struct Entry {
    Number phase, subgraph, operator_index;
    std::array<std::atomic<char>, kNameBytes> name;  // filled with zeros
  };

  Count begun_count_{};
  Number depth_{};
  std::array<Entry, kMostNested> entries_{};
};

// A descriptor on which the parent passes a board's memory to the process that it starts.
inline constexpr int kOperatorBoardDescriptor = 4;

// The board on that descriptor; one of the process's own, which nobody reads, when there is none.
OperatorBoard& BoardOfParent();

}  // namespace arenaproof
