// Which of its kernel's functions each operator is called with, in which order, how often and with which data: models
// of operators whose kernels have any of the optional ones, over random sequences of set-ups (also failing at any
// place), invokes and resets, to the end of the interpreter. A plain list holds the calls that have to come.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

// A kernel's kind: which of these functions it has. All have invoke.
constexpr int kInit = 1, kPrepare = 2, kReset = 4, kFree = 8, kKindCount = 16;
constexpr int kUnknown = kKindCount;  // no kernel serves it
constexpr BuiltinOperator kCodes[] = {BuiltinOperator::kAbs,   BuiltinOperator::kNeg,   BuiltinOperator::kSquare,
                                      BuiltinOperator::kSqrt,  BuiltinOperator::kFloor, BuiltinOperator::kCeil,
                                      BuiltinOperator::kRelu,  BuiltinOperator::kRelu6, BuiltinOperator::kTanh,
                                      BuiltinOperator::kRsqrt, BuiltinOperator::kExp,   BuiltinOperator::kLog,
                                      BuiltinOperator::kSin,   BuiltinOperator::kCos,   BuiltinOperator::kRound,
                                      BuiltinOperator::kElu,   BuiltinOperator::kAdd};
static_assert(std::size(kCodes) == kUnknown + 1);

enum class Function : std::uint8_t { kInit, kPrepare, kInvoke, kReset, kFree };

constexpr int kNobody = -1;

struct KernelCall {
  Function function;
  int kind;
  int data;  // the operator whose data were handed over; kNobody: null

  friend bool operator==(const KernelCall&, const KernelCall&) = default;
  friend std::ostream& operator<<(std::ostream& stream, const KernelCall& call) {
    static const char* const kNames[] = {"init", "prepare", "invoke", "reset", "free"};
    return stream << kNames[static_cast<int>(call.function)] << " of kind " << call.kind << " with data of "
                  << call.data << "\n";
  }
};

constexpr int kNever = -1;
std::vector<KernelCall> received;
int set_up_calls = 0;  // of init and prepare since the set-up began
int fails_at = kNever;

int DataOf(const void* op_data) { return op_data == nullptr ? kNobody : *static_cast<const int*>(op_data); }

// Outputs bear the operator's number in their only dimension: the first one has no elements, which is sound.
Status RecordSetUpCall(Function function, int kind, PrepareContext& context) {
  received.push_back({function, kind, DataOf(context.op_data)});
  if (set_up_calls++ == fails_at) return StatusOfKernelValue(1);
  if (context.op_data != nullptr) return Ok();
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(sizeof(int), &block));
  context.op_data = new (block) int(context.outputs[0].dims[0]);
  return Ok();
}

template <int kKind>
struct Functions {
  static Status Init(PrepareContext& context) { return RecordSetUpCall(Function::kInit, kKind, context); }
  static Status Prepare(PrepareContext& context) { return RecordSetUpCall(Function::kPrepare, kKind, context); }
  static Status Invoke(const InvokeContext& context) {
    received.push_back({Function::kInvoke, kKind, DataOf(context.op_data)});
    return Ok();
  }
  static void Reset(void* op_data) { received.push_back({Function::kReset, kKind, DataOf(op_data)}); }
  static void Free(void* op_data) { received.push_back({Function::kFree, kKind, DataOf(op_data)}); }
};

template <int kKind>
constexpr Kernel KernelOfKind() {
  using F = Functions<kKind>;
  return {.op = kCodes[kKind],
          .name = "recorded",
          .init = (kKind & kInit) != 0 ? F::Init : nullptr,
          .prepare = (kKind & kPrepare) != 0 ? F::Prepare : nullptr,
          .invoke = F::Invoke,
          .reset = (kKind & kReset) != 0 ? F::Reset : nullptr,
          .free = (kKind & kFree) != 0 ? F::Free : nullptr};
}

template <int... kKinds>
constexpr std::array<Kernel, kKindCount> AllKinds(std::integer_sequence<int, kKinds...>) {
  return {KernelOfKind<kKinds>()...};
}
constexpr std::array<Kernel, kKindCount> kRecordedKernels = AllKinds(std::make_integer_sequence<int, kKindCount>());
const KernelSet recorded_kernels{"recorded", kRecordedKernels};

// The calls that have to come.
class Expected {
 public:
  // `main_count` of the operators are the main graph's, the others are set up and never run.
  Expected(std::vector<int> kinds, std::size_t main_count) : kinds_(std::move(kinds)), main_count_(main_count) {}

