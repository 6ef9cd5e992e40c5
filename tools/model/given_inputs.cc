#include "tools/model/given_inputs.h"

#include <algorithm>

#include "tools/model/input_generator.h"

namespace arenaproof {

std::string GivenInputs::Read(const std::vector<std::string>& words, const ModelView& model) {
  return ReadTensorFiles(words, model, {"--input", "input", model.inputs(0)}, &given_);
}

std::string GivenInputs::Fill(std::span<const Operand> inputs, std::uint32_t seed) const {
  InputGenerator generator(seed);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Operand& input = inputs[i];
    if (const auto given = given_.find(i); given != given_.end()) {
      std::copy_n(given->second.begin(), std::min(input.bytes, given->second.size()), input.data);
    } else if (!generator.Fill(input.type, {input.data, input.bytes})) {
      return "input " + std::to_string(i) + " has type " + TensorTypeName(input.type) +
             ", for which no values can be generated; give them with --input=" + std::to_string(i) + ":FILE";
    }
  }
  return {};
}

}  // namespace arenaproof
