// Where the runtime finds the constants of a model. Without a placement they are read where the file has them; an
// instrument that wants room between them (sanitizers/layout/relocated_model.h) returns here where it put each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

class ConstantPlacement {
 public:
  // The address of the data of the model's buffer `buffer_index`, which the file has at `in_file`. The bytes there are
  // the same and stay so; an address the placement does not know is returned as it is. Asked while a model is set up,
  // never during invoke.
  virtual const std::byte* Locate(std::uint32_t buffer_index, const std::byte* in_file) = 0;

 protected:
  ~ConstantPlacement() = default;
};

}  // namespace arenaproof
