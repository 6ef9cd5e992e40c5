// `check --write-baseline` and `--baseline`: known findings are accepted, new and vanished ones are named.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/command/started_command_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// Of one run of the faulty kernels.
const std::string& Known() {
  static const std::string path = [] {
    const std::string file = TemporaryFolder() + "/known.json";
    const auto run = Arenaproof("check --kernels=aligned-faulty --instrument=shadow --write-baseline=" + file + " " +
                                SeedModel(kFullyConnected));
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    return file;
  }();
  return path;
}

CommandRun CheckBeside(const std::string& baseline, const std::string& words) {
  return Arenaproof("check --baseline=" + baseline + " " + words);
}

// The known file with one of its findings left out, or another one in its place.
std::string Changed(const std::function<void(Json& baseline)>& change) {
  Json baseline = ParseJson(ReadFileText(Known()));
  change(baseline);
  return WriteText(baseline.dump(), "changed.json");
}

TEST(Baselines, AcceptWhatIsKnownWhereverItIsSeenAgain) {
  EXPECT_EQ(ParseJson(ReadFileText(Known())).at("findings").size(), 2u);
  // Another name, another folder, other inputs, other instruments.
  const std::string renamed = TemporaryFolder() + "/another name.tflite";
  fs::copy_file(SeedModel(kFullyConnected), renamed);
  for (const std::string& words :
       {SeedModel(kFullyConnected) + " --instrument=shadow", "'" + renamed + "' --instrument=asan --seed=7 --runs=2"}) {
    const auto run = CheckBeside(Known(), "--kernels=aligned-faulty " + words);
    EXPECT_EQ(run.exit_status, 0) << run.errors << run.output;
    EXPECT_TRUE(run.output.starts_with("nothing new: 2 known findings, accepted by the baseline")) << run.output;
    EXPECT_TRUE(HasText(run.output, "\n  baseline: 2 known and accepted, 0 new, 0 vanished\n")) << run.output;
    EXPECT_FALSE(HasText(run.output, "VIOLATION")) << run.output;
  }
}

TEST(Baselines, LeaveWhatIsNewAViolation) {
  const std::string one = Changed([](Json& baseline) { baseline["findings"].erase(0); });
  const auto run = CheckBeside(one, "--kernels=aligned-faulty --instrument=shadow " + SeedModel(kFullyConnected));
  EXPECT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_TRUE(run.output.starts_with("violations found: 1 new, 1 known and accepted by the baseline\n")) << run.output;
  EXPECT_TRUE(HasText(run.output, "VIOLATION 1: ")) << run.output;
  EXPECT_FALSE(HasText(run.output, "VIOLATION 2: ")) << run.output;
}

TEST(Baselines, NameWhatHasVanished) {
  const auto run = CheckBeside(Known(), "--instrument=shadow " + SeedModel(kFullyConnected));
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(run.output.starts_with("clean: ")) << run.output;
  EXPECT_TRUE(HasText(run.output, "baseline: 0 known and accepted, 0 new, 2 vanished, such as ")) << run.output;
  EXPECT_TRUE(HasText(run.output, "reads up to 12 bytes after input tensor 0")) << run.output;
}

Json BaselineOf(const std::string& baseline, const std::string& words) {
  const auto run = CheckBeside(baseline, words + " --json");
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  return ParseJson(run.output).at("baseline");
}

TEST(Baselines, KnowAModelByAnyName) {
  const std::string folder = TemporaryFolder();
  for (const std::string name : {"nl\nx.tflite", "b\xff.tflite", "tab\t.tflite", "q\"u.tflite"}) {
    const std::string model = folder + "/" + name, file = folder + "/named.json";
    fs::copy_file(SeedModel(kFullyConnected), model);
    const auto written =
        StartedCommand({"check", "--kernels=aligned-faulty", "--instrument=shadow", model, "--write-baseline=" + file})
            .AwaitEnd();
    EXPECT_EQ(written.exit_status, 1) << written.errors;
    const auto fixed = StartedCommand({"check", "--instrument=shadow", model, "--baseline=" + file}).AwaitEnd();
    EXPECT_TRUE(HasText(fixed.output, "0 known and accepted, 0 new, 2 vanished")) << fixed.output;
  }
}

