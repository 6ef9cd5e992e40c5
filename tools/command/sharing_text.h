// Which tensors of a plan lie in the bytes of another, for people and programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/arena/observer.h"
#include "core/base/buffer_alias.h"
#include "core/model/model_view.h"
#include "tools/text/json_text.h"

namespace arenaproof {

// What is said of one of them.
struct SharedBytes {
  std::int64_t buffer = 0, source = 0, owner = 0;  // indices in the plan
  std::int64_t subgraph = 0, operator_index = 0;
  std::string operator_name = {};
  std::int64_t input = 0;
  bool modifies = false;
};
struct SharedTensor {
  std::int64_t tensor = 0;
  std::string_view name = {};
};

std::string SharedBytesText(const SharedBytes& shared, const SharedTensor& buffer, const SharedTensor& source);
OrderedJson SharedBytesJson(const SharedBytes& shared);

// One line for each: "tensor 3 "y" lies in the bytes of tensor 2 "x": RELU (operator 1) works in place". Empty when
// none.
std::string SharingText(const ModelView& model, std::span<const PlanEntry> plan, std::span<const BufferAlias> sharing);

// A list of objects with buffer, source, owner (indices in the plan), subgraph, operator, operator_name, input,
// modifies.
OrderedJson SharingJson(const ModelView& model, std::span<const BufferAlias> sharing);

}  // namespace arenaproof
