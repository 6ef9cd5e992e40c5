#include "tools/model/input_generator.h"

#include <cstring>

namespace arenaproof {

bool InputGenerator::Fill(TensorType type, std::span<std::byte> bytes) {
  switch (type) {
    case TensorType::kInt8:
    case TensorType::kUInt8:
    case TensorType::kInt16:
    case TensorType::kInt32:
    case TensorType::kInt64:
    case TensorType::kBool: {
      if (bytes.size() % ElementBytes(type) != 0) return false;
      const std::uint32_t mask = type == TensorType::kBool ? 1 : 0xff;
      for (std::byte& byte : bytes) byte = static_cast<std::byte>((Next() >> 24) & mask);
      return true;
    }
    case TensorType::kFloat32:
      if (bytes.size() % sizeof(float) != 0) return false;
      for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
        const float value = static_cast<float>(Next() >> 8) / 8388608.0f - 1.0f;
        std::memcpy(bytes.data() + i, &value, sizeof value);
      }
      return true;
    default:
      return false;
  }
}

}  // namespace arenaproof
