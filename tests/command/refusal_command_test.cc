// What is refused: where, of which size, and under which name for programs; the same in every command.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "core/model/schema_generated.h"
#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kCheck = "check --instrument=none --layout=faithful ";

Json Report(const std::string& words, int exit_status) {
  const CommandRun run = Arenaproof(words + " --json");
  EXPECT_EQ(run.exit_status, exit_status) << words << "\n" << run.errors;
  return ParseJson(run.output);
}

// What the report says for programs: of a whole report, or of the one part of a check.
Json Refused(const Json& report) {
  if (report.contains("refused")) return report.at("refused");
  EXPECT_EQ(report.at("parts").at(0).at("problem_code"), report.at("parts").at(0).at("refusal").at("code"));
  return report.at("parts").at(0).at("refusal");
}

void ExpectPiece(const std::string& text, const std::string& piece) {
  EXPECT_NE(text.find(piece), std::string::npos) << "'" << piece << "' is not in\n" << text;
}

// A BATCH_MATMUL by int4 weights packed two to a byte: sound, and served by no kernel.
std::string Int4Model() {
  ModelBuilder builder;
  const std::uint32_t weights = builder.AddBuffer(std::vector<std::byte>(12));
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.name = "x", .type = TensorType::kInt8, .shape = {{1, 6}}, .quantization = Scale(0.5f, 0)});
  graph.AddTensor({.name = "weights",
                   .type = TensorType::kInt4,
                   .shape = {{4, 6}},
                   .buffer = weights,
                   .quantization = Scale(0.5f, 0)});
  graph.AddTensor({.name = "y", .type = TensorType::kInt8, .shape = {{1, 4}}, .quantization = Scale(0.5f, 0)});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kBatchMatmul),
                     .inputs = {0, 1},
                     .outputs = {2},
                     .options = BatchMatMulOptions{}});
  graph.inputs = {0};
  graph.outputs = {2};
  return WriteModel(builder.Finish());
}

TEST(RefusalCommands, SizeNamesABuiltinOperatorByItsCodeWhateverNameTheFileCarries) {
  ModelBuilder builder;
  AddReluChain(builder);
  builder.codes[0].custom_code = "multiple_inputs_op";
  const std::string model = WriteModel(builder.Finish());
  const Json report = Report("size " + model, 0);
  for (const Json& op : report.at("faithful").at("operators")) EXPECT_EQ(op.at("name"), "RELU");
  const CommandRun run = Arenaproof("size " + model);
  ExpectPiece(run.output, "RELU");
  EXPECT_EQ(run.output.find("multiple_inputs_op"), std::string::npos) << run.output;
}

TEST(RefusalCommands, AKernelsRefusalNamesItsOperatorInEveryCommandThatNeedsTheKernel) {
  const std::string model = Int4Model();
  for (const std::string command : {"run ", "size ", kCheck}) {
    SCOPED_TRACE(command);
    const CommandRun run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 2);
    ExpectPiece(run.errors,
                "': operator 0 of subgraph 0: input 1 has type INT4, which is not supported; docs/operators.md lists "
                "the types that go together\n");
    const Json refused = Refused(Report(command + model, 2));
    EXPECT_EQ(refused.at("code"), "kernel_unsupported_type");
    EXPECT_EQ(refused.at("subgraph"), 0);
    EXPECT_EQ(refused.at("operator"), 0);
    EXPECT_EQ(refused.at("operator_name"), "BATCH_MATMUL");
    EXPECT_EQ(refused.at("larger_arena"), false);
    EXPECT_EQ(refused.at("arenas"), Json::array());
  }
  const Json described = Report("describe " + model, 0).at("missing_kernels").at(0);
  EXPECT_EQ(described.at("operator_name"), "BATCH_MATMUL");
  ExpectPiece(described.at("types_refused"), "input 1 has type INT4, which is not supported");
  const Json part = Report(kCheck + model, 2).at("parts").at(0);
  for (const Json& sentence : {part.at("problem"), part.at("refusal").at("sentence")}) {
    ExpectPiece(sentence, "': operator 0 of subgraph 0: input 1 has type INT4");
  }
}

