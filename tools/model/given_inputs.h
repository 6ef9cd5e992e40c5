// The inputs of a run: those that files give (--input), the others generated.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/model/tensor_file.h"

namespace arenaproof {

class GivenInputs {
 public:
  // Empty, or what is wrong with a word or its file, a sentence.
  std::string Read(const std::vector<std::string>& words, const ModelView& model);

  // Writes all of a run's inputs; the generated ones are those of a run to which no other input exists. Empty, or a
  // sentence about an input of a type for which nothing can be generated.
  std::string Fill(std::span<const Operand> inputs, std::uint32_t seed) const;

 private:
  ValuesByPosition given_;
};

}  // namespace arenaproof
