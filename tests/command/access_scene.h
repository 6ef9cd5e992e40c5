// The rows of the table of accesses as operators of a model, with what is right about each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sanitizers/report/violation.h"
#include "tests/command/access_rows.h"

namespace arenaproof::testing {

struct PlacedRow {
  AccessRow row;
  std::int32_t operator_index = -1;
  ViolationSide side = ViolationSide::kFar;
  std::size_t distance_bytes = 0;
  std::size_t distance_of_first_bytes = 0;           // were its first byte without right the whole access
  std::string operand_kind = {}, operand_name = {};  // that it is charged to
  // The place is far from all of these, and how far is the allocator's choice: nothing above but the side counts.
  bool only_far = false;
  // The operand that the access is counted from; the address is right modulo 16.
  std::string base_kind = {}, base_name = {};
  std::size_t base_bytes = 0, base_address = 0;
  std::string result_name = {};  // of the operator's first output
};

// Which rows of the table an instrument is asked about.
struct RowChoice {
  bool undone = false;    // it undoes stores that would spoil the run, or keeps them away
  std::size_t every = 1;  // where an operator takes long: one row of so many
};
std::vector<AccessRow> ChosenRows(const RowChoice& choice);

class AccessScene {
 public:
  explicit AccessScene(std::span<const AccessRow> rows);

  const std::string& model() const { return model_; }  // its path
  std::span<const PlacedRow> rows() const { return rows_; }

 private:
  std::string model_;
  std::vector<PlacedRow> rows_;
};

}  // namespace arenaproof::testing
