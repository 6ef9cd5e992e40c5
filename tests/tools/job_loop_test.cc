// A worker that takes many checks, with checks that only tell what they were asked for.
#include "tools/worker/job_loop.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "tools/worker/job_message.h"

namespace arenaproof {
namespace {

using Words = std::vector<std::string>;

constexpr int kResult = 3;
constexpr int kTests = 10, kTestedBefore = 20, kRefused = 30, kCounted = 40;

int check_count = 0;

// Tells its words, each with a bar behind it.
int TellAndEnd(const Words& words, SelfTestRecord& self_test) {
  std::string text;
  for (const std::string& word : words) text += word + "|";
  if (write(kResult, text.data(), text.size()) < 0) return 1;
  if (words.front() == "count") return kCounted + ++check_count;
  if (words.front() == "refused") return kRefused;
  if (words.front() == "crash") {
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (self_test.passed()) return kTestedBefore;
  self_test.Pass();
  return kTests;
}

// The system makes no more processes.
void ForbidCopies() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {static_cast<unsigned short>(std::size(filter)), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(99);
  }
}

struct Done {
  pid_t process = -1;
  int status = -1;  // 128 + signal
  std::string text;
};

int StatusOfEnded(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class JobLoop : public ::testing::Test {
 protected:
  ~JobLoop() override {
    if (socket_ >= 0) close(socket_);
    if (worker_ > 0) waitpid(worker_, nullptr, 0);
  }

  Done Start(const Words& words, bool copies = true) {
    std::array<int, 2> ends, pipe;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
    worker_ = fork();
    if (worker_ == 0) {
      // Away from the numbers that a worker uses.
      const int jobs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10), result = fcntl(pipe[1], F_DUPFD_CLOEXEC, 10);
      for (const int descriptor : {ends[0], ends[1], pipe[0], pipe[1]}) close(descriptor);
      dup2(result, kResult);
      close(result);
      if (!copies) ForbidCopies();
      _exit(DoJobs(jobs, kResult, words, TellAndEnd));
    }
    socket_ = ends[0];
    close(ends[1]);
    return End(pipe);
  }

  Done Do(const Words& words) {
    std::array<int, 2> pipe;
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
    if (SendJob(socket_, {words, pipe[1], pipe[1], -1})) return End(pipe);
    close(pipe[0]);
    close(pipe[1]);
    return {};
  }

  pid_t worker_ = -1;
  int socket_ = -1;

 private:
  Done End(const std::array<int, 2>& pipe) const {
    close(pipe[1]);
    Done done;
    pollfd waited = {socket_, POLLIN, 0};
    poll(&waited, 1, 10000);
    done.process = ReceiveProcess(socket_).process;
    std::array<char, 100> buffer;
    for (ssize_t count; (count = read(pipe[0], buffer.data(), buffer.size())) > 0;) {
      done.text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    close(pipe[0]);
    if (done.process != worker_) done.status = StatusOfEnded(done.process);
    return done;
  }
};

TEST_F(JobLoop, DoesEachCheckInAProcessOfItsOwn) {
  const Done first = Start({"a"}), second = Do({"b", "", "c d"});
  EXPECT_EQ(first.text, "a|");
  EXPECT_EQ(second.text, "b||c d|");
  EXPECT_GT(first.process, 0);
  EXPECT_GT(second.process, 0);
  EXPECT_NE(first.process, second.process);
  EXPECT_NE(second.process, worker_);
}

TEST_F(JobLoop, KeepsWhatACheckDoesFromTheNext) {
  EXPECT_EQ(Start({"count"}).status, kCounted + 1);
  EXPECT_EQ(Do({"count"}).status, kCounted + 1);
}

TEST_F(JobLoop, TestsUntilOneHasPassedAndNotAgain) {
  EXPECT_EQ(Start({"refused"}).status, kRefused);
  EXPECT_EQ(Do({"a"}).status, kTests);
  EXPECT_EQ(Do({"a"}).status, kTestedBefore);
  EXPECT_EQ(Do({"refused"}).status, kRefused);
  EXPECT_EQ(Do({"a"}).status, kTestedBefore);
}

TEST_F(JobLoop, OutlivesTheDeathOfACheck) {
  EXPECT_EQ(Start({"crash"}).status, 128 + SIGSEGV);
  EXPECT_EQ(Do({"a"}).status, kTests);
  const Done crash = Do({"crash"});
  EXPECT_EQ(crash.status, 128 + SIGSEGV);
  EXPECT_EQ(crash.text, "crash|");
  EXPECT_EQ(Do({"a"}).status, kTestedBefore);
}

TEST_F(JobLoop, EndsWhenNobodyAsksAnyMore) {
  Start({"a"});
  close(socket_);
  socket_ = -1;
  EXPECT_EQ(StatusOfEnded(worker_), 0);
  worker_ = -1;
}

TEST_F(JobLoop, DoesOneCheckItselfWhereNoCopyCanBeMade) {
  const Done done = Start({"a"}, /*copies=*/false);
  EXPECT_EQ(done.process, worker_);
  EXPECT_EQ(done.text, "a|");
  EXPECT_EQ(StatusOfEnded(worker_), kTests);
  worker_ = -1;
  EXPECT_FALSE(ReceiveProcess(socket_).open);
  EXPECT_EQ(Do({"b"}).process, -1);
}

std::ptrdiff_t OpenFilesOf(pid_t process) {
  const auto folder = std::filesystem::path("/proc") / std::to_string(process) / "fd";
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

// However many checks there were, and whatever became of them. The last one may be closed after its result is known.
TEST_F(JobLoop, KeepsNothingOpenOfAChecks) {
  Start({"a"});
  Do({"a"});
  const std::ptrdiff_t before = OpenFilesOf(worker_);
  for (const char* word : {"a", "refused", "crash", "a", "crash", "a"}) Do({word});
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (OpenFilesOf(worker_) > before && std::chrono::steady_clock::now() < patience) usleep(1000);
  EXPECT_LE(OpenFilesOf(worker_), before);
}

TEST(JobMessage, HasDescriptorsInTheirPlaces) {
  std::array<int, 2> ends, result, diagnostics;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  ASSERT_EQ(pipe2(result.data(), O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(diagnostics.data(), O_CLOEXEC), 0);
  ASSERT_TRUE(SendJob(ends[0], {{"a", "", "b"}, result[1], diagnostics[1], -1}));
  const auto job = ReceiveJob(ends[1]);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->words, (Words{"a", "", "b"}));
  EXPECT_EQ(job->board, -1);
  EXPECT_EQ(write(job->result, "r", 1), 1);
  EXPECT_EQ(write(job->diagnostics, "d", 1), 1);
  char letter = 0;
  EXPECT_EQ(read(result[0], &letter, 1), 1);
  EXPECT_EQ(letter, 'r');
  EXPECT_EQ(read(diagnostics[0], &letter, 1), 1);
  EXPECT_EQ(letter, 'd');
  for (const int descriptor :
       {job->result, job->diagnostics, ends[0], ends[1], result[0], result[1], diagnostics[0], diagnostics[1]}) {
    close(descriptor);
  }
}

TEST(JobMessage, IsTakenUpToItsLastByte) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  EXPECT_FALSE(SendJob(ends[0], {{std::string(65536, 'x')}, STDERR_FILENO, STDERR_FILENO, -1})) << "with its zero";
  ASSERT_TRUE(SendJob(ends[0], {{std::string(65535, 'x')}, STDERR_FILENO, STDERR_FILENO, -1}));
  const auto job = ReceiveJob(ends[1]);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->words, Words{std::string(65535, 'x')});
  for (const int descriptor : {job->result, job->diagnostics, ends[0], ends[1]}) close(descriptor);
}

TEST(JobAnswer, IsAProcessOrNoneYetOrNeverOne) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  EXPECT_TRUE(ReceiveProcess(ends[0]).open);
  EXPECT_EQ(ReceiveProcess(ends[0]).process, -1);
  EXPECT_TRUE(SendProcess(ends[1], 17));
  const ReceivedProcess answer = ReceiveProcess(ends[0]);
  EXPECT_TRUE(answer.open);
  EXPECT_EQ(answer.process, 17);
  for (const pid_t nobody : {0, -5}) {
    EXPECT_TRUE(SendProcess(ends[1], nobody));
    EXPECT_FALSE(ReceiveProcess(ends[0]).open) << nobody;
  }
  close(ends[1]);
  EXPECT_FALSE(ReceiveProcess(ends[0]).open);
  EXPECT_FALSE(SendProcess(ends[0], 17));
  EXPECT_FALSE(SendJob(ends[0], {{"a"}, STDERR_FILENO, STDERR_FILENO, -1}));
  close(ends[0]);
}

TEST(JobMessage, TakesNoMoreWordsThanOneMessageHolds) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  EXPECT_FALSE(SendJob(ends[0], {{std::string(70000, 'x')}, STDERR_FILENO, STDERR_FILENO, -1}));
  EXPECT_TRUE(SendJob(ends[0], {{std::string(60000, 'x')}, STDERR_FILENO, STDERR_FILENO, STDERR_FILENO}));
  const auto job = ReceiveJob(ends[1]);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->words, Words{std::string(60000, 'x')});
  for (const int descriptor : {job->result, job->diagnostics, job->board, ends[0]}) {
    EXPECT_GE(descriptor, 0);
    close(descriptor);
  }
  EXPECT_FALSE(ReceiveJob(ends[1]));
  close(ends[1]);
}

}  // namespace
}  // namespace arenaproof
