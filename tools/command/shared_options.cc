#include "tools/command/shared_options.h"

#include "tools/command/option_words.h"
#include "tools/model/chosen_planner.h"

namespace arenaproof {

void AddKernels(CLI::App& command, KernelChoice& choice) {
  command.add_option("--kernels", choice.kernels, kKernelSetsOrFiles)->capture_default_str();
  command
      .add_option("--fallback", choice.fallback,
                  "Who serves the operators that a library with kernels lacks: none, reference")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "reference"}));
}

CLI::Option* AddTimeLimit(CLI::App& command, std::uint32_t& seconds, const char* what) {
  return command.add_option("--time-limit", seconds, what)->capture_default_str()->check(Decimal(1, 86400));
}

void AddInputs(CLI::App& command, std::vector<std::string>& inputs) {
  command
      .add_option(
          "--input", inputs,
          "INPUT:FILE, the values of one input, which is named by its index or its tensor's name: raw bytes, or "
          "an array in FILE.npy; the others are generated")
      ->allow_extra_args(false);  // a value each time: the next word may be the model
}

CLI::Option* AddSetUp(CLI::App& command, SetUpOptions& set_up) {
  command.add_flag("--trust-plan", set_up.trust_plan, kTrustPlan);
  command.add_flag("--strict-plan", set_up.strict_plan, kStrictPlan);
  command.add_flag("--no-sharing", set_up.no_sharing, kNoSharing);
  return command.add_option("--planner", set_up.planner, kPlanner)
      ->capture_default_str()
      ->check(CLI::Validator([](const std::string& word) { return UnknownPlanner(word); }, "PLANNER", "planner"));
}

void AddArenas(CLI::App& command, std::optional<std::uint64_t>& arena_bytes, bool& two_arenas,
               std::optional<std::uint64_t>& persistent_arena_bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  command
      .add_option(
          "--arena-bytes", arena_bytes,
          "Size of the arena, such as 4096 or 64K, of two the one for head and temporaries; without it as much as the "
          "model needs")
      ->transform(Bytes(0, kMost));
  CLI::Option* const two =
      command.add_flag("--two-arenas", two_arenas, "One arena for head and temporaries, one for what is persistent");
  command
      .add_option("--persistent-arena-bytes", persistent_arena_bytes,
                  "Size of the arena for what is persistent, of two; without it as much as the model needs")
      ->transform(Bytes(0, kMost))
      ->needs(two);
}

void AddScratch(CLI::App& command, std::vector<std::string>& words) {
  command
      .add_option("--scratch", words,
                  "OPERATOR:BYTES, a scratch buffer of an operator without a kernel: by its name or its index "
                  "(SUBGRAPH:OPERATOR:BYTES in "
                  "another subgraph than the first); 0 for none; given again it is a further buffer")
      ->allow_extra_args(false);
}

}  // namespace arenaproof
