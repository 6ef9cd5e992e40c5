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

// From now on, until it is called with null. The reporter is called once.
void ReportCrashesTo(CrashReporter* reporter);

}  // namespace arenaproof
