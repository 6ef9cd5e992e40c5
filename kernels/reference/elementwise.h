// Element-wise operators of one operand.
#pragma once

#include <cstddef>

#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {

// Output 0 is function(x) of each element of input 0.
template <typename Element, typename Function>
void MapElements(const InvokeContext& context, Function function) {
  const ElementReader<Element> from(context.inputs[0]);
  const ElementWriter<Element> to(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, function(from[i]));
}

}  // namespace arenaproof::reference
