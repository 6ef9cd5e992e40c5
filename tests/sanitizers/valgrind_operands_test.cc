// Operators made by hand under Valgrind: what is closed, what counts as unwritten, and which operator was seen. The
// first test runs all others in a process of their own, without debugging information, over which Valgrind gives up.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>

#include "sanitizers/instrument/valgrind/memcheck_log.h"
#include "sanitizers/instrument/valgrind/memcheck_requests.h"
#include "sanitizers/instrument/valgrind/valgrind_instrument.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLogVariable = "ARENAPROOF_TEST_VALGRIND_LOG";

std::string SaidBy(const std::string& command) {
  std::string output;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) output += static_cast<char>(c);
  pclose(pipe);
  return output;
}

TEST(ValgrindOperands, AreTriedUnderValgrind) {
  if (std::string_view(ARENAPROOF_PRESET_NAME) != "release") GTEST_SKIP() << "Valgrind runs the preset release";
  std::string folder = (std::filesystem::temp_directory_path() / "arenaproof-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string program = folder + "/tests", self = "/proc/" + std::to_string(getpid()) + "/exe";
  const int made = memfd_create("memcheck", 0), log = fcntl(made, F_DUPFD, 10);
  ASSERT_EQ(fcntl(log, F_SETFL, O_APPEND), 0);
  const std::string number = std::to_string(log);
  EXPECT_EQ(SaidBy("strip --strip-debug -o " + program + " $(readlink " + self + ")"), "");
  EXPECT_THAT(SaidBy(std::string(kLogVariable) + "=" + number +
                     " valgrind --command-line-only=yes --quiet --vgdb=no --leak-check=no --read-inline-info=no"
                     " --partial-loads-ok=no --error-limit=no --log-fd=" +
                     number + " " + program + " --gtest_filter=By/ValgrindOperands.*"),
              HasSubstr("[  PASSED  ] 8 tests.\n"));
  for (const int descriptor : {made, log}) close(descriptor);
  std::filesystem::remove_all(folder);
}

__attribute__((noinline)) void DecideBy(const std::byte* address) {
  if (*reinterpret_cast<const volatile char*>(address) == 'x') access_sink = 1;
}

// While it exists the process has two threads, of which no copy has the second.
class SecondThread {
 public:
  SecondThread() : lock_(mutex_), thread_([this] { const std::lock_guard waits(mutex_); }) {}
  ~SecondThread() {
    lock_.unlock();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::unique_lock<std::mutex> lock_;
  std::thread thread_;
};

class ValgrindOperands : public MockOperators {
 protected:
  void SetUp() override {
    const char* const log = std::getenv(kLogVariable);
    if (log == nullptr) GTEST_SKIP() << "run under Valgrind by another test";
    MemcheckLog::UseDescriptor(std::atoi(log));
    instrument_->SkipSelfTest();
    MockOperators::SetUp();
    std::memset(arena(0), 0, arena_.bytes());  // nothing of it was written before
  }
  // An operator that may also read 16 bytes at 512.
  void BeginAllowed(const std::vector<OperandRange>& operands) {
    const OperandRange allowed{arena(512), 16, AccessRight::kRead, OperandKind::kOutput, 3};
    OperatorScope scope;
    scope.operator_name = scope.kernel_name = "mock";
    scope.operands = operands;
    scope.read_allowances = {&allowed, 1};
    instrument_->OnOperatorBegins(scope);
  }
};
INSTANTIATE_TEST_SUITE_P(By, ValgrindOperands, ::testing::Values("valgrind"),
                         [](const auto& instance) { return instance.param; });

// Ranges in no order, one in another, in three regions.
TEST_P(ValgrindOperands, AreOpenAndNothingElseIs) {
  const std::vector<OperandRange> operands = {
      Input(arena(128), 16, 0),   Input(arena(136), 24, 1),
      Input(arena(140), 4, 2),    Output(arena(64), 8, 3),
      Constant(model(64), 16, 4), {arena(256), 16, AccessRight::kNone, OperandKind::kVariable, 5}};
  BeginAllowed(operands);
  for (const std::size_t at : {128u, 159u, 64u, 71u, 512u, 527u}) Load<std::uint8_t>(arena(at));
  Load<Vector16>(model(64));
  Store<std::uint64_t>(arena(64));
  // Each in a place of its own: one copy of the process sees all of them.
  Load<std::uint8_t>(arena(63));
  Load<std::uint8_t>(arena(72));
  Load<std::uint8_t>(arena(127));
  Load<std::uint8_t>(arena(160));
  Load<std::uint8_t>(arena(256));
  Load<std::uint8_t>(arena(511));
  Load<std::uint8_t>(arena(528));
  Load<std::uint8_t>(arena(0) - 8);
  Load<std::uint8_t>(arena(4096));
  Load<std::uint8_t>(model(63));
  Load<std::uint8_t>(model(80));
  Load<std::uint8_t>(model(1024));
  instrument_->OnOperatorEnds();
  EXPECT_TRUE(instrument_->SawOperator());
  EXPECT_FALSE(instrument_->log().capped());
  EXPECT_EQ(instrument_->log().access_count(), 12u);
  EXPECT_EQ(instrument_->self_test().limits.size(), 8u) << "what it says that it does not see";
  for (const Violation& group : groups()) EXPECT_FALSE(group.write);
}

// A write is one in a copy where the byte is closed, and by the byte that it leaves where it may be read.
TEST_P(ValgrindOperands, AreWrittenWhereTheyMayBeAlone) {
  const std::vector<OperandRange> operands = {Output(arena(256), 16, 3)};
  BeginAllowed(operands);
  std::memset(arena(256), 1, 16);
  Store<std::uint8_t>(arena(272));
  *arena(515) = std::byte{0x1a};
  instrument_->OnOperatorEnds();
  ASSERT_EQ(groups().size(), 2u);
  for (const Violation& group : groups()) {
    EXPECT_TRUE(group.write);
    EXPECT_EQ(group.count, 1u);
  }
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_EQ(groups()[0].distance_bytes, 1u);
  EXPECT_EQ(groups()[1].side, ViolationSide::kFar);
  EXPECT_EQ(groups()[1].distance_bytes, 515u - 272);
  EXPECT_EQ(*arena(515), std::byte{0}) << "put back";
}

TEST_P(ValgrindOperands, AreUnwrittenWhereNobodyWroteThemAndOnce) {
  instrument_->OnTailAllocated({arena(1024), 16});
  const OperandRange in_tail = Output(arena(1024), 16, 4), in_place = Output(arena(128), 16, 5);
  Run({Input(arena(128), 16), Output(arena(256), 16, 3), in_tail, in_place}, [&] {
    std::memset(arena(256), 1, 4);
    std::memset(arena(256 + 8), 1, 7);
  });
  ASSERT_EQ(groups().size(), 1u);
  EXPECT_EQ(groups()[0].side, ViolationSide::kUnwritten);
  EXPECT_EQ(groups()[0].operand.index, 3);
  EXPECT_EQ(groups()[0].lowest_touched, 4);
  EXPECT_EQ(groups()[0].highest_touched, 15);
  EXPECT_EQ(groups()[0].max_width_bytes, 5u);
  Run(
      {Input(arena(256), 16, 3), Output(arena(512), 16)},
      [&] {
        DecideBy(arena(256 + 5));
        std::memcpy(arena(512), arena(256), 16);
      },
      1);
  EXPECT_EQ(groups().size(), 1u);
  OperatorScope prepare;
  prepare.phase = OperatorPhase::kPrepare;
  const OperandRange output = Output(arena(768), 16);
  prepare.operands = {&output, 1};
  instrument_->OnOperatorBegins(prepare);
  instrument_->OnOperatorEnds();
  EXPECT_EQ(groups().size(), 1u);
}

// What an arena holds when it is attached is of another program.
TEST_P(ValgrindOperands, AreUnwrittenInTwoNewArenas) {
  CheckedMemory persistent(256);
  for (std::byte& byte : persistent.span()) byte = std::byte{1};
  instrument_->OnDetach();
  instrument_->Watch(persistent.region());
  instrument_->OnAttach({{arena_.data(), arena_.bytes()}, {persistent.data(), persistent.bytes()}},
                        {model_.data(), model_.bytes()});
  std::int32_t index = 0;
  for (const auto& [address, unwritten] :
       {std::pair{arena(128), true}, std::pair{persistent.data() + 128, true}, std::pair{model(128), false}}) {
    const std::size_t before = groups().size();
    Run({Input(address, 16)}, [decides = address] { DecideBy(decides); }, ++index);
    ASSERT_EQ(groups().size(), before + (unwritten ? 1 : 0)) << index;
    if (!unwritten) continue;
    EXPECT_EQ(groups().back().side, ViolationSide::kUnwritten);
    EXPECT_EQ(groups().back().operand.data, nullptr);
  }
  // A variable is a result too, where nobody has given it a first value.
  Run({{persistent.data() + 64, 16, AccessRight::kReadWrite, OperandKind::kVariable, 9}}, [] {}, ++index);
  EXPECT_EQ(groups().back().op.index, index);
  EXPECT_EQ(groups().back().operand.kind, OperandKind::kVariable);
  EXPECT_EQ(groups().back().max_width_bytes, 16u);
  instrument_->OnDetach();
}

TEST_P(ValgrindOperands, CallTheRuntimeAndAreChargedOnce) {
  *arena(130) = std::byte{0x33};
  Run({Input(arena(128), 16)}, [&] {
    Load<std::uint8_t>(arena(144));
    instrument_->OnRuntimeEnters();
    Load<std::uint8_t>(arena(1024));  // the runtime's
    instrument_->OnTemporaryAllocated({arena(512), 16});
    instrument_->OnRuntimeLeaves();
    std::memset(arena(512), 1, 16);
    *arena(130) = std::byte{0x1a};
  });
  ASSERT_EQ(groups().size(), 2u);
  EXPECT_EQ(groups()[0].count, 1u);
  EXPECT_EQ(groups()[0].side, ViolationSide::kAfter);
  EXPECT_TRUE(groups()[1].write);
  EXPECT_EQ(groups()[1].lowest_touched, 2);
  EXPECT_EQ(*arena(130), std::byte{0x33});
}

TEST_P(ValgrindOperands, OfWhichNoCopyCanBeMadeAreNotSeen) {
  Run({Input(arena(128), 16)}, [&] {
    instrument_->OnRuntimeEnters();
    {
      const SecondThread second;
      Run({Input(arena(256), 16)}, [] {}, 1);
      EXPECT_FALSE(instrument_->SawOperator());
    }
    instrument_->OnRuntimeLeaves();
  });
  EXPECT_TRUE(instrument_->SawOperator());
  EXPECT_TRUE(instrument_->log().capped());
  instrument_->OnDetach();
  instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  EXPECT_FALSE(instrument_->log().capped());
  EXPECT_TRUE(instrument_->self_test().status().ok());
  EXPECT_THAT(groups(), IsEmpty());
}

// An error of one place hides the next one of it: each access costs a copy, and there are no more than so many.
TEST_P(ValgrindOperands, AreTriedInEightyCopiesAtMost) {
  const auto touch = [&](int count, std::int32_t index) {
    const std::uint64_t before = instrument_->log().access_count();
    Run(
        {Input(arena(128), 16)},
        [&] {
          for (int i = 0; i < count; ++i) Load<std::uint8_t>(arena(144 + static_cast<std::size_t>(i)));
        },
        index);
    return static_cast<int>(instrument_->log().access_count() - before);
  };
  EXPECT_EQ(touch(3, 0), 3);
  EXPECT_FALSE(instrument_->log().capped());
  EXPECT_EQ(touch(ValgrindInstrument::kMostCopies + 4, 1), ValgrindInstrument::kMostCopies);
  EXPECT_TRUE(instrument_->log().capped());
  EXPECT_TRUE(instrument_->SawOperator());
  EXPECT_EQ(touch(2, 2), 2) << "the next one is tried as before";
}

TEST_P(ValgrindOperands, AreWrittenAgainAfterTheDetach) {
  instrument_->OnDetach();
  instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  EXPECT_EQ(memcheck::FindUnwritten({arena(0), 4096}).count, 4096u);
  instrument_->OnDetach();
  EXPECT_EQ(memcheck::FindUnwritten({arena(0), 4096}).count, 0u);
  const SecondThread second;
  instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  EXPECT_EQ(instrument_->self_test().status().code, StatusCode::kInstrumentBlind);
}

}  // namespace
}  // namespace arenaproof::testing
