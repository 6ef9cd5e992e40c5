// Events as lines, and a reader that went away.
#include "tools/worker/event_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

#include "tools/worker/protocol.h"

namespace arenaproof {
namespace {

std::string ReadToTheEnd(int descriptor) {
  std::string text;
  std::array<char, 5000> buffer;
  for (ssize_t count; (count = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

// Longer than what a pipe takes at once.
TEST(EventWriter, WritesEachEventAsOneLine) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const std::string name(300000, 'x');
  std::thread writer([&] {
    EventWriter events(ends[1]);
    events.Write("first", {{"name", name}});
    events.Write("second", {{"name", "two\nlines"}});
    close(ends[1]);
  });
  const std::string text = ReadToTheEnd(ends[0]);
  writer.join();
  close(ends[0]);
  const std::string second = "\n{\"event\":\"second\",\"name\":\"two\\\\x0alines\"}\n";
  EXPECT_TRUE(text == "{\"event\":\"first\",\"name\":\"" + name + "\"}" + second)
      << text.size() << " bytes, " << text.substr(0, 40) << " ... " << text.substr(text.size() - 60);
}

TEST(EventWriter, EndsTheProcessWhereNobodyReads) {
  const auto write_to_nobody = [] {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) _exit(99);
    close(ends[0]);
    std::signal(SIGPIPE, SIG_IGN);
    EventWriter(ends[1]).Write("first", nlohmann::json::object());
    _exit(0);
  };
  EXPECT_EXIT(write_to_nobody(), ::testing::ExitedWithCode(protocol::kExitInternalError), "");
}

TEST(EventWriter, WritesNothingNowhere) { EventWriter(EventWriter::kNowhere).Write("first", nlohmann::json::object()); }

}  // namespace
}  // namespace arenaproof
