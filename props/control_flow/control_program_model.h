// A control program as a model file: each function a subgraph, each value a tensor of its own odd size.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "props/control_flow/control_program.h"

namespace arenaproof::testing {

// Values are tensors of this many equal elements, so that tensors are no multiple of 16 bytes; conditions compare
// tensors of one element.
inline constexpr int kValueElements = 1;

// What a model has beside its program: the first `unused_function_count` subgraphs behind the main one are nobody's, so
// that the program's have large numbers; and the keys of its resource variables.
struct ModelStyle {
  struct Key {
    std::string container;
    std::string name;
  };
  int unused_function_count = 0;
  std::vector<Key> keys = {{"", "v"}, {"box", "v"}, {"", "w"}};  // by variable, all different
};

std::vector<std::byte> ModelOf(const Program& program, const ModelStyle& style);

}  // namespace arenaproof::testing
