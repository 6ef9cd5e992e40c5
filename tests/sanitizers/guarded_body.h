// Operators whose kernels go through the guard, with lambdas as their kernels' code.
#pragma once

#include <functional>
#include <vector>

#include "sanitizers/instrument/guard/guard_instrument.h"
#include "sanitizers/report/attribution.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {

class GuardedBodies : public MockOperators {
 protected:
  using Body = std::function<void(const InvokeContext&)>;

  void SetUp() override {
    instrument_->SkipSelfTest();
    MockOperators::SetUp();
    if (!IsSkipped()) wrapped_ = &instrument_->Wrap(kSet);
  }
  void AttachAgain() {
    instrument_->OnDetach();
    instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  }
  void BeginRun(bool other) {
    if (other) ASSERT_TRUE(instrument_->BeginOtherRun());
    AttachAgain();
  }
  // The kernel gets all that is writable, but for scratch, as outputs, and all else as inputs.
  void Invoke(const std::vector<OperandRange>& ranges, const Body& body, OperatorScope scope = {}) {
    std::vector<Operand> inputs, outputs;
    std::vector<std::byte*> scratch;
    for (const OperandRange& range : ranges) {
      Operand operand;
      operand.data = const_cast<std::byte*>(range.data);
      operand.bytes = range.bytes;
      if (range.kind == OperandKind::kScratch) {
        scratch.push_back(operand.data);
      } else {
        (Grants(range.right, true) ? outputs : inputs).push_back(operand);
      }
    }
    InvokeContext context;
    context.inputs = inputs;
    context.outputs = outputs;
    context.scratch = scratch;
    current = &body;
    answer = status_;
    scope.operator_name = scope.kernel_name = "mock";
    scope.operands = ranges;
    instrument_->OnOperatorBegins(scope);
    EXPECT_EQ(wrapped_->kernels[0].invoke(context), status_);
    instrument_->OnOperatorEnds();
  }

  Status status_ = Ok();  // that the kernel ends with

 private:
  static Status RunCurrent(const InvokeContext& context) {
    (*current)(context);
    return answer;
  }
  static inline const Body* current = nullptr;
  static inline Status answer = Ok();
  static constexpr Kernel kKernels[] = {{.op = BuiltinOperator::kRelu, .name = "mock", .invoke = RunCurrent}};
  static constexpr KernelSet kSet{.name = "mock", .kernels = kKernels};

  const KernelSet* wrapped_ = nullptr;
};

}  // namespace arenaproof::testing
