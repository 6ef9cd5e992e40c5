// What each instrument promises of an access without right: docs/instruments.md, as a function for each.
#pragma once

#include <cstddef>
#include <string>

#include "tests/command/access_scene.h"

namespace arenaproof::testing {

struct AccessPromise {
  bool seen = true;
  // Of what is not seen: how a limit begins that the instrument states beforehand.
  std::string limit = {};
  bool not_exact = false;  // the base is listed among the operands around which the instrument cannot decide
  // Of what is seen, as the report says it.
  std::string side = {};
  std::size_t least_distance_bytes = 0, most_distance_bytes = 0;
  std::string operand_kind = {}, operand_name = {};  // empty: not promised
  std::size_t width_bytes = 0;                       // 0: not promised
  std::string state_kind = {};                       // empty: not promised
  // The result is another one in the second run, which is reported besides.
  bool differs_too = false;
};

AccessPromise PromiseBy(const std::string& instrument, const PlacedRow& row);

}  // namespace arenaproof::testing
