// The outcome of an operation: a code and up to four numbers. Core never formats text; tools/ owns one table that
// turns every code into a sentence, so a microcontroller pays 40 bytes and no string.
//
// The numbers say, in the order that status_codes.inc gives for the code, which thing, what was found, what would have
// been right. Signed values are stored as their two's complement.
#pragma once

#include <array>
#include <cstdint>

namespace arenaproof {

enum class StatusCode : std::uint16_t {
#define ARENAPROOF_STATUS(name, meaning) name,
#include "core/base/status_codes.inc"
#undef ARENAPROOF_STATUS
};

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::kOk;
  std::array<std::uint64_t, 4> detail{};

  constexpr bool ok() const { return code == StatusCode::kOk; }
  friend constexpr bool operator==(const Status&, const Status&) = default;
};

constexpr Status Ok() { return Status{}; }

template <typename... Numbers>
constexpr Status Failure(StatusCode code, Numbers... numbers) {
  static_assert(sizeof...(numbers) <= 4, "a status carries up to four numbers");
  return Status{code, {static_cast<std::uint64_t>(numbers)...}};
}

}  // namespace arenaproof

// Returns from the enclosing function when `expression` is a failure.
#define ARENAPROOF_RETURN_IF_ERROR(expression)                                                \
  do {                                                                                        \
    if (const ::arenaproof::Status arenaproof_status = (expression); !arenaproof_status.ok()) \
      return arenaproof_status;                                                               \
  } while (false)
