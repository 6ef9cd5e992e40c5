// Ends of processes in the middle of a function from outside: whose they are, and what they come to.
#include "tools/command/library_end.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tools/command/child_end.h"

namespace arenaproof {
namespace {

const KernelChoice kFile = {.kernels = "./mine.so"};

ChildResult InCall(LibraryCall call, ChildEnd end, int number) {
  ChildResult child;
  child.end = end;
  (end == ChildEnd::kSignal ? child.signal : child.exit_status) = number;
  child.running.library_call = call;
  child.running.library_subject = "RELU";
  return child;
}

TEST(LibraryEnd, InInvokeIsAViolationAndElseNoAnswer) {
  for (const LibraryCall call :
       {LibraryCall::kLoad, LibraryCall::kTable, LibraryCall::kServes, LibraryCall::kInit, LibraryCall::kPrepare,
        LibraryCall::kInvoke, LibraryCall::kReset, LibraryCall::kFree}) {
    for (const ChildResult& child : {InCall(call, ChildEnd::kSignal, SIGSEGV), InCall(call, ChildEnd::kSignal, SIGABRT),
                                     InCall(call, ChildEnd::kSignal, SIGTRAP), InCall(call, ChildEnd::kSignal, SIGSYS),
                                     InCall(call, ChildEnd::kExited, 0), InCall(call, ChildEnd::kExited, 3)}) {
      const auto end = EndInLibrary(kFile, child);
      ASSERT_TRUE(end) << static_cast<int>(call);
      const bool invoke = call == LibraryCall::kInvoke;
      EXPECT_EQ(end->status, invoke ? ExitStatus::kViolations : ExitStatus::kCouldNotRun);
      EXPECT_EQ(end->code, invoke ? ToolRefusal::kKernelsDied : ToolRefusal::kKernelFileDied);
    }
  }
}

TEST(LibraryEnd, IsSaidWithItsFunctionAndOperator) {
  ChildResult child = InCall(LibraryCall::kInvoke, ChildEnd::kSignal, SIGSEGV);
  EXPECT_EQ(EndInLibrary(kFile, child)->sentence,
            "the process of the kernels of './mine.so' died of signal 11 (Segmentation fault) in invoke of RELU: an "
            "access outside all memory, or a fault of its own");
  child.running.nested = {{OperatorPhase::kInvoke, 0, 3, "RELU", "mine"}};
  child.running.begun_count = 7;
  EXPECT_EQ(EndInLibrary(kFile, child)->sentence,
            "the process of the kernels of './mine.so' died of signal 11 (Segmentation fault) in invoke of RELU while "
            "RELU (operator 3) ran (7 operators had begun): an access outside all memory, or a fault of its own");
  child = InCall(LibraryCall::kInvoke, ChildEnd::kExited, 3);
  EXPECT_EQ(EndInLibrary(kFile, child)->sentence,
            "the process of the kernels of './mine.so' ended with status 3 in invoke of RELU: a kernel has to return");
  child.diagnostics =
      "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x7f0000000000 (pc 0x1 bp 0x2 sp 0x3 T0)\n==7==The signal";
  EXPECT_EQ(EndInLibrary(kFile, child)->sentence,
            "the process of the kernels of './mine.so' was ended by AddressSanitizer (SEGV on unknown address "
            "0x7f0000000000) in invoke of RELU: an access outside all memory, or a fault of its own");
  child.diagnostics.clear();
  child = InCall(LibraryCall::kInit, ChildEnd::kExited, 0);
  EXPECT_EQ(EndInLibrary(kFile, child)->sentence,
            "the process of the kernels of './mine.so' ended with status 0 in init of RELU");
}

TEST(LibraryEnd, IsNobodysWhereTheProcessWasEnded) {
  const LibraryCall call = LibraryCall::kInvoke;
  for (const int outside : {SIGTERM, SIGKILL, SIGINT, SIGHUP}) {
    EXPECT_FALSE(EndInLibrary(kFile, InCall(call, ChildEnd::kSignal, outside))) << outside;
  }
  for (const ChildEnd end : {ChildEnd::kKilledForTime, ChildEnd::kKilledForCpuTime, ChildEnd::kKilledForMemory,
                             ChildEnd::kKilledForOutput, ChildEnd::kNotStarted}) {
    EXPECT_FALSE(EndInLibrary(kFile, InCall(call, end, 0))) << static_cast<int>(end);
  }
  EXPECT_FALSE(EndInLibrary(kFile, InCall(LibraryCall::kNone, ChildEnd::kSignal, SIGSEGV)));
  EXPECT_FALSE(EndInLibrary({.kernels = "reference"}, InCall(call, ChildEnd::kSignal, SIGSEGV)));
}

TEST(LibraryEnd, AfterwardsConcludesNothing) {
  EXPECT_FALSE(EndAfterLibrary({.kernels = "aligned"}, "a problem"));
  const auto end = EndAfterLibrary(kFile, "a problem");
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(end->code, ToolRefusal::kKernelFileDied);
  EXPECT_EQ(end->sentence,
            "nothing can be concluded: a problem; the kernels of './mine.so', which ran in that process, may have "
            "overwritten anything");
}

TEST(ChildEnds, FromOutsideAreNoFaultsAndNothingThatAProgramRaises) {
  const auto outside = [](ChildEnd end, int signal) {
    return !EndedFromOutside(InCall(LibraryCall::kNone, end, signal)).empty();
  };
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
    EXPECT_FALSE(outside(ChildEnd::kSignal, own)) << own;
  }
  EXPECT_TRUE(outside(ChildEnd::kSignal, SIGXFSZ));
  EXPECT_TRUE(outside(ChildEnd::kKilledForCpuTime, 0));
  EXPECT_FALSE(outside(ChildEnd::kExited, 0));
  const auto words = [](int signal) { return EndedFromOutside(InCall(LibraryCall::kNone, ChildEnd::kSignal, signal)); };
  EXPECT_EQ(words(SIGALRM), "was ended by signal 14 (Alarm clock), by a timer of its own or from outside");
  EXPECT_EQ(words(SIGTERM), "was ended by signal 15 (Terminated) from outside");
}

TEST(ChildEnds, OfProgramsThatTheLinkerRefusedHaveItsFirstLine) {
  ChildResult child = InCall(LibraryCall::kNone, ChildEnd::kExited, 127);
  child.diagnostics = "no library\nand more\n";
  EXPECT_EQ(FailedStart(child), "its program ended with status 127: no library");
  child.exit_status = 0;
  EXPECT_EQ(FailedStart(child), "");
}

}  // namespace
}  // namespace arenaproof
