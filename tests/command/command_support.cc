#include "tests/command/command_support.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "core/model/offline_plan.h"
#include "tests/command/kept_reports_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

struct Folder {
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "arenaproof-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  std::filesystem::path path;
};

const std::filesystem::path& Root() {
  static const Folder folder;
  return folder.path;
}

std::filesystem::path Program(const char* below_the_build) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  const auto program = self.parent_path().parent_path() / below_the_build;
  if (!std::filesystem::exists(program)) throw std::runtime_error(program.string() + " is not built");
  return program;
}

std::filesystem::path Command() { return Program("tools/arenaproof"); }

CommandRun RunShell(const std::string& line) {
  const auto output = Root() / "output", errors = Root() / "errors";
  const int status = std::system((line + " >'" + output.string() + "' 2>'" + errors.string() + "' </dev/null").c_str());
  const CommandRun run{WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFileText(output), ReadFileText(errors)};
  KeepReport(run.output);
  return run;
}

}  // namespace

std::size_t CountOf(const std::string& piece, const std::string& text) {
  std::size_t count = 0;
  for (auto place = text.find(piece); place != std::string::npos; place = text.find(piece, place + 1)) ++count;
  return count;
}

std::string CommandPath() { return Command().string(); }

std::string FaultyLibrary(const std::string& build) {
  const auto builds = std::filesystem::path(CommandPath()).parent_path().parent_path();
  return (builds / "tests/command/faulty_library" / ("libfaulty-" + build + ".so")).string();
}

std::string WorkerOf(const std::string& preset) {
  const auto builds = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
  return (builds / preset / "tools" / "worker" / "arenaproof-worker").string();
}

CommandRun Arenaproof(const std::string& arguments, const std::string& environment) {
  return RunShell(environment + " '" + Command().string() + "' " + arguments);
}

CommandRun CompareKernels(const std::string& arguments) {
  return RunShell("'" + Program("engine/harness/kernel_comparison/arenaproof-compare-kernels").string() + "' " +
                  arguments);
}

CommandRun Bash(const std::string& lines, const std::string& folder) {
  const auto script = Root() / "script";
  std::ofstream(script, std::ios::binary)
      << "cd '" + folder + "' && PATH='" + Command().parent_path().string() + "':$PATH\n" + lines + "\n";
  return RunShell("bash '" + script.string() + "'");
}

CommandRun Dev(const std::string& arguments) {
  return RunShell("'" + (SourceFolder() / "dev").string() + "' " + arguments);
}

std::string TemporaryFolder() {
  static int count = 0;
  const auto folder = Root() / std::to_string(count++);
  std::filesystem::create_directories(folder);
  return folder.string();
}

std::string FolderWithShadowWorker(const std::string& script) { return FolderWithWorker("shadow", script); }

std::string FolderWithWorker(const std::string& preset, const std::string& script) {
  const std::string folder = TemporaryFolder();
  const auto path = std::filesystem::path(folder) / preset / "tools/worker/arenaproof-worker";
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return folder;
}

std::string SeedModel(const std::string& name) {
  return (SourceFolder() / "corpus" / "models" / (name + ".tflite")).string();
}

std::string WriteModel(std::span<const std::byte> file) {
  const std::string path = TemporaryFolder() + "/model.tflite";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return path;
}

std::string WriteModelWithPlan(ModelBuilder& builder, const std::vector<std::int32_t>& offsets) {
  std::vector<std::byte> plan(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan({.version = 0, .subgraph_count = 1}, offsets, plan);
  builder.AddMetadata(std::string(kOfflinePlanName), plan);
  return WriteModel(builder.Finish());
}

// The seed model's loop, whose limit becomes one that is never reached.
std::string EndlessModel() {
  std::vector<std::byte> bytes = ReadFileBytes(SeedModel("control_loop_float"));
  const float limit = 3.0f, never = std::numeric_limits<float>::infinity();
  std::size_t found = 0;
  for (std::size_t at = 0; at + sizeof limit <= bytes.size(); at += sizeof limit) {
    if (std::memcmp(bytes.data() + at, &limit, sizeof limit) != 0) continue;
    std::memcpy(bytes.data() + at, &never, sizeof never);
    ++found;
  }
  if (found != 1) throw std::runtime_error("control_loop_float has no limit of 3");
  return WriteModel(bytes);
}

void AddReluChain(ModelBuilder& builder) {
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "middle", "y"}) {
    graph.AddTensor({.name = name, .type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{1, 4}});
  }
  const std::uint32_t relu = builder.AddCode(BuiltinOperator::kRelu);
  graph.AddOperator({.code = relu, .inputs = {0}, .outputs = {1}});
  graph.AddOperator({.code = relu, .inputs = {1}, .outputs = {2}});
  graph.inputs = {0};
  graph.outputs = {2};
}

std::string ReluChain() {
  ModelBuilder builder;
  AddReluChain(builder);
  return WriteModel(builder.Finish());
}

std::string ReluChainWithPlan(const std::vector<std::int32_t>& offsets) {
  ModelBuilder builder;
  AddReluChain(builder);
  return WriteModelWithPlan(builder, offsets);
}

std::string ModelWithCustomOperator(const std::vector<std::int32_t>& offsets) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto add = [&](const char* name, std::int32_t bytes, std::uint32_t buffer = 0) {
    return graph.AddTensor(
        {.name = name, .type = TensorType::kInt8, .shape = std::vector<std::int32_t>{bytes}, .buffer = buffer});
  };
  const std::uint32_t data = builder.AddBuffer(std::vector<std::byte>(32, std::byte{1}));
  const auto output = add("output", 16);
  const auto commands = add("commands", 32, data), weights = add("weights", 32, data);
  const auto scratch = add("scratch", 512), scratch_fast = add("scratch_fast", 64), input = add("input", 48);
  graph.AddOperator({.code = builder.AddCustomCode("ethos-u"),
                     .inputs = {commands, weights, scratch, scratch_fast, input},
                     .outputs = {output}});
  graph.inputs = {input};
  graph.outputs = {output};
  return offsets.empty() ? WriteModel(builder.Finish()) : WriteModelWithPlan(builder, offsets);
}

std::string ModelWithUnservedTypes() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::uint32_t data = builder.AddBuffer(std::vector<std::byte>(32, std::byte{1}));
  graph.AddTensor({.name = "x", .type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{1, 8}});
  graph.AddTensor(
      {.name = "weights", .type = TensorType::kInt8, .shape = std::vector<std::int32_t>{4, 8}, .buffer = data});
  graph.AddTensor({.name = "middle", .type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{1, 4}});
  graph.AddTensor({.name = "y", .type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{1, 4}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kFullyConnected),
                     .inputs = {0, 1, -1},
                     .outputs = {2},
                     .options = FullyConnectedOptions()});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {2}, .outputs = {3}});
  graph.inputs = {0};
  graph.outputs = {3};
  return WriteModel(builder.Finish());
}

std::string WriteText(const std::string& text, const std::string& name) {
  const std::string path = TemporaryFolder() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string WrongPlanCsv() {
  return WriteText("id,lower,upper,size,offset\na,0,4,30,0\nb,2,9,20,16\n", "wrong_plan.csv");
}

std::string OverlappingModel() { return ReluChainWithPlan({0, 0, 16}); }

}  // namespace arenaproof::testing
