// What the tail is spent on, by category, as the difference of a recorded arena's counters around each allocation.
//
// Counted as TensorFlow Lite Micro's recording allocator does: an array counts its elements, a block counts 1; a
// refused allocation counts nothing. Bytes are our structures'. Everything else in the tail (the allocator's own
// objects, records of subgraphs, scratch addresses, resource tables) belongs to no category: the sum is at most the
// tail.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/arena/tensor_arena.h"
#include "core/base/structure_bytes.h"

namespace arenaproof {

enum class MemoryCategory : std::uint8_t {
  kEvalTensors,
  kPersistentTensors,
  kPersistentTensorQuantization,  // nothing here: quantisation is read in the model file
  kPersistentBuffers,
  kVariables,
  kOperators,
  kOperatorData  // nothing: what a kernel keeps is a persistent buffer
};
inline constexpr std::size_t kMemoryCategoryCount = 7;

struct RecordedMemory {
  std::size_t requested_bytes = 0;
  std::size_t used_bytes = 0;  // with the padding of alignments
  std::size_t count = 0;
  friend bool operator==(const RecordedMemory&, const RecordedMemory&) = default;
};

class MemoryRecord {
 public:
  const RecordedMemory& of(MemoryCategory category) const { return now_[static_cast<std::size_t>(category)]; }
  void Add(MemoryCategory category, const ArenaCounters& before, const ArenaCounters& after, std::size_t count);

  // An attempt begins; its allocations are taken back, from the arena's counters too.
  void Mark(const ArenaCounters& counters);
  void Rewind(ArenaCounters& counters);

 private:
  using Categories = std::array<RecordedMemory, kMemoryCategoryCount>;
  Categories now_{};
  Categories at_mark_{};
  ArenaCounters counters_at_mark_;
};
ARENAPROOF_PIN_BYTES(MemoryRecord, 368, 8, 184, 4);

// Records what the arena hands out while it exists. Without a record it does nothing.
class RecordingScope {
 public:
  RecordingScope(const TensorArena& arena, MemoryRecord* record, MemoryCategory category)
      : counters_(arena.counters()), record_(record), category_(category) {
    if (record_ != nullptr) before_ = *counters_;
  }
  // Ends the record: `count` elements or blocks, if they were granted.
  void Close(std::size_t count) {
    if (record_ != nullptr) record_->Add(category_, before_, *counters_, count);
    record_ = nullptr;
  }
  ~RecordingScope() { Close(1); }
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

 private:
  const ArenaCounters* const counters_;
  MemoryRecord* record_;
  const MemoryCategory category_;
  ArenaCounters before_;
};

}  // namespace arenaproof
