// What the kernels of a model's operators declare that they read beside operands, by tensor, and whether there is room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

struct AllowedRead {
  std::int32_t subgraph, operator_index;
  std::string operator_name, kernel;
  OperandKind kind;  // input, constant or output
  std::int32_t tensor;
  std::string tensor_name;
  ReadableAround around;
};

// After the set-up, when each operator has its kernel. Operands that an operator lacks or leaves out are not in the
// list.
std::vector<AllowedRead> AllowedReadsOf(const ModelView& model, const Interpreter& interpreter);

// Where a device has its bytes.
struct DeviceBytes {
  MemoryRegion allocation;  // the arena that the head is in, with what is reserved in front of it
  const std::byte* head_start;
  std::span<const PlanEntry> plan;
};

// The first of them for which arena or model file has no room: a sentence. Empty when there is room for all.
std::string MissingRoom(std::span<const AllowedRead> reads, const ModelView& model, const DeviceBytes& device);

}  // namespace arenaproof
