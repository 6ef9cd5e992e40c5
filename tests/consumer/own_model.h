// A model of the consumer's own: eight floats -> consumer.average -> RELU.
#pragma once

#include <cstddef>
#include <vector>

namespace consumer {

inline constexpr std::size_t kLength = 8;

// The bytes of the .tflite file.
std::vector<std::byte> OwnModel();

}  // namespace consumer
