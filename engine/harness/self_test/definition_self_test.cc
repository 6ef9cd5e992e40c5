#include "engine/harness/self_test/definition_self_test.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/generators/operators/operator_generator.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernels/table_checks.h"
#include "engine/oracles/defect.h"
#include "engine/oracles/operators/naive_reference.h"

namespace arenaproof::props {
namespace {

constexpr int kCases = 200;
constexpr int kCasesOfARow = 24;
// Of each output of a case: enough to meet every kind of element, and quick.
constexpr std::size_t kMostWrongElements = 16;
// By how many steps a quantised result is wrong; other results by a part of the largest magnitude.
constexpr double kWrongSteps = 4;
constexpr double kWrongShare = 0.01;

double LargestOf(const Values& values) {
  double largest = 1;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::fmax(largest, std::fabs(value));
  }
  return largest;
}

bool Refuses(const OperatorCase& subject) {
  const Expected expected = ExpectedOutput(subject, false);
  const bool quantised = !subject.output.scales.empty();
  return expected.tolerance < (quantised ? kWrongSteps : kWrongShare * LargestOf(expected.values));
}

// Not those of whose elements only a mixture of the bytes is known.
bool HasNumbers(TensorType type) {
  using enum TensorType;
  constexpr TensorType kTypes[] = {kFloat32, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt32, kBool};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

bool IsDecided(TensorType type, const Expected& expected, std::size_t element) {
  return !std::isnan(expected.values[element]) || (expected.to_the_bit && type == TensorType::kFloat32);
}

// Undecided elements are 0.
std::vector<std::byte> BytesOf(TensorType type, double value) {
  std::vector<std::byte> bytes(ElementBytes(type));
  if (type == TensorType::kFloat32) {
    const auto element = static_cast<float>(value);
    std::memcpy(bytes.data(), &element, sizeof element);
  } else {
    const auto element = static_cast<std::int64_t>(std::isnan(value) ? 0 : value);
    std::memcpy(bytes.data(), &element, bytes.size());
  }
  return bytes;
}

// The last bit of a float of which all are decided.
std::vector<std::byte> WrongBytes(TensorType type, const Expected& expected, std::size_t element, double largest) {
  const double right = expected.values[element];
  if (type == TensorType::kBool) return BytesOf(type, right == 0 ? 1 : 0);
  if (type != TensorType::kFloat32) return BytesOf(type, right > 0 ? right - kWrongSteps : right + kWrongSteps);
  if (std::isnan(right) || (!expected.to_the_bit && std::isinf(right))) return BytesOf(type, 1);
  std::vector<std::byte> bytes = BytesOf(type, expected.to_the_bit ? right : right + kWrongShare * largest);
  if (expected.to_the_bit) bytes[0] ^= std::byte{1};
  return bytes;
}

struct Decided {
  std::size_t elements = 0;
  std::size_t decided = 0;
};

// What passes although it is wrong; empty: nothing.
std::string TryWrongElements(TensorType type, const Expected& expected, Decided& count) {
  std::vector<std::byte> found;
  for (const double value : expected.values) {
    const std::vector<std::byte> bytes = BytesOf(type, value);
    found.insert(found.end(), bytes.begin(), bytes.end());
  }
  const auto passes = [&] { return testing::DifferenceOfElements(type, found.data(), 0, expected).none(); };
  if (!passes()) return "what a definition says is wrong by itself";
  const std::size_t elements = expected.values.size(), stride = elements / kMostWrongElements + 1;
  const double largest = LargestOf(expected.values);
  for (std::size_t i = 0; i < elements; ++i) {
    ++count.elements;
    if (!IsDecided(type, expected, i)) continue;
    ++count.decided;
    if (i % stride != 0) continue;
    const std::vector<std::byte> wrong = WrongBytes(type, expected, i, largest);
    std::byte* const at = &found[i * wrong.size()];
    const std::vector<std::byte> right(at, at + wrong.size());
    std::copy(wrong.begin(), wrong.end(), at);
    if (passes()) return "a wrong element would be tolerated, number " + std::to_string(i);
    std::copy(right.begin(), right.end(), at);
  }
  return "";
}

std::string TryWrongOutputs(const OperatorCase& subject, const OperatorDefinition& definition, Decided& count) {
  const std::vector<Expected> outputs = definition.outputs(subject);
  for (std::size_t i = 0; i < subject.output_count(); ++i) {
    const TensorType type = subject.output_at(i).type;
    std::string weakness = HasNumbers(type) ? TryWrongElements(type, outputs[i], count) : "";
    if (!weakness.empty()) return weakness;
  }
  if (definition.variables == nullptr) return "";
  const std::vector<Expected> variables = definition.variables(subject);
  std::size_t which = 0;
  for (const CaseTensor& input : subject.inputs) {
    if (!input.variable) continue;
    std::string weakness = TryWrongElements(input.type, variables[which++], count);
    if (!weakness.empty()) return weakness + " of a variable";
  }
  return "";
}

}  // namespace

std::string WeaknessOf(const OperatorRow& row, const OperatorDefinition& definition) {
  Decided count;
  for (int seed = 0; seed < kCasesOfARow; ++seed) {
    CaseRandom random(static_cast<std::uint64_t>(seed));
    const OperatorCase subject = MakeTableCase(random, row).subject;
    const std::string weakness = TryWrongOutputs(subject, definition, count);
    if (!weakness.empty()) return weakness + ": " + subject.Describe();
  }
  if (2 * count.decided >= count.elements) return "";
  return "only " + std::to_string(count.decided) + " of " + std::to_string(count.elements) + " elements of " +
         BuiltinOperatorName(row.code) + " are decided";
}

void RunDefinitionSelfTest() {
  constexpr const char* kFailed = "an oracle failed its self-test";
  for (int seed = 0; seed < kCases; ++seed) {
    CaseRandom random(static_cast<std::uint64_t>(seed));
    const OperatorCase subject = MakeCase(random);
    if (Refuses(subject)) continue;
    Defect(kFailed, ("a wrong result would be tolerated: " + subject.Describe()).c_str());
  }
  for (const OperatorRow* row : RowsWithCases()) {
    const OperatorDefinition* const definition = FindDefinition(row->code);
    const std::string weakness = definition == nullptr ? "" : WeaknessOf(*row, *definition);
    if (!weakness.empty()) Defect(kFailed, weakness.c_str());
  }
}

}  // namespace arenaproof::props
