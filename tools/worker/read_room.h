// Whether there is room for what the kernels of a model's operators declare that they read beside operands.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "tools/memory/allowed_reads.h"

namespace arenaproof {

// Where a device has its bytes.
struct DeviceBytes {
  MemoryRegion allocation;  // the arena that the head is in, with what is reserved in front of it
  const std::byte* head_start;
  std::span<const PlanEntry> plan;
};

// The first of them for which arena or model file has no room: a sentence. Empty when there is room for all.
std::string MissingRoom(std::span<const AllowedRead> reads, const ModelView& model, const DeviceBytes& device);

}  // namespace arenaproof
