// A table's kernels as the runtime calls them: what each call is handed, and what becomes of what it answers.
#include "tools/kernel_library/library_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tests/kernel_library/made_up_services.h"
#include "tools/model/operator_board.h"

namespace arenaproof {
namespace {

using testing::MadeUpServices;

// What the library's functions are asked to do, and what they saw.
struct Script {
  std::int32_t value = 0;
  int set_op_data = 0;  // by init and prepare, as an address in `places`
  void (*ask)(ArenaproofSetUp&) = nullptr;
  std::string calls;
  LibraryCall noted = LibraryCall::kNone;
  std::string subject;
};
Script script;
std::array<char, 10> places;

int PlaceOf(const void* op_data) {
  return op_data == nullptr ? 0 : static_cast<int>(static_cast<const char*>(op_data) - places.data());
}

void Note(const char* call, const void* op_data) {
  script.calls += std::string(call) + std::to_string(PlaceOf(op_data)) + " ";
  script.noted = BoardOfParent().Read().library_call;
  script.subject = BoardOfParent().Read().library_subject;
}

std::int32_t SetUp(const char* call, ArenaproofSetUp* context) {
  Note(call, context->op_data);
  if (script.set_op_data != 0) context->op_data = places.data() + script.set_op_data;
  if (script.ask != nullptr) script.ask(*context);
  return script.value;
}
std::int32_t OwnInit(ArenaproofSetUp* context) { return SetUp("init", context); }
std::int32_t OwnPrepare(ArenaproofSetUp* context) { return SetUp("prepare", context); }
std::int32_t OwnInvoke(const ArenaproofInvoke* context) {
  Note("invoke", context->op_data);
  return script.value;
}
std::int32_t OtherInvoke(const ArenaproofInvoke*) {
  Note("other", nullptr);
  return 0;
}
void OwnReset(void* op_data) { Note("reset", op_data); }
void OwnFree(void* op_data) { Note("free", op_data); }
std::int32_t First(const ArenaproofOperand*, std::size_t count, const ArenaproofOperand*, std::size_t outputs) {
  Note("first", nullptr);
  return count == 1 && outputs == 0 ? 1 : 0;
}
std::int32_t Second(const ArenaproofOperand*, std::size_t, const ArenaproofOperand*, std::size_t) { return -1; }

constexpr std::int32_t kAddCode = 0, kMulCode = 18, kReluCode = 19;

ArenaproofKernel WholeKernel(std::int32_t code) {
  return {code, nullptr, nullptr, OwnInit, OwnPrepare, OwnInvoke, OwnReset, OwnFree, nullptr, 0};
}
ArenaproofKernel BareKernel(std::int32_t code) {
  return {code, nullptr, nullptr, nullptr, nullptr, OtherInvoke, nullptr, nullptr, nullptr, 0};
}

CheckedTable TableWith(std::vector<ArenaproofKernel> kernels) {
  CheckedTable table;
  table.name = "mine";
  table.kernels = std::move(kernels);
  return table;
}

class LibraryKernelsTest : public ::testing::Test {
 protected:
  LibraryKernelsTest() { script = {}; }

  const Kernel& kernel(std::size_t index) const { return library_->set().kernels[index]; }
  void Use(std::vector<ArenaproofKernel> kernels, const KernelSet* fallback = nullptr) {
    library_.reset();
    library_.emplace(TableWith(std::move(kernels)), fallback);
  }
  Status Invoke() {
    InvokeContext context;
    context.op_data = context_.op_data;
    return kernel(0).invoke(context);
  }

