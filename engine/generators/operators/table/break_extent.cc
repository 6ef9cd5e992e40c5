// Inputs of another extent than the operator's other operands and options leave them.
#include <algorithm>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/table/break_rule.h"

namespace arenaproof {
namespace {

using props::Refusal;

struct FixedExtents {
  ShapeRule rule;
  std::vector<std::size_t> inputs;
};

// Extents of the others may grow: those of an axis that is gathered from, sliced or reduced.
const std::vector<FixedExtents>& AllFixedExtents() {
  static const std::vector<FixedExtents> all = {
      {ShapeRule::kSame, {0, 1}},
      {ShapeRule::kSameCount, {0}},
      {ShapeRule::kLastAxis, {0}},
      {ShapeRule::kConcatenation, {0}},
      {ShapeRule::kPack, {0}},
      {ShapeRule::kUnpack, {0}},
      {ShapeRule::kSplit, {0, 1}},
      {ShapeRule::kSplitV, {0, 1, 2}},
      {ShapeRule::kTranspose, {0, 1}},
      {ShapeRule::kSlice, {1, 2}},
      {ShapeRule::kStridedSlice, {1, 2, 3}},
      {ShapeRule::kPad, {0, 1, 2}},
      {ShapeRule::kMirrorPad, {0, 1}},
      {ShapeRule::kExpandDims, {0, 1}},
      {ShapeRule::kSqueeze, {0}},
      {ShapeRule::kSpaceToDepth, {0}},
      {ShapeRule::kDepthToSpace, {0}},
      {ShapeRule::kSpaceToBatch, {1, 2}},
      {ShapeRule::kBatchToSpace, {1, 2}},
      {ShapeRule::kReverse, {0}},
      {ShapeRule::kBroadcastTo, {1}},
      {ShapeRule::kFill, {0}},
      {ShapeRule::kDynamicUpdateSlice, {2}},
      {ShapeRule::kArgMax, {1}},
      {ShapeRule::kCumsum, {0, 1}},
      {ShapeRule::kEmbeddingLookup, {0}},
      {ShapeRule::kResize, {1}},
      {ShapeRule::kConvolution, {2}},
      {ShapeRule::kDepthwise, {2}},
      {ShapeRule::kTransposeConvolution, {3}},
      {ShapeRule::kFullyConnected, {2}},
  };
  return all;
}

}  // namespace

bool HasExtentRule(const OperatorRow& row, std::size_t place) {
  const auto has = [&](const FixedExtents& fixed) {
    return fixed.rule == row.shape && std::find(fixed.inputs.begin(), fixed.inputs.end(), place) != fixed.inputs.end();
  };
  return std::any_of(AllFixedExtents().begin(), AllFixedExtents().end(), has);
}

std::optional<Refusal> BreakInputExtent(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr || tensor->type == TensorType::kInt4) return std::nullopt;
  if (tensor->shape.empty()) {
    tensor->shape = {2};
  } else {
    std::int32_t& extent = tensor->shape[draw.random.Below(tensor->shape.size())];
    extent += extent > 1 && draw.random.OneIn(2) ? -1 : 1;
  }
  if (!tensor->bytes.empty()) tensor->bytes.resize(tensor->count() * ElementBytes(tensor->type));
  return Refusal{"an input of another extent",
                 {StatusCode::kKernelDimension, StatusCode::kKernelElementCount, StatusCode::kKernelRank,
                  StatusCode::kKernelIndex, StatusCode::kKernelRunTimeShape},
                 {}};
}

}  // namespace arenaproof
