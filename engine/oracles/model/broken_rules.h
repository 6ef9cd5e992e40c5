// Which rules of a sound model file does this one break? The rules of core/model/validate.h, restated one after
// another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {

struct BrokenRule {
  StatusCode code;
  // The numbers that go with the code, as many as are known.
  std::size_t known_count = 0;
  std::array<std::uint64_t, 4> numbers{};
};

// The refusal with the numbers that the code's line in status_codes.inc has, from the first on.
template <typename... Numbers>
BrokenRule BrokenRuleOf(StatusCode code, Numbers... numbers) {
  return {code, sizeof...(numbers), {static_cast<std::uint64_t>(numbers)...}};
}

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
std::string CheckValidation(std::span<const std::byte> file, const Status& answer);

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
