#include "props/operators/output_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "engine/oracles/operators/exact_floats.h"
#include "engine/oracles/operators/exact_reference.h"
#include "engine/oracles/operators/memory_definition.h"
#include "engine/oracles/operators/naive_reference.h"
#include "props/operators/case_report.h"

namespace arenaproof::props {
namespace {

// Values that are no number are all one, zeros are two.
bool SameBits(double found, double expected) {
  if (std::isnan(found) || std::isnan(expected)) return std::isnan(found) && std::isnan(expected);
  return found == expected && std::signbit(found) == std::signbit(expected);
}

bool CompareToTheBit(TensorType type, const std::byte* found, std::size_t which, const Values& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = ElementOf(type, found, i), exact = expected[i];
    if (type == TensorType::kFloat32 ? SameBits(value, exact) : value == exact) continue;
    std::fprintf(stderr, "element %zu of output %zu is %.9g, to the bit %.9g\n", i, which, value, exact);
    return Complain("an output is not what the definition says");
  }
  return true;
}

std::optional<Values> ToTheBit(const OperatorCase& subject, bool omits_last_input) {
  return IsOfFloats(subject) ? ExactFloats(subject, omits_last_input) : ExactOutput(subject, omits_last_input);
}

bool SameBytes(const std::vector<std::size_t>& found, const std::vector<std::size_t>& expected, std::int32_t op,
               const char* of) {
  for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
    const std::size_t taken = i < found.size() ? found[i] : 0, defined = i < expected.size() ? expected[i] : 0;
    if (taken == defined) continue;
    std::fprintf(stderr, "%s %zu of operator %d: %zu bytes, by definition %zu\n", of, i, op, taken, defined);
    return false;
  }
  return true;
}

}  // namespace

bool CompareElements(TensorType type, const std::byte* found, std::size_t which, const Expected& expected) {
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double value = ElementOf(type, found, i), defined = expected.values[i];
    if (expected.to_the_bit && type == TensorType::kFloat32) {
      if (SameBits(value, defined)) continue;
    } else if (std::isnan(defined) || value == defined || std::fabs(value - defined) <= expected.tolerance) {
      continue;
    }
    std::fprintf(stderr, "element %zu of output %zu is %.9g, by definition %.9g\n", i, which, value, defined);
    return Complain("an output is not what the definition says");
  }
  return true;
}

bool CompareOutput(const OperatorCase& subject, const std::byte* found, std::size_t copy, bool omits_last_input) {
  if (!CompareElements(subject.output.type, found, copy, ExpectedOutput(subject, omits_last_input))) return false;
  const std::optional<Values> exact = ToTheBit(subject, omits_last_input);
  return !exact || CompareToTheBit(subject.output.type, found, copy, *exact);
}

bool CompareOutputOnce(const OperatorCase& subject, const std::byte* found, bool omits_last_input) {
  if (const std::optional<Values> exact = ToTheBit(subject, omits_last_input)) {
    return CompareToTheBit(subject.output.type, found, 0, *exact);
  }
  return CompareElements(subject.output.type, found, 0, ExpectedOutput(subject, omits_last_input));
}

bool CompareMemory(const OperatorCase& subject, std::int32_t op, const std::vector<std::size_t>& scratch,
                   const std::vector<std::size_t>& arrays) {
  return CompareMemory(op, scratch, ScratchOf(subject), arrays, ArraysOf(subject));
}

bool CompareMemory(std::int32_t op, const std::vector<std::size_t>& scratch,
                   const std::vector<std::size_t>& defined_scratch, const std::vector<std::size_t>& arrays,
                   const std::vector<std::size_t>& defined_arrays) {
  if (!SameBytes(scratch, defined_scratch, op, "scratch buffer")) {
    return Complain("scratch is requested that is not used, or too little of it");
  }
  if (!SameBytes(arrays, defined_arrays, op, "array")) {
    return Complain("arrays for channels have another size than by definition");
  }
  return true;
}

}  // namespace arenaproof::props