// Folders of models often have files of one name. What one of them shows says nothing about the other.
TEST(Baselines, KnowModelsOfOneNameByTheirFolders) {
  const std::string folder = TemporaryFolder(), file = folder + "/two.json";
  for (const std::string name : {"a/1", "a/2"}) fs::create_directories(folder + "/" + name);
  for (const std::string name : {"a/1", "a/2"}) {
    fs::copy_file(SeedModel(kFullyConnected), folder + "/" + name + "/m.tflite");
  }
  const auto both = [&](const std::string& where) {
    return folder + "/" + where + "/1/m.tflite " + folder + "/" + where + "/2/m.tflite ";
  };
  const auto written =
      Arenaproof("check --kernels=aligned-faulty --instrument=shadow " + both("a") + "--write-baseline=" + file);
  ASSERT_EQ(written.exit_status, 1) << written.errors;
  EXPECT_EQ(ParseJson(ReadFileText(file)).at("findings").size(), 4u) << "each finding of each model";
  fs::rename(folder + "/a", folder + "/b");
  std::ofstream(folder + "/b/2/m.tflite") << "no model";
  const auto moved = CheckBeside(file, "--instrument=shadow --json " + both("b"));
  EXPECT_EQ(moved.exit_status, 2);
  const Json models = ParseJson(moved.output).at("models");
  EXPECT_EQ(models[0].at("baseline").at("vanished").size(), 2u) << moved.output;
  EXPECT_EQ(models[1].at("baseline").at("vanished").size(), 0u) << moved.output;
  EXPECT_EQ(models[1].at("baseline").at("not_looked_for").size(), 2u) << moved.output;
  // Of two that are alike nobody knows which it was.
  fs::create_directories(folder + "/c/1");
  fs::copy_file(SeedModel(kFullyConnected), folder + "/c/1/m.tflite");
  const auto alike =
      CheckBeside(file, "--instrument=shadow --json " + folder + "/b/1/m.tflite " + folder + "/c/1/m.tflite");
  std::size_t vanished = 0;
  const Json report = ParseJson(alike.output);
  for (const Json& model : report.at("models")) vanished += model.at("baseline").at("vanished").size();
  EXPECT_EQ(vanished, 0u) << alike.output;
}

// What a narrower call did not look for stays accepted.
TEST(Baselines, KeepWhatWasNotLookedForWhenBroughtUpToDate) {
  const std::string file = WriteText(ReadFileText(Known()), "kept.json");
  const auto narrower = CheckBeside(
      file, "--kernels=aligned-faulty --instrument=none --write-baseline=" + file + " " + SeedModel(kFullyConnected));
  EXPECT_EQ(narrower.exit_status, 0) << narrower.errors;
  EXPECT_EQ(ReadFileText(file), ReadFileText(Known()));
  const auto fixed =
      CheckBeside(file, "--instrument=shadow --write-baseline=" + file + " " + SeedModel(kFullyConnected));
  EXPECT_EQ(fixed.exit_status, 0) << fixed.errors;
  EXPECT_EQ(ParseJson(ReadFileText(file)).at("findings").size(), 0u) << "what has vanished goes";
}

// Another folder is another machine's; under another name nobody knows that it is the model.
TEST(Baselines, KnowAModelByTheNameOfItsFile) {
  const std::string folder = TemporaryFolder(), name = kFullyConnected + ".tflite";
  fs::copy_file(SeedModel(kFullyConnected), folder + "/" + name);
  fs::copy_file(SeedModel(kFullyConnected), folder + "/other.tflite");
  const Json moved = BaselineOf(Known(), "--instrument=shadow " + folder + "/" + name);
  EXPECT_EQ(moved.at("vanished").size(), 2u) << moved;
  EXPECT_EQ(moved.at("not_looked_for").size(), 0u) << moved;
  const Json renamed = BaselineOf(Known(), "--instrument=shadow " + folder + "/other.tflite");
  EXPECT_EQ(renamed.at("vanished").size(), 0u) << renamed;
  EXPECT_EQ(renamed.at("not_looked_for").size(), 2u) << renamed;
}

