// The device's canary over one region of 512 bytes, and operators that are lambdas.
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "sanitizers/device/device_canary.h"

namespace arenaproof::testing {

inline constexpr std::size_t kBytes = 512;

class OnADevice : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < kBytes; ++i) arena_[i] = static_cast<std::byte>(i);
    Attach(canary_);
    ASSERT_EQ(canary_.status(), Ok());
  }

  void Attach(ArenaObserver& observer) { observer.OnAttach({arena_.data(), kBytes}, {}); }

  std::byte* arena(std::size_t offset) { return arena_.data() + offset; }
  OperandRange Input(std::size_t offset, std::size_t bytes) {
    return {arena(offset), bytes, AccessRight::kRead, OperandKind::kInput, 0};
  }
  OperandRange Output(std::size_t offset, std::size_t bytes) {
    return {arena(offset), bytes, AccessRight::kReadWrite, OperandKind::kOutput, 1};
  }

  template <typename Body>
  void Run(ArenaObserver& observer, std::span<const OperandRange> operands, Body body, std::int32_t index = 0) {
    OperatorScope scope;
    scope.operator_index = index;
    scope.operator_name = "MOCK";
    scope.kernel_name = "mock";
    scope.operands = operands;
    observer.OnOperatorBegins(scope);
    body();
    observer.OnOperatorEnds();
  }
  template <typename Body>
  void Run(std::initializer_list<OperandRange> operands, Body body) {
    Run(canary_, {operands.begin(), operands.size()}, body);
  }

  alignas(64) std::array<std::byte, kBytes> arena_{};
  std::array<std::byte, kBytes> saved_{};
  std::array<OperandRange, 8> operands_{};
  std::array<CanaryFinding, 64> findings_{};
  const std::array<CoveredRegion, 1> regions_{{{arena_.data(), kBytes, saved_.data()}}};
  DeviceCanary canary_{{regions_, operands_, findings_}};
};

}  // namespace arenaproof::testing
