// The offline memory plan that a converter may leave in a model: an overlay offset for each tensor, in the data of the
// metadata entry `OfflineMemoryAllocation` (exact name, case and length).
//
//   word 0   version, 0 or 1 (they mean the same)
//   word 1   number of subgraphs, or 0
//   word 2   number of offsets: one for each tensor of every subgraph, constants included
//   then     offsets in bytes from the head's start, subgraph by subgraph; -1: planned at run time
//
// 32-bit little-endian words at any alignment. Nothing but their first read counts: offsets are copied out byte by byte
// and checked in the copy, so that a model in writable memory cannot change them in between.
//
// V4, V5, ...: the rules of the format's specification; each has a status of its own, kOfflinePlan... in
// core/base/status_codes.inc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/status.h"
#include "core/model/model_view.h"

namespace arenaproof {

inline constexpr std::string_view kOfflinePlanName = "OfflineMemoryAllocation";
inline constexpr std::size_t kOfflinePlanHeaderBytes = 12;
inline constexpr std::size_t kOfflinePlanWordBytes = 4;
inline constexpr std::uint32_t kOfflinePlanLargestVersion = 1;
// The entry of a tensor that is planned at run time.
inline constexpr std::int32_t kPlannedAtRunTime = -1;

// A tensor in one number, as statuses carry it.
constexpr std::uint64_t TensorPlace(std::size_t subgraph, std::size_t tensor) {
  return std::uint64_t{subgraph} << 32 | std::uint64_t{tensor};
}

// Where a plan was found.
struct OfflinePlanEntry {
  bool present = false;
  std::uint32_t metadata_index = 0;  // of the last entry with the name, which counts
  std::uint32_t first_metadata_index = 0;
  std::uint32_t entry_count = 0;  // with the name; more than one only when they hold the same bytes
  std::uint32_t buffer = 0;
  std::span<const std::byte> bytes;
};

// Looks at every metadata entry. No entry of the name: ok, not present. V4 to V7.
Status LocateOfflinePlan(const ModelView& model, OfflinePlanEntry* entry);

// V8 to V12: whether the entry's bytes hold one offset for each of the model's tensors, neither more nor less.
Status CheckOfflinePlanLength(const ModelView& model, const OfflinePlanEntry& entry);

// Copies the plan's offsets, model.total_tensor_count() of them, and checks what can be said without knowing where
// tensors live: V8 to V12, V14 to V16, in this order. After a failure `offsets` hold nothing of use.
Status DecodeOfflinePlan(const ModelView& model, const OfflinePlanEntry& entry, std::span<std::int32_t> offsets);

// The entry of one tensor; kPlannedAtRunTime when there is no plan. V4 to V12; `subgraph` and `tensor` are in range.
Status OfflineOffsetOf(const ModelView& model, std::size_t subgraph, std::size_t tensor, std::int32_t* offset);

// V3: a name that is not the plan's but was perhaps meant to be: case aside, one of the two begins with the other, and
// they share at least "offline".
bool IsAlmostOfflinePlanName(std::string_view name);

// ---- writing, for tools and tests; nothing is checked
struct OfflinePlanHeader {
  std::uint32_t version = 1;
  std::uint32_t subgraph_count = 0;
};
constexpr std::size_t OfflinePlanBytes(std::size_t offset_count) {
  return kOfflinePlanHeaderBytes + offset_count * kOfflinePlanWordBytes;
}
// `bytes` has OfflinePlanBytes(offsets.size()) bytes.
void EncodeOfflinePlan(const OfflinePlanHeader& header, std::span<const std::int32_t> offsets,
                       std::span<std::byte> bytes);

}  // namespace arenaproof
