// The lowest gap for a buffer between placed ones, which are given by rising offset.
#pragma once

#include <cstddef>

namespace arenaproof {

class GapSearch {
 public:
  // Not below `candidate`.
  GapSearch(std::size_t candidate, std::size_t wanted_bytes)
      : wanted_bytes_(wanted_bytes), end_(candidate + wanted_bytes), fits_(end_ >= candidate) {}

  // Goes past a buffer that lives with the wanted one. True: the gap before it is wide enough (an exact fit fits), or
  // what is left above it is too narrow even for a last one; nothing behind it matters. Where the caller knows that all
  // sums fit, nothing is too narrow.
  template <bool kSumsFit = false>
  bool Pass(std::size_t offset, std::size_t bytes) {
    if (offset >= end_) return true;
    const std::size_t end = offset + bytes + wanted_bytes_;
    if (!kSumsFit && end < wanted_bytes_) {
      fits_ = false;
      return true;
    }
    end_ = end > end_ ? end : end_;
    return false;
  }

  // Goes on for a buffer of more bytes.
  void Want(std::size_t bytes) {
    const std::size_t begin = candidate();
    *this = GapSearch(begin, bytes);
  }

  // The wanted buffer's end behind everything that was passed is a number that fits.
  bool fits() const { return fits_; }

  // Behind everything that was passed.
  std::size_t candidate() const { return end_ - wanted_bytes_; }

 private:
  std::size_t wanted_bytes_;
  std::size_t end_;  // of the wanted buffer, if it is put behind what was passed
  bool fits_;
};

}  // namespace arenaproof
