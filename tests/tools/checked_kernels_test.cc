// What a check does around kernels that it has not seen before: bytes that set-up found otherwise come back, runs begin
// with other bytes, and declared reads have to have room where the layout is the device's.
#include <algorithm>
#include <string>

#include "tests/tools/checked_here.h"

namespace arenaproof {
namespace {

// What the kernel of FULLY_CONNECTED does; its outputs are zeros.
struct Doing {
  bool spoils_a_constant = false;  // in prepare, always the same byte
  bool fills_its_block = true;
  bool uses_its_block = false;
};
Doing doing;

constexpr std::size_t kOwnBytes = 16;

const Kernel kDoing{.op = BuiltinOperator::kFullyConnected,
                    .name = "doing",
                    .prepare = [](PrepareContext& context) -> Status {
                      std::byte* block = nullptr;
                      ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(kOwnBytes, &block));
                      if (doing.fills_its_block) std::fill_n(block, kOwnBytes, std::byte{7});
                      if (doing.spoils_a_constant) context.inputs[1].data[3] = std::byte{0x5a};
                      context.op_data = block;
                      return Ok();
                    },
                    .invoke = [](const InvokeContext& context) -> Status {
                      const auto* const block = static_cast<const std::byte*>(context.op_data);
                      std::fill_n(context.outputs[0].data, context.outputs[0].bytes,
                                  doing.uses_its_block ? block[5] : std::byte{0});
                      return Ok();
                    }};
const KernelSet kDoingSet{"doing", {&kDoing, 1}, nullptr};

Checked CheckDoing(const Doing& what, const std::string& instrument, const KernelSet& set = kDoingSet,
                   Layout layout = Layout::kFaithful) {
  doing = what;
  CheckArguments arguments = Asking("fully_connected_20_to_64_int8");
  arguments.instrument = instrument;
  arguments.layout = layout;
  return CheckHere(arguments, &set);
}

// The need of memory is measured by set-ups that nobody watches.
TEST(CheckedKernels, WriteToAConstantAsIfForTheFirstTime) {
  for (const char* instrument : {"canary", "twofill"}) {
    EXPECT_EQ(CheckDoing({}, instrument).exit_status, 0) << instrument;
    const Checked spoiled = CheckDoing({.spoils_a_constant = true}, instrument);
    EXPECT_EQ(spoiled.exit_status, 1) << instrument;
    ASSERT_FALSE(spoiled.report.violations.empty()) << instrument;
  }
}

TEST(CheckedKernels, FindOtherBytesInEachRunWhereTheyHaveWrittenNone) {
  EXPECT_EQ(CheckDoing({.uses_its_block = true}, "twofill").exit_status, 0);
  const Checked stale = CheckDoing({.fills_its_block = false, .uses_its_block = true}, "twofill");
  EXPECT_EQ(stale.exit_status, 1);
  ASSERT_FALSE(stale.report.violations.empty());
}

TEST(CheckedKernels, HaveToHaveRoomForDeclaredReadsAsOnTheDevice) {
  static constexpr ReadAllowance kInFront[] = {{0, 48, 0}};
  Kernel reading = kDoing;
  reading.read_allowances = kInFront;
  const KernelSet set{"reading", {&reading, 1}, nullptr};
  const Checked faithful = CheckDoing({}, "none", set);
  EXPECT_EQ(faithful.exit_status, 2);
  ASSERT_TRUE(faithful.report.refusal);
  EXPECT_EQ(faithful.report.refusal->code, "read_room");
  EXPECT_EQ(CheckDoing({}, "none", set, Layout::kDilated).exit_status, 0);
}

}  // namespace
}  // namespace arenaproof
