// Names of metadata that are nearly a plan's, in a file that stays in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/model_view.h"

namespace arenaproof {

// Changes one letter of one metadata entry's name in `file`, which `model` views: bits 0 to 4 of `code` choose the
// letter, bits 5 and 6 the entry, of those with a name; bit 7: another letter instead of the same in the other case.
// Code 0 changes nothing; the same code a second time undoes the change.
void ChangeName(std::span<std::byte> file, const ModelView& model, std::uint8_t code);

}  // namespace arenaproof