TEST(RefusalCommands, AnArenaThatIsTooSmallIsNamedWithItsSizeAndItsNeed) {
  const std::string model = SeedModel(kFullyConnected);
  const auto need = Report("size " + model, 0).at("faithful").at("need_bytes").get<std::size_t>();
  for (const std::string command : {"run ", kCheck}) {
    for (const std::size_t given : {std::size_t{0}, std::size_t{64}, need - 1}) {
      SCOPED_TRACE(command + std::to_string(given));
      const std::string words = command + model + " --arena-bytes=" + std::to_string(given);
      ExpectPiece(Arenaproof(words).errors,
                  "; the arena has " + std::to_string(given) + " bytes, and " + std::to_string(need) + " are needed\n");
      const Json refused = Refused(Report(words, 2));
      EXPECT_TRUE(refused.at("code").get<std::string>().starts_with("arena_") ||
                  refused.at("code").get<std::string>().starts_with("plan_"))
          << refused;
      EXPECT_EQ(refused.at("larger_arena"), true);
      EXPECT_EQ(refused.at("arenas"),
                Json::array({{{"arena", "single"}, {"given_bytes", given}, {"need_bytes", need}}}));
    }
  }
}

TEST(RefusalCommands, OfTwoArenasTheOneThatIsTooSmallIsNamed) {
  const std::string model = SeedModel(kFullyConnected);
  const Json needs = Report("size --two-arenas " + model, 0).at("faithful");
  const auto head = needs.at("need_bytes").get<std::size_t>();
  const auto tail = needs.at("persistent_need_bytes").get<std::size_t>();
  const std::string head_text = "; the arena for head and temporaries has " + std::to_string(head - 1) +
                                " bytes, and " + std::to_string(head) + " are needed";
  const std::string tail_text = "; the arena for what is persistent has " + std::to_string(tail - 1) + " bytes, and " +
                                std::to_string(tail) + " are needed";
  const Json head_json = {{"arena", "head"}, {"given_bytes", head - 1}, {"need_bytes", head}};
  const Json tail_json = {{"arena", "tail"}, {"given_bytes", tail - 1}, {"need_bytes", tail}};
  for (const std::string command : {"run --two-arenas ", "check --two-arenas --instrument=none --layout=faithful "}) {
    SCOPED_TRACE(command);
    const auto given = [&](std::size_t head_bytes, std::size_t tail_bytes) {
      return command + model + " --arena-bytes=" + std::to_string(head_bytes) +
             " --persistent-arena-bytes=" + std::to_string(tail_bytes);
    };
    const CommandRun of_head = Arenaproof(given(head - 1, tail)), of_tail = Arenaproof(given(head, tail - 1));
    EXPECT_TRUE(of_head.errors.ends_with(head_text + "\n")) << of_head.errors;
    EXPECT_TRUE(of_tail.errors.ends_with(tail_text + "\n")) << of_tail.errors;
    EXPECT_EQ(of_tail.errors.find("head and temporaries"), std::string::npos) << of_tail.errors;
    ExpectPiece(Arenaproof(given(head - 1, tail - 1)).errors, head_text + tail_text + "\n");
    EXPECT_EQ(Refused(Report(given(head - 1, tail), 2)).at("arenas"), Json::array({head_json}));
    EXPECT_EQ(Refused(Report(given(head, tail - 1), 2)).at("arenas"), Json::array({tail_json}));
    EXPECT_EQ(Refused(Report(given(head - 1, tail - 1), 2)).at("arenas"), Json::array({head_json, tail_json}));
  }
}

TEST(RefusalCommands, ADamagedFileIsRefusedWithThePlaceOfTheDamage) {
  const auto bytes = ReadFileBytes(SeedModel(kFullyConnected));
  const std::string model = WriteModel(std::span(bytes).first(bytes.size() / 2));
  for (const std::string command : {"run ", "describe ", "size ", kCheck}) {
    SCOPED_TRACE(command);
    const CommandRun run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 2);
    ExpectPiece(run.errors, "': the file is damaged at Model");
    ExpectPiece(run.errors, "; the file has " + std::to_string(bytes.size() / 2) + " bytes\n");
    EXPECT_EQ(Refused(Report(command + model, 2)).at("code"), "model_structure");
  }
}

