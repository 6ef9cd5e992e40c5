// `arenaproof run --expect`: outputs beside files with the values that they should have.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/model/tensor_file.h"
#include "tools/text/json_text.h"
#include "tools/text/tensor_value.h"

namespace arenaproof {

// One output beside its file.
struct ComparedOutput {
  std::size_t output = 0;
  std::string name = {};
  std::vector<std::int32_t> shape = {};
  std::size_t element_count = 0;
  std::size_t different_count = 0;         // by more than the tolerance; with none, in a bit
  std::size_t first_different = 0;         // the rest is of no meaning unless some differ
  ElementValue found = {}, expected = {};  // there
  // In the output's type; infinite when one of the two is no number. Of those that are different.
  double largest_difference = 0;
};

// Empty, or why values of this type, that of the output, cannot be compared with this tolerance.
std::string WhyNotComparable(const std::string& type, std::size_t index, double tolerance);

ComparedOutput CompareOutput(const TensorValue& output, std::size_t index, const std::vector<std::byte>& expected,
                             double tolerance);

std::string ComparedOutputsText(const std::vector<ComparedOutput>& outputs, double tolerance);
OrderedJson ComparedOutputsJson(const std::vector<ComparedOutput>& outputs, double tolerance);

}  // namespace arenaproof
