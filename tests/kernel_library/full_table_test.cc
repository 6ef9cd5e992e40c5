// A table with as many kernels as there may be: each place has functions of its own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernel_library/made_up_services.h"
#include "tools/kernel_library/library_kernels.h"
#include "tools/model/operator_board.h"

namespace arenaproof {
namespace {

std::string placed_subject;
void NoteSubject() { placed_subject = BoardOfParent().Read().library_subject; }

std::int32_t PlacedServes(const ArenaproofOperand*, std::size_t, const ArenaproofOperand*, std::size_t) {
  NoteSubject();
  return 1;
}
std::int32_t PlacedInit(ArenaproofSetUp*) {
  NoteSubject();
  return ARENAPROOF_KERNEL_OK;
}
std::int32_t PlacedInvoke(const ArenaproofInvoke*) {
  NoteSubject();
  return ARENAPROOF_KERNEL_OK;
}

TEST(FullTable, HasFunctionsForEachPlace) {
  std::vector<std::string> names;
  for (int i = 0; i < ARENAPROOF_MAX_KERNELS; ++i) names.push_back("kernel " + std::to_string(i));
  CheckedTable table;
  table.name = "mine";
  for (const std::string& name : names) {
    table.kernels.push_back({ARENAPROOF_BUILTIN_CUSTOM, name.c_str(), PlacedServes, PlacedInit, nullptr, PlacedInvoke,
                             nullptr, nullptr, nullptr, 0});
  }
  const LibraryKernels library(table, nullptr);
  ASSERT_EQ(library.set().kernels.size(), names.size());
  testing::MadeUpServices services;
  const OperatorOptions options;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Kernel& kernel = library.set().kernels[i];
    EXPECT_EQ(kernel.op, BuiltinOperator::kCustom);
    EXPECT_EQ(kernel.custom_name, names[i]);
    EXPECT_STREQ(kernel.name, "mine") << "the library's";
    placed_subject.clear();
    EXPECT_TRUE(kernel.serves({}, {}));
    EXPECT_EQ(placed_subject, names[i]) << "serves";
    PrepareContext set_up{.inputs = {}, .outputs = {}, .options = &options, .services = &services};
    placed_subject.clear();
    EXPECT_TRUE(kernel.init(set_up).ok());
    EXPECT_EQ(placed_subject, names[i]) << "init";
    InvokeContext invoke;
    invoke.op_data = set_up.op_data;
    placed_subject.clear();
    EXPECT_TRUE(kernel.invoke(invoke).ok());
    EXPECT_EQ(placed_subject, names[i]) << "invoke";
    kernel.free(set_up.op_data);
  }
}

}  // namespace
}  // namespace arenaproof
