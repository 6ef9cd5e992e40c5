#include "engine/oracles/model/wire_model.h"

#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {

std::vector<std::int64_t> CalledSubgraphs(const wire::Model& model, const wire::Operator& op) {
  if (op.opcode_index() >= Count(model.operator_codes())) return {};
  switch (CodeOf(*Entry(model.operator_codes(), op.opcode_index()))) {
    case 118:
      if (const auto* options = op.builtin_options_as_IfOptions()) {
        return {options->then_subgraph_index(), options->else_subgraph_index()};
      }
      return {};
    case 119:
      if (const auto* options = op.builtin_options_as_WhileOptions()) {
        return {options->cond_subgraph_index(), options->body_subgraph_index()};
      }
      return {};
    case 129:
      if (const auto* options = op.builtin_options_as_CallOnceOptions()) return {options->init_subgraph_index()};
      return {};
    default:
      return {};
  }
}

std::size_t BytesOfType(std::int64_t type) {
  // FLOAT32 .. FLOAT8_E5M2, by the number of the type.
  constexpr std::size_t kBytes[] = {4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 4, 0, 4, 2, 1, 2, 0, 0, 0, 0};
  return type < 0 || type > 22 ? 0 : kBytes[type];
}

WidestUnsigned ExactElements(const wire::Tensor& tensor, unsigned zero) {
  constexpr WidestUnsigned kMost = static_cast<WidestUnsigned>(-1) >> 36;  // times a dimension and 16 still fits
  WidestUnsigned product = 1;
  bool empty = false;
  for (std::size_t i = 0; i < Count(tensor.shape()); ++i) {
    const std::int32_t dimension = Entry(tensor.shape(), i);
    empty |= dimension == 0;
    if (dimension > 0 && product < kMost) product *= static_cast<std::uint32_t>(dimension);
  }
  return empty && zero == 0 ? 0 : product;
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