  StatusCode Allocate() {
    Free();
    attempted_ = true;
    int calls = 0;
    data_.assign(kinds_.size(), kNobody);
    for (const int kind : kinds_) {
      if (kind == kUnknown) return Fail(StatusCode::kUnresolvedOperator);
      ++found_;
    }
    for (const int which : {kInit, kPrepare}) {
      for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if ((kinds_[i] & which) == 0) continue;
        Call(which == kInit ? Function::kInit : Function::kPrepare, i);
        if (calls++ == fails_at) return Fail(StatusCode::kKernelFailed);
        data_[i] = static_cast<int>(i);
      }
    }
    ready_ = true;
    return Reset();
  }
  StatusCode Reset() {
    if (!ready_) return StatusCode::kRuntimeState;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if ((kinds_[i] & kReset) != 0) Call(Function::kReset, i);
    }
    return StatusCode::kOk;
  }
  StatusCode Invoke() {
    if (!attempted_) {
      if (const StatusCode code = Allocate(); code != StatusCode::kOk) return code;
    }
    if (!ready_) return StatusCode::kRuntimeState;
    for (std::size_t i = 0; i < main_count_; ++i) Call(Function::kInvoke, i);
    return StatusCode::kOk;
  }
  // The end of a set-up: operators that a kernel was found for.
  void Free() {
    for (std::size_t i = 0; i < found_; ++i) {
      if ((kinds_[i] & kFree) != 0) Call(Function::kFree, i);
    }
    found_ = 0;
    ready_ = false;
  }
  std::vector<KernelCall> Take() { return std::exchange(list_, {}); }

 private:
  StatusCode Fail(StatusCode code) {
    Free();
    return code;
  }
  void Call(Function function, std::size_t i) { list_.push_back({function, kinds_[i], data_[i]}); }

  const std::vector<int> kinds_;
  const std::size_t main_count_;
  std::vector<int> data_;  // whose data each operator holds: none or its own
  std::size_t found_ = 0;
  bool attempted_ = false, ready_ = false;
  std::vector<KernelCall> list_;
};

std::vector<std::byte> ModelOfKinds(const std::vector<int>& kinds, std::size_t main_count) {
  ModelBuilder builder;
  for (const bool main : {true, false}) {
    SubgraphSpec& graph = builder.AddSubgraph();
    graph.inputs = {graph.AddTensor({.shape = {{1}}})};
    graph.outputs = graph.inputs;
    for (std::size_t i = main ? 0 : main_count; i < (main ? main_count : kinds.size()); ++i) {
      const std::int32_t output = graph.AddTensor({.shape = {{static_cast<std::int32_t>(i)}}});
      graph.AddOperator({.code = builder.AddCode(kCodes[kinds[i]]), .inputs = graph.inputs, .outputs = {output}});
    }
  }
  return builder.Finish();
}

void RequireSame(StatusCode found, StatusCode expected, Expected& plain, const char* after) {
  const std::vector<KernelCall> wanted = plain.Take();
  if (found == expected && received == wanted) return received.clear();
  RC_LOG() << "status " << static_cast<int>(found) << ", expected " << static_cast<int>(expected) << "\nreceived:\n";
  for (const KernelCall& each : received) RC_LOG() << "  " << each;
  RC_LOG() << "expected:\n";
  for (const KernelCall& each : wanted) RC_LOG() << "  " << each;
  RC_FAIL(std::string("kernels hear other calls than they have to (init, prepare, invoke, reset, free) after ") +
          after);
}

RC_GTEST_PROP(KernelCalls, AreThoseThatEachKernelHasInTheirOrder, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  const auto main_count = *rc::gen::inRange<std::size_t>(1, count + 1);
  std::vector<int> kinds;
  for (std::size_t i = 0; i < count; ++i) {
    kinds.push_back(*rc::gen::inRange(0, 30) == 0 ? kUnknown : *rc::gen::inRange(0, kKindCount));
  }
  RC_LOG() << "kinds (init 1, prepare 2, reset 4, free 8):";
  for (const int kind : kinds) RC_LOG() << " " << kind;
  RC_LOG() << ", of the main graph: " << main_count << "\n";
  const std::vector<std::byte> file = ModelOfKinds(kinds, main_count);
  const ValidatedModel model = Validated(file);
  alignas(64) static std::byte arena[std::size_t{1} << 16];
  received.clear();
  Expected expected(kinds, main_count);
  auto interpreter = std::make_unique<Interpreter>(model, recorded_kernels, arena, sizeof arena);
  for (int calls = *rc::gen::inRange(1, 7); calls > 0; --calls) {
    set_up_calls = 0;
    fails_at = *rc::gen::inRange(0, 3) == 0 ? *rc::gen::inRange(0, 8) : kNever;
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
      case 1: {
        const StatusCode code = interpreter->AllocateTensors().code;
        RequireSame(code, expected.Allocate(), expected, "AllocateTensors");
        break;
      }
      case 2: {
        const StatusCode code = interpreter->Invoke().code;
        RequireSame(code, expected.Invoke(), expected, "Invoke");
        break;
      }
      default: {
        const StatusCode code = interpreter->Reset().code;
        RequireSame(code, expected.Reset(), expected, "Reset");
        break;
      }
    }
  }
  interpreter.reset();
  expected.Free();
  RequireSame(StatusCode::kOk, StatusCode::kOk, expected, "the interpreter's end");
}

}  // namespace
}  // namespace arenaproof::testing
