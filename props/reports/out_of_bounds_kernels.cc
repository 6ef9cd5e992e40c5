#include "props/reports/out_of_bounds_kernels.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/reference/reference_kernels.h"
#include "sanitizers/instrument/asan/asan_instrument.h"
#include "sanitizers/report/attribution.h"
#include "sanitizers/report/violation.h"

#ifdef ARENAPROOF_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace arenaproof::testing {
namespace {

constexpr std::uintptr_t kClosedBytes = 64, kGranuleBytes = 8;
constexpr std::size_t kMostOfSelfTest = 200;
constexpr std::size_t kFewTimes = 1;  // more than these are handed to the instrument without a report's text

class TalkingInstrument final : public AsanInstrument {
 public:
  // More than there is, and on both sides: by addresses.
  std::size_t BlindBytesBefore(const OperandRange& operand, const ReadableAround&) const override {
    return AddressOf(operand.data) / 16 % 3;
  }
  std::size_t BlindBytesAfter(const OperandRange& operand, const ReadableAround&) const override {
    return AddressOf(operand.data) / 64 % 2;
  }
  bool Runs() const { return operator_runs(); }
  std::span<const OperandRange> Operands() const { return open_ranges(); }
};

// ---- accesses

#ifdef ARENAPROOF_ASAN
__attribute__((no_sanitize("address"))) std::byte Peek(const volatile std::byte* address) { return *address; }

__attribute__((noinline)) void Access(std::byte* address, bool write) {
  volatile std::byte* const there = address;
  if (write) {
    *there = Peek(there);
  } else {
    static_cast<void>(*there);
  }
}

// Does what the compiler's test of an access does, without the sanitizer's text.
void AccessSilently(std::byte* address, bool write) {
  if (__asan_address_is_poisoned(address) == 0) return;
  AsanInstrument::TakeReport({AddressOf(address), 1, write, reinterpret_cast<std::uintptr_t>(&Access) + 16});
}
#else
void Access(std::byte*, bool) {}
void AccessSilently(std::byte*, bool) {}
#endif

// ---- what is true of them

class Experiment {
 public:
  void Begin(const ChainModel& model, const std::map<OperatorPlace, OutOfBoundsAccesses>& plan,
             const TalkingInstrument& instrument) {
    *this = {};
    plan_ = plan;
    instrument_ = &instrument;
    for (const ChainOperator& one : model.operators) {
      operators_[{static_cast<std::int64_t>(one.subgraph), static_cast<std::int64_t>(one.index)}] = one;
    }
    next_prepared_ = operators_.begin();
  }

  const AccessRecord& record() const { return record_; }

  Status Prepare(PrepareContext& context, const Kernel& kernel) {
    if (instrument_ == nullptr || !instrument_->Runs()) return kernel.prepare(context);  // nobody watches yet
    if (next_prepared_ == operators_.end()) std::abort();
    const auto& [place, facts] = *next_prepared_++;
    if (context.outputs[0].tensor_index != facts.output) std::abort();
    NotePairs(place, record_.prepare_pairs);
    const Status status = kernel.prepare(context);
    for (const Operand& input : context.inputs) {
      if (!input.constant || input.data == nullptr) continue;
      OutOfBoundsAccess wanted = plan_[place].in_prepare;
      wanted.write = false;  // the file may be closed to writes by the system
      std::size_t made = 0;
      Do(wanted, {place, true, input.data, input.bytes, input.tensor_index}, made);
      break;
    }
    return status;
  }

  Status Invoke(const InvokeContext& context, const Kernel& kernel) {
    if (instrument_ == nullptr || !instrument_->Runs()) return kernel.invoke(context);
    if (callers_.empty()) callers_.push_back({0, 0});
    Caller& caller = callers_.back();
    const OperatorPlace place{caller.subgraph, caller.next++};
    const ChainOperator& facts = operators_.at(place);
    if (context.outputs[0].tensor_index != facts.output) std::abort();
    const bool watched_before = !record_.capped;
    const auto [seen, first_time] = record_.seen.try_emplace(place, true);
    if (first_time && run_ == 0) {
      NotePairs(place, record_.pairs);
      NoteInexact(place);
    }
    std::size_t made = 0;  // reports while its window was open last
    Do(plan_[place].before_work, place, context, made);
    const bool calls = facts.then_branch >= 0;
    if (calls) {
      const bool condition = *context.inputs[0].as<std::uint8_t>() != 0;
      callers_.push_back({condition ? facts.then_branch : facts.else_branch, 0});
    }
    const Status status = kernel.invoke(context);
    if (calls) {
      callers_.pop_back();
      made = 0;
    }
    Do(plan_[place].after_work, place, context, made);
    record_.seen[place] = record_.seen[place] && watched_before && !record_.capped;
    if (callers_.size() == 1 && !operators_.contains({0, callers_.back().next})) {
      callers_.clear();
      ++run_;
    }
    return status;
  }

 private:
  struct Caller {
    std::int64_t subgraph, next;
  };
  struct Target {
    OperatorPlace place;
    bool prepare;
    std::byte* data;
    std::size_t bytes;
    std::int32_t tensor;
  };

  void Do(const OutOfBoundsAccess& wanted, const OperatorPlace& place, const InvokeContext& context,
          std::size_t& made) {
    const Operand& operand = wanted.output ? context.outputs[0] : context.inputs[wanted.input % context.inputs.size()];
    if (operand.data == nullptr || operand.constant) return;
    Do(wanted, {place, false, operand.data, operand.bytes, operand.tensor_index}, made);
  }

