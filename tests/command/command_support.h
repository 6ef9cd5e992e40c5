// Runs the command that is built beside these tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

struct CommandRun {
  int exit_status = -1;  // -1: it died of a signal
  std::string output;    // standard output
  std::string errors;    // standard error
};

// How often the piece is in the text.
std::size_t CountOf(const std::string& piece, const std::string& text);
inline bool HasText(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

// `arguments` are shell words, quoted by the caller where needed; `environment` stands before the command,
// "NAME=value".
CommandRun Arenaproof(const std::string& arguments, const std::string& environment = {});

// The same of the program behind ./dev kernels.
CommandRun CompareKernels(const std::string& arguments);

// The same of lines for bash, for which the command is `arenaproof`; they begin in `folder`.
CommandRun Bash(const std::string& lines, const std::string& folder);

// The same of ./dev of the source tree. Only words that build nothing.
CommandRun Dev(const std::string& arguments);

// A fresh folder below the system's temporary one, removed at the end of the process.
std::string TemporaryFolder();

// A folder whose worker of the preset is this shell script; for ARENAPROOF_WORKER_DIR.
std::string FolderWithWorker(const std::string& preset, const std::string& script);
std::string FolderWithShadowWorker(const std::string& script);

// A library of kernels that misbehaves as the variable ARENAPROOF_FAULT says; plain, or with an instrument's hooks.
std::string FaultyLibrary(const std::string& build = "plain");

// The command, and a preset's real worker.
std::string CommandPath();
std::string WorkerOf(const std::string& preset);

std::string SeedModel(const std::string& name);
inline const std::string kFullyConnected = "fully_connected_20_to_64_int8";

// The model as a file in a folder of its own; its path.
std::string WriteModel(std::span<const std::byte> file);

// A WHILE whose condition is always true: invoke does not end. Its path.
std::string EndlessModel();

// The same with an offline plan of these offsets.
std::string WriteModelWithPlan(ModelBuilder& builder, const std::vector<std::int32_t>& offsets);

// x -> RELU -> middle -> RELU -> y, floats of 16 bytes each; as a file with a plan for the three.
void AddReluChain(ModelBuilder& builder);
std::string ReluChain();
std::string ReluChainWithPlan(const std::vector<std::int32_t>& offsets);
// As Vela makes them: the custom operator ethos-u with constants, two working areas that nobody produces, input and
// output; without offsets no plan.
std::string ModelWithCustomOperator(const std::vector<std::int32_t>& offsets);

// x -> FULLY_CONNECTED with weights of INT8 -> y, where x and y are FLOAT32: its kernel takes no such types.
std::string ModelWithUnservedTypes();

// The text as a file in a folder of its own; its path.
std::string WriteText(const std::string& text, const std::string& name);
// A planned problem in which two buffers share bytes.
std::string WrongPlanCsv();
// x and middle, alive together in the first operator, share bytes.
std::string OverlappingModel();

}  // namespace arenaproof::testing