// Who did not see a finding before says nothing about it now.
TEST(Baselines, LookOnlyWithWhatFoundThem) {
  const std::string model = SeedModel(kFullyConnected), dilated = TemporaryFolder() + "/dilated.json";
  const auto written = Arenaproof("check --kernels=aligned-faulty --instrument=shadow --layout=dilated " + model +
                                  " --write-baseline=" + dilated);
  ASSERT_EQ(written.exit_status, 1) << written.errors;
  for (const std::string words :
       {"--instrument=asan ", "--instrument=none ", "--instrument=shadow --layout=faithful "}) {
    const Json baseline = BaselineOf(dilated, words + model);
    EXPECT_EQ(baseline.at("vanished").size(), 0u) << words << baseline;
    ASSERT_EQ(baseline.at("not_looked_for").size(), 2u) << words << baseline;
    EXPECT_EQ(baseline.at("not_looked_for")[0].at("parts"), Json({"dilated, shadow"}));
  }
  const auto text = CheckBeside(dilated, "--instrument=asan " + model);
  EXPECT_TRUE(HasText(text.output, "  baseline: 0 known and accepted, 0 new, 0 vanished; 2 not looked for, because"))
      << text.output;
  EXPECT_EQ(BaselineOf(dilated, "--instrument=shadow " + model).at("vanished").size(), 2u);
}

// The other instrument sees nothing of a library that is compiled for one, with and without a baseline.
TEST(Baselines, AcceptWhatTheOneInstrumentOfALibraryFound) {
  const std::string file = TemporaryFolder() + "/one.json", model = SeedModel(kFullyConnected);
  const std::string words = "check --kernels=" + Example("overread-shadow") + " " + model;
  const auto written = Arenaproof(words + " --write-baseline=" + file);
  ASSERT_EQ(written.exit_status, 1) << written.errors;
  const auto known = Arenaproof(words + " --baseline=" + file);
  EXPECT_EQ(known.exit_status, 0) << known.output << known.errors;
  EXPECT_TRUE(known.output.starts_with("nothing new: ")) << known.output;
  EXPECT_EQ(known.errors, "");
}

// What is accepted is not printed as if it were not.
TEST(Baselines, MarkEveryKindOfKnownFinding) {
  const std::string file = TemporaryFolder() + "/outputs.json";
  const std::string words = "check --instrument=none --kernels=" + FaultyLibrary() + " " + ReluChain();
  const auto written = Arenaproof(words + " --write-baseline=" + file, Fault("invoke_uses_next"));
  ASSERT_EQ(written.exit_status, 1) << written.errors;
  EXPECT_TRUE(written.output.starts_with("violations found; no instrument: accesses were not checked\n"))
      << written.output;
  EXPECT_TRUE(HasText(written.output, "VIOLATION: output 0")) << written.output;
  const auto known = Arenaproof(words + " --baseline=" + file, Fault("invoke_uses_next"));
  EXPECT_EQ(known.exit_status, 0) << known.errors;
  EXPECT_FALSE(HasText(known.output, "VIOLATION")) << known.output;
  EXPECT_TRUE(HasText(known.output, "known and accepted by the baseline: output 0")) << known.output;
  EXPECT_TRUE(known.output.starts_with("nothing new: 1 known finding, accepted by the baseline; no instrument: "))
      << known.output;
  const auto fixed = Arenaproof(words + " --baseline=" + file);
  EXPECT_TRUE(HasText(fixed.output, "baseline: 0 known and accepted, 0 new, 1 vanished, such as ")) << fixed.output;
}

