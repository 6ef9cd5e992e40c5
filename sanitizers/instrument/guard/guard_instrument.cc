#include "sanitizers/instrument/guard/guard_instrument.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "sanitizers/report/apart_regions.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

bool LiesInABlock(const OperandRange& operand) {
  switch (operand.kind) {
    case OperandKind::kInput:
    case OperandKind::kOutput:
    case OperandKind::kConstant:
    case OperandKind::kVariable:
    case OperandKind::kScratch:
      return operand.data != nullptr && operand.bytes > 0;
    default:
      return false;
  }
}

bool Holds(MemoryRegion range, const OperandRange& operand) {
  return LiesInABlock(operand) && operand.data >= range.data &&
         operand.data + operand.bytes <= range.data + range.bytes;
}

// Ranges that share bytes are one.
std::vector<MemoryRegion> RangesOf(std::span<const OperandRange> operands) {
  std::vector<MemoryRegion> ranges;
  for (const OperandRange& operand : operands) {
    if (LiesInABlock(operand)) ranges.push_back({operand.data, operand.bytes});
  }
  return Apart(std::move(ranges));
}

}  // namespace

Status GuardInstrument::Available() const {
  return FaultTrap::Available() ? Ok() : Failure(StatusCode::kInstrumentUnavailable);
}

std::size_t GuardInstrument::BlindBytesBefore(const OperandRange& operand, const ReadableAround& around) const {
  return LiesInABlock(operand) ? LeadBytes(operand.data, around.before_bytes) - around.before_bytes : 0;
}

std::size_t GuardInstrument::BlindBytesAfter(const OperandRange& operand, const ReadableAround& around) const {
  return LiesInABlock(operand) ? ResidueBytes(operand.data, operand.bytes + around.after_bytes) : 0;
}

const KernelSet& GuardInstrument::Wrap(const KernelSet& kernels) {
  kernels_.reset();
  return kernels_.emplace(kernels, static_cast<GuardedInvoke&>(*this)).set();
}

bool GuardInstrument::BeginOtherRun() {
  if (results_.in_other_run()) return false;
  results_.BeginOther();
  KeepLog();
  return true;
}

bool GuardInstrument::ChargeFailure(std::int32_t subgraph, std::int32_t operator_index) {
  return AddViolations(results_.FailureOf(subgraph, operator_index));
}

void GuardInstrument::Start(std::span<const WatchedRegion> watched) {
  results_.Rewind();
  // The model, and nothing that an operator may write.
  std::vector<MemoryRegion> read_only;
  for (const WatchedRegion& region : watched) {
    const bool written =
        Contains(region.whole, registry().arena().data) || Contains(region.whole, registry().persistent_arena().data);
    if (!written) read_only.push_back(region.whole);
  }
  model_.Watch(std::move(read_only));
  AddLimit(
      "reads of the bytes behind an operand that its alignment of 16 or less leaves, unless they influence a result");
  AddLimit("accesses in init and prepare, and around persistent blocks, but for writes to the model");
  AddLimit("operators of the runtime's own: control flow and resource variables");
  AddLimit("accesses by an address that was kept, such as that of a constant since prepare");
  AddLimit(
      "reads of what an operator in place has overwritten, and writes to the input in whose bytes its output lies");
  AddLimit("accesses farther away from an operand than " + std::to_string(kClosedPagesBytes) +
           " bytes: other operands' pages may lie there");
  AddLimit("accesses that the system makes for a kernel, and those of a kernel that handles SIGSEGV itself");
  AddLimit("while an operator runs, later accesses to a page of 4096 bytes around an operand than the first");
}

void GuardInstrument::Open(std::span<const OperandRange>) {
  for (const MemoryRegion& stretch : model_.Uncover()) CheckAccess(AddressOf(stretch.data), stretch.bytes, true);
}

void GuardInstrument::Stop() {
  model_.Watch({});
  // The process dies of what a kernel does, and what it did before is not lost.
  if (const FaultTrap* const trap = std::exchange(trap_, nullptr)) {
    for (const PageFault& fault : trap->faults()) LogFault(fault);
  }
  blocks_.clear();
  owned_.clear();
  constants_.clear();
  guarded_.clear();
}

void GuardInstrument::Begin(std::span<const OperandRange>) {
  results_.Meet(named_operator());
  guarded_.push_back(false);
}

void GuardInstrument::End(std::span<const OperandRange> operands) {
  saw_last_ = !guarded_.empty() && guarded_.back();
  if (!guarded_.empty()) guarded_.pop_back();
  if (named_operator().phase == OperatorPhase::kInvoke) {
    AddViolations(results_.Take(named_operator(), operands, registry()));
  }
}

Status GuardInstrument::Invoke(const Kernel& kernel, const InvokeContext& context) {
  if (!operator_runs() || guarded_.empty()) return kernel.invoke(context);
  guarded_.back() = LayBlocks();
  const Status status = guarded_.back() ? InvokeOnCopies(kernel, context) : kernel.invoke(context);
  blocks_.clear();
  owned_.clear();
  return status;
}

GuardedBlock* GuardInstrument::BlockFor(MemoryRegion range, const ReadableAround& around, bool keeps) {
  const auto make = [&] { return std::make_unique<GuardedBlock>(range, around, flush(), fill()); };
  if (!keeps) return owned_.emplace_back(make()).get();
  std::unique_ptr<GuardedBlock>& kept = constants_[{range.data, range.bytes, around.before_bytes, around.after_bytes}];
  if (kept == nullptr || kept->data() == nullptr) kept = make();
  return kept.get();
}

