// What several commands take, said once.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/check.h"
#include "tools/command/run.h"

namespace arenaproof {

inline constexpr const char* kExitStatuses =
    "Exit status: 0 clean; 1 violations found, or the plan lets tensors that are alive together share bytes;\n"
    "2 could not run; 3 internal error.";

inline constexpr const char* kTrustPlan =
    "Lets tensors that the model's offline plan fixes share bytes while both are alive, lists such pairs and counts "
    "them";

inline constexpr const char* kStrictPlan =
    "Refuses a model whose offline plan gives constants an offset, which else is not used and warned about";

inline constexpr const char* kPlanner =
    "Who places tensors: greedy, a device's; linear, every one apart; arena, TensorFlow Lite's, one for each subgraph; "
    "precomputed:FILE, a plan as a C source, one offset for each buffer";

inline constexpr const char* kNoSharing =
    "Keeps outputs out of their operators' inputs, whose bytes the planners arena and precomputed let them take where "
    "nothing else needs these";

inline constexpr const char* kKernelSets =
    "Kernel set: reference, aligned, aligned-faulty, aligned-underread, aligned-faulty-dispatch";

inline constexpr const char* kKernelSetsOrFiles =
    "Kernel set (reference, aligned, aligned-faulty, aligned-underread, aligned-faulty-dispatch), or the path of a "
    "library with kernels: FILE, or shadow:FILE,asan:FILE,plain:FILE where each instrument needs a build "
    "(docs/vendor_kernels.md)";

void AddKernels(CLI::App& command, KernelChoice& choice);
CLI::Option* AddTimeLimit(CLI::App& command, std::uint32_t& seconds, const char* what);
void AddInputs(CLI::App& command, std::vector<std::string>& inputs);
// The option for the planner.
CLI::Option* AddSetUp(CLI::App& command, SetUpOptions& set_up);
void AddArenas(CLI::App& command, std::optional<std::uint64_t>& arena_bytes, bool& two_arenas,
               std::optional<std::uint64_t>& persistent_arena_bytes);
void AddScratch(CLI::App& command, std::vector<std::string>& words);

}  // namespace arenaproof
