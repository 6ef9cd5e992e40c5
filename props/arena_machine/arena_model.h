// The simple model that the production arena is compared with: lists of blocks, and for every call an answer from their
// ends in exact arithmetic. It shares no code with core/arena beyond the names of the operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cases/arena_call.h"

namespace arenaproof {

struct ModelBlock {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::uintptr_t end() const { return address + bytes; }
};

struct ModelTemporary {
  ModelBlock block;
  bool outstanding = true;
};

enum class WrongFree : std::uint8_t { kNone, kDouble, kForeign };

class ArenaModel {
 public:
  ArenaModel(ArenaKind kind, std::uintptr_t begin, std::size_t bytes)
      : kind_(kind), begin_(begin), end_(begin + bytes), head_end_(begin) {}

  // The answer of a correct arena: absent if it refuses; 0 where the operation returns nothing.
  std::optional<std::uintptr_t> Predict(const ArenaCall<std::uintptr_t>& call) const;
  // The client's view after the call.
  void Apply(const ArenaCall<std::uintptr_t>& call);

  ArenaKind kind() const { return kind_; }
  // Where the running attempt began; absent outside of one.
  std::optional<std::uintptr_t> mark() const { return mark_; }
  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t end() const { return end_; }
  std::uintptr_t head_end() const { return head_end_; }
  std::uintptr_t temporary_end() const { return temporaries_.empty() ? head_end_ : temporaries_.back().block.end(); }
  std::uintptr_t tail_begin() const { return persistent_.empty() ? end_ : persistent_.back().address; }
  std::size_t free_bytes() const { return tail_begin() - temporary_end(); }
  const std::vector<ModelTemporary>& temporaries() const { return temporaries_; }  // since the last reset
  std::vector<ModelBlock> OutstandingTemporaries() const;
  // How a free of this address would be wrong.
  WrongFree CheckFree(std::uintptr_t address) const;

 private:
  bool TakesFree(std::uintptr_t address) const;

  // Whether a client of that kind of arena has the operation: a head and temporaries, or a tail, or both.
  bool Offers(Operation operation) const;

  ArenaKind kind_;
  std::uintptr_t begin_;
  std::uintptr_t end_;
  std::uintptr_t head_end_;
  std::vector<ModelTemporary> temporaries_;
  std::vector<ModelBlock> persistent_;
  std::uint64_t count_ = 0;      // granted minus taken back, wrong frees included
  std::uintptr_t checksum_ = 0;  // exclusive or of the addresses of both
  std::optional<std::uintptr_t> mark_;
  std::size_t kept_count_ = 0;  // persistent blocks from before the mark
  bool resizable_taken_ = false;
};

}  // namespace arenaproof
