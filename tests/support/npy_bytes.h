// A .npy file as bytes, up to its data: whatever its header says.
#pragma once

#include <string>

namespace arenaproof::testing {

inline std::string NpyBytes(const std::string& header, int major = 1, int minor = 0) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(major), static_cast<char>(minor)};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 255);
  return bytes + header;
}

}  // namespace arenaproof::testing
