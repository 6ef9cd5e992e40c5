// Which operators run just now, and which function of a kernel library, in memory that a process shares with its
// parent: the parent shows them on a terminal and names them when a limit or a crash ends the process, whatever state
// it is in. Beginning or ending one costs some stores.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

struct ActiveOperator {
  OperatorPhase phase = OperatorPhase::kInvoke;
  std::int32_t subgraph = 0, operator_index = 0;
  std::string name, kernel = {};  // bytes that another process wrote: not trusted
};

// What of a kernel library (--kernels=FILE) runs: its constructors, the function that gives its table, a kernel's
// functions.
enum class LibraryCall : std::uint32_t { kNone, kLoad, kTable, kServes, kInit, kPrepare, kInvoke, kReset, kFree };

struct ActiveOperators {
  std::vector<ActiveOperator> nested;  // the innermost last; empty: none runs
  std::size_t begun_count = 0;         // since the start, every phase of every run
  std::optional<ActiveOperator> last;  // while none runs, the one that did
  LibraryCall library_call = LibraryCall::kNone;
  std::string library_subject = {};  // the kernel's operator, or the library; not trusted either
};

// Zeroed memory is an empty board, and the board of one process reads as that of another: numbers and bytes, no
// pointers.
class OperatorBoard {
 public:
  void Begin(const OperatorScope& scope);
  void End();

  // They do not nest. `subject` is cut like an operator's name.
  void BeginLibraryCall(LibraryCall call, const char* subject);
  void EndLibraryCall();

  // What is read while another process writes may mix two moments; it is bounded all the same.
  ActiveOperators Read() const;

 private:
  static constexpr std::size_t kMostNested = 8;  // those further inside are counted only
  static constexpr std::size_t kNameBytes = 40;
  using Number = std::atomic<std::uint32_t>;
  using Count = std::atomic<std::size_t>;
  static_assert(Number::is_always_lock_free && Count::is_always_lock_free);

  using Name = std::array<std::atomic<char>, kNameBytes>;  // filled with zeros

  struct Entry {
    Number phase, subgraph, operator_index;
    Name name, kernel;
  };

  static void Write(const char* from, Name& name);
  static std::string ReadName(const Name& name);
  static ActiveOperator ReadEntry(const Entry& entry);

  Count begun_count_{};
  Number depth_{};
  std::array<Entry, kMostNested> entries_{};
  Number library_call_{};
  Name library_subject_{};
};

// A descriptor on which the parent passes a board's memory to the process that it starts.
inline constexpr int kOperatorBoardDescriptor = 4;

// The board on that descriptor; one of the process's own, which nobody reads, when there is none.
OperatorBoard& BoardOfParent();

}  // namespace arenaproof
