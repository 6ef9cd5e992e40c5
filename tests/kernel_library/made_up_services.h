// Services of prepare that grant or refuse what a test says, and keep what they were asked for.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::testing {

class MadeUpServices final : public PrepareServices {
 public:
  Status AllocatePersistent(std::size_t bytes, std::byte** block) override {
    return Answer("persistent " + std::to_string(bytes), block);
  }
  Status RequestScratch(std::size_t bytes) override { return Answer("scratch " + std::to_string(bytes), nullptr); }
  Status AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) override {
    return Answer("temporary " + std::to_string(bytes) + " at " + std::to_string(alignment), block);
  }
  Status FreeTemporary(std::byte* block) override {
    return Answer(block == nullptr ? "back nothing" : "back " + std::to_string(block - memory.data()), nullptr);
  }

  std::string asked;      // "; " behind each request
  Status refusal = Ok();  // of every request, with its number as the last detail
  int request_count = 0;
  std::array<std::byte, 64> memory{};

 private:
  Status Answer(const std::string& request, std::byte** block) {
    asked += request + "; ";
    ++request_count;
    if (!refusal.ok()) return Failure(refusal.code, std::int64_t{request_count});
    if (block != nullptr) *block = memory.data() + request_count;
    return Ok();
  }
};

}  // namespace arenaproof::testing
