#include "tools/worker/operand_extents.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sanitizers/report/violation.h"
#include "tools/text/operator_text.h"
#include "tools/worker/protocol.h"

namespace arenaproof {
namespace {

bool LiesAtTheOperand(const Violation& violation) {
  return violation.operand.data != nullptr && violation.op.phase == OperatorPhase::kInvoke &&
         (violation.side == ViolationSide::kBefore || violation.side == ViolationSide::kAfter ||
          violation.side == ViolationSide::kInside || violation.side == ViolationSide::kOverwritten);
}

void Widen(bool& any, std::ptrdiff_t& lowest, std::ptrdiff_t& highest, const Violation& violation) {
  const auto from = static_cast<std::ptrdiff_t>(violation.lowest_touched);
  const auto to = static_cast<std::ptrdiff_t>(violation.highest_touched);
  lowest = any ? std::min(lowest, from) : from;
  highest = any ? std::max(highest, to) : to;
  any = true;
}

}  // namespace

nlohmann::json ExtentFields(const ModelView& model, const AccessInstrument& instrument, const Interpreter& interpreter,
                            const ChosenKernels& kernels) {
  std::map<ExtentKey, Extent> extents = instrument.extents();
  for (const Violation& violation : instrument.log().groups()) {
    const OperandRange& operand = violation.operand;
    if (!LiesAtTheOperand(violation)) continue;
    const auto found =
        extents.find({violation.op.subgraph, violation.op.index, violation.op.phase, operand.kind, operand.index});
    if (found == extents.end()) continue;
    Extent& extent = found->second;
    if (violation.write) {
      Widen(extent.written, extent.lowest_written, extent.highest_written, violation);
    } else {
      Widen(extent.read, extent.lowest_read, extent.highest_read, violation);
    }
  }
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [key, extent] : extents) {
    const auto& [subgraph, index, phase, kind, number] = key;
    if (phase != OperatorPhase::kInvoke || subgraph < 0 || kernels.Hides(interpreter.kernel_of(index, subgraph))) {
      continue;
    }
    nlohmann::json fields = {
        {protocol::kSubgraph, subgraph},
        {protocol::kOperator, index},
        {protocol::kOperatorName, OperatorName(model, {subgraph, index})},
        {protocol::kKind, OperandKindName(kind)},
        {protocol::kIndex, number},
        {protocol::kName,
         HasTensorIndex(kind) && number >= 0
             ? std::string(model.tensor(static_cast<std::size_t>(subgraph), static_cast<std::size_t>(number)).name)
             : std::string()},
        {protocol::kBytes, extent.bytes}};
    if (extent.read) {
      fields[protocol::kLowestRead] = extent.lowest_read;
      fields[protocol::kHighestRead] = extent.highest_read;
    }
    if (extent.written) {
      fields[protocol::kLowestWritten] = extent.lowest_written;
      fields[protocol::kHighestWritten] = extent.highest_written;
    }
    list.push_back(std::move(fields));
  }
  return {{protocol::kOperands, std::move(list)}};
}

}  // namespace arenaproof
