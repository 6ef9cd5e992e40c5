// Whether the instrument has passed its self-test in a copy of this process, so that its other copies need not repeat
// it.
#pragma once

#include <functional>
#include <utility>

namespace arenaproof {

class SelfTestRecord {
 public:
  bool passed() const { return passed_; }
  // Whoever keeps the record for later copies.
  void OnPass(std::function<void()> keep) { keep_ = std::move(keep); }
  void Pass() {
    passed_ = true;
    if (keep_) keep_();
  }

 private:
  bool passed_ = false;
  std::function<void()> keep_;
};

}  // namespace arenaproof
