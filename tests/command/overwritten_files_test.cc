// No file that a call writes is one that it reads, or another one that it writes, by whatever name.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

namespace fs = std::filesystem;

// A folder with a model and what else a call may read, each under a name that a report may have too.
std::string FolderWithFiles() {
  const std::string folder = TemporaryFolder();
  fs::copy_file(SeedModel("sine_regressor_int8"), folder + "/model.tflite");
  const auto made = Bash(
      "arenaproof run model.tflite --output-dir=out >/dev/null && cp out/output_0.bin in.json && mkdir sub && "
      "arenaproof plan model.tflite --planner=greedy --format=c >plan.json && ln -s . link && "
      "arenaproof check --instrument=none model.tflite --write-baseline=known.json >/dev/null && cp '" +
          FaultyLibrary() + "' kernels.json",
      folder);
  EXPECT_EQ(made.exit_status, 0) << made.errors;
  return folder;
}

struct Overwriting {
  std::string words, sentence;
};

// Each call is refused by this sentence, and every file stays as it was.
void ExpectRefused(const std::string& folder, const std::vector<Overwriting>& calls) {
  const std::string list = "ls -R; sha256sum $(find . -type f | sort)";
  const std::string before = Bash(list, folder).output;
  for (const Overwriting& call : calls) {
    SCOPED_TRACE(call.words);
    const auto run = Bash("arenaproof " + call.words, folder);
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_EQ(LinesOf(run.errors).size(), 1u) << run.errors;
    EXPECT_TRUE(HasText(run.errors, call.sentence)) << run.errors;
    EXPECT_EQ(Bash(list, folder).output, before);
  }
}

TEST(OverwrittenFiles, OfACheckAreNoneThatItReads) {
  const std::string check = "check --instrument=none --layout=faithful model.tflite ";
  const std::string another = "; the name of another file would be right\n";
  ExpectRefused(
      FolderWithFiles(),
      {{check + "--write-baseline=model.tflite", "--write-baseline: 'model.tflite' is the file of MODEL" + another},
       {check + "--input=0:in.json --report=in.json", "--report: 'in.json' is the file of --input" + another},
       {check + "--input=0:in.json --write-baseline=./in.json",
        "--write-baseline: './in.json' is the file of --input ('in.json')" + another},
       {check + "--planner=precomputed:plan.json --report=plan.json", "is the file of --planner" + another},
       {check + "--kernels=plain:kernels.json --report=kernels.json", "is the file of --kernels" + another},
       {check + "--kernels=./kernels.json --write-baseline=kernels.json", "is the file of --kernels ("},
       {check + "--baseline=known.json --report=known.json", "is the file of --baseline" + another},
       {check + "--report=a.json --write-baseline=a.json", "--write-baseline: 'a.json' takes a text of --report"},
       {"check --instrument=none - --write-baseline=in.json <in.json", "is the file of MODEL ('-')"},
       {"check --instrument=none /dev/stdin --write-baseline=in.json <in.json", "is the file of MODEL ("}});
}

