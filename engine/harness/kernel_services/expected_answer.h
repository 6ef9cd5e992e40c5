// What a call may be answered with: success when nothing speaks against it, else any one of the reasons that do. Which
// of several is named is nobody's promise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"

namespace arenaproof {

class ExpectedAnswer {
 public:
  // The numbers are the status's first ones.
  template <typename... Numbers>
  void RefuseIf(bool applies, StatusCode code, Numbers... numbers) {
    if (applies) reasons_.push_back({Failure(code, numbers...), sizeof...(numbers)});
  }
  // The answer is this one, whatever else applies.
  void Insist(const Status& status) { reasons_ = {{status, status.detail.size()}}; }

  bool refused() const { return !reasons_.empty(); }
  bool Allows(const Status& status) const;
  std::string Words() const;

 private:
  struct Reason {
    Status status;
    std::size_t number_count;
  };
  std::vector<Reason> reasons_;
};

// Ends the process (defect.h) over another answer.
void RequireAnswer(const char* call, const Status& answer, const ExpectedAnswer& expected);

}  // namespace arenaproof
