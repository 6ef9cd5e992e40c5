// Which rules of a sound model file does this one break? The rules of core/model/validate.h, restated one after
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"

namespace arenaproof::oracle {

struct BrokenRule {
  StatusCode code;
  // The first two numbers that go with the code, when `placed`.
  bool placed = false;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

// Every place of a verified file in which a rule is broken. A file that breaks the bound on lists breaks only that.
std::vector<BrokenRule> BrokenRules(std::span<const std::byte> file);

// The file asks for what nobody here serves, operators aside: sparse tensors, data elsewhere, types without a size, ...
bool AsksForUnservedFeatures(std::span<const std::byte> file);

// Zero points that a tensor of that type may have.
struct Range {
  std::int64_t least;
  std::int64_t most;
};
Range ZeroPointsOf(std::int64_t type);

// "kModelScale", ...
const char* StatusName(StatusCode code);

// What is wrong with validation's answer for this file; empty when nothing is. Sound files have to be accepted (or
// found unsupported), others refused with a rule that they do break, at a place where they do.
std::string JudgeValidation(std::span<const std::byte> file, const Status& answer);

}  // namespace arenaproof::oracle
