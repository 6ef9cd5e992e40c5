// What each first line of an error of memcheck's is taken for, and that a log is read on from where it was read to.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "sanitizers/instrument/valgrind/memcheck_log.h"

namespace arenaproof::testing {
namespace {

TEST(MemcheckLogKinds, FollowFromTheFirstLineOfAnError) {
  using ErrorKind = MemcheckError::Kind;
  struct Case {
    const char* line;
    ErrorKind kind;
    std::size_t bytes;
  };
  for (const Case& one :
       {Case{"Invalid read of size 32", ErrorKind::kRead, 32}, Case{"Invalid write of size 8", ErrorKind::kWrite, 8},
        Case{"Syscall param write(buf) points to unaddressable byte(s)", ErrorKind::kRead, 1},
        Case{"Syscall param write(buf) points to uninitialised byte(s)", ErrorKind::kUnwrittenUse, 0},
        Case{"Use of uninitialised value of size 4", ErrorKind::kUnwrittenUse, 0},
        Case{"Syscall param write(buf) is wrong", ErrorKind::kUnknown, 0},
        Case{"Invalid free() / delete / delete[] / realloc()", ErrorKind::kOther, 0},
        Case{"Mismatched free() / delete / delete []", ErrorKind::kOther, 0},
        Case{"Source and destination overlap in memcpy(0x1, 0x2, 3)", ErrorKind::kOther, 0},
        Case{"Argument 'size' of function malloc has a fishy value: -1", ErrorKind::kOther, 0},
        Case{"Illegal memory pool address", ErrorKind::kOther, 0},
        Case{"Jump to the invalid address stated on the next line", ErrorKind::kOther, 0},
        Case{"Invalid execution", ErrorKind::kUnknown, 0}}) {
    const std::string text = "==7== WARNING: of another kind\n==7== " + std::string(one.line) +
                             "\n==7==    at 0x4A0: f (example.cc:1)\n==7==  Address 0x1f0 is on thread 1's stack\n"
                             "==7== \n==7== " +
                             one.line + "\n==7==  Address 0x20 is in a rw- anonymous segment\n";
    const std::vector<MemcheckError> errors = ReadMemcheckLog(text, 7);
    ASSERT_EQ(errors.size(), 2u) << one.line;
    for (const MemcheckError& error : errors) {
      EXPECT_EQ(error.kind, one.kind) << one.line;
      EXPECT_EQ(error.bytes, one.bytes) << one.line;
      EXPECT_EQ(error.is_access(), one.bytes > 0) << one.line;
      EXPECT_EQ(error.mark, 0u);
    }
    EXPECT_EQ(errors[0].address, 0x1f0u) << one.line;
    EXPECT_EQ(errors[1].address, 0x20u) << one.line;
  }
}

// A mark is that of its own process, and holds until the next one.
TEST(MemcheckLogKinds, HaveTheMarkOfTheirProcess) {
  const std::string error = "==7== Invalid read of size 1\n==7==  Address 0x1 is here\n==7== \n";
  const std::string text = error + "**8** mark 5\n" + error + "**7** mark 3\n" + error + error + "**7** other 9\n" +
                           error + "**7** mark 12\n" + error;
  const unsigned marks[] = {0, 0, 3, 3, 3, 12};
  const std::vector<MemcheckError> errors = ReadMemcheckLog(text, 7);
  ASSERT_EQ(errors.size(), std::size(marks));
  for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(errors[i].mark, marks[i]) << i;
}

TEST(MemcheckLogText, IsTakenOnceHoweverLongItIs) {
  EXPECT_FALSE(MemcheckLog::Exists());
  const int descriptor = memfd_create("memcheck", MFD_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  MemcheckLog::UseDescriptor(descriptor);
  EXPECT_TRUE(MemcheckLog::Exists());
  MemcheckLog log;
  EXPECT_EQ(log.TakeText(), "");
  const std::string longer(40000, 'x');
  for (const std::string& text : {std::string("a\nb"), longer, std::string("c")}) {
    ASSERT_EQ(write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    EXPECT_EQ(log.TakeText(), text);
    EXPECT_EQ(log.TakeText(), "");
  }
  EXPECT_EQ(MemcheckLog().TakeText(), "a\nb" + longer + "c");
  MemcheckLog::UseDescriptor(-1);
  EXPECT_FALSE(MemcheckLog::Exists());
  close(descriptor);
}

}  // namespace
}  // namespace arenaproof::testing
