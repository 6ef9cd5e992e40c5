#include "tools/ownerless_tensors.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/interpreter.h"

namespace arenaproof {

void ClearOwnerlessTensors(const ModelView& model, const Interpreter& interpreter) {
  std::vector<bool> written(model.tensor_count(0), false);
  std::vector<bool> read(model.tensor_count(0), false);
  const auto mark = [](std::span<const std::int32_t> tensors, std::vector<bool>& marks) {
    for (const std::int32_t tensor : tensors) {
      if (tensor >= 0) marks[static_cast<std::size_t>(tensor)] = true;
    }
  };
  mark(model.inputs(0), written);
  for (std::size_t i = 0; i < model.operator_count(0); ++i) {
    mark(model.operator_at(0, i).inputs, read);
    mark(model.operator_at(0, i).outputs, written);
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    const TensorView view = model.tensor(0, i);
    if (written[i] || !read[i] || view.is_variable || view.is_constant()) continue;
    std::span<std::byte> bytes;
    if (interpreter.TensorBytes(static_cast<std::int32_t>(i), &bytes).ok()) std::ranges::fill(bytes, std::byte{0});
  }
}

}  // namespace arenaproof
