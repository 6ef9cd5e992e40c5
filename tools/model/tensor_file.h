// Files with the values of tensors, and the words of a command line that say which tensor a file is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"

namespace arenaproof {

// What an option such as --input is about: some tensors of the first subgraph, in the model's order.
struct TensorFileOption {
  const char* name;  // "--input"
  const char* what;  // "input"
  std::span<const std::int32_t> tensors;
  bool first_by_default = false;  // a word without a position is the file of the first
};

using ValuesByPosition = std::map<std::size_t, std::vector<std::byte>>;  // by position in the list

// Reads the file that each word names, POSITION:FILE or NAME:FILE. Raw bytes as they lie in the arena; of a name that
// ends in .npy an array of the tensor's type and shape. Empty, or a sentence.
std::string ReadTensorFiles(const std::vector<std::string>& words, const ModelView& model,
                            const TensorFileOption& option, ValuesByPosition* bytes);

}  // namespace arenaproof