  std::optional<LibraryKernels> library_;
  MadeUpServices services_;
  OperatorOptions options_;
  PrepareContext context_{.inputs = {}, .outputs = {}, .options = &options_, .services = &services_};
};

TEST_F(LibraryKernelsTest, HandsWhatAnOperatorHasSetToItsNextCalls) {
  Use({WholeKernel(kAddCode)});
  script.set_op_data = 3;
  EXPECT_TRUE(kernel(0).init(context_).ok());
  script.set_op_data = 4;
  EXPECT_TRUE(kernel(0).prepare(context_).ok());
  kernel(0).reset(context_.op_data);
  EXPECT_TRUE(Invoke().ok());
  kernel(0).free(context_.op_data);
  EXPECT_EQ(script.calls, "init0 prepare3 reset4 invoke4 free4 ");
}

TEST_F(LibraryKernelsTest, KeepsWhatAFailedCallHasSetForFree) {
  Use({WholeKernel(kAddCode)});
  script.value = 77;
  script.set_op_data = 5;
  const Status status = kernel(0).init(context_);
  EXPECT_EQ(status.code, StatusCode::kKernelFailed);
  EXPECT_EQ(status.detail[0], 77u);
  kernel(0).free(context_.op_data);
  EXPECT_EQ(script.calls, "init0 free5 ");
}

// Two operators of one kernel have their own each.
TEST_F(LibraryKernelsTest, KeepsOperatorsApart) {
  Use({WholeKernel(kAddCode)});
  PrepareContext other = context_;
  script.set_op_data = 1;
  EXPECT_TRUE(kernel(0).init(context_).ok());
  script.set_op_data = 2;
  EXPECT_TRUE(kernel(0).init(other).ok());
  kernel(0).free(context_.op_data);
  kernel(0).free(other.op_data);
  EXPECT_EQ(script.calls, "init0 init0 free1 free2 ");
}

TEST_F(LibraryKernelsTest, CallsNothingThatATableLacks) {
  Use({BareKernel(kAddCode)});
  EXPECT_TRUE(kernel(0).init(context_).ok());
  EXPECT_TRUE(kernel(0).prepare(context_).ok());
  EXPECT_EQ(kernel(0).reset, nullptr);
  EXPECT_EQ(kernel(0).serves, nullptr);
  kernel(0).free(context_.op_data);
  kernel(0).free(nullptr);  // a set-up that did not come to init
  EXPECT_EQ(script.calls, "");
}

TEST_F(LibraryKernelsTest, EndsInvokesAloneQuietly) {
  Use({WholeKernel(kAddCode)});
  EXPECT_TRUE(kernel(0).init(context_).ok());
  for (const auto& [value, of_invoke] : {std::pair{ARENAPROOF_KERNEL_CANCELLED, StatusCode::kInvokeCancelled},
                                         {ARENAPROOF_KERNEL_ABORTED, StatusCode::kInvokeAborted},
                                         {-3, StatusCode::kKernelFailed},
                                         {1, StatusCode::kKernelFailed}}) {
    script.value = value;
    EXPECT_EQ(kernel(0).prepare(context_).code, StatusCode::kKernelFailed) << value;
    EXPECT_EQ(static_cast<std::int64_t>(kernel(0).prepare(context_).detail[0]), value);
    EXPECT_EQ(Invoke().code, of_invoke) << value;
  }
  kernel(0).free(context_.op_data);
}

TEST_F(LibraryKernelsTest, NotesWhichFunctionRuns) {
  Use({WholeKernel(kReluCode), {32, "own", First, nullptr, nullptr, OtherInvoke, nullptr, nullptr, nullptr, 0}});
  const auto expect = [](LibraryCall call, const char* subject) {
    EXPECT_EQ(script.noted, call);
    EXPECT_EQ(script.subject, subject);
    EXPECT_EQ(BoardOfParent().Read().library_call, LibraryCall::kNone) << "it has returned";
  };
  EXPECT_TRUE(kernel(0).init(context_).ok());
  expect(LibraryCall::kInit, "RELU");
  EXPECT_TRUE(kernel(0).prepare(context_).ok());
  expect(LibraryCall::kPrepare, "RELU");
  kernel(0).reset(context_.op_data);
  expect(LibraryCall::kReset, "RELU");
  EXPECT_TRUE(Invoke().ok());
  expect(LibraryCall::kInvoke, "RELU");
  kernel(0).free(context_.op_data);
  expect(LibraryCall::kFree, "RELU");
  kernel(1).serves({}, {});
  expect(LibraryCall::kServes, "own");
}

// Each entry of the table has functions of its own.
TEST_F(LibraryKernelsTest, AreTheTablesOneByOne) {
  std::vector<ArenaproofKernel> kernels = {WholeKernel(kAddCode), WholeKernel(kAddCode), BareKernel(kReluCode)};
  kernels[0].serves = First;
  kernels[1].serves = Second;
  kernels[1].init = nullptr;
  const KernelSet fallback = {"other", {}, nullptr};
  Use(kernels, &fallback);
  EXPECT_EQ(library_->set().fallback, &fallback);
  EXPECT_STREQ(library_->set().name, "mine");
  ASSERT_EQ(library_->set().kernels.size(), 3u);
  EXPECT_EQ(kernel(2).op, BuiltinOperator::kRelu);
  EXPECT_STREQ(kernel(2).name, "mine");
  const std::array<Operand, 2> operands;
  EXPECT_TRUE(kernel(0).serves({operands.data(), 1}, {}));
  EXPECT_FALSE(kernel(0).serves({operands.data(), 1}, operands));
  EXPECT_TRUE(kernel(1).serves({}, {})) << "whatever is not 0";
  script.calls.clear();
  EXPECT_TRUE(kernel(1).init(context_).ok());
  EXPECT_EQ(script.calls, "");
  kernel(1).free(context_.op_data);
  const Kernel foreign = kernel(0);
  EXPECT_TRUE(library_->Has(&kernel(2)));
  EXPECT_FALSE(library_->Has(&foreign));
  EXPECT_FALSE(library_->Has(nullptr));
}

TEST_F(LibraryKernelsTest, DeclareReadsEachForItself) {
  std::vector<ArenaproofKernel> kernels = {WholeKernel(kAddCode), WholeKernel(kReluCode), BareKernel(kMulCode)};
  const std::array<ArenaproofReadAllowance, 3> allowances = {{{0, 1, 20}, {1000, 33, 4}, {1, 5, 0}}};
  kernels[0].read_allowances = allowances.data();
  kernels[0].read_allowance_count = 2;
  kernels[1].read_allowances = allowances.data() + 2;
  kernels[1].read_allowance_count = 1;
  Use(kernels);
  ASSERT_EQ(kernel(0).read_allowances.size(), 2u);
  ASSERT_EQ(kernel(1).read_allowances.size(), 1u);
  EXPECT_TRUE(kernel(2).read_allowances.empty());
  for (std::size_t i = 0; i < allowances.size(); ++i) {
    const ReadAllowance& one = i < 2 ? kernel(0).read_allowances[i] : kernel(1).read_allowances[0];
    EXPECT_EQ(one.operand, allowances[i].operand) << i;
    EXPECT_EQ(one.before_bytes, allowances[i].before_bytes) << i;
    EXPECT_EQ(one.after_bytes, allowances[i].after_bytes) << i;
  }
}

// What a refused request makes of the call, the kernel's own value or not.
TEST_F(LibraryKernelsTest, KeepsWhatARefusedCallHasSetForFree) {
  Use({WholeKernel(kAddCode)});
  EXPECT_TRUE(kernel(0).init(context_).ok());
  services_.refusal = Failure(StatusCode::kLayoutMemory);
  script.set_op_data = 6;
  script.ask = [](ArenaproofSetUp& set_up) {
    void* block = nullptr;
    EXPECT_NE(set_up.services->allocate_persistent(set_up.host, 8, &block), 0);
  };
  EXPECT_EQ(kernel(0).prepare(context_).code, StatusCode::kLayoutMemory);
  kernel(0).free(context_.op_data);
  EXPECT_EQ(script.calls, "init0 prepare0 free6 ");
}

using LibraryKernelsDeathTest = LibraryKernelsTest;

TEST_F(LibraryKernelsDeathTest, AreOfOneLibraryAtATime) {
  Use({BareKernel(kAddCode)});
  EXPECT_DEATH(LibraryKernels(TableWith({BareKernel(kAddCode)}), nullptr), "");
  std::vector<ArenaproofKernel> too_many(ARENAPROOF_MAX_KERNELS + 1, BareKernel(kAddCode));
  library_.reset();
  EXPECT_DEATH(LibraryKernels(TableWith(too_many), nullptr), "");
}

TEST_F(LibraryKernelsTest, SeeTheOptionsOfBuiltinAndCustomOperators) {
  Use({WholeKernel(kAddCode)});
  options_ = LeakyReluOptions{.alpha = 0.5f};
  static const std::array<std::byte, 5> kOptionBytes = {};
  context_.custom_options = kOptionBytes;
  script.ask = [](ArenaproofSetUp& set_up) {
    ASSERT_EQ(set_up.option_count, 1u);
    EXPECT_EQ(set_up.options[0].key, ARENAPROOF_OPTION_ALPHA);
    EXPECT_EQ(set_up.options[0].real, 0.5f);
    EXPECT_EQ(set_up.option_bytes, kOptionBytes.data());
    EXPECT_EQ(set_up.option_bytes_count, 5u);
  };
  EXPECT_TRUE(kernel(0).init(context_).ok());
  EXPECT_TRUE(kernel(0).prepare(context_).ok());
  kernel(0).free(context_.op_data);
}

}  // namespace
}  // namespace arenaproof