// What was not found may be there, and what did not run is no success.
TEST(Baselines, NeverAcceptWhatCouldNotRun) {
  const std::string words = "--kernels=aligned-faulty --instrument=shadow ";
  const std::string nowhere = Changed([](Json& baseline) {
    baseline["findings"][0]["model"] = "/nowhere.tflite";
    baseline["findings"][0]["id"] = "0123456789abcdef";
  });
  const auto run = CheckBeside(nowhere, words + SeedModel(kFullyConnected) + " /nowhere.tflite --json");
  EXPECT_EQ(run.exit_status, 2);
  const Json models = ParseJson(run.output).at("models");
  EXPECT_EQ(models[0].at("exit_status"), 1);
  EXPECT_EQ(models[0].at("baseline").at("known").size(), 1u);
  EXPECT_EQ(models[1].at("baseline").at("vanished").size(), 0u);
  EXPECT_EQ(models[1].at("baseline").at("not_looked_for").size(), 1u);
  const std::string file = TemporaryFolder() + "/none.json";
  const auto written = Arenaproof("check --instrument=shadow --write-baseline=" + file + " /nowhere.tflite");
  EXPECT_EQ(written.exit_status, 2);
  EXPECT_TRUE(HasText(written.errors, "is not written, because not everything ran")) << written.errors;
  EXPECT_EQ(LinesOf(written.errors).size(), 1u) << written.errors;
  EXPECT_FALSE(fs::exists(file));
}

// Behind a known crash nobody looked.
TEST(Baselines, DoNotAcceptWhatEndedAPart) {
  const std::string file = TemporaryFolder() + "/crash.json";
  const std::string words =
      "check --instrument=none --layout=faithful --kernels=" + FaultyLibrary() + " " + ReluChain();
  const auto written = Arenaproof(words + " --write-baseline=" + file, "ARENAPROOF_FAULT=invoke_crash");
  ASSERT_EQ(written.exit_status, 1) << written.errors;
  ASSERT_EQ(ParseJson(ReadFileText(file)).at("findings").size(), 1u);
  const std::string anew = TemporaryFolder() + "/anew.json";
  const auto known =
      Arenaproof(words + " --baseline=" + file + " --write-baseline=" + anew, "ARENAPROOF_FAULT=invoke_crash");
  EXPECT_EQ(known.exit_status, 2) << known.output;
  EXPECT_TRUE(HasText(known.errors, "what comes behind it was not looked at")) << known.errors;
  // Every report has the reason, with the default instruments too, which see nothing of this library.
  for (const std::string instrument : {" --instrument=none", ""}) {
    const std::string base = TemporaryFolder() + "/ended", model = ReluChain();
    const std::string call = "check --layout=faithful --quiet --kernels=" + FaultyLibrary() + " " + model + instrument;
    const std::string crash = base + "-known.json";
    EXPECT_EQ(Arenaproof(call + " --write-baseline=" + crash, Fault("invoke_crash")).exit_status, 1);
    std::string reports;
    for (const char* suffix : {".json", ".sarif", ".xml", ".html"}) reports += " --report=" + base + suffix;
    const auto run = Arenaproof(call + " --baseline=" + crash + reports, Fault("invoke_crash"));
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_TRUE(run.output.starts_with("could not run: a finding that the baseline accepts ended")) << run.output;
    for (const char* suffix : {".json", ".sarif", ".xml", ".html"}) {
      EXPECT_TRUE(HasText(ReadFileText(base + suffix), "ended a part of the check")) << suffix;
    }
  }
  // Everything ran as far as it goes: what was found is written.
  EXPECT_EQ(ReadFileText(anew), ReadFileText(file));
}

TEST(Baselines, ReplaceNeitherAModelNorAReport) {
  const std::string model = TemporaryFolder() + "/model.tflite", report = TemporaryFolder() + "/report.json";
  fs::copy_file(SeedModel(kFullyConnected), model);
  const std::string check = "check --instrument=none " + model;
  for (const auto& [words, sentence] :
       {std::pair{" --write-baseline=" + model, "is the file of MODEL"},
        {" --report=" + report + " --write-baseline=" + report, "takes a text of --report already"}}) {
    const auto run = Arenaproof(check + words);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
  }
  EXPECT_EQ(ReadFileText(model), ReadFileText(SeedModel(kFullyConnected)));
  EXPECT_FALSE(fs::exists(report));
}

