#include "sanitizers/instrument/filling/twofill_instrument.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

bool Exists(const OperandRange& operand) { return operand.data != nullptr && operand.bytes > 0; }

// Outputs, and variables that the operator writes. Scratch buffers and temporaries end with it; persistent blocks may
// hold what is no result, such as addresses.
bool IsResult(const OperandRange& operand) {
  return Exists(operand) && Grants(operand.right, true) &&
         (operand.kind == OperandKind::kOutput || operand.kind == OperandKind::kVariable);
}

// Bytes that the operator finds with nothing in them: it has to write them before it reads them.
bool BeginsEmpty(const OperandRange& operand, std::span<const OperandRange> operands) {
  if (!Exists(operand) || !Grants(operand.right, true)) return false;
  if (operand.kind != OperandKind::kOutput && operand.kind != OperandKind::kScratch) return false;
  return std::none_of(operands.begin(), operands.end(), [&](const OperandRange& other) {
    return other.kind != OperandKind::kOutput && other.kind != OperandKind::kScratch && Exists(other) &&
           AddressOf(other.data) < AddressOf(operand.data) + operand.bytes &&
           AddressOf(operand.data) < AddressOf(other.data) + other.bytes;
  });
}

}  // namespace

void TwofillInstrument::Start(std::span<const WatchedRegion> watched) {
  closed_.Watch(watched);
  next_ = 0;
  if (fill_ == Fill::kFirst) first_run_.clear();
  AddLimit("reads that influence no result of their operator, or all fills in the same way");
  AddLimit("writes: what is closed is put back after each operator, and not looked at");
  AddLimit("what an operator keeps in persistent blocks, until it influences a result");
  AddLimit("accesses outside of arena and model and of the closed bytes around them");
}

bool TwofillInstrument::BeginOtherRun() {
  if (fill_ == Fill::kSecond) return false;
  fill_ = Fill::kSecond;
  return true;
}

bool TwofillInstrument::ChargeFailure(std::int32_t subgraph, std::int32_t operator_index) {
  const auto met = met_.find({subgraph, operator_index});
  if (fill_ == Fill::kFirst || met == met_.end()) return false;
  LogOtherEnd(met->second);
  return true;
}

void TwofillInstrument::LogOtherEnd(const NamedOperator& op) {
  Violation violation;
  violation.op = op;
  violation.side = ViolationSide::kDiffers;
  violation.count = 1;
  violation.state = "nothing: it is no result that differs";
  AddViolation(std::move(violation));
}

void TwofillInstrument::Begin(std::span<const OperandRange> operands) {
  met_[{named_operator().subgraph, named_operator().index}] = named_operator();
  for (const OperandRange& operand : operands) {
    // What lies in the tail was not planned, such as a handle that an operator made once and for all.
    if (BeginsEmpty(operand, operands) && !registry().InTailBlock(operand.data))
      closed_.Lay({operand.data, operand.bytes}, fill_);
  }
}

void TwofillInstrument::End(std::span<const OperandRange> operands) {
  if (named_operator().phase != OperatorPhase::kInvoke) return;
  if (fill_ == Fill::kFirst) {
    Keep(operands);
  } else {
    Compare(operands);
  }
}

void TwofillInstrument::Keep(std::span<const OperandRange> operands) {
  Invoked& invoked = first_run_.emplace_back(Invoked{named_operator().subgraph, named_operator().index, {}});
  for (const OperandRange& operand : operands) {
    if (IsResult(operand)) {
      invoked.results.push_back({operand.kind, operand.index, {operand.data, operand.data + operand.bytes}});
    }
  }
}

// The first run's bytes are put back, so that a difference is charged to the operator that made it and to no other.
void TwofillInstrument::Compare(std::span<const OperandRange> operands) {
  const Invoked* const first = next_ < first_run_.size() ? &first_run_[next_] : nullptr;
  ++next_;
  if (first == nullptr || first->subgraph != named_operator().subgraph || first->index != named_operator().index) {
    LogOtherEnd(named_operator());
    return;
  }
  for (const OperandRange& operand : operands) {
    if (!IsResult(operand)) continue;
    const auto kept = std::find_if(first->results.begin(), first->results.end(), [&](const Result& result) {
      return result.kind == operand.kind && result.index == operand.index && result.bytes.size() == operand.bytes;
    });
    if (kept == first->results.end()) {
      LogOtherEnd(named_operator());
    } else if (std::memcmp(kept->bytes.data(), operand.data, operand.bytes) != 0) {
      LogDifference(operand, kept->bytes);
      std::memcpy(const_cast<std::byte*>(operand.data), kept->bytes.data(), operand.bytes);
    }
  }
}

void TwofillInstrument::LogDifference(const OperandRange& result, const std::vector<std::byte>& first) {
  Violation violation;
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
  violation.state = registry().Describe(registry().OwnerOf(result.data + lowest, {{&result, 1}}), {{&result, 1}});
  AddViolation(std::move(violation));
}

}  // namespace arenaproof
