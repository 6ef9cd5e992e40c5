// docs/json.md beside what the commands print: every field that is printed is documented with the kind of its value,
// and every field that is documented is printed by one of these command lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::OverlappingModel;
using testing::ParseJson;
using testing::SeedModel;
using Json = nlohmann::json;

struct Field {
  std::string value;  // "text", "list of", ...
  std::string link;   // heading that describes the object; empty: it is none
};

// The key is the heading, as links name it, then the field.
using Document = std::map<std::string, std::map<std::string, Field>>;

std::string AnchorOf(const std::string& heading) {
  std::string anchor;
  for (const char character : heading) {
    if (character == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(character)) || character == '-') {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    }
  }
  return anchor;
}

// "list of [part](#part)".
Field FieldOf(const std::string& value) {
  const auto bracket = value.find('['), link = value.find("](#");
  if (bracket == std::string::npos || link == std::string::npos) return {value, {}};
  return {value.substr(0, bracket), value.substr(link + 3, value.rfind(')') - link - 3)};
}

Document ReadDocument() {
  Document document;
  std::ifstream file(testing::SourceFolder() / "docs" / "json.md");
  std::string anchor;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("##")) anchor = AnchorOf(line.substr(line.find(' ') + 1));
    if (!line.starts_with("| `")) continue;
    const auto name_end = line.find("` | "), value_end = line.find(" | ", name_end + 4);
    if (name_end == std::string::npos || value_end == std::string::npos || !line.ends_with(" |") ||
        line.size() <= value_end + 5) {
      ADD_FAILURE() << "not a field, its value and its meaning: " << line;
      continue;
    }
    const std::string name = line.substr(3, name_end - 3);
    const Field field = FieldOf(line.substr(name_end + 4, value_end - name_end - 4));
    EXPECT_TRUE(document[anchor].emplace(name, field).second) << anchor << " has " << name << " twice";
  }
  return document;
}

bool Fits(const Json& json, const Field& field) {
  const auto all = [&](auto fits) { return json.is_array() && std::all_of(json.begin(), json.end(), fits); };
  if (!field.link.empty()) {
    if (field.value == "list of ") return all([](const Json& element) { return element.is_object(); });
    return field.value.empty() && json.is_object();
  }
  if (field.value == "text") return json.is_string();
  if (field.value == "number") return json.is_number_integer();
  if (field.value == "fraction") return json.is_number();
  if (field.value == "flag") return json.is_boolean();
  if (field.value == "texts") return all([](const Json& element) { return element.is_string(); });
  if (field.value == "numbers")
    return all([](const Json& element) { return element.is_number() || element.is_null(); });
  return false;
}

class Reader {
 public:
  explicit Reader(Document document) : document_(std::move(document)) {}

  void Read(const std::string& anchor, const Json& object) {
    for (const auto& [name, value] : object.items()) {
      const std::string where = anchor + ": " + name;
      const auto field = document_[anchor].find(name);
      if (field == document_[anchor].end()) {
        complaints_.insert(where + " is not documented");
        continue;
      }
      printed_.emplace(anchor, name);
      if (!Fits(value, field->second)) {
        complaints_.insert(where + " is no " + field->second.value + field->second.link + ": " + value.dump());
      } else if (!field->second.link.empty()) {
        if (value.is_object()) Read(field->second.link, value);
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) Read(field->second.link, value[i]);
      }
    }
  }

  const std::set<std::string>& complaints() const { return complaints_; }

  std::vector<std::string> NeverPrinted() const {
    std::vector<std::string> fields;
    for (const auto& [anchor, named] : document_) {
      for (const auto& [name, field] : named) {
        if (!printed_.contains({anchor, name})) fields.push_back(anchor + ": " + name);
      }
    }
    return fields;
  }

 private:
  Document document_;
  std::set<std::string> complaints_;
  std::set<std::pair<std::string, std::string>> printed_;
};

void ReadReport(Reader& reader, const std::string& words, const std::string& environment = {}) {
  SCOPED_TRACE(words);
  const auto run = Arenaproof(words + " --json", environment);
  const Json report = ParseJson(run.output);
  ASSERT_TRUE(report.is_object()) << run.output << run.errors;
  EXPECT_EQ(report.at("exit_status"), run.exit_status);
  reader.Read("report-of-" + words.substr(0, words.find(' ')), report);
}

