// Libraries that misbehave in every way, and how libraries are compiled.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

struct LibraryFault {
  std::string fault;
  int exit_status;       // of check and run
  std::string sentence;  // a part of it
};

// In AddressSanitizer's build of the command a crash ends `run` with a status, and not by a signal.
class LibraryFaults : public ::testing::TestWithParam<LibraryFault> {};

TEST_P(LibraryFaults, EndsInASentenceAndNeverInAnInternalError) {
  const LibraryFault& fault = GetParam();
  const std::string model = ReluChain();
  for (const std::string command :
       {"run ", "check --instrument=none --layout=faithful ", "check --instrument=shadow "}) {
    const auto run = Arenaproof(command + model + " --kernels=" + FaultyLibrary(), Fault(fault.fault));
    EXPECT_EQ(run.exit_status, fault.exit_status) << command << run.output << run.errors;
    const std::string text = run.output + run.errors;
    EXPECT_NE(text.find(fault.sentence), std::string::npos) << command << text;
    EXPECT_EQ(text.find("internal error"), std::string::npos) << command << text;
  }
  // Where nothing is invoked the same holds for what comes before.
  if (fault.fault.starts_with("invoke")) return;
  for (const std::string command : {"size ", "describe "}) {
    const auto run = Arenaproof(command + model + " --kernels=" + FaultyLibrary(), Fault(fault.fault));
    EXPECT_EQ(run.exit_status, 2) << command << run.output << run.errors;
    EXPECT_NE(run.errors.find(fault.sentence), std::string::npos) << command << run.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(
    KernelLibrary, LibraryFaults,
    ::testing::Values(
        LibraryFault{"load_crash", 2, "in the loading of the library"},
        LibraryFault{"load_abort", 2, "in the loading of the library"},
        LibraryFault{"load_exit", 2, "ended with status 0 in the loading of the library"},
        LibraryFault{"load_exit_3", 2, "ended with status 3 in the loading of the library"},
        LibraryFault{"load_throw", 2, "(Aborted) in the loading of the library"},
        LibraryFault{"table_throw", 2, "(Aborted) in its function arenaproof_kernel_library()"},
        LibraryFault{"table_crash", 2, "in its function arenaproof_kernel_library()"},
        LibraryFault{"table_null", 2, "arenaproof_kernel_library() gives null"},
        LibraryFault{"table_nowhere", 2, "at which no table can be read"},
        LibraryFault{"table_version", 2, "version 2 of kernel_abi.h; version 1 is the one"},
        LibraryFault{"table_size", 2, "ArenaproofOperand has "}, LibraryFault{"table_count", 2, "kernel 2 of 100"},
        LibraryFault{"serves_crash", 2, "in serves of RELU"},
        LibraryFault{"serves_exit_3", 2, "ended with status 3 in serves of RELU"},
        LibraryFault{"serves_throw", 2, "(Aborted) in serves of RELU"},
        LibraryFault{"init_crash", 2, "in init of RELU"},
        LibraryFault{"init_exit", 2, "ended with status 0 in init of RELU"},
        LibraryFault{"init_throw", 2, "(Aborted) in init of RELU"},
        LibraryFault{"prepare_crash", 2, "in prepare of RELU"}, LibraryFault{"prepare_exit_3", 2, "in prepare of RELU"},
        LibraryFault{"prepare_fail", 2, "a kernel failed with its own status 77"},
        LibraryFault{"prepare_huge", 2, "1099511627776 persistent bytes"},
        LibraryFault{"prepare_endless_scratch", 2, "operator 0 of subgraph 0: 18446744073709551615 bytes"},
        LibraryFault{"reset_crash", 2, "in reset of RELU"}, LibraryFault{"reset_exit", 2, "in reset of RELU"},
        LibraryFault{"reset_throw", 2, "(Aborted) in reset of RELU"}, LibraryFault{"free_crash", 2, "in free of RELU"},
        LibraryFault{"invoke_crash", 1, "in invoke of RELU"},
        LibraryFault{"invoke_abort", 1, "(Aborted) in invoke of RELU"},
        LibraryFault{"invoke_exit", 1, "ended with status 0 in invoke of RELU"},
        LibraryFault{"invoke_exit_3", 1, "ended with status 3 in invoke of RELU while RELU (operator 0) ran"},
        LibraryFault{"invoke_throw", 1, "in invoke of RELU"},
        LibraryFault{"invoke_is_cancelled", 2, "operator 1 of subgraph 0 cancelled the invoke"},
        LibraryFault{"invoke_ends_all", 2, "operator 1 of subgraph 0 ended the invoke"},
        LibraryFault{"prepare_keeps_and_asks", 2, "1099511627776 persistent bytes"},
        LibraryFault{"invoke_terminated", 2, "was ended by signal 15 (Terminated) from outside"},
        LibraryFault{"invoke_fail", 2, "a kernel failed with its own status 78"}),
    [](const auto& fault) { return fault.param.fault; });

TEST(FaultyLibraries, AreEndedWhenTheyDoNot) {
  const std::string model = ReluChain();
  for (const std::string fault : {"load", "serves", "init", "prepare", "reset", "invoke"}) {
    const auto run =
        Arenaproof("run --time-limit=1 " + model + " --kernels=" + FaultyLibrary(), Fault(fault + "_hang"));
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_NE(run.errors.find("ended after 1 second"), std::string::npos) << run.errors;
    const auto check = Arenaproof("check --time-limit=1 --instrument=shadow " + model + " --kernels=" + FaultyLibrary(),
                                  Fault(fault + "_hang"));
    EXPECT_EQ(check.exit_status, 2) << check.output;
    EXPECT_NE(check.errors.find("ended after 1 second"), std::string::npos) << check.errors;
  }
}

// A copy of the process that went on would double at each call of the next set-ups.
TEST(FaultyLibraries, GoOnAloneWhenTheyForkAndReturn) {
  const std::string model = ReluChain(), kernels = " --kernels=" + FaultyLibrary();
  const auto sound = Arenaproof("run " + model + kernels);
  ASSERT_EQ(sound.exit_status, 0) << sound.errors;
  for (const std::string phase : {"load", "serves", "init", "prepare", "reset", "invoke", "free"}) {
    SCOPED_TRACE(phase);
    const auto run = Arenaproof("run " + model + kernels, Fault(phase + "_fork"));
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_EQ(run.output, sound.output);
    const auto check = Arenaproof("check --instrument=canary " + model + kernels, Fault(phase + "_fork"));
    EXPECT_EQ(check.exit_status, 0) << check.output << check.errors;
  }
}

TEST(FaultyLibraries, KeepWhatWasFoundBeforeTheyFail) {
  const std::string kept = TemporaryFolder() + "/kept.json";
  const std::string words = " --layout=faithful " + ReluChain() + " --kernels=" + FaultyLibrary();
  for (const std::string instrument : {"canary", "guard", "twofill"}) {
    SCOPED_TRACE(instrument);
    const auto run = Arenaproof("check --json --instrument=" + instrument + words, Fault("invoke_overwrite_and_fail"));
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    const Json report = ParseJson(run.output);
    const Json& part = report.at("parts")[0];
    EXPECT_EQ(part.at("exit_status"), 1);
    EXPECT_FALSE(part.at("violations").empty());
    EXPECT_NE(part.at("problem").get<std::string>().find("a kernel failed with its own status 78"), std::string::npos);
    EXPECT_EQ(report.at("accesses_checked"), false);
    const auto text = Arenaproof("check -v --instrument=" + instrument + words, Fault("invoke_overwrite_and_fail"));
    EXPECT_NE(text.output.find("then it came to no end"), std::string::npos) << text.output;
    EXPECT_NE(text.errors.find("a kernel failed with its own status 78"), std::string::npos) << text.errors;
    const auto written = Arenaproof("check --write-baseline=" + kept + " --instrument=" + instrument + words,
                                    Fault("invoke_overwrite_and_fail"));
    EXPECT_NE(written.errors.find("is not written, because not everything ran"), std::string::npos) << written.errors;
    EXPECT_FALSE(std::filesystem::exists(kept));
    // What is known is accepted; that the rest was not looked at is not.
    const std::string known = TemporaryFolder() + "/" + instrument + ".json";
    EXPECT_EQ(
        Arenaproof("check --write-baseline=" + known + " --instrument=" + instrument + words, Fault("invoke_overwrite"))
            .exit_status,
        1);
    const auto accepted = Arenaproof("check --baseline=" + known + " --instrument=" + instrument + words,
                                     Fault("invoke_overwrite_and_fail"));
    EXPECT_EQ(accepted.exit_status, 2) << accepted.output;
    EXPECT_NE(accepted.errors.find("a kernel failed with its own status 78"), std::string::npos) << accepted.errors;
  }
}

// The page is opened for a read and for a write: a jump into it would come back for ever.
TEST(FaultyLibraries, CrashUnderGuardWhenTheyJumpIntoAnOperand) {
  const auto run = Arenaproof(
      "check --instrument=guard --layout=faithful --time-limit=60 " + ReluChain() + " --kernels=" + FaultyLibrary(),
      Fault("invoke_jumps_into_input"));
  EXPECT_EQ(run.exit_status, 1) << run.output << run.errors;
  EXPECT_TRUE(HasText(run.output, "died of signal 11 (Segmentation fault) in invoke of RELU while RELU (operator 0)"))
      << run.output;
}

TEST(FaultyLibraries, LoseNoAccessOfTheirThreads) {
  for (const std::string build : {"shadow", "asan"}) {
    const auto run = Arenaproof("check --json --layout=dilated --instrument=" + build + " " + ReluChain() +
                                    " --kernels=" + FaultyLibrary(build),
                                Fault("invoke_threads_read"));
    ASSERT_EQ(run.exit_status, 1) << run.output << run.errors;
    const Json violations = ParseJson(run.output).at("parts")[0].at("violations");
    EXPECT_EQ(violations.size(), 2U) << build;
    for (const Json& violation : violations) {
      EXPECT_EQ(violation.at("count"), 1600) << build;
      EXPECT_EQ(violation.at("distance_bytes"), 4) << build;
    }
  }
}

// The guard's copies are gone then, or another's. When the thread comes is chance: after the end nobody sees it.
TEST(FaultyLibraries, AreChargedWithThreadsThatTheyLeaveBehind) {
  const auto run = Arenaproof("check --instrument=guard " + ReluChain() + " --kernels=" + FaultyLibrary(),
                              Fault("invoke_late_thread"));
  EXPECT_LE(run.exit_status, 2) << run.output << run.errors;
  EXPECT_FALSE(HasText(run.output, "self-test")) << run.output;
  EXPECT_TRUE(run.exit_status != 1 || HasText(run.output, "RELU")) << run.output;
}

// Where the arena lies is chance, and with it what such an alignment takes.
TEST(FaultyLibraries, FindRoomForTemporariesOfAnyAlignment) {
  for (int i = 0; i < 4; ++i) {
    const auto run = Arenaproof("check --instrument=none " + ReluChain() + " --kernels=" + FaultyLibrary(),
                                Fault("prepare_wide_temporary"));
    EXPECT_EQ(run.exit_status, 0) << run.output << run.errors;
    const auto size =
        Arenaproof("size " + ReluChain() + " --kernels=" + FaultyLibrary(), Fault("prepare_wide_temporary"));
    EXPECT_EQ(size.exit_status, 0) << size.output << size.errors;
  }
}

// Public kernels write to a persistent block without a look at whether they got one: an arena that nobody gave is never
// tried in a size that refuses them one, in no layout.
TEST(FaultyLibraries, AreSpreadWhereTheyTrustThatThereIsMemory) {
  for (const std::string layout : {"faithful", "dilated"}) {
    const auto run = Arenaproof(
        "check --json --instrument=canary --layout=" + layout + " " + ReluChain() + " --kernels=" + FaultyLibrary(),
        Fault("prepare_trusts_memory"));
    EXPECT_EQ(run.exit_status, 0) << layout << run.errors << run.output;
  }
}

TEST(FaultyLibraries, AreNamedWhenTheyEndAnInvokeQuietly) {
  for (const std::string fault : {"invoke_is_cancelled", "invoke_ends_all"}) {
    const auto run = Arenaproof("run --json " + ReluChain() + " --kernels=" + FaultyLibrary(), Fault(fault));
    EXPECT_EQ(run.exit_status, 2) << run.output;
    const Json refused = ParseJson(run.output).at("refused");
    EXPECT_EQ(refused.at("subgraph"), 0);
    EXPECT_EQ(refused.at("operator"), 1);
    EXPECT_EQ(refused.at("operator_name"), "RELU");
  }
}

TEST(FaultyLibraries, AreNotTakenForThisProgramsKernels) {
  const auto run =
      Arenaproof("check --json --instrument=shadow --layout=faithful " + ReluChain() + " --kernels=" + FaultyLibrary(),
                 Fault("invoke_crash"));
  EXPECT_EQ(run.exit_status, 1);
  const Json report = ParseJson(run.output);
  const Json& part = report.at("parts")[0];
  EXPECT_EQ(part.at("problem_code"), "kernels_died");
  EXPECT_NE(part.at("problem").get<std::string>().find(
                "died of signal 11 (Segmentation fault) in invoke of RELU while RELU (operator 0) ran"),
            std::string::npos)
      << part.at("problem");
  const auto before = Arenaproof("run --json " + ReluChain() + " --kernels=" + FaultyLibrary(), Fault("prepare_crash"));
  EXPECT_EQ(before.exit_status, 2);
  EXPECT_EQ(ParseJson(before.output).at("refused").at("code"), "kernel_file_died");
}

TEST(FaultyLibraries, AreNamedWhenTheyAreNone) {
  const std::string model = SeedModel(kFullyConnected);
  const std::pair<std::string, std::string> kSentences[] = {
      {model, "is no shared library for this machine"},
      {"/nowhere.so", "there is no file '/nowhere.so'"},
      {"/etc", "is not a regular file"},
      {WriteText("\177ELF", "short.so"), "is no shared library for this machine"},
      {"$(ls /lib/*/libm.so.6)", "has no function arenaproof_kernel_library()"},
  };
  for (const std::string command : {"run ", "check "}) {
    for (const auto& [file, sentence] : kSentences) {
      const auto run = Arenaproof(command + model + " --kernels=" + file);
      EXPECT_EQ(run.exit_status, 2) << run.output;
      EXPECT_NE(run.errors.find(sentence), std::string::npos) << command << file << "\n" << run.errors;
    }
  }
}

// A function that is missing is missed when the file is loaded, not when a kernel first calls it.
TEST(FaultyLibraries, ThatLackAFunctionAreRefused) {
  const std::string source = WriteText(
      "#include \"kernels/vendor/kernel_abi.h\"\n"
      "extern int nobody_defines_this(void);\n"
      "static int32_t Invoke(const ArenaproofInvoke* context) { (void)context; return nobody_defines_this(); }\n"
      "static const ArenaproofKernel kernel = {19, 0, 0, 0, 0, Invoke, 0, 0, 0, 0};\n"
      "static const ArenaproofKernelLibrary library = {ARENAPROOF_KERNEL_ABI_SIZES, 1, \"lacking\", &kernel};\n"
      "const ArenaproofKernelLibrary* arenaproof_kernel_library(void) { return &library; }\n",
      "lacking.c");
  const std::string folder = TemporaryFolder();
  const auto made =
      Bash("clang-19 -shared -fPIC -I '" + SourceFolder().string() + "' '" + source + "' -o lacking.so", folder);
  ASSERT_EQ(made.exit_status, 0) << made.errors;
  for (const std::string command : {"run ", "check ", "size "}) {
    const auto run = Arenaproof(command + ReluChain() + " --kernels=" + folder + "/lacking.so");
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_NE(run.errors.find("nobody_defines_this"), std::string::npos) << command << run.errors;
  }
}

// What it prints compiles the example, as a user does it, and the instrument then sees the library.
TEST(Flags, CompileALibraryThatItsInstrumentSees) {
  const std::string source = (SourceFolder() / "kernels/vendor/example/example.cc").string();
  const std::string folder = TemporaryFolder();
  for (const std::string build : {"shadow", "asan", "plain"}) {
    const auto made =
        Bash("clang-19 -x c -std=gnu99 -O2 -DEXAMPLE_READS_WHOLE_BLOCKS=1 -I '" + SourceFolder().string() +
                 "' $(arenaproof flags --" + build + ") '" + source + "' -lm -o " + build + ".so",
             folder);
    ASSERT_EQ(made.exit_status, 0) << made.errors;
    const std::string instrument = build == "plain" ? "none" : build;
    const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=" + instrument +
                                " --kernels=" + folder + "/" + build + ".so");
    EXPECT_EQ(run.exit_status, build == "plain" ? 0 : 1) << run.output << run.errors;
  }
}

TEST(Flags, AreThoseOfThisProjectsOwnBuilds) {
  const std::string own = ReadFileText(SourceFolder() / "cmake" / "ArenaproofFlags.cmake");
  const auto run = Arenaproof("flags --shadow");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  std::istringstream words(run.output);
  std::size_t count = 0;
  for (std::string word; words >> word;) {
    if (!word.starts_with("-asan") && !word.starts_with("-fsanitize")) continue;
    EXPECT_NE(own.find(word), std::string::npos) << word;
    ++count;
  }
  EXPECT_EQ(count, 6u);
}

// Its checked copies are seen by neither instrument.
TEST(Flags, TakeAwayWhatFortifiesTheSystemsLibrary) {
  const std::string flag = "-U_FORTIFY_SOURCE";
  EXPECT_TRUE(HasText(Arenaproof("flags --shadow").output, flag));
  EXPECT_TRUE(HasText(Arenaproof("flags --asan").output, flag));
  EXPECT_FALSE(HasText(Arenaproof("flags --plain").output, flag));
}

// Calls into the system's library are seen by neither instrument otherwise.
TEST(Flags, WrapTheSameCallsForBothInstruments) {
  const auto wrapped = [](const std::string& flags) {
    std::set<std::string> calls;
    std::istringstream words(Arenaproof("flags " + flags).output);
    for (std::string word; words >> word;) {
      if (word.starts_with("-Wl,--wrap=")) calls.insert(word);
    }
    return calls;
  };
  EXPECT_TRUE(wrapped("--shadow").contains("-Wl,--wrap=memcmp"));
  const std::string document = ReadFileText(SourceFolder() / "docs" / "vendor_kernels.md");
  for (const std::string& flag : wrapped("--shadow")) {
    EXPECT_TRUE(HasText(document, "`" + flag.substr(flag.find('=') + 1) + "`")) << flag;
  }
  EXPECT_EQ(wrapped("--asan"), wrapped("--shadow"));
  EXPECT_EQ(wrapped("--plain").size(), 0u);
}

}  // namespace
}  // namespace arenaproof::testing