ReadableAround GuardInstrument::AllowedAround(MemoryRegion range) const {
  ReadableAround around;
  const std::uintptr_t begin = AddressOf(range.data), end = begin + range.bytes;
  for (const OperandRange& allowed : read_allowances()) {
    const std::uintptr_t from = AddressOf(allowed.data), to = from + allowed.bytes;
    // It touches the range, or lies in it in part.
    if (from < begin && to >= begin) around.before_bytes = std::max(around.before_bytes, begin - from);
    if (to > end && from <= end) around.after_bytes = std::max(around.after_bytes, to - end);
  }
  return around;
}

bool GuardInstrument::LayBlocks() {
  const std::span<const OperandRange> operands = open_ranges();
  for (const MemoryRegion& range : RangesOf(operands)) {
    bool constant = true, writable = false, empty = true;
    for (const OperandRange& operand : operands) {
      if (!Holds(range, operand)) continue;
      constant = constant && operand.kind == OperandKind::kConstant;
      writable = writable || Grants(operand.right, true);
      empty = empty && BeginsEmpty(operand, operands) && !registry().InTailBlock(operand.data);
    }
    GuardedBlock* const block = BlockFor(range, AllowedAround(range), constant);
    if (block->data() == nullptr) return false;
    if (!block->closed() && !block->Lay(writable, empty)) return false;
    blocks_.push_back(block);
  }
  return true;
}

std::byte* GuardInstrument::CopyOf(std::byte* original) const {
  for (const GuardedBlock* block : blocks_) {
    if (Contains(block->original(), original)) return block->data() + (original - block->original().data);
  }
  return original;
}

Status GuardInstrument::InvokeOnCopies(const Kernel& kernel, const InvokeContext& context) {
  std::vector<Operand> inputs(context.inputs.begin(), context.inputs.end());
  std::vector<Operand> outputs(context.outputs.begin(), context.outputs.end());
  std::vector<std::byte*> scratch(context.scratch.begin(), context.scratch.end());
  for (Operand& operand : inputs) operand.data = CopyOf(operand.data);
  for (Operand& operand : outputs) operand.data = CopyOf(operand.data);
  for (std::byte*& buffer : scratch) buffer = CopyOf(buffer);
  InvokeContext redirected = context;
  redirected.inputs = inputs;
  redirected.outputs = outputs;
  redirected.scratch = scratch;
  std::vector<MemoryRegion> mappings;
  for (const GuardedBlock* block : blocks_) mappings.push_back(block->mapping());
  Status status;
  std::vector<PageFault> faults;
  {
    const FaultTrap trap(mappings);
    trap_ = &trap;
    status = kernel.invoke(redirected);
    trap_ = nullptr;
    faults.assign(trap.faults().begin(), trap.faults().end());
  }
  for (const PageFault& fault : faults) LogFault(fault);
  for (const GuardedBlock* block : blocks_) {
    for (const MemoryRegion& stretch : block->WrittenBeside()) {
      LogAt(*block, AddressOf(stretch.data), stretch.bytes, true);
    }
  }
  CopyBack();
  return status;
}

void GuardInstrument::LogFault(const PageFault& fault) {
  for (GuardedBlock* block : blocks_) {
    const std::uintptr_t start = AddressOf(block->mapping().data);
    if (fault.address < start || fault.address >= start + block->mapping().bytes) continue;
    block->MarkOpen();
    LogAt(*block, fault.address, 1, fault.write);
    CapLog();
  }
}

// The neighbours in the arena are not what the operand lies beside here: the charge goes by the block.
void GuardInstrument::LogAt(const GuardedBlock& block, std::uintptr_t address, std::size_t bytes, bool write) {
  const MemoryRegion original = block.original();
  const std::uintptr_t begin = AddressOf(block.InOriginal(address)), end = begin + bytes;
  const std::uintptr_t first = AddressOf(original.data), last = first + original.bytes;
  IllegalRun run{.begin = begin, .end = end};
  const std::span<const OperandRange> operands = open_ranges();
  for (std::size_t i = 0; i < operands.size() && run.operand < 0; ++i) {
    if (!Holds(original, operands[i])) continue;
    const std::uintptr_t from = AddressOf(operands[i].data), to = from + operands[i].bytes;
    const bool charged = begin < first ? from == first : begin >= last ? to == last : begin >= from && begin < to;
    if (charged) run.operand = static_cast<int>(i);
  }
  const std::size_t gap = end <= first ? first - end : begin >= last ? begin - last : 0;
  if (gap >= kFarBytes) {
    run.side = ViolationSide::kFar;
    run.distance_bytes = gap;
  } else if (begin < first) {
    run.side = ViolationSide::kBefore;
    run.distance_bytes = first - begin;
  } else if (begin >= last) {
    run.side = ViolationSide::kAfter;
    run.distance_bytes = end - last;
  } else {
    run.side = ViolationSide::kInside;
  }
  LogRun(run, bytes, write);
}

void GuardInstrument::CopyBack() const {
  for (const OperandRange& operand : open_ranges()) {
    if (!LiesInABlock(operand) || !Grants(operand.right, true) || operand.kind == OperandKind::kScratch) continue;
    auto* const original = const_cast<std::byte*>(operand.data);
    std::memcpy(original, CopyOf(original), operand.bytes);
  }
}

}  // namespace arenaproof
