// The oracles of this folder as the pipeline asks them.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/model/model_view.h"

namespace arenaproof {

// Ends the process when opening any bytes, wherever they lie, has another outcome than the contract says.
void CheckOpening(std::span<const std::uint8_t> bytes);

// Ends the process when `validation` is not what the rules say of this file, or, for an accepted model, when the view
// misreads it, a size is not exact, a lifetime is wrong or a plan loses a value that is still needed.
void CheckModelFile(const ModelView& model, const Status& validation);

}  // namespace arenaproof
