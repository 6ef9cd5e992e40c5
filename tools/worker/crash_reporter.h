// When a kernel's wild access ends the process, what was found until then is the best clue to it: it is reported from
// the signal's handler, and the process then dies of the signal all the same.
#pragma once

namespace arenaproof {

class CrashReporter {
 public:
  virtual void ReportBeforeCrash() = 0;

 protected:
  ~CrashReporter() = default;
};

// Crashes from now on are reported to `reporter`, the first of them only; null ends it.
void ReportCrashesTo(CrashReporter* reporter);

}  // namespace arenaproof
