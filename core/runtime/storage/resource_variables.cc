#include "core/runtime/storage/resource_variables.h"

#include <cstring>
#include <new>

#include "core/arena/runtime_work.h"

namespace arenaproof {

Status ResourceVariables::Create(Tail& tail, std::size_t capacity, ResourceVariables** variables) {
  ResourceVariable* table = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(tail.AllocateArray(capacity, &table));
  std::byte* place = nullptr;
  tail.Announce<ResourceVariables>(1);
  ARENAPROOF_RETURN_IF_ERROR(tail.Allocate(sizeof(ResourceVariables), alignof(ResourceVariables), &place));
  *variables = new (place) ResourceVariables({table, capacity});
  return Ok();
}

Status ResourceVariables::FindOrAdd(const char* container, const char* shared_name, std::int32_t* id) {
  if (container == nullptr) return Failure(StatusCode::kResourceKeyMissing, 0);
  if (shared_name == nullptr) return Failure(StatusCode::kResourceKeyMissing, 1);
  for (std::size_t i = 0; i < count_; ++i) {
    if (std::strcmp(table_[i].container, container) != 0 || std::strcmp(table_[i].shared_name, shared_name) != 0) {
      continue;
    }
    *id = static_cast<std::int32_t>(i);
    return Ok();
  }
  if (count_ == table_.size()) return Failure(StatusCode::kResourceTableFull, table_.size());
  table_[count_] = {container, shared_name, nullptr, 0, 0};
  *id = static_cast<std::int32_t>(count_++);
  return Ok();
}

Status ResourceVariables::Find(std::int32_t id, ResourceVariable** variable) {
  if (id < 0 || static_cast<std::size_t>(id) >= count_) {
    return Failure(StatusCode::kResourceIndex, std::int64_t{id}, count_);
  }
  *variable = &table_[static_cast<std::size_t>(id)];
  return Ok();
}

Status ResourceVariables::Value(std::int32_t id, std::size_t bytes, std::span<std::byte>* value) {
  ResourceVariable* variable = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(Find(id, &variable));
  if (variable->data == nullptr) return Failure(StatusCode::kResourceEmpty, std::int64_t{id});
  if (variable->bytes != bytes) return Failure(StatusCode::kResourceBytes, std::int64_t{id}, bytes, variable->bytes);
  *value = {variable->data, variable->bytes};
  return Ok();
}

std::size_t ResourceVariables::value_bytes() const {
  std::size_t bytes = 0;
  for (const ResourceVariable& variable : table_.first(count_)) bytes += variable.bytes;
  return bytes;
}

void ResourceVariables::Reset(ArenaObserver* observer) {
  for (std::size_t i = 0; i < count_; ++i) {
    const ResourceVariable variable = table_[i];  // a copy: while it is filled only its value is open
    if (variable.data == nullptr) continue;
    const OperandRange value{variable.data, variable.bytes, AccessRight::kWrite, OperandKind::kDestination,
                             static_cast<std::int32_t>(i)};
    const RuntimeWorkScope work(observer, RuntimeWork::kVariableFill, {&value, 1});
    std::memset(variable.data, variable.fill, variable.bytes);
  }
}

}  // namespace arenaproof
