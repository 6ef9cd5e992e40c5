// Arena memory that starts at a chosen distance after a multiple of 64, and interpreters in it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "mock_kernels_support.h"
#include "small_model_support.h"

namespace arenaproof::testing {

class TestArena {
 public:
  explicit TestArena(std::size_t bytes, std::size_t misalignment = 0) : memory_(bytes + 128), bytes_(bytes) {
    std::byte* start = memory_.data();
    while (reinterpret_cast<std::uintptr_t>(start) % 64 != misalignment) ++start;
    start_ = start;
  }
  std::byte* start() const { return start_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::byte> memory_;
  std::size_t bytes_;
  std::byte* start_ = nullptr;
};

inline std::unique_ptr<Interpreter> MakeInterpreter(const SmallModel& model, const TestArena& arena,
                                                    const InterpreterOptions& options = {}) {
  return std::make_unique<Interpreter>(model.view(), MockKernels(), arena.start(), arena.bytes(), options);
}

// The interpreter of a Chain of mock kernels, with all that it stands on.
struct MockChain {
  MockChain(int length, std::int32_t bytes, std::size_t arena_bytes, const InterpreterOptions& options = {})
      : model(Chain(length, bytes)), arena(arena_bytes), interpreter(MakeInterpreter(model, arena, options)) {}
  Interpreter* operator->() const { return interpreter.get(); }

  MockScope mock;
  SmallModel model;
  TestArena arena;
  std::unique_ptr<Interpreter> interpreter;
};

}  // namespace arenaproof::testing
