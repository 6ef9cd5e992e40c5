// A hand-made arena and model file in checked memory, an instrument attached to them, and operators that are lambdas.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {

inline volatile std::uint64_t access_sink;

// A scalar: a structure of 16 bytes would be copied by a call where nothing is optimised.
using Vector16 = unsigned __int128;

template <typename Word>
struct __attribute__((packed, may_alias)) AtAnyAddress {
  Word word;
};

// One access of sizeof(Word) bytes at any address.
template <typename Word>
__attribute__((noinline)) void Load(const std::byte* address) {
  const Word word = reinterpret_cast<const AtAnyAddress<Word>*>(address)->word;
  unsigned char lanes[sizeof word];
  std::memcpy(lanes, &word, sizeof word);
  std::uint64_t sum = 0;
  for (const unsigned char lane : lanes) sum += lane;
  access_sink = sum;
}

template <typename Word>
__attribute__((noinline)) void Store(std::byte* address) {
  Word word;
  const auto value = static_cast<int>(access_sink);
  std::memset(&word, value, sizeof word);
  reinterpret_cast<AtAnyAddress<Word>*>(address)->word = word;
}

class MockOperators : public ::testing::TestWithParam<std::string> {
 protected:
  MockOperators() : instrument_(MakeInstrument(GetParam())) {}

  void SetUp() override {
    if (!instrument_->Available().ok())
      GTEST_SKIP() << "the instrument " << GetParam() << " is not compiled into this build";
    instrument_->Watch(arena_.region());
    instrument_->Watch(model_.region());
    instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
    ASSERT_TRUE(instrument_->self_test().status().ok());
  }

  void TearDown() override { instrument_->OnDetach(); }

  std::byte* arena(std::size_t offset) { return arena_.data() + offset; }
  std::byte* model(std::size_t offset) { return model_.data() + offset; }

  static OperandRange Input(const std::byte* data, std::size_t bytes, std::int32_t tensor = 0) {
    return {data, bytes, AccessRight::kRead, OperandKind::kInput, tensor};
  }
  static OperandRange Output(const std::byte* data, std::size_t bytes, std::int32_t tensor = 1) {
    return {data, bytes, AccessRight::kWrite, OperandKind::kOutput, tensor};
  }
  static OperandRange Scratch(const std::byte* data, std::size_t bytes) {
    return {data, bytes, AccessRight::kReadWrite, OperandKind::kScratch, 0};
  }
  static OperandRange Constant(const std::byte* data, std::size_t bytes, std::int32_t tensor = 2) {
    return {data, bytes, AccessRight::kRead, OperandKind::kConstant, tensor};
  }

  // An operator of `subgraph` that runs `body` between its begin and its end.
  template <typename Body>
  void RunIn(std::int32_t subgraph, std::int32_t index, const std::vector<OperandRange>& operands, Body body) {
    OperatorScope scope;
    scope.subgraph = subgraph;
    scope.operator_index = index;
    scope.operator_name = "MOCK";
    scope.kernel_name = "mock";
    scope.operands = operands;
    instrument_->OnOperatorBegins(scope);
    body();
    instrument_->OnOperatorEnds();
  }
  template <typename Body>
  void Run(const std::vector<OperandRange>& operands, Body body, std::int32_t index = 0) {
    RunIn(0, index, operands, body);
  }

  const std::vector<Violation>& groups() const { return instrument_->log().groups(); }

  CheckedMemory arena_{4096};
  CheckedMemory model_{1024};
  std::unique_ptr<AccessInstrument> instrument_;
};

}  // namespace arenaproof::testing
