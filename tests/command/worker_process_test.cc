// A worker of many checks that ends, or cannot take one: the check is done by a fresh one.
#include "tools/command/worker_process.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tools/command/worker_words.h"

namespace arenaproof::testing {
namespace {

struct Ended {
  ChildResult result;
  pid_t process = 0;  // that did it
  int given_count = 1;
};

std::vector<std::string> CheckWords() {
  CheckOptions options;
  options.model = SeedModel("sine_regressor_int8");
  return WorkerCommand(options, *FindInstrument("canary"), "faithful");
}

Ended Check(WorkerProcess& worker, std::vector<std::string> words = CheckWords()) {
  Ended ended;
  auto child = std::make_unique<RunningChild>(ChildLimits{}, nullptr);
  worker.Give(words, {}, *child);
  for (;;) {
    std::vector<pollfd> polled;
    child->AddPolled(polled);
    if (worker.AwaitsAnswerFor(*child)) polled.push_back({worker.socket(), POLLIN, 0});
    poll(polled.data(), polled.size(), static_cast<int>(child->Patience().count()));
    child->Read();
    if (!worker.TakeAnswer()) {
      child = std::make_unique<RunningChild>(ChildLimits{}, nullptr);
      worker.Give(words, {}, *child);
      ++ended.given_count;
    }
    if (child->process() > 0) ended.process = child->process();
    if (child->Ended()) break;
  }
  if (worker.AwaitsAnswerFor(*child)) worker.GiveUp();
  ended.result = child->result();
  return ended;
}

bool IsClean(const Ended& ended) {
  return ended.result.end == ChildEnd::kExited && ended.result.exit_status == 0 &&
         HasText(ended.result.result, "\"event\":\"finished\"");
}

TEST(WorkerProcess, DoesManyChecks) {
  WorkerProcess worker;
  EXPECT_TRUE(IsClean(Check(worker)));
  const int socket = worker.socket();
  EXPECT_GE(socket, 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(IsClean(Check(worker)));
    EXPECT_EQ(worker.socket(), socket);
  }
}

TEST(WorkerProcess, IsStartedAgainWhenItHasGone) {
  WorkerProcess worker;
  EXPECT_TRUE(IsClean(Check(worker)));
  ASSERT_GT(worker.process(), 0);
  kill(worker.process(), SIGKILL);
  EXPECT_TRUE(IsClean(Check(worker)));
  // Before it has taken what was sent, too.
  kill(worker.process(), SIGSTOP);
  RunningChild child({}, nullptr);
  worker.Give(CheckWords(), {}, child);
  EXPECT_TRUE(worker.busy());
  kill(worker.process(), SIGKILL);
  while (worker.busy() && worker.TakeAnswer()) {
  }
  EXPECT_FALSE(worker.busy());
  EXPECT_TRUE(IsClean(Check(worker)));
}

TEST(WorkerProcess, IsStartedAgainForWordsThatNoMessageHolds) {
  WorkerProcess worker;
  EXPECT_TRUE(IsClean(Check(worker)));
  std::vector<std::string> words = CheckWords();
  words.push_back("--input=0:" + std::string(80000, 'x'));
  const Ended ended = Check(worker, words);
  EXPECT_EQ(ended.result.exit_status, 2);
  EXPECT_TRUE(HasText(ended.result.result, "\"event\":\"refused\"")) << ended.result.result;
}

TEST(WorkerProcess, MayTakeOneCheckAlone) {
  WorkerProcess worker;
  for (int i = 0; i < 2; ++i) {
    const Ended ended = Check(worker, {"/bin/sh", "-c", "echo done >&3; exit 7"});
    EXPECT_EQ(ended.result.exit_status, 7);
    EXPECT_EQ(ended.result.result, "done\n");
    EXPECT_EQ(worker.socket(), -1);
  }
}

TEST(WorkerProcess, LeavesNothingBehind) {
  pid_t process = 0;
  {
    WorkerProcess worker;
    EXPECT_TRUE(IsClean(Check(worker)));
    process = worker.process();
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_NE(kill(process, 0), 0);
}

}  // namespace
}  // namespace arenaproof::testing
