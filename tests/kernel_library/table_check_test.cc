// Tables of kernels as untrusted data: each rule is broken once.
#include "tools/kernel_library/table_check.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <set>
#include <string>

#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

std::int32_t InvokeNothing(const ArenaproofInvoke*) { return ARENAPROOF_KERNEL_OK; }
std::int32_t ServeAll(const ArenaproofOperand*, std::size_t, const ArenaproofOperand*, std::size_t) { return 1; }

ArenaproofKernel KernelFor(std::int32_t code, const char* custom_name = nullptr) {
  ArenaproofKernel kernel{};
  kernel.builtin_code = code;
  kernel.custom_name = custom_name;
  kernel.invoke = InvokeNothing;
  return kernel;
}

constexpr std::int32_t kAdd = 0, kRelu = 19;

struct Table {
  std::array<ArenaproofKernel, 3> kernels = {KernelFor(kAdd), KernelFor(kRelu),
                                             KernelFor(ARENAPROOF_BUILTIN_CUSTOM, "own")};
  std::array<ArenaproofReadAllowance, 3> allowances{};
  ArenaproofKernelLibrary library = {ARENAPROOF_KERNEL_ABI_SIZES, 3, "mine", kernels.data()};

  // Of kernel 1.
  void Allow(std::array<ArenaproofReadAllowance, 3> list, std::uint32_t count) {
    allowances = list;
    kernels[1].read_allowances = allowances.data();
    kernels[1].read_allowance_count = count;
  }
};

