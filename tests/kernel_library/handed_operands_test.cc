// What each function of a table is handed of its operator: operands in their order, how many there are, and in invoke
// the scratch buffers.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "tests/kernel_library/made_up_services.h"
#include "tools/kernel_library/library_kernels.h"
#include "tools/kernel_library/library_operands.h"

namespace arenaproof {
namespace {

// "inputs 1 2, outputs 3" with the first extent of each operand, and "scratch ..." of what invoke gets.
std::string handed;

template <typename Context>
void NoteOperands(const Context& context) {
  handed = "inputs";
  for (std::size_t i = 0; i < context.input_count; ++i) handed += " " + std::to_string(context.inputs[i].dims[0]);
  handed += ", outputs";
  for (std::size_t i = 0; i < context.output_count; ++i) handed += " " + std::to_string(context.outputs[i].dims[0]);
}

std::int32_t HandedSetUp(ArenaproofSetUp* context) {
  NoteOperands(*context);
  return ARENAPROOF_KERNEL_OK;
}
const std::byte* const* scratch_list = nullptr;
std::int32_t HandedInvoke(const ArenaproofInvoke* context) {
  NoteOperands(*context);
  scratch_list = reinterpret_cast<const std::byte* const*>(context->scratch);
  handed += ", scratch " + std::to_string(context->scratch_count);
  return ARENAPROOF_KERNEL_OK;
}
std::int32_t HandedServes(const ArenaproofOperand* inputs, std::size_t input_count, const ArenaproofOperand* outputs,
                          std::size_t output_count) {
  struct {
    const ArenaproofOperand *inputs, *outputs;
    std::size_t input_count, output_count;
  } const all = {inputs, outputs, input_count, output_count};
  NoteOperands(all);
  return 0;
}
std::string freed;
void HandedFree(void* op_data) { freed += op_data == nullptr ? "null " : "something "; }

CheckedTable TableOfOne(const ArenaproofKernel& kernel) {
  CheckedTable table;
  table.name = "mine";
  table.kernels = {kernel};
  return table;
}

// Of a first extent that tells it from the others.
std::vector<Operand> Numbered(std::int32_t first, std::size_t count) {
  std::vector<Operand> operands(count);
  for (Operand& operand : operands) {
    operand.present = true;
    operand.rank = 1;
    operand.dims[0] = first++;
  }
  return operands;
}

TEST(HandedOperands, AreThoseOfTheOperatorInEveryFunction) {
  const LibraryKernels library(
      TableOfOne({0, nullptr, HandedServes, HandedSetUp, HandedSetUp, HandedInvoke, nullptr, nullptr, nullptr, 0}),
      nullptr);
  const Kernel& kernel = library.set().kernels[0];
  for (const auto& [input_count, output_count, expected] :
       {std::tuple{std::size_t{3}, std::size_t{1}, "inputs 1 2 3, outputs 4"},
        std::tuple{std::size_t{1}, std::size_t{2}, "inputs 1, outputs 2 3"},
        std::tuple{std::size_t{0}, std::size_t{2}, "inputs, outputs 1 2"},
        std::tuple{std::size_t{0}, std::size_t{0}, "inputs, outputs"}}) {
    const std::vector<Operand> inputs = Numbered(1, input_count);
    const std::vector<Operand> outputs = Numbered(1 + static_cast<std::int32_t>(input_count), output_count);
    EXPECT_FALSE(kernel.serves(inputs, outputs));
    EXPECT_EQ(handed, expected) << "serves";
    testing::MadeUpServices services;
    const OperatorOptions options;
    PrepareContext set_up{.inputs = inputs, .outputs = outputs, .options = &options, .services = &services};
    EXPECT_TRUE(kernel.init(set_up).ok());
    EXPECT_EQ(handed, expected) << "init";
    handed.clear();
    EXPECT_TRUE(kernel.prepare(set_up).ok());
    EXPECT_EQ(handed, expected) << "prepare";
    std::array<std::byte, 2> bytes{};
    const std::array<std::byte*, 5> scratch = {&bytes[0], &bytes[1], nullptr, &bytes[1], &bytes[0]};
    InvokeContext invoke;
    invoke.inputs = inputs;
    invoke.outputs = outputs;
    invoke.scratch = scratch;
    invoke.op_data = set_up.op_data;
    EXPECT_TRUE(kernel.invoke(invoke).ok());
    EXPECT_EQ(handed, std::string(expected) + ", scratch 5");
    EXPECT_EQ(scratch_list, scratch.data());
    kernel.free(set_up.op_data);
  }
}

// As many as an operator of the runtime may have.
TEST(HandedOperands, AreAllOfThemHoweverMany) {
  const std::vector<Operand> inputs = Numbered(1, kMaxOperandsPerOperator - 1);
  const std::vector<Operand> outputs = Numbered(1000, 1);
  const LibraryOperands operands(inputs, outputs);
  EXPECT_EQ(operands.inputs()[kMaxOperandsPerOperator - 2].dims[0],
            static_cast<std::int32_t>(kMaxOperandsPerOperator - 1));
  EXPECT_EQ(operands.outputs()[0].dims[0], 1000);
}

// Where a table has no init nothing has set op_data, and free is called all the same.
TEST(HandedOperands, OfFreeAreNullWhereNothingWasSet) {
  freed.clear();
  const LibraryKernels library(
      TableOfOne({0, nullptr, nullptr, nullptr, nullptr, HandedInvoke, nullptr, HandedFree, nullptr, 0}), nullptr);
  const Kernel& kernel = library.set().kernels[0];
  testing::MadeUpServices services;
  const OperatorOptions options;
  PrepareContext set_up{.inputs = {}, .outputs = {}, .options = &options, .services = &services};
  EXPECT_TRUE(kernel.init(set_up).ok());
  kernel.free(set_up.op_data);
  EXPECT_EQ(freed, "null ");
  EXPECT_EQ(services.asked, "") << "what the adapter keeps is not the arena's";
}

}  // namespace
}  // namespace arenaproof