// What is printed is a text too: a file that is put in the place of its file would take it away.
TEST(OverwrittenFiles, AreNoneThatStandardOutputGoesTo) {
  const std::string folder = FolderWithFiles();
  fs::create_symlink("/dev/stdout", folder + "/out.json");
  fs::create_symlink("/proc/self/fd/2", folder + "/err.json");
  const std::string check = "arenaproof check --instrument=none --layout=faithful model.tflite ";
  for (const std::string words : {"--write-baseline=/dev/stdout >>log 2>err", "--report=log.json >>log.json 2>err",
                                  "--report=out.json >>log 2>err"}) {
    for (const char* log : {"log", "log.json"}) std::ofstream(folder + "/" + log) << "earlier\n";
    const auto run = Bash(check + words, folder);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_TRUE(HasText(ReadFileText(folder + "/err"), "takes a text of standard output already")) << words;
    EXPECT_EQ(ReadFileText(folder + "/log") + ReadFileText(folder + "/log.json"), "earlier\nearlier\n") << words;
  }
  const auto run = Bash(check + "--report=err.json 2>>log", folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_TRUE(HasText(ReadFileText(folder + "/log"), "takes a text of standard error already"));
  EXPECT_EQ(Bash(check + ">log 2>log", folder).exit_status, 0);
}

// A tensor's name may have colons, an index has none.
TEST(OverwrittenFiles, AreNotMistakenForOthersWithAColon) {
  const std::string folder = FolderWithFiles();
  fs::copy_file(folder + "/in.json", folder + "/x:r.json");
  for (const char* other : {"r.json", "known.json"}) {
    const auto run = Bash(
        std::string("arenaproof check --instrument=none --quiet model.tflite --input=0:x:r.json --report=") + other,
        folder);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
  }
}

TEST(OverwrittenFiles, AreTheSameByWhateverName) {
  const std::string folder = FolderWithFiles();
  fs::create_hard_link(folder + "/in.json", folder + "/hard.json");
  fs::create_symlink("new.json", folder + "/dangling.json");
  const std::string check = "check --instrument=none --layout=faithful model.tflite ";
  std::vector<Overwriting> calls;
  for (const std::string name :
       {"./c.json", "sub/../c.json", "link/c.json", "sub/../link/link/c.json", "$PWD/c.json"}) {
    calls.push_back({check + "--report=c.json --report=" + name, "is named twice; each file takes one text"});
    calls.push_back({check + "--report=" + name + " --write-baseline=c.json", "takes a text of --report"});
  }
  calls.push_back({check + "--report=new.json --report=dangling.json", "is named twice"});
  calls.push_back({check + "--input=0:in.json --report=hard.json", "is the file of --input ('in.json')"});
  calls.push_back({check + "--input=0:in.json --report=link/in.json", "is the file of --input ('in.json')"});
  ExpectRefused(folder, calls);
}

// It is read before anything runs, and replaced when everything has.
TEST(OverwrittenFiles, LetABaselineBeBroughtUpToDate) {
  const std::string folder = FolderWithFiles();
  fs::copy_file(SeedModel(kFullyConnected), folder + "/faulty.tflite");
  const std::string words =
      "arenaproof check --kernels=aligned-faulty --instrument=shadow --quiet faulty.tflite "
      "--baseline=known.json";
  const auto updated = Bash(words + " --write-baseline=./known.json", folder);
  EXPECT_EQ(updated.exit_status, 1) << updated.errors;
  const auto again = Bash(words, folder);
  EXPECT_EQ(again.exit_status, 0) << again.errors;
  EXPECT_TRUE(HasText(again.output, "nothing new: 2 known findings")) << again.output;
}

TEST(OverwrittenFiles, OfARunAreNoneThatItReads) {
  const std::string folder = FolderWithFiles();
  for (const char* name : {"output_0.bin.part", "other.bin"})
    fs::copy_file(folder + "/in.json", folder + "/out/" + name);
  fs::create_directory(folder + "/models");
  fs::copy_file(folder + "/model.tflite", folder + "/models/output_0.bin");
  fs::create_directory(folder + "/plans");
  fs::copy_file(folder + "/plan.json", folder + "/plans/output_0.bin");
  const std::string run = "run model.tflite --output-dir=out ";
  ExpectRefused(folder,
                {{run + "--expect=out/output_0.bin", "--output-dir: 'out/output_0.bin' is the file of --expect;"},
                 {run + "--expect=0:link/out/output_0.bin", "is the file of --expect ('link/out/output_0.bin')"},
                 {run + "--input=0:out/output_0.bin", "is the file of --input;"},
                 {run + "--input=0:out/output_0.bin.part", "is the file of --input;"},
                 {"run models/output_0.bin --output-dir=models", "is the file of MODEL;"},
                 {"run - --output-dir=models <models/output_0.bin", "is the file of MODEL ('-')"},
                 {"run /dev/stdin --output-dir=link/models <models/output_0.bin", "is the file of MODEL ("},
                 {"run model.tflite --planner=precomputed:plans/output_0.bin --output-dir=plans", "of --planner;"}});
  const auto other = Bash("arenaproof run model.tflite --input=0:out/other.bin --output-dir=out", folder);
  EXPECT_EQ(other.exit_status, 0) << other.errors;
  const auto json = Bash("arenaproof run --json model.tflite --input=0:out/output_0.bin --output-dir=out", folder);
  EXPECT_TRUE(HasText(json.output, "\"code\": \"output_files\"")) << json.output;
}

// A model may get its plan in place.
TEST(OverwrittenFiles, OfAPlanAreNoneThatItReadsButTheModel) {
  const std::string folder = FolderWithFiles();
  ExpectRefused(folder, {{"plan model.tflite --no-sharing --planner=precomputed:plan.json --embed=link/plan.json",
                          "--embed: 'link/plan.json' is the file of --planner ('plan.json');"}});
  std::ofstream(folder + "/log.tflite") << "earlier\n";
  const auto printed = Bash("arenaproof plan model.tflite --planner=greedy --embed=log.tflite >>log.tflite", folder);
  EXPECT_EQ(printed.exit_status, 2);
  EXPECT_TRUE(HasText(printed.errors, "--embed: 'log.tflite' takes a text of standard output already"))
      << printed.errors;
  EXPECT_EQ(ReadFileText(folder + "/log.tflite"), "earlier\n");
  const auto embedded = Bash("arenaproof plan model.tflite --planner=greedy --embed=model.tflite", folder);
  EXPECT_EQ(embedded.exit_status, 0) << embedded.errors;
  EXPECT_EQ(Bash("arenaproof verify model.tflite", folder).exit_status, 0);
}

}  // namespace
}  // namespace arenaproof::testing
