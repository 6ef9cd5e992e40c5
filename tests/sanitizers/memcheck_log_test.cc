#include "sanitizers/instrument/valgrind/memcheck_log.h"

#include <gtest/gtest.h>

namespace arenaproof::testing {
namespace {

using Kind = MemcheckError::Kind;

TEST(MemcheckLog, HasEachErrorOfTheProcessInItsOrder) {
  const std::string_view text =
      "==12== Warning: set address range perms: large range [0x1, 0x2) (noaccess)\n"
      "==12== Thread 2:\n"
      "==12== Invalid read of size 16\n"
      "==12==    at 0x4A0: Dot (example.cc:1)\n"
      "==12==  Address 0x515f010 is in a rw- anonymous segment\n"
      "==12== \n"
      "==13== Invalid read of size 4\n"
      "==13==    at 0x4A0: Dot (a long na**12** mark 7\n"
      "==12== Invalid write of size 1\n"
      "me.cc:1)\n"
      "==13==  Address 0x1 is in a rw- anonymous segment==12==    at 0x1: f (example.cc:1)\n"
      "==13== \n"
      "==12==    at 0x4A0: Invalid read of size 4\n"
      "==12==  Address 0xffffffff is not stack'd, malloc'd or (recently) free'd\n"
      "==12== \n"
      "==12== Conditional jump or move depends on uninitialised value(s)\n"
      "==12==    at 0x4A0: Dot (example.cc:1)\n"
      "==12== \n"
      "==12== Syscall param write(buf) points to unaddressable byte(s)\n"
      "==12==    at 0x4A0: write\n"
      "==12==  Address 0x20 is in a rw- anonymous segment\n"
      "==12== \n"
      "==12== Invalid free() / delete / delete[] / realloc()\n"
      "==12==    at 0x4A0: free\n"
      "==12==  Address 0x30 is in a rw- anonymous segment\n"
      "==12== \n"
      "==12== \n"
      "==12== Process terminating with default action of signal 11 (SIGSEGV)\n"
      "==12==  Address 0x10 is in a rw- anonymous segment\n"
      "==12== \n"
      "==12== Something else\n"
      "==12==    at 0x4A0: Dot (example.cc:1)\n"
      "==12== \n"
      "==12== Use of uninitialised value of size 8\n"
      "==12==    at 0x4";
  const std::vector<MemcheckError> errors = ReadMemcheckLog(text, 12);
  const Kind kinds[] = {Kind::kRead,  Kind::kWrite,   Kind::kUnwrittenUse, Kind::kRead,
                        Kind::kOther, Kind::kUnknown, Kind::kUnwrittenUse};
  ASSERT_EQ(errors.size(), std::size(kinds));
  for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(errors[i].kind, kinds[i]) << i;
  EXPECT_EQ(errors[0].bytes, 16u);
  EXPECT_EQ(errors[0].address, 0x515f010u);
  EXPECT_EQ(errors[0].mark, 0u);
  EXPECT_EQ(errors[1].bytes, 1u);
  EXPECT_EQ(errors[1].address, 0xffffffffU);
  EXPECT_EQ(errors[1].mark, 7u);
  EXPECT_EQ(errors[3].address, 0x20u);
  EXPECT_TRUE(errors[0].is_access() && errors[1].is_access() && errors[3].is_access());
  EXPECT_FALSE(errors[2].is_access() || errors[4].is_access() || errors[5].is_access() || errors[6].is_access());
  const std::vector<MemcheckError> of_other = ReadMemcheckLog(text, 13);
  ASSERT_EQ(of_other.size(), 1u);
  EXPECT_EQ(of_other[0].address, 1u);
  EXPECT_TRUE(ReadMemcheckLog(text, 1).empty());
}

}  // namespace
}  // namespace arenaproof::testing
