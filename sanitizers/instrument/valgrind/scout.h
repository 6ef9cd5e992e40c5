// A copy of this process in which an operator runs first, up to where it next calls the runtime or returns.
//
// memcheck writes an error of a place in the code once in a process, and hides all later ones, whatever operator made
// them. Each copy begins with no errors, while this process reports none of its own.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>

namespace arenaproof {

class Scout {
 public:
  // Whether a copy would have all threads that this process has.
  static bool Possible();

  // True in the copy, which goes on to Finish(); false here, when that has ended.
  bool Go();
  // In the copy: ends it.
  [[noreturn]] void Finish() const;
  bool is_copy() const { return report_ >= 0; }

  // Of the copy that ended last: 0 when there was none.
  pid_t process() const { return process_; }
  // How many errors it counted; nothing when it ended otherwise.
  std::optional<std::size_t> error_count() const { return error_count_; }

 private:
  int report_ = -1;  // in the copy: where its count goes
  pid_t process_ = 0;
  std::optional<std::size_t> error_count_;
};

}  // namespace arenaproof
