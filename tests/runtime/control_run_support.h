// A model of several subgraphs in an interpreter, and its float inputs and outputs.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "control_model_support.h"
#include "test_arena_support.h"

namespace arenaproof::testing {

struct ControlRun {
  ControlRun(ControlModel& model, const KernelSet& kernels, const InterpreterOptions& options, std::size_t arena_bytes)
      : arena(arena_bytes),
        interpreter(std::make_unique<Interpreter>(model.view(), kernels, arena.start(), arena.bytes(), options)) {}

  void SetInput(std::size_t input, const std::vector<float>& values) {
    ASSERT_EQ(interpreter->inputs()[input].bytes, values.size() * sizeof(float));
    std::memcpy(interpreter->inputs()[input].data, values.data(), values.size() * sizeof(float));
  }
  void SetCondition(std::size_t input, bool value) {
    interpreter->inputs()[input].data[0] = static_cast<std::byte>(value);
  }
  std::vector<float> Output(std::size_t output = 0) const {
    const Operand& found = interpreter->outputs()[output];
    std::vector<float> values(found.bytes / sizeof(float));
    std::memcpy(values.data(), found.data, found.bytes);
    return values;
  }

  TestArena arena;
  std::unique_ptr<Interpreter> interpreter;
};

}  // namespace arenaproof::testing