  void Do(const OutOfBoundsAccess& wanted, const Target& target, std::size_t& made) {
    if (!wanted.happens) return;
    std::byte* const address =
        wanted.behind ? target.data + target.bytes + wanted.distance - 1 : target.data - wanted.distance;
    const bool illegal = IsClosed(AddressOf(address));
    for (std::size_t i = 0; i < wanted.times; ++i) {
      if (illegal) Note(wanted, target, made);
      i < kFewTimes ? Access(address, wanted.write) : AccessSilently(address, wanted.write);
    }
  }

  // The list of what is open decides; the instrument opens the whole first granule of an operand.
  bool IsClosed(std::uintptr_t address) const {
    return std::ranges::none_of(instrument_->Operands(), [&](const OperandRange& operand) {
      const std::uintptr_t begin = AddressOf(operand.data);
      return operand.bytes > 0 && address >= begin / kGranuleBytes * kGranuleBytes && address < begin + operand.bytes;
    });
  }

  // Too many of a window: the rest of it is not checked. Too many of all: nothing is any more, from a place on that
  // depends on how many accesses the instrument proved itself with.
  void Note(const OutOfBoundsAccess& wanted, const Target& target, std::size_t& made) {
    ++all_made_;
    if (all_made_ + kMostOfSelfTest > AsanInstrument::kMaxReports) record_.near_the_end = true;
    if (all_made_ > AsanInstrument::kMaxReports) record_.capped = true;
    if (++made > AsanInstrument::kMaxReportsOfARun) {
      if (!record_.capped_at && !record_.near_the_end) record_.capped_at = target.place;
      record_.capped = true;
      return;
    }
    const AccessRecord::Key key{target.place, target.prepare, wanted.write};
    ++record_.most_reported[key];
    if (record_.near_the_end) return;
    ++record_.least_reported[key];
    AccessRecord::Found& found =
        record_.edges[{target.place, target.prepare, wanted.write, target.tensor, wanted.behind}];
    ++found.count;
    found.furthest = std::max(found.furthest, wanted.distance);
  }

  static bool IsTensor(OperandKind kind) {
    return kind == OperandKind::kInput || kind == OperandKind::kOutput || kind == OperandKind::kConstant ||
           kind == OperandKind::kVariable;
  }

  // Every two that lie closer together than what is closed around each, unless they are one tensor listed twice.
  void NotePairs(const OperatorPlace& place, std::vector<AccessRecord::Pair>& pairs) {
    const auto operands = instrument_->Operands();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      for (std::size_t j = i + 1; j < operands.size(); ++j) {
        const OperandRange &a = operands[i], &b = operands[j];
        if (a.bytes == 0 || b.bytes == 0) continue;
        if (IsTensor(a.kind) && IsTensor(b.kind) && a.index == b.index && a.data == b.data) continue;
        const auto distance =
            static_cast<std::int64_t>(std::max(AddressOf(a.data), AddressOf(b.data))) -
            static_cast<std::int64_t>(std::min(AddressOf(a.data) + a.bytes, AddressOf(b.data) + b.bytes));
        if (distance < static_cast<std::int64_t>(kClosedBytes)) pairs.push_back({place, a.index, b.index, distance});
      }
    }
  }

  void NoteInexact(const OperatorPlace& place) {
    for (const OperandRange& operand : instrument_->Operands()) {
      const std::uintptr_t begin = AddressOf(operand.data);
      const auto before = static_cast<std::int64_t>(begin / 16 % 3), after = static_cast<std::int64_t>(begin / 64 % 2);
      if (operand.data == nullptr || operand.bytes == 0 || before + after == 0) continue;
      record_.inexact.push_back({place, OperandKindName(operand.kind), operand.index, before, after});
    }
  }

  const TalkingInstrument* instrument_ = nullptr;
  std::map<OperatorPlace, ChainOperator> operators_;
  std::map<OperatorPlace, ChainOperator>::const_iterator next_prepared_;
  std::map<OperatorPlace, OutOfBoundsAccesses> plan_;
  std::vector<Caller> callers_;
  int run_ = 0;
  std::size_t all_made_ = 0;
  AccessRecord record_;
};

Experiment experiment;

// ---- kernels

template <BuiltinOperator kOp>
Kernel OutOfBounds() {
  static const Kernel original =
      *std::ranges::find_if(ReferenceKernels().kernels, [](const Kernel& kernel) { return kernel.op == kOp; });
  Kernel kernel = original;
  kernel.prepare = [](PrepareContext& context) { return experiment.Prepare(context, original); };
  kernel.invoke = [](const InvokeContext& context) { return experiment.Invoke(context, original); };
  return kernel;
}

}  // namespace

std::unique_ptr<AccessInstrument> MakeOutOfBoundsInstrument() {
  auto instrument = std::make_unique<TalkingInstrument>();
  if (!instrument->Available().ok()) return nullptr;
  return instrument;
}

void BeginOutOfBoundsAccesses(const ChainModel& model, const std::map<OperatorPlace, OutOfBoundsAccesses>& plan,
                              const AccessInstrument& instrument) {
  experiment.Begin(model, plan, static_cast<const TalkingInstrument&>(instrument));
}

const AccessRecord& AccessRecordOfKernels() { return experiment.record(); }

const KernelSet& OutOfBoundsKernels() {
  using enum BuiltinOperator;
  static const std::array kernels = {OutOfBounds<kSvdf>(),    OutOfBounds<kMean>(),           OutOfBounds<kAdd>(),
                                     OutOfBounds<kSoftmax>(), OutOfBounds<kFullyConnected>(), OutOfBounds<kIf>()};
  static const KernelSet set{.name = "out of bounds", .kernels = kernels, .fallback = &ReferenceKernels()};
  return set;
}

}  // namespace arenaproof::testing
