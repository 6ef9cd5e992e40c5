// Models of corpus/models that the device's program carries in its flash.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace arenaproof::device {

struct DeviceModel {
  std::string_view name;
  std::span<const std::byte> file;  // starts on a multiple of 16
};

std::span<const DeviceModel> DeviceModels();

}  // namespace arenaproof::device
