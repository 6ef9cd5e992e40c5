// One line on a terminal that is replaced as things go on, and gone at the end. Nothing when standard error is no
// terminal.
#pragma once

#include <string>

namespace arenaproof {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // As much of it as one line takes.
  void Show(const std::string& text) const;

  // May be called in a signal's handler.
  static void Clear();

 private:
  bool terminal_;
};

}  // namespace arenaproof
