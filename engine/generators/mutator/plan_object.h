// A model file with another offline plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace arenaproof {

// Replaces the data of the last metadata entry of the plan's name, or adds such an entry. Empty when `model` is no
// model that ReadModelObject takes, or its plan's buffer does not exist.
std::vector<std::uint8_t> WithOfflinePlan(std::span<const std::uint8_t> model, std::span<const std::byte> plan);

}  // namespace arenaproof