// Two pages, the second of which nobody may read.
class PageBeforeNothing {
 public:
  PageBeforeNothing()
      : bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        start_(
            static_cast<char*>(mmap(nullptr, 2 * bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(start_ + bytes_, bytes_, PROT_NONE);
  }
  ~PageBeforeNothing() { munmap(start_, 2 * bytes_); }
  PageBeforeNothing(const PageBeforeNothing&) = delete;
  PageBeforeNothing& operator=(const PageBeforeNothing&) = delete;

  char* end() const { return start_ + bytes_; }
  // The last `bytes` of the page.
  template <typename Value>
  Value* AtTheEnd(const Value& value) const {
    return static_cast<Value*>(std::memcpy(end() - sizeof value, &value, sizeof value));
  }

 private:
  std::size_t bytes_;
  char* start_;
};

TEST(TableCheck, TakesATableThatKeepsEveryRuleAndCopiesIt) {
  Table table;
  table.kernels[1] = KernelFor(kAdd);
  table.kernels[0].serves = ServeAll;
  table.Allow({{{0, 64, 0}, {1999, 3, 64}}}, 2);
  CheckedTable checked;
  const auto refused = CheckTable(&table.library, &checked);
  ASSERT_FALSE(refused) << refused->sentence;
  table.kernels[1].invoke = nullptr;
  table.allowances[1].before_bytes = 7;
  EXPECT_EQ(checked.name, "mine");
  ASSERT_EQ(checked.kernels.size(), 3u);
  EXPECT_EQ(checked.kernels[0].serves, ServeAll);
  EXPECT_EQ(checked.kernels[1].invoke, InvokeNothing);
  ASSERT_EQ(checked.kernels[1].read_allowance_count, 2u);
  EXPECT_EQ(checked.kernels[1].read_allowances[1].before_bytes, 3u);
  EXPECT_EQ(checked.kernels[2].read_allowance_count, 0u);
  EXPECT_STREQ(checked.kernels[2].custom_name, "own");
  EXPECT_NE(checked.kernels[2].custom_name, table.kernels[2].custom_name);
}

// The largest of everything that may be large.
TEST(TableCheck, TakesATableAtEveryLimit) {
  Table table;
  std::vector<ArenaproofKernel> kernels(ARENAPROOF_MAX_KERNELS, KernelFor(209));
  for (ArenaproofKernel& kernel : kernels) kernel.serves = ServeAll;
  kernels.back() = KernelFor(ARENAPROOF_BUILTIN_CUSTOM);
  const std::string name(ARENAPROOF_MAX_NAME_BYTES - 1, 'n'), custom_name(ARENAPROOF_MAX_NAME_BYTES - 1, 'c');
  kernels.back().custom_name = custom_name.c_str();
  std::vector<ArenaproofReadAllowance> allowances;
  for (std::uint32_t i = 0; i < ARENAPROOF_MAX_READ_ALLOWANCES; ++i) {
    allowances.push_back({i, ARENAPROOF_MAX_ALLOWED_BYTES, ARENAPROOF_MAX_ALLOWED_BYTES});
  }
  kernels.back().read_allowances = allowances.data();
  kernels.back().read_allowance_count = ARENAPROOF_MAX_READ_ALLOWANCES;
  table.library.name = name.c_str();
  table.library.kernels = kernels.data();
  table.library.kernel_count = ARENAPROOF_MAX_KERNELS;
  CheckedTable checked;
  const auto refused = CheckTable(&table.library, &checked);
  ASSERT_FALSE(refused) << refused->sentence;
  EXPECT_EQ(checked.name, name);
  ASSERT_EQ(checked.kernels.size(), std::size_t{ARENAPROOF_MAX_KERNELS});
  EXPECT_EQ(checked.kernels.back().custom_name, custom_name);
  EXPECT_EQ(checked.kernels.back().read_allowances[31].operand, 31u);
}

// Whichever stands before: the one in front, or the first of all.
TEST(TableCheck, ComparesAKernelWithEachBeforeIt) {
  const auto reason_of = [](std::array<ArenaproofKernel, 3> kernels) {
    Table table;
    table.kernels = kernels;
    CheckedTable checked;
    const auto refused = CheckTable(&table.library, &checked);
    return refused ? refused->reason : TableReason{-1};
  };
  const ArenaproofKernel add = KernelFor(kAdd), relu = KernelFor(kRelu), one = KernelFor(32, "one"),
                         other = KernelFor(32, "other");
  ArenaproofKernel some = add;
  some.serves = ServeAll;
  EXPECT_EQ(reason_of({add, relu, add}), TableReason::kDuplicate);
  EXPECT_EQ(reason_of({one, relu, one}), TableReason::kDuplicate);
  EXPECT_EQ(reason_of({add, relu, some}), TableReason::kDuplicate) << "nobody asks it";
  EXPECT_EQ(reason_of({some, add, some}), TableReason::kDuplicate);
  EXPECT_EQ(reason_of({some, some, add}), TableReason{-1});
  EXPECT_EQ(reason_of({one, other, add}), TableReason{-1}) << "two names are two operators";
}

// Nothing of a table that was checked before, refused or not, is left.
TEST(TableCheck, BeginsAnew) {
  Table table, refused;
  refused.kernels[2].builtin_code = -1;
  CheckedTable checked;
  EXPECT_TRUE(CheckTable(&refused.library, &checked));
  EXPECT_FALSE(CheckTable(&table.library, &checked));
  EXPECT_FALSE(CheckTable(&table.library, &checked));
  EXPECT_EQ(checked.kernels.size(), 3u);
  EXPECT_EQ(checked.custom_names.size(), 1u);
  EXPECT_EQ(checked.read_allowances.size(), 3u);
}

struct Broken {
  TableReason reason;
  std::function<void(Table&)> how;
  std::string sentence;  // a part of it
};

const std::string kNoZero(ARENAPROOF_MAX_NAME_BYTES, 'x');

std::vector<Broken> BrokenTables() {
  const auto* const nowhere = reinterpret_cast<const char*>(16);
  return {
      {TableReason::kVersion, [](Table& t) { t.library.version = 2; }, "version 2 of kernel_abi.h; version 1 is"},
      {TableReason::kVersion, [](Table& t) { t.library.version = 0; }, "version 0"},
      {TableReason::kStructureSize, [](Table& t) { t.library.library_bytes = 8; },
       "a structure ArenaproofKernelLibrary has 8 bytes, and here it has "},
      {TableReason::kStructureSize, [](Table& t) { t.library.kernel_bytes += 8; }, "ArenaproofKernel has 8"},
      {TableReason::kStructureSize, [](Table& t) { t.library.operand_bytes = 0; }, "ArenaproofOperand has 0"},
      {TableReason::kStructureSize, [](Table& t) { t.library.option_bytes = 1; }, "ArenaproofOption has 1"},
      {TableReason::kStructureSize, [](Table& t) { t.library.services_bytes = 2; }, "ArenaproofServices has 2"},
      {TableReason::kStructureSize, [](Table& t) { t.library.set_up_bytes = 3; }, "ArenaproofSetUp has 3"},
      {TableReason::kStructureSize, [](Table& t) { t.library.invoke_bytes = 4; }, "ArenaproofInvoke has 4"},
      {TableReason::kStructureSize, [](Table& t) { t.library.read_allowance_bytes = 5; },
       "ArenaproofReadAllowance has 5"},
      {TableReason::kNameMissing, [](Table& t) { t.library.name = nullptr; }, "the table has no name"},
      {TableReason::kNameMissing, [](Table& t) { t.library.name = ""; }, "the table has an empty name"},
      {TableReason::kNameUnreadable, [=](Table& t) { t.library.name = nowhere; }, "the table has a name that does not"},
      {TableReason::kNameNotTerminated, [](Table& t) { t.library.name = kNoZero.data(); }, "end within 64 bytes"},
      {TableReason::kKernelCount, [](Table& t) { t.library.kernel_count = 0; }, "0 kernels; 1 to 128 would be right"},
      {TableReason::kKernelCount, [](Table& t) { t.library.kernel_count = 129; }, "129 kernels"},
      {TableReason::kKernelCount, [](Table& t) { t.library.kernel_count = 4294967295U; }, "4294967295 kernels"},
      {TableReason::kKernelsMissing, [](Table& t) { t.library.kernels = nullptr; }, "list of kernels is null"},
      {TableReason::kKernelsUnreadable,
       [=](Table& t) { t.library.kernels = reinterpret_cast<const ArenaproofKernel*>(nowhere); },
       "3 kernels, and kernel 0 does not lie in memory"},
      {TableReason::kBuiltinCode, [](Table& t) { t.kernels[1].builtin_code = -1; },
       "kernel 1 of 3 has the builtin code -1; 0 to 209 would be right"},
      {TableReason::kBuiltinCode, [](Table& t) { t.kernels[1].builtin_code = 210; }, "code 210"},
      {TableReason::kRuntimeOperator, [](Table& t) { t.kernels[0].builtin_code = 119; },
       "kernel 0 of 3 is of WHILE, which is the runtime's own"},
      {TableReason::kRuntimeOperator, [](Table& t) { t.kernels[0].builtin_code = 142; }, "VAR_HANDLE"},
      {TableReason::kCustomNameMissing, [](Table& t) { t.kernels[2].custom_name = nullptr; },
       "kernel 2, of a custom operator, has no name"},
      {TableReason::kCustomNameMissing, [](Table& t) { t.kernels[2].custom_name = ""; }, "has an empty name"},
      {TableReason::kNameUnreadable, [=](Table& t) { t.kernels[2].custom_name = nowhere; }, "kernel 2"},
      {TableReason::kNameNotTerminated, [](Table& t) { t.kernels[2].custom_name = kNoZero.data(); }, "kernel 2"},
      {TableReason::kCustomNameUnexpected, [](Table& t) { t.kernels[1].custom_name = "own"; },
       "kernel 1 of 3 is of RELU and has a custom name; null would be right"},
      {TableReason::kInvokeMissing, [](Table& t) { t.kernels[1].invoke = nullptr; }, "kernel 1 of 3 has no invoke"},
      {TableReason::kDuplicate, [](Table& t) { t.kernels[1] = t.kernels[0]; },
       "kernel 1 of 3 is of the operator of kernel 0, which serves all of it"},
      {TableReason::kDuplicate, [](Table& t) { t.kernels[1] = t.kernels[2]; }, "kernel 2 of 3"},
      {TableReason::kAllowancesUnreadable, [](Table& t) { t.kernels[1].read_allowance_count = 1; },
       "kernel 1 of 3 declares 1 read allowances, whose list does not lie in memory that can be read"},
      {TableReason::kAllowanceCount, [](Table& t) { t.Allow({{{0, 0, 0}}}, 33); },
       "kernel 1 of 3 declares 33 read allowances; 0 to 32 would be right"},
      {TableReason::kAllowanceCount, [](Table& t) { t.Allow({{{0, 0, 0}}}, 4294967295U); }, "4294967295"},
      {TableReason::kAllowanceOperand, [](Table& t) { t.Allow({{{0, 1, 1}, {1000, 1, 1}, {0, 2, 2}}}, 3); },
       "kernel 1 of 3 has read allowance 2 for operand 0, which has another one"},
      {TableReason::kAllowanceOperand, [](Table& t) { t.Allow({{{2000, 1, 1}}}, 1); },
       "read allowance 0 for operand 2000; inputs are numbered from 0, outputs from 1000"},
      {TableReason::kAllowanceBytes, [](Table& t) { t.Allow({{{1, 65, 0}}}, 1); },
       "read allowance 0 of 65 bytes; 0 to 64 on each side would be right"},
      {TableReason::kAllowanceBytes, [](Table& t) { t.Allow({{{1, 0, 4294967295U}}}, 1); }, "of 4294967295 bytes"},
  };
}

TEST(TableCheck, RefusesEachBrokenRuleByName) {
  std::set<TableReason> met = {TableReason::kTableMissing, TableReason::kTableUnreadable};  // below
  for (const Broken& broken : BrokenTables()) {
    Table table;
    broken.how(table);
    CheckedTable checked;
    const auto refused = CheckTable(&table.library, &checked);
    ASSERT_TRUE(refused) << broken.sentence;
    EXPECT_EQ(refused->reason, broken.reason) << refused->sentence;
    EXPECT_NE(refused->sentence.find(broken.sentence), std::string::npos) << refused->sentence;
    met.insert(broken.reason);
  }
  constexpr std::size_t kReasonCount = 0
#define ARENAPROOF_TABLE_REASON(name, meaning) +1
#include "tools/kernel_library/table_reasons.inc"
#undef ARENAPROOF_TABLE_REASON
      ;
  EXPECT_EQ(met.size(), kReasonCount) << "a reason that no table here is refused for";
}

// IF, WHILE, CALL_ONCE, and variables' handles, reads and assignments: what calls subgraphs or keeps values.
TEST(TableCheck, LeavesTheRuntimeItsOwnOperators) {
  for (std::int32_t code = 0; code < 210; ++code) {
    Table table;
    table.kernels[2] = KernelFor(code, code == ARENAPROOF_BUILTIN_CUSTOM ? "own" : nullptr);
    table.kernels[0].serves = table.kernels[1].serves = ServeAll;
    const bool own = code == 118 || code == 119 || code == 129 || (code >= 142 && code <= 144);
    CheckedTable checked;
    const auto refused = CheckTable(&table.library, &checked);
    EXPECT_EQ(refused.has_value(), own) << code;
    if (refused) EXPECT_EQ(refused->reason, TableReason::kRuntimeOperator) << code;
  }
}

TEST(TableCheck, HasItsReasonsInTheDocument) {
  const std::string text = testing::ReadFileText(testing::SourceFolder() / "docs" / "vendor_kernels.md");
  for (const char* meaning : {
#define ARENAPROOF_TABLE_REASON(name, meaning) meaning,
#include "tools/kernel_library/table_reasons.inc"
#undef ARENAPROOF_TABLE_REASON
       }) {
    EXPECT_NE(text.find("\n- " + std::string(meaning) + "\n"), std::string::npos) << meaning;
  }
}

TEST(TableCheck, ReadsNoByteThatCannotBeRead) {
  CheckedTable checked;
  const auto reason_of = [&](const void* table) {
    const auto refused = CheckTable(static_cast<const ArenaproofKernelLibrary*>(table), &checked);
    return refused ? refused->reason : TableReason{-1};
  };
  EXPECT_EQ(reason_of(nullptr), TableReason::kTableMissing);
  EXPECT_EQ(reason_of(reinterpret_cast<const void*>(16)), TableReason::kTableUnreadable);
  const PageBeforeNothing page;
  EXPECT_EQ(reason_of(page.end()), TableReason::kTableUnreadable);
  Table table;
  // A table that says its size and ends before it.
  std::memcpy(page.end() - 16, &table.library, 16);
  EXPECT_EQ(reason_of(page.end() - 16), TableReason::kTableUnreadable);
  EXPECT_EQ(reason_of(page.AtTheEnd(table.library)), TableReason{-1});
  // One kernel more than there are.
  table.library.kernels = page.AtTheEnd(KernelFor(kAdd));
  table.library.kernel_count = 1;
  EXPECT_EQ(reason_of(&table.library), TableReason{-1});
  table.library.kernel_count = 2;
  EXPECT_EQ(reason_of(&table.library), TableReason::kKernelsUnreadable);
  // Names at the end of what can be read.
  table = Table();
  table.library.name = page.AtTheEnd(std::array{'n', '\0'})->data();
  EXPECT_EQ(reason_of(&table.library), TableReason{-1});
  EXPECT_EQ(checked.name, "n");
  table.library.name = page.AtTheEnd(std::array{'n', 'o'})->data();
  EXPECT_EQ(reason_of(&table.library), TableReason::kNameUnreadable);
}

}  // namespace
}  // namespace arenaproof
