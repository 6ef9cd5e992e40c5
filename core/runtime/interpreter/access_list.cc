#include "core/runtime/interpreter/access_list.h"

#include <algorithm>

#include "core/base/in_place.h"

namespace arenaproof {
namespace {

class Ranges {
 public:
  explicit Ranges(std::span<OperandRange> room) : room_(room) {}

  void Add(const OperandRange& range) {
    if (range.bytes == 0 || range.data == nullptr) return;
    for (OperandRange& known : room_.first(count_)) {
      // A tensor that lies in a persistent block of its operator (a resource handle) is that block.
      if (range.kind == OperandKind::kPersistent && known.data == range.data && known.bytes == range.bytes) return;
      if (known.data != range.data || known.bytes != range.bytes || known.index != range.index) continue;
      if (IsTensor(known.kind) != IsTensor(range.kind) || (!IsTensor(known.kind) && known.kind != range.kind)) continue;
      if (range.right == AccessRight::kReadWrite) known = range;
      return;
    }
    if (count_ < room_.size()) room_[count_++] = range;
  }
  std::span<const OperandRange> all() const { return room_.first(count_); }

 private:
  static bool IsTensor(OperandKind kind) { return kind == OperandKind::kInput || kind == OperandKind::kOutput; }

  std::span<OperandRange> room_;
  std::size_t count_ = 0;
};

OperandRange RangeOfTensor(const Operand& operand, bool output) {
  OperandRange range{operand.data, operand.bytes, AccessRight::kRead, OperandKind::kInput, operand.tensor_index};
  if (operand.constant) {
    range.kind = OperandKind::kConstant;
  } else if (operand.variable) {
    range.kind = OperandKind::kVariable;
    range.right = AccessRight::kReadWrite;
  } else if (output) {
    range.kind = OperandKind::kOutput;
    range.right = AccessRight::kReadWrite;
  }
  return range;
}

// The input of a kernel that works in place in the bytes of output 0; null when there is none.
const Operand* SharedInput(std::span<const EvalTensor> tensors, const OperatorRecord& record,
                           const OperatorFrame& frame) {
  if (record.kernel == nullptr || frame.output_count == 0) return nullptr;
  const Operand& output = frame.outputs()[0];
  if (output.data == nullptr || output.tensor_index < 0) return nullptr;
  if (!tensors[static_cast<std::size_t>(output.tensor_index)].in_place) return nullptr;
  for (std::size_t i = 0; i < std::min<std::size_t>(kMostSharedInputs, frame.input_count); ++i) {
    const Operand& input = frame.inputs()[i];
    if ((record.kernel->sharing & (kSharesInput0 << i)) == 0 || input.tensor_index == output.tensor_index) continue;
    if (input.constant || input.variable || input.data != output.data || input.bytes != output.bytes) continue;
    return &input;
  }
  return nullptr;
}

void AddTensors(OperatorPhase phase, std::span<const EvalTensor> tensors, const OperatorRecord& record,
                const OperatorFrame& frame, Ranges& ranges) {
  const Operand* const shared = phase == OperatorPhase::kInvoke ? SharedInput(tensors, record, frame) : nullptr;
  const auto add = [&](const Operand& operand, bool output) {
    OperandRange range = RangeOfTensor(operand, output);
    if (shared != nullptr && (&operand == shared || &operand == frame.outputs().data())) {
      range.right = InPlace(range.right);
    }
    ranges.Add(range);
  };
  for (const Operand& input : frame.inputs()) add(input, false);
  for (const Operand& output : frame.outputs()) add(output, true);
}

void AddQuantization(const Operand& operand, Ranges& ranges) {
  const QuantizationView& quantization = operand.quantization;
  ranges.Add({reinterpret_cast<const std::byte*>(quantization.scales.data()), quantization.scales.size_bytes(),
              AccessRight::kRead, OperandKind::kQuantization, operand.tensor_index});
  ranges.Add({quantization.zero_point_bytes, quantization.zero_point_count * sizeof(std::int64_t), AccessRight::kRead,
              OperandKind::kQuantization, operand.tensor_index});
}

void AddScratch(const OperatorRecord& record, const ModelAllocation& allocation, Ranges& ranges) {
  for (std::uint32_t i = 0; i < record.scratch_count; ++i) {
    const std::size_t index = record.first_scratch + i;
    ranges.Add({allocation.scratch_data[index], allocation.scratch_bytes[index], AccessRight::kReadWrite,
                OperandKind::kScratch, static_cast<std::int32_t>(i)});
  }
  if (record.scratch_count > kScratchOutsideArena) {
    const auto addresses = allocation.scratch_data.subspan(record.first_scratch, record.scratch_count);
    ranges.Add({reinterpret_cast<const std::byte*>(addresses.data()), addresses.size_bytes(), AccessRight::kRead,
                OperandKind::kPersistent, static_cast<std::int32_t>(record.block_count)});
  }
}

}  // namespace

std::span<const OperandRange> BuildAccessList(OperatorPhase phase, std::int32_t subgraph, const OperatorRecord& record,
                                              const ModelAllocation& allocation, OperatorFrame& frame) {
  const bool wide = phase == OperatorPhase::kInvoke && record.scratch_count > kScratchOutsideArena;
  Ranges ranges(wide ? allocation.wide_ranges : std::span<OperandRange>(frame.ranges));
  AddTensors(phase, allocation.subgraphs[static_cast<std::size_t>(subgraph)].tensors, record, frame, ranges);
  if (phase == OperatorPhase::kInvoke) {
    AddScratch(record, allocation, ranges);
  } else {
    for (const Operand& input : frame.inputs()) AddQuantization(input, ranges);
    for (const Operand& output : frame.outputs()) AddQuantization(output, ranges);
    ranges.Add(
        {frame.custom_options.data(), frame.custom_options.size(), AccessRight::kRead, OperandKind::kOptions, 0});
  }
  std::int32_t ordinal = 0;
  for (const PersistentBlock* block = record.blocks; block != nullptr; block = block->next) {
    ranges.Add({block->data, block->bytes, AccessRight::kReadWrite, OperandKind::kPersistent, ordinal++});
  }
  return ranges.all();
}

}  // namespace arenaproof
