#include "engine/harness/self_test/definition_self_test.h"

#include <cmath>

#include "engine/generators/operators/operator_generator.h"
#include "engine/oracles/defect.h"
#include "engine/oracles/operators/naive_reference.h"

namespace arenaproof::props {
namespace {

constexpr int kCases = 200;
// By how many steps a quantised result is wrong; other results by a part of the largest magnitude.
constexpr double kWrongSteps = 4;
constexpr double kWrongShare = 0.01;

bool Refuses(const OperatorCase& subject) {
  const Expected expected = ExpectedOutput(subject, false);
  double largest = 1;
  for (const double value : expected.values) {
    if (std::isfinite(value)) largest = std::fmax(largest, std::fabs(value));
  }
  const bool quantised = !subject.output.scales.empty();
  return expected.tolerance < (quantised ? kWrongSteps : kWrongShare * largest);
}

}  // namespace

void RunDefinitionSelfTest() {
  for (int seed = 0; seed < kCases; ++seed) {
    CaseRandom random(static_cast<std::uint64_t>(seed));
    const OperatorCase subject = MakeCase(random);
    if (Refuses(subject)) continue;
    Defect("an oracle failed its self-test", ("a wrong result would be tolerated: " + subject.Describe()).c_str());
  }
}

}  // namespace arenaproof::props
