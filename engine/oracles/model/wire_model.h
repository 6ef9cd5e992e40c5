// Shared by the oracles of this folder, for their .cc files: the generated accessors with missing lists read as empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/exact.h"
#include "core/model/schema_generated.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {

inline const wire::Model& ModelOf(std::span<const std::byte> file) { return *wire::GetModel(file.data()); }

template <typename List>
std::size_t Count(const List* list) {
  return list == nullptr ? 0 : list->size();
}

template <typename List>
auto Entry(const List* list, std::size_t index) {
  return list->Get(static_cast<flatbuffers::uoffset_t>(index));
}

inline std::vector<std::int64_t> Numbers(const flatbuffers::Vector<std::int32_t>* list) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < Count(list); ++i) numbers.push_back(Entry(list, i));
  return numbers;
}

inline bool InRange(std::int64_t index, std::size_t count) {
  return index >= 0 && static_cast<std::uint64_t>(index) < count;
}

// The one code that an operator code's two fields stand for.
inline std::int64_t CodeOf(const wire::OperatorCode& code) {
  const auto old_field = static_cast<std::int64_t>(code.deprecated_builtin_code());
  const auto new_field = static_cast<std::int64_t>(code.builtin_code());
  return old_field > new_field ? old_field : new_field;
}

inline std::size_t DataBytes(const wire::Model& model, const wire::Tensor& tensor) {
  if (tensor.buffer() >= Count(model.buffers())) return 0;
  return Count(Entry(model.buffers(), tensor.buffer())->data());
}

inline bool IsConstant(const wire::Model& model, const wire::Tensor& tensor) {
  return !tensor.is_variable() && DataBytes(model, tensor) > 0;
}

// Codes of IF, WHILE and CALL_ONCE, and the options that belong to them.
std::vector<std::int64_t> CalledSubgraphs(const wire::Model& model, const wire::Operator& op);

// Bytes of one element in the arena; 0: the type has no size.
std::size_t BytesOfType(std::int64_t type);

// Product of the dimensions, exact as long as it is below the bytes that any tensor may have; dimensions of 0 count as
// `zero`.
WidestUnsigned ExactElements(const wire::Tensor& tensor, unsigned zero);

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