TEST(Baselines, AreCountedBelowATableOfModels) {
  const auto run = CheckBeside(Known(), "--kernels=aligned-faulty --instrument=shadow " + SeedModel(kFullyConnected) +
                                            " " + SeedModel(kFullyConnected));
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_EQ(CountOf(": 2 known and accepted, 0 new, 0 vanished\n", run.output), 2u) << run.output;
}

TEST(Baselines, LeaveKnownViolationsOutOfFailures) {
  const std::string one = Changed([](Json& baseline) { baseline["findings"].erase(0); });
  const std::string junit = TemporaryFolder() + "/check.xml";
  const auto run = CheckBeside(one, "--kernels=aligned-faulty --instrument=shadow --layout=dilated " +
                                        SeedModel(kFullyConnected) + " --report=" + junit);
  EXPECT_EQ(run.exit_status, 1) << run.errors;
  const std::string text = ReadFileText(junit);
  EXPECT_EQ(CountOf("<failure message=\"1 violation: ", text), 1u) << text;
  EXPECT_EQ(CountOf("  identifier: ", text), 1u) << text;
}

TEST(Baselines, AreKnownToEveryReport) {
  const std::string base = TemporaryFolder() + "/check";
  const auto run =
      CheckBeside(Known(), "--kernels=aligned-faulty --instrument=shadow " + SeedModel(kFullyConnected) +
                               " --report=" + base + ".sarif --report=" + base + ".xml --report=" + base + ".html");
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  const Json sarif = ParseJson(ReadFileText(base + ".sarif"));
  ASSERT_EQ(sarif.at("runs")[0].at("results").size(), 2u);
  for (const Json& result : sarif.at("runs")[0].at("results")) {
    EXPECT_EQ(result.at("baselineState"), "unchanged");
    EXPECT_EQ(result.at("suppressions").size(), 1u);
  }
  EXPECT_TRUE(HasText(ReadFileText(base + ".xml"), "failures=\"0\""));
  EXPECT_TRUE(HasText(ReadFileText(base + ".html"), "known and accepted by the baseline"));
}

TEST(Baselines, ThatAreSpoiltOrNewerAreRefusedWithASentence) {
  const std::vector<std::pair<std::string, std::string>> kFiles = {
      {WriteText("", "empty"), "is not JSON"},
      {WriteText("{", "cut"), "is not JSON"},
      {WriteText("[]", "list"), "is no baseline"},
      {WriteText(ReadFileText(Known()).substr(0, 300), "half"), "is not JSON"},
      {Changed([](Json& one) { one["baseline"] = "of another tool"; }), "is no baseline"},
      {Changed([](Json& one) { one.erase("format_version"); }), "has no 'format_version'"},
      {Changed([](Json& one) { one["format_version"] = 2; }), "is of format 2; arenaproof 0.1.0 reads format 1"},
      {Changed([](Json& one) { one["findings"] = 1; }), "has no list 'findings'"},
      {Changed([](Json& one) { one["findings"][1] = 1; }), "its finding 1 is no object"},
      {Changed([](Json& one) { one["findings"][1].erase("id"); }), "its finding 1 has no text 'id'"},
      {Changed([](Json& one) { one["findings"][0]["id"] = "0123"; }), "that is not 16 hexadecimal digits"},
      {Changed([](Json& one) { one["findings"][1].erase("parts"); }), "its finding 1 has no list of texts 'parts'"},
      {Changed([](Json& one) { one["findings"][0]["parts"] = {1}; }), "its finding 0 has no list of texts 'parts'"},
  };
  for (const auto& [path, sentence] : kFiles) {
    const auto run = CheckBeside(path, "--instrument=none " + SeedModel(kFullyConnected));
    EXPECT_EQ(run.exit_status, 2) << path;
    EXPECT_EQ(run.output, "") << path;
    EXPECT_EQ(LinesOf(run.errors).size(), 1u) << run.errors;
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
  }
}

}  // namespace
}  // namespace arenaproof::testing