TEST(JsonDocument, NamesEveryFieldThatIsPrintedAndNoOther) {
  Reader reader(ReadDocument());
  const std::string overlapping = OverlappingModel();
  for (const std::string& model :
       {SeedModel("fully_connected_20_to_64_int8"), SeedModel("control_variables_float"), SeedModel("fixed_plan_float"),
        overlapping, overlapping + " --trust-plan", std::string("/nowhere.tflite"),
        SeedModel("sine_regressor_int8") + " --kernels=unheard-of"}) {
    for (const char* words :
         {"run ", "run --two-arenas --record --all-tensors ", "run --arena-bytes=16 ", "describe ", "size ",
          "size --two-arenas ", "size --target=arm32 ", "check --instrument=none --two-arenas --runs=2 ",
          "check --instrument=none --layout=faithful --arena-bytes=100000 ",
          "check --instrument=none --two-arenas --arena-bytes=64 --persistent-arena-bytes=64 "}) {
      ReadReport(reader, words + model);
    }
  }
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  ReadReport(reader, "run --output-dir=" + testing::TemporaryFolder() + " " + model);
  const std::string input = testing::WriteText(std::string(20, 'a'), "x.bin");
  ReadReport(reader, "check --instrument=none --input=0:" + input + " " + model);
  ReadReport(reader, "run --expect=" + testing::WriteText("abcd", "y.bin") + " " + model);
  ReadReport(reader, "check --kernels=aligned-faulty --reserve-front=16 " + model);
  ReadReport(reader, "check --extents " + model);
  ReadReport(reader, "check " + model, "ARENAPROOF_WORKER_DIR=/nowhere");
  for (const char* command : {"run", "describe", "size", "check --instrument=none"}) {
    ReadReport(reader, std::string(command) + " --planner=arena " + SeedModel("residual_int8"));
  }
  const std::string library = std::filesystem::path(testing::CommandPath()).parent_path().parent_path() /
                              "kernels/vendor/example/libexample-plain.so";
  for (const char* command : {"run", "describe", "size", "check --instrument=shadow"}) {
    ReadReport(reader, std::string(command) + " --kernels=" + library + " " + model);
  }
  const std::string declaring = std::filesystem::path(library).parent_path() / "libexample-declared-12-plain.so";
  ReadReport(reader, "check --instrument=none --kernels=" + declaring + " " + model);
  const std::string partly = std::filesystem::path(testing::FaultyLibrary()).parent_path().parent_path() /
                             "partly_hooked_library/libpartly-hooked-shadow.so";
  const std::string check_partly = "check --instrument=shadow --kernels=" + partly + " " + testing::ReluChain();
  ReadReport(reader, check_partly);
  ReadReport(reader, check_partly, "PATH=/nowhere");
  const std::string shared = testing::TemporaryFolder() + "/shared.json";
  std::ofstream(shared) << Arenaproof("plan --json --planner=arena " + SeedModel("residual_int8")).output;
  ReadReport(reader, "plan --planner=arena " + SeedModel("residual_int8"));
  ReadReport(reader, "verify " + SeedModel("residual_int8") + " " + shared);
  ReadReport(reader, "operators");
  ReadReport(reader, "rules");
  const std::string planned = testing::TemporaryFolder() + "/planned.tflite";
  ReadReport(reader, "plan " + model + " --embed=" + planned);
  ReadReport(reader, "verify " + planned);
  ReadReport(reader, "plan " + planned + " --strip --embed=" + planned);
  ReadReport(reader, "plan " + overlapping);
  ReadReport(reader, "plan --trust-plan " + overlapping);
  ReadReport(reader, "verify " + overlapping);
  ReadReport(reader, "verify --trust-plan " + overlapping);
  ReadReport(reader, "verify " + testing::WrongPlanCsv());
  ReadReport(reader, "plan " + testing::WriteText("id,lower,upper,size,gaps\na,0,9,8,2-4\n", "gaps.csv"));
  // More than is searched, with a part for which no planner reaches the bound.
  std::string dense =
      "id,lower,upper,size\nh0,25,28,300000\nh1,22,26,300000\nh2,24,28,200000\nh3,20,22,300000\n"
      "h4,22,24,400000\n";
  for (int i = 0; i < 11'700; ++i) dense += std::to_string(i) + ",0,1,8\n";
  ReadReport(reader, "plan " + testing::WriteText(dense, "dense.csv"));
  const std::string custom = testing::ModelWithCustomOperator({});
  ReadReport(reader, "plan --scratch=ethos-u:16 " + custom);
  ReadReport(reader, "describe " + custom);
  ReadReport(reader, "describe " + testing::ModelWithUnservedTypes());
  // What is hard to provoke is said by a worker that says nothing else.
  const std::string script = R"(echo '{"event":"not_exact","operands":[{"operator":1,"kind":"constant"}]}' >&3
echo '{"event":"capped","operator":1}' >&3
echo '{"event":"internal_error","sentence":"of its own"}' >&3
echo words
exit 3)";
  ReadReport(reader, "check --instrument=shadow " + model,
             "ARENAPROOF_WORKER_DIR=" + testing::FolderWithShadowWorker(script));
  ReadReport(reader, "check --instrument=none --layout=faithful --time-limit=1 " + testing::EndlessModel());
  ReadReport(reader, "check --instrument=none " + model + " " + model);
  const std::string known = testing::TemporaryFolder() + "/known.json";
  Arenaproof("check --kernels=aligned-faulty --instrument=shadow --write-baseline=" + known + " " + model);
  ReadReport(reader, "check --instrument=shadow --baseline=" + known + " " + model);
  ReadReport(reader, "check /nowhere.tflite --write-baseline=" + known);
  EXPECT_EQ(reader.complaints(), std::set<std::string>());
  EXPECT_EQ(reader.NeverPrinted(), std::vector<std::string>());
}

TEST(JsonDocument, IsReadSoThatAFieldTooManyOrTooFewIsNoticed) {
  Reader reader(ReadDocument());
  const std::size_t all = reader.NeverPrinted().size();
  EXPECT_GT(all, 150u);
  reader.Read("report-of-check", {{"seed", "one"}, {"sed", 1}, {"parts", {{{"layout", "flat"}, {"lay", 1}}}}});
  EXPECT_EQ(reader.complaints(),
            (std::set<std::string>{"part: lay is not documented", "report-of-check: sed is not documented",
                                   "report-of-check: seed is no number: \"one\""}));
  EXPECT_EQ(reader.NeverPrinted().size(), all - 3);
}

}  // namespace
}  // namespace arenaproof
