// In which order parts begin, how many at a time, and what of a model's time is left to each: with workers that are
// scripts.
#include "tools/command/parts_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace arenaproof {
namespace {

// Each worker notes when it begins and ends, takes in the faithful layout as many seconds as its model's name says, and
// finds nothing.
class PartsOfScripts : public ::testing::Test {
 protected:
  PartsOfScripts() {
    if (const char* value = std::getenv(kFolder)) before_ = value;
    setenv(kFolder, root_.c_str(), 1);
    for (const char* preset : {"shadow", "asan", "release"}) {
      const auto path = root_ / preset / "tools/worker/arenaproof-worker";
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path)
          << "#!/bin/sh\n"
             "for word in \"$@\"; do case \"$word\" in --model=*) model=${word#--model=};;\n"
             "--layout=*) layout=${word#--layout=};; --instrument=*) instrument=${word#*=};; esac; done\n"
             "log="
          << (root_ / "log").string()
          << "\necho \"+ $model $layout $instrument\" >> $log\n"
             "[ $layout = dilated ] || sleep ${model#*-}\n"
             "echo '{\"event\":\"started\"}' >&3; echo '{\"event\":\"self_test\",\"sees\":true}' >&3\n"
             "echo '{\"event\":\"finished\"}' >&3\n"
             "echo \"- $model $layout $instrument\" >> $log\n";
      std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
  }
  ~PartsOfScripts() override {
    before_.empty() ? unsetenv(kFolder) : setenv(kFolder, before_.c_str(), 1);
    std::filesystem::remove_all(root_);
  }

  // "+ MODEL LAYOUT INSTRUMENT", "- ..." of all that began and ended.
  std::vector<std::string> Log() const {
    std::vector<std::string> lines;
    std::ifstream file(root_ / "log");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  std::vector<std::string> Begun() const {
    std::vector<std::string> begun;
    for (const std::string& line : Log()) {
      if (line.starts_with("+ ")) begun.push_back(line.substr(2));
    }
    return begun;
  }

 private:
  static constexpr const char* kFolder = "ARENAPROOF_WORKER_DIR";
  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("parts_of_scripts_" + std::to_string(getpid()));
  std::string before_;
};

struct PartsOfAModel {
  PartsOfAModel(const std::string& model, const std::vector<std::pair<const char*, const char*>>& asked,
                std::uint32_t seconds = 60) {
    options.model = model;
    options.time_limit_seconds = seconds;
    for (const auto& [instrument, layout] : asked) {
      CheckPart& part = parts.emplace_back();
      part.instrument = FindInstrument(instrument);
      part.layout = layout;
    }
  }
  CheckOptions options;
  std::vector<CheckPart> parts;
};

TEST_F(PartsOfScripts, BeginInTheOrderInWhichTheyWereAdded) {
  PartsOfAModel a("a-0", {{"shadow", "faithful"}, {"asan", "faithful"}, {"shadow", "dilated"}});
  PartsOfAModel b("b-0", {{"asan", "dilated"}, {"canary", "faithful"}, {"shadow", "faithful"}});
  PartsRun run(1);
  std::vector<std::string> progress;
  run.Add(a.options, a.parts, [&](const std::string& text) { progress.push_back(text); });
  run.Add(b.options, b.parts, nullptr);
  run.Run();
  EXPECT_EQ(Begun(), (std::vector<std::string>{"a-0 faithful shadow", "a-0 faithful asan", "a-0 dilated shadow",
                                               "b-0 dilated asan", "b-0 faithful canary", "b-0 faithful shadow"}));
  EXPECT_EQ(progress, (std::vector<std::string>{"shadow over the faithful layout (1 of 3)",
                                                "asan over the faithful layout (2 of 3)",
                                                "shadow over the dilated layout (3 of 3)"}));
  for (const PartsOfAModel* model : {&a, &b}) {
    for (const CheckPart& part : model->parts) EXPECT_EQ(part.status, ExitStatus::kClean) << part.problem;
  }
}

TEST_F(PartsOfScripts, RunAsManyAtATimeAsTheyMay) {
  PartsOfAModel model("a-0.2",
                      {{"shadow", "faithful"}, {"asan", "faithful"}, {"guard", "faithful"}, {"canary", "faithful"}});
  PartsRun run(2);
  run.Add(model.options, model.parts, nullptr);
  run.Run();
  int running = 0, most = 0;
  for (const std::string& line : Log()) {
    running += line.starts_with("+") ? 1 : -1;
    most = std::max(most, running);
  }
  EXPECT_LE(most, 2);
  EXPECT_EQ(Begun().size(), 4u);
}

// Of parts that run together the time counts once: their sum is more than there is.
TEST_F(PartsOfScripts, ShareTheTimeOfTheirModel) {
  PartsOfAModel many("a-1.2",
                     {{"shadow", "faithful"},
                      {"asan", "faithful"},
                      {"guard", "faithful"},
                      {"canary", "faithful"},
                      {"twofill", "faithful"},
                      {"none", "dilated"}},
                     5);
  PartsRun together(5);
  together.Add(many.options, many.parts, nullptr);
  together.Run();
  for (const CheckPart& part : many.parts) EXPECT_EQ(part.status, ExitStatus::kClean) << part.problem;
}

// What one model has used up is nothing to the next.
TEST_F(PartsOfScripts, HaveNoTimeWhenItsModelHasNone) {
  PartsOfAModel endless("b-60", {{"shadow", "faithful"}, {"asan", "faithful"}}, 1),
      other("c-0", {{"shadow", "faithful"}});
  PartsRun apart(1);
  apart.Add(endless.options, endless.parts, nullptr);
  apart.Add(other.options, other.parts, nullptr);
  apart.Run();
  EXPECT_EQ(endless.parts[0].status, ExitStatus::kCouldNotRun);
  EXPECT_GE(endless.parts[0].seconds, 1.0);
  EXPECT_EQ(endless.parts[1].problem,
            "not started: the check had taken the 1 second that it may take; --time-limit=SECONDS allows more");
  EXPECT_EQ(endless.parts[1].problem_code, "time_limit");
  EXPECT_EQ(other.parts[0].status, ExitStatus::kClean) << other.parts[0].problem;
}

}  // namespace
}  // namespace arenaproof
