// What operators compute, by their definition on real numbers, in doubles.
#pragma once

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

struct Expected {
  // The output's elements, as they are stored. Not a number: the definition alone does not decide this element
  // (int8 values whose difference is finer than a comparison's resolution, floats near the ends of their type).
  Values values;
  double tolerance = 0;  // absolute
  // Of floats: what is not a number has to be none, and zeros have their signs.
  bool to_the_bit = false;
};

// `omit_last_input`: computed as if the last input were absent. Quantised results may be off by what fixed-point
// multipliers and tables lose; floats that come from one operation are exact.
Expected ExpectedOutput(const OperatorCase& subject, bool omit_last_input);

}  // namespace arenaproof::props
