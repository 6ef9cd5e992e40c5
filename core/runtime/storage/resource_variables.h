// Resource variables: values that outlive an invoke and are known by a key (container, shared name) to VAR_HANDLE,
// READ_VARIABLE and ASSIGN_VARIABLE in any subgraph. A table of fixed capacity in the tail, made before any model; the
// values themselves are blocks of the tail that operators' prepare asks for.
//
// Unlike the reference a key has both parts, a value's size is checked at every use, and the table is emptied when the
// model is allocated anew, because the tail's blocks may be gone then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/runtime/storage/tail.h"

namespace arenaproof {

struct ResourceVariable {
  const char* container = nullptr;  // both in the model file
  const char* shared_name = nullptr;
  std::byte* data = nullptr;  // null until its size is set
  std::size_t bytes = 0;
  std::uint8_t fill = 0;
};
ARENAPROOF_PIN_BYTES(ResourceVariable, 40, 8, 20, 4);

class ResourceVariables {
 public:
  // The table is placed at the tail's end. kSizeOverflow, else what the tail refuses with: then a part may have been
  // taken, which is the caller's to take back (ModelAllocator::CreateResources).
  static Status Create(Tail& tail, std::size_t capacity, ResourceVariables** variables);
  explicit ResourceVariables(std::span<ResourceVariable> table) : table_(table) {}

  std::size_t count() const { return count_; }
  std::size_t capacity() const { return table_.size(); }
  std::size_t value_bytes() const;

  // kResourceKeyMissing, kResourceTableFull.
  Status FindOrAdd(const char* container, const char* shared_name, std::int32_t* id);
  // kResourceIndex.
  Status Find(std::int32_t id, ResourceVariable** variable);
  // The value's memory. kResourceIndex; kResourceEmpty; kResourceBytes unless it has `bytes` bytes.
  Status Value(std::int32_t id, std::size_t bytes, std::span<std::byte>* value);

  // Every value back to what it was before the first assignment. `observer` may be null.
  void Reset(ArenaObserver* observer);
  void Clear() { count_ = 0; }

 private:
  std::span<ResourceVariable> table_;
  std::size_t count_ = 0;
};
ARENAPROOF_PIN_BYTES(ResourceVariables, 24, 8, 12, 4);

}  // namespace arenaproof
