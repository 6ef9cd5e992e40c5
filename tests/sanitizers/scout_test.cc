// Copies of a process: each ends by itself and is waited for, and says how many errors it counted when it came to its
// end.
#include "sanitizers/instrument/valgrind/scout.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

namespace arenaproof::testing {
namespace {

// What both processes see.
struct SharedNote {
  SharedNote()
      : value(
            static_cast<int*>(mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedNote() { munmap(value, sizeof(int)); }
  SharedNote(const SharedNote&) = delete;
  SharedNote& operator=(const SharedNote&) = delete;
  int* const value;
};

// The number that the next descriptor would have: none is left open.
int NextDescriptor() {
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(next);
  return next;
}

TEST(Scout, IsACopyWhoseEndIsWaitedFor) {
  Scout scout;
  EXPECT_FALSE(scout.is_copy());
  EXPECT_EQ(scout.process(), 0);
  EXPECT_FALSE(scout.error_count());
  const int next = NextDescriptor();
  SharedNote note;
  pid_t last = 0;
  for (int i = 1; i < 4; ++i) {
    if (scout.Go()) {
      *note.value = scout.is_copy() ? i : -1;
      scout.Finish();
    }
    EXPECT_FALSE(scout.is_copy());
    EXPECT_EQ(*note.value, i);
    EXPECT_GT(scout.process(), 0);
    EXPECT_NE(scout.process(), last);
    ASSERT_TRUE(scout.error_count());
    EXPECT_EQ(*scout.error_count(), 0u);
    last = scout.process();
  }
  EXPECT_EQ(waitpid(last, nullptr, 0), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(NextDescriptor(), next);
}

TEST(Scout, ThatDoesNotComeToItsEndHasCountedNothing) {
  Scout scout;
  if (scout.Go()) scout.Finish();
  EXPECT_TRUE(scout.error_count());
  if (scout.Go()) raise(SIGSEGV);
  EXPECT_GT(scout.process(), 0);
  EXPECT_FALSE(scout.error_count());
  if (scout.Go()) _exit(0);
  EXPECT_FALSE(scout.error_count());
}

// It dies as it would without a handler, with nothing said about it.
TEST(Scout, IsHeardOfByNobody) {
  static SharedNote note;
  const auto handler = std::signal(SIGFPE, [](int) { *note.value = 1; });
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Scout scout;
  if (scout.Go()) {
    [[maybe_unused]] const ssize_t out = write(STDOUT_FILENO, "out", 3), error = write(STDERR_FILENO, "error", 5);
    raise(SIGFPE);
    *note.value = 2;
    _exit(0);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(*note.value, 0);
  std::signal(SIGFPE, handler);
}

TEST(Scout, IsPossibleWhereThereIsOneThread) {
  ASSERT_TRUE(Scout::Possible());
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::thread thread([&] { const std::lock_guard waits(mutex); });
  EXPECT_FALSE(Scout::Possible());
  lock.unlock();
  thread.join();
}

}  // namespace
}  // namespace arenaproof::testing
