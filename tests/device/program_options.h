// What the device's program is asked for: MODEL [inside=N | behind=N | before=N].
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "tests/device/device_models.h"
#include "tests/device/overwriting_kernels.h"

namespace arenaproof::device {

struct ProgramOptions {
  const DeviceModel* model = nullptr;
  std::optional<Overwritten> overwritten;  // by so many bytes; the reference kernels without
  std::size_t bytes = 0;
};

// False when the words say something else. Without words it is the first model with the reference kernels.
bool ReadOptions(std::string_view words, ProgramOptions* options);

}  // namespace arenaproof::device
