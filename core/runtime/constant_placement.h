// Where a model's constants are read from. Without one they are read in place, from the model file; a checker that
// wants closed bytes around every constant serves copies of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenaproof {

class ConstantPlacement {
 public:
  // The address that serves buffer `buffer_index`, whose data lies at `in_file`; as many bytes, same content, and
  // alive as long as the interpreter.
  virtual const std::byte* Locate(std::uint32_t buffer_index, std::span<const std::byte> in_file) const = 0;

 protected:
  ~ConstantPlacement() = default;
};

}  // namespace arenaproof
