// The schema of the model format as data, generated with its accessors: which tables there are, with which fields.
#pragma once

#include <flatbuffers/reflection.h>

#include <cstdint>
#include <string>
#include <vector>

namespace arenaproof {

struct TableType {
  std::string name;                              // "Tensor"
  std::vector<const reflection::Field*> fields;  // in the order in which they are verified, without deprecated ones
};

const TableType& RootTableType();

// `index`: as the type of a field or of a list's entries refers to it.
const TableType& TableTypeAt(std::int32_t index);

// The table that a member of the union in `field` is; null: none, or one that the schema does not know.
const TableType* MemberOf(const reflection::Field& field, std::uint8_t member);

}  // namespace arenaproof
