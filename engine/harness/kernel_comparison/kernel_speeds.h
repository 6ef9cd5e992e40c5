// How fast two kernels are beside each other: CPU time, measured in turns, so that what else the machine does meets
// both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/cases/operator_case.h"

namespace arenaproof::testing {

using KernelSetPair = std::array<const KernelSet*, 2>;

// A case as it runs: its number and operands, and where its constants lie.
struct NumberedCase {
  std::uint64_t number = 0;
  OperatorCase subject;
  std::size_t constant_offset = 0;  // address mod 16
};

// Is told what runs, for whoever watches, and for the report when a kernel ends the process.
class ComparisonListener {
 public:
  // A kernel of the set is about to run, once or for a measurement.
  virtual void Begins(const KernelSet& set, const NumberedCase& which, bool measured) = 0;
  // It has come back.
  virtual void Ended() = 0;

 protected:
  ~ComparisonListener() = default;
};

struct KernelSpeeds {
  const char* unit = "";  // "multiply", of pools "window element", else "element" of the largest operand
  std::size_t cases = 0;
  std::array<double, 2> nanoseconds{};  // for each unit
  // Of the second set to the first: the median, and the cases' extremes.
  double ratio = 0, least_ratio = 0, most_ratio = 0;
};

struct CountedWork {
  const char* unit = "";
  std::uint64_t units = 0;
};
CountedWork CountWork(const OperatorCase& subject);

// The cases with the most work, of those that are offered.
class LargestCases {
 public:
  void Offer(NumberedCase offered);
  std::vector<NumberedCase> Take();

 private:
  struct Ranked {
    std::uint64_t units = 0;
    NumberedCase one;
  };
  void KeepTheLargest();

  std::vector<Ranked> kept_;
};

// Precondition: there are cases, and both sets compute each of them.
KernelSpeeds MeasureSpeeds(const KernelSetPair& sets, const std::vector<NumberedCase>& cases,
                           ComparisonListener& listener);

}  // namespace arenaproof::testing
