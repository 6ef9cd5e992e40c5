// The command line of `arenaproof-worker check`; its one caller is the parent, so it is strict and short.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sanitizers/layout/layout.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/model/model_options.h"

namespace arenaproof {

struct CheckArguments : SetUpOptions, KernelChoice {
  std::string model;
  Layout layout = Layout::kFaithful;
  std::string instrument = "none";
  // They are the faithful layout's; not given: as much as the model needs.
  std::optional<std::uint64_t> arena_bytes;             // the single arena, or the one for head and temporaries
  std::optional<std::uint64_t> persistent_arena_bytes;  // of two arenas: the one for the tail
  bool two_arenas = false;
  std::uint32_t reserve_front_bytes = 0;
  std::uint32_t seed = 1;
  std::uint32_t runs = 1;
  std::vector<std::string> inputs;  // INPUT:FILE each; the others are generated
  bool extents = false;             // reports them
  int result_descriptor = 1;
  int jobs_descriptor = -1;          // where more checks are asked for; -1: nowhere
  int valgrind_log_descriptor = -1;  // what Valgrind writes under which this process runs; -1: nothing
};

// Empty, or a sentence about what is wrong.
std::string ParseCheckArguments(std::span<char* const> words, CheckArguments* arguments);

}  // namespace arenaproof
