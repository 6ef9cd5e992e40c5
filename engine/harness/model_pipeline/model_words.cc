#include "engine/harness/model_pipeline/model_words.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "tools/text/names.h"
#include "tools/text/operator_text.h"

namespace arenaproof {
namespace {

// Of a list or a graph; a file may hold millions.
constexpr std::size_t kMostNamed = 64;

std::string ListWords(std::span<const std::int32_t> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < kMostNamed; ++i) {
    text += (text.empty() ? "" : " ") + std::to_string(numbers[i]);
  }
  if (numbers.size() > kMostNamed) text += " and " + std::to_string(numbers.size() - kMostNamed) + " more";
  return text.empty() ? "none" : text;
}

std::string TensorWords(const TensorView& tensor) {
  std::string text = " \"" + Printable(tensor.name) + "\" ";
  text += TensorTypeName(tensor.type);
  text += tensor.has_shape ? ", shape " + ListWords(tensor.shape) : ", scalar";
  if (tensor.is_variable) text += ", variable";
  if (tensor.is_constant()) text += ", constant of " + std::to_string(tensor.data.size()) + " bytes";
  return text;
}

std::string OperatorWords(const OperatorView& view) {
  return " " + OperatorName(view) + ": inputs " + ListWords(view.inputs) + ", outputs " + ListWords(view.outputs);
}

template <typename Words>
std::string EachInWords(const char* what, std::size_t count, Words&& words) {
  std::string text;
  for (std::size_t i = 0; i < count && i < kMostNamed; ++i) {
    text += "\n  " + std::string(what) + " " + std::to_string(i) + words(i);
  }
  if (count > kMostNamed) text += "\n  and " + std::to_string(count - kMostNamed) + " more of " + what;
  return text;
}

}  // namespace

std::string ModelWords(const ModelView& model) {
  std::string text = "a model of " + std::to_string(model.bytes().size()) + " bytes";
  for (std::size_t s = 0; s < model.subgraph_count() && s < kMostNamed; ++s) {
    text += "\nsubgraph " + std::to_string(s) + ": inputs " + ListWords(model.inputs(s)) + ", outputs " +
            ListWords(model.outputs(s));
    text +=
        EachInWords("tensor", model.tensor_count(s), [&](std::size_t i) { return TensorWords(model.tensor(s, i)); });
    text += EachInWords("operator", model.operator_count(s),
                        [&](std::size_t i) { return OperatorWords(model.operator_at(s, i)); });
  }
  return text;
}

}  // namespace arenaproof
