// Which tensors of a plan lie in the bytes of another, for people and programs.
#pragma once

#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/base/buffer_alias.h"
#include "core/model/model_view.h"
#include "tools/text/json_text.h"

namespace arenaproof {

// One line for each: "tensor 3 "y" lies in the bytes of tensor 2 "x": RELU (operator 1) works in place". Empty when
// none.
std::string SharingText(const ModelView& model, std::span<const PlanEntry> plan, std::span<const BufferAlias> sharing);

// A list of objects with buffer, source, owner (indices in the plan), subgraph, operator, operator_name, input,
// modifies.
OrderedJson SharingJson(const ModelView& model, std::span<const BufferAlias> sharing);

}  // namespace arenaproof
