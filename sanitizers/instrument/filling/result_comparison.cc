#include "sanitizers/instrument/filling/result_comparison.h"

#include <algorithm>
#include <cstring>

#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

Violation OtherEnd(const NamedOperator& op) {
  Violation violation;
  violation.op = op;
  violation.side = ViolationSide::kDiffers;
  violation.count = 1;
  violation.state = "nothing: it is no result that differs";
  return violation;
}

Violation Difference(const NamedOperator& op, const OperandRange& result, const std::vector<std::byte>& first,
                     const ByteRegistry& registry) {
  Violation violation;
  violation.op = op;
  violation.operand = result;
  violation.side = ViolationSide::kDiffers;
  violation.count = 1;
  std::size_t differing = 0, lowest = 0, highest = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == result.data[i]) continue;
    if (differing++ == 0) lowest = i;
    highest = i;
  }
  violation.min_width_bytes = violation.max_width_bytes = differing;
  violation.lowest_touched = static_cast<std::int64_t>(lowest);
  violation.highest_touched = static_cast<std::int64_t>(highest);
  violation.state_kind = ByteState::kOwnOperand;
  violation.state = registry.Describe(registry.OwnerOf(result.data + lowest, {{&result, 1}}), {{&result, 1}});
  return violation;
}

}  // namespace

bool IsResult(const OperandRange& operand) {
  return Exists(operand) && Grants(operand.right, true) &&
         (operand.kind == OperandKind::kOutput || operand.kind == OperandKind::kVariable);
}

bool BeginsEmpty(const OperandRange& operand, std::span<const OperandRange> operands) {
  if (!Exists(operand) || !Grants(operand.right, true)) return false;
  if (operand.kind != OperandKind::kOutput && operand.kind != OperandKind::kScratch) return false;
  return std::none_of(operands.begin(), operands.end(), [&](const OperandRange& other) {
    return other.kind != OperandKind::kOutput && other.kind != OperandKind::kScratch && Exists(other) &&
           AddressOf(other.data) < AddressOf(operand.data) + operand.bytes &&
           AddressOf(operand.data) < AddressOf(other.data) + other.bytes;
  });
}

void ResultComparison::Rewind() {
  next_ = 0;
  apart_ = false;
  if (!other_) first_run_.clear();
}

std::vector<Violation> ResultComparison::FailureOf(std::int32_t subgraph, std::int32_t operator_index) const {
  const auto met = met_.find({subgraph, operator_index});
  if (!other_ || met == met_.end()) return {};
  return {OtherEnd(met->second)};
}

std::vector<Violation> ResultComparison::Take(const NamedOperator& op, std::span<const OperandRange> operands,
                                              const ByteRegistry& registry) {
  if (!other_) {
    Invoked& invoked = first_run_.emplace_back(Invoked{op.subgraph, op.index, {}});
    for (const OperandRange& operand : operands) {
      if (!IsResult(operand)) continue;
      invoked.results.push_back({operand.kind, operand.index, {operand.data, operand.data + operand.bytes}});
    }
    return {};
  }
  if (apart_) return {};
  const Invoked* const first = next_ < first_run_.size() ? &first_run_[next_] : nullptr;
  ++next_;
  apart_ = first == nullptr || first->subgraph != op.subgraph || first->index != op.index;
  if (apart_) return {OtherEnd(op)};
  std::vector<Violation> differences;
  for (const OperandRange& operand : operands) {
    if (!IsResult(operand)) continue;
    const auto kept = std::find_if(first->results.begin(), first->results.end(), [&](const Result& result) {
      return result.kind == operand.kind && result.index == operand.index && result.bytes.size() == operand.bytes;
    });
    if (kept == first->results.end()) {
      differences.push_back(OtherEnd(op));
    } else if (std::memcmp(kept->bytes.data(), operand.data, operand.bytes) != 0) {
      differences.push_back(Difference(op, operand, kept->bytes, registry));
      std::memcpy(const_cast<std::byte*>(operand.data), kept->bytes.data(), operand.bytes);
    }
  }
  return differences;
}

}  // namespace arenaproof
