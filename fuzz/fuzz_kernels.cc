// Does any kernel of the reference or the aligned set differ from its operator's definition on a valid case, or take
// one that a step beyond the operator's row has made invalid? Does one of a library from outside, called through the C
// ABI, differ from the reference on what it serves?
//
//   byte 0     the operator, mod those of the table that have cases
//   byte 1     mod 4: 0 a case with one rule broken; else a valid one. The rest, mod the row's rules: which of them
//   byte 2-5   the number from which the case is drawn
//   then       three bytes each: where (two bytes, mod the values' bytes), what: laid over the int8 or int16
//              activations of a product, which may have any value
//
// Operands are heap blocks of their size: AddressSanitizer sees the first byte outside.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "core/operators/operator_row.h"
#include "engine/explain.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/operators/table/beyond_case.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernel_comparison/kernel_run.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/kernels/table_checks.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "kernels/vendor/kernel_abi.h"
#include "tools/kernel_library/library_kernels.h"

namespace arenaproof {
namespace {

// Those of kernels/vendor/example, linked.
const KernelSet& OutsideKernels() {
  static const LibraryKernels* const kernels = [] {
    CheckedTable checked;
    if (const auto refusal = CheckTable(arenaproof_kernel_library(), &checked)) {
      std::fprintf(stderr, "VIOLATED: the example's table is refused\n%s\n", refusal->sentence.c_str());
      std::abort();
    }
    return new LibraryKernels(checked, nullptr);  // for as long as the process lives
  }();
  return kernels->set();
}

void Require(const testing::Difference& difference, const KernelSet& set, const OperatorCase& subject) {
  if (difference.none()) return;
  std::fprintf(stderr, "VIOLATED: %s\n%s\nkernels '%s' on %s\n", difference.what.c_str(), difference.numbers.c_str(),
               set.name, subject.Describe().c_str());
  std::abort();
}

// Whether any value of the type is a valid one there: activations of products, which no rule of values speaks of.
bool TakesAnyValue(const OperatorRow& row, const CaseTensor& input) {
  const bool product = row.code == BuiltinOperator::kFullyConnected || row.code == BuiltinOperator::kConv2d ||
                       row.code == BuiltinOperator::kDepthwiseConv2d;
  const bool quantized = input.type == TensorType::kInt8 || input.type == TensorType::kInt16;
  return product && quantized && !input.constant && !input.variable && input.present;
}

void Overlay(const OperatorRow& row, ByteReader& reader, OperatorCase& subject) {
  for (CaseTensor& input : subject.inputs) {
    if (!TakesAnyValue(row, input) || input.bytes.empty()) continue;
    while (!reader.empty()) {
      const auto where = static_cast<std::size_t>(reader.Number(2)) % input.bytes.size();
      input.bytes[where] = static_cast<std::byte>(reader.Byte());
    }
    return;
  }
}

// A kernel from outside asks for the memory that it likes, and may refuse; what it computes is what the reference does.
void RunOutside(const OperatorCase& subject, const testing::TestOperator& made) {
  const KernelSet& outside = OutsideKernels();
  if (!testing::ServesByItself(outside, made)) return;
  const testing::KernelRun found = testing::RunForComparison(outside, made, {.fill = std::byte{0x3C}});
  if (Explaining())
    Explain(std::string("kernels '") + outside.name + (found.prepared ? "' compute it" : "' refuse it"));
  if (!found.broken_promise.empty()) Require({.what = found.broken_promise}, outside, subject);
  if (!found.prepared) return;
  const testing::KernelRun expected = testing::RunForComparison(ReferenceKernels(), made, {});
  if (found.invokes.size() != expected.invokes.size()) Require({.what = "an invoke fails"}, outside, subject);
  for (std::size_t i = 0; i < found.invokes.size(); ++i) {
    if (found.invokes[i].outputs == expected.invokes[i].outputs) continue;
    Require({.what = "the outputs differ from the reference's"}, outside, subject);
  }
}

void RunValid(const OperatorRow& row, const props::OperatorDefinition& definition, std::uint64_t number,
              ByteReader& reader) {
  CaseRandom random(number);
  OperatorCase subject = MakeNearOrFarTableCase(random, row).subject;
  Overlay(row, reader, subject);
  if (Explaining()) Explain("a valid case: " + subject.Describe());
  const testing::TestOperator made = testing::OperatorOf(subject, false);
  for (const KernelSet* const set : {&ReferenceKernels(), &AlignedKernels()}) {
    if (!testing::ServesByItself(*set, made)) continue;
    if (Explaining()) Explain(std::string("kernels '") + set->name + "' compute it");
    Require(testing::DifferenceOfKernel(*set, subject, definition), *set, subject);
  }
  RunOutside(subject, made);
}

void RunBeyond(const OperatorRow& row, std::size_t which, std::uint64_t number) {
  const std::vector<RuleBreak> breaks = RuleBreaksOf(row);
  if (breaks.empty()) return;
  CaseRandom random(number);
  // A byte's quarter counts to 64, which is fewer than the breaks of one operator.
  const std::size_t further = breaks.size() > 64 ? 64 * (number % (breaks.size() / 64 + 1)) : 0;
  const RuleBreak& broken = breaks[(which + further) % breaks.size()];
  const std::optional<BeyondCase> beyond = MakeBeyondCase(random, row, broken);
  if (!beyond) return;
  if (Explaining()) Explain("one rule is broken, " + BreakName(row, broken) + ": " + beyond->subject.Describe());
  bool in_prepare = false;
  Require(testing::DifferenceOfRefusal(ReferenceKernels(), *beyond, &in_prepare), ReferenceKernels(), beyond->subject);
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace arenaproof;
  ByteReader reader(data, bytes);
  const auto rows = RowsWithCases();
  const OperatorRow& row = *rows[reader.Below(rows.size())];
  const std::uint8_t choice = reader.Byte();
  const std::uint64_t number = reader.Number(4);
  const props::OperatorDefinition* const definition = props::FindDefinition(row.code);
  if (choice % 4 == 0) {
    RunBeyond(row, choice / 4, number);
  } else if (definition != nullptr) {
    RunValid(row, *definition, number, reader);
  } else if (Explaining()) {
    Explain("the operator has no definition to hold a kernel against; properties of operators run it");
  }
  return 0;
}