TEST(RefusalCommands, EveryRefusalHasItsNameForPrograms) {
  const std::string model = SeedModel(kFullyConnected), text = SourceFolder() / "README.md";
  const std::pair<std::string, std::string> kCases[] = {
      {"run /nowhere.tflite", "file_unreadable"},
      {"check /nowhere.tflite", "file_unreadable"},
      {"describe " + text, "model_identifier"},
      {"size " + model + " --kernels=conjured", "kernels_unknown"},
      {"check " + model + " --kernels=conjured", "kernels_unknown"},
      {"run " + model + " --input=0:/nowhere", "input_file"},
      {"run " + model + " --output-dir=/dev/null/x", "output_files"},
      {kCheck + model + " --memory-limit=1024 --arena-bytes=2147483648", "memory_limit"},
  };
  for (const auto& [words, code] : kCases) {
    SCOPED_TRACE(words);
    const Json report = Report(words, 2);
    EXPECT_EQ(
        report.contains("refused") ? report.at("refused").at("code") : report.at("parts").at(0).at("problem_code"),
        code);
  }
}

// An operator that names a tensor that is not there.
TEST(RefusalCommands, DescribeShowsAModelThatValidationRefusesAndThenTheReason) {
  ModelBuilder builder;
  AddReluChain(builder);
  builder.subgraphs[0].operators[1].inputs = {77};
  const std::string model = WriteModel(builder.Finish());
  const CommandRun run = Arenaproof("describe " + model);
  EXPECT_EQ(run.exit_status, 2);
  ExpectPiece(run.errors, "operator 1 of subgraph 0 has the input 77; ");
  for (const char* piece : {"RELU", "77", "middle", "FLOAT32", "1x4"}) ExpectPiece(run.output, piece);
  EXPECT_EQ(run.output.find("memory plan"), std::string::npos) << run.output;
  const Json report = Report("describe " + model, 2);
  EXPECT_EQ(report.at("refused").at("code"), "model_operator_input");
  ExpectPiece(report.at("refusal"), "has the input 77");
  EXPECT_EQ(report.at("subgraphs").at(0).at("operators").at(1).at("inputs"), Json::array({77}));
  EXPECT_EQ(report.at("subgraphs").at(0).at("tensors").at(2).at("name"), "y");
  EXPECT_EQ(report.at("subgraphs").at(0).at("tensors").at(2).at("first_step"), -1);
  EXPECT_FALSE(report.contains("plan"));
}

TEST(RefusalCommands, DescribeShowsTypesShapesBuffersAndCodesThatAreNotThere) {
  ModelBuilder builder;
  AddReluChain(builder);
  SubgraphSpec& graph = builder.subgraphs[0];
  graph.operators[0].code = 9;
  graph.tensors[0].type = static_cast<TensorType>(99);
  graph.tensors[1].shape = std::vector<std::int32_t>{-3, 2147483647};
  graph.tensors[2].buffer = 1000;
  graph.inputs = {-5, 50};
  const std::string model = WriteModel(builder.Finish());
  const CommandRun run = Arenaproof("describe " + model);
  EXPECT_EQ(run.exit_status, 2) << run.errors;
  for (const char* piece : {"operator of the missing code 9", "unknown type", "-3x2147483647"}) {
    ExpectPiece(run.output, piece);
  }
  EXPECT_EQ(Report("describe " + model, 2).at("subgraphs").at(0).at("tensors").at(1).at("bytes"), 0);
}

// Few tables, but each operator refers to the same long list.
TEST(RefusalCommands, DescribeLeavesOutWhatTablesShareByTheMillion) {
  flatbuffers::FlatBufferBuilder file;
  const auto list = file.CreateVector(std::vector<std::int32_t>(5000, 0));
  std::vector<flatbuffers::Offset<wire::Operator>> ops;
  for (int i = 0; i < 200; ++i) ops.push_back(wire::CreateOperator(file, 0, list));
  const auto operators = file.CreateVector(ops);
  const auto graphs = file.CreateVector(std::vector{wire::CreateSubGraph(file, 0, 0, 0, operators)});
  file.Finish(wire::CreateModel(file, 3, 0, graphs), wire::ModelIdentifier());
  const std::string model = WriteModel(std::as_bytes(std::span(file.GetBufferPointer(), file.GetSize())));
  const CommandRun run = Arenaproof("describe " + model);
  EXPECT_EQ(run.exit_status, 2);
  ExpectPiece(run.errors, "the file is damaged: its lists have ");
  EXPECT_LT(run.output.size(), 1000u);
  const Json report = Report("describe " + model, 2);
  EXPECT_EQ(report.at("subgraphs"), Json::array());
  EXPECT_EQ(report.at("refused").at("code"), "model_list_work");
}

}  // namespace
}  // namespace arenaproof::testing
