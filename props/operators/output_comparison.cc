#include "props/operators/output_comparison.h"

#include <cstdio>
#include <optional>

#include "engine/oracles/operators/exact_floats.h"
#include "engine/oracles/operators/exact_reference.h"
#include "engine/oracles/operators/memory_definition.h"
#include "engine/oracles/operators/naive_reference.h"
#include "props/operators/case_report.h"

namespace arenaproof::props {
namespace {

std::optional<Expected> ToTheBit(const OperatorCase& subject, bool omits_last_input) {
  std::optional<Values> exact =
      IsOfFloats(subject) ? ExactFloats(subject, omits_last_input) : ExactOutput(subject, omits_last_input);
  if (!exact) return std::nullopt;
  return Expected{std::move(*exact), 0, true};
}

bool CompareElements(const OperatorCase& subject, const std::byte* found, std::size_t copy, const Expected& expected) {
  return NoDifference(testing::DifferenceOfElements(subject.output.type, found, copy, expected));
}

}  // namespace

bool NoDifference(const testing::Difference& difference) {
  if (difference.none()) return true;
  if (!difference.numbers.empty()) std::fprintf(stderr, "%s\n", difference.numbers.c_str());
  return Complain(difference.what.c_str());
}

bool CompareOutput(const OperatorCase& subject, const std::byte* found, std::size_t copy, bool omits_last_input) {
  if (!CompareElements(subject, found, copy, ExpectedOutput(subject, omits_last_input))) return false;
  const std::optional<Expected> exact = ToTheBit(subject, omits_last_input);
  return !exact || CompareElements(subject, found, copy, *exact);
}

bool CompareOutputOnce(const OperatorCase& subject, const std::byte* found, bool omits_last_input) {
  const std::optional<Expected> exact = ToTheBit(subject, omits_last_input);
  return CompareElements(subject, found, 0, exact ? *exact : ExpectedOutput(subject, omits_last_input));
}

bool CompareMemory(const OperatorCase& subject, const testing::MemoryRequests& found) {
  return NoDifference(testing::DifferenceOfRequests(found, {ScratchOf(subject), ArraysOf(subject)}));
}

}  // namespace arenaproof::props
