// The lowest gap for a buffer between placed ones, which are given by rising offset.
#pragma once

#include <cstddef>

namespace arenaproof {

class GapSearch {
 public:
  explicit GapSearch(std::size_t wanted_bytes) : wanted_bytes_(wanted_bytes) {}

  // Goes past a buffer that lives with the wanted one. True: the gap before it is wide enough (an exact fit fits), and
  // nothing behind it matters.
  bool Pass(std::size_t offset, std::size_t bytes) {
    if (offset >= candidate_ && offset - candidate_ >= wanted_bytes_) return true;
    const std::size_t end = offset + bytes;
    candidate_ = end > candidate_ ? end : candidate_;
    return false;
  }

  // Behind everything that was passed.
  std::size_t candidate() const { return candidate_; }

 private:
  std::size_t wanted_bytes_;
  std::size_t candidate_ = 0;
};

}  // namespace arenaproof
