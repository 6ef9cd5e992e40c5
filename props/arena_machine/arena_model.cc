#include "props/arena_machine/arena_model.h"

#include <algorithm>

namespace arenaproof {
namespace {

using Wide = __int128;

Wide FirstMultipleFrom(Wide low, Wide alignment) { return (low + alignment - 1) / alignment * alignment; }
Wide LastMultipleUpTo(Wide high, Wide alignment) {
  return high < 0 ? -1 : high / alignment * alignment;  // -1: there is none
}

std::uintptr_t Narrow(Wide value) { return static_cast<std::uintptr_t>(value); }

}  // namespace

std::vector<ModelBlock> ArenaModel::OutstandingTemporaries() const {
  std::vector<ModelBlock> blocks;
  for (const ModelTemporary& temporary : temporaries_) {
    if (temporary.outstanding) blocks.push_back(temporary.block);
  }
  return blocks;
}

WrongFree ArenaModel::CheckFree(std::uintptr_t address) const {
  WrongFree verdict = WrongFree::kForeign;
  for (const ModelTemporary& temporary : temporaries_) {
    if (temporary.block.address != address) continue;
    if (temporary.outstanding) return WrongFree::kNone;
    verdict = WrongFree::kDouble;
  }
  return verdict;
}

// The first level of tracking: count, checksum and the section's bounds are all that the arena knows.
bool ArenaModel::TakesFree(std::uintptr_t address) const {
  if (count_ == 0) return false;
  if (address < head_end_ || address > temporary_end()) return false;
  return address < temporary_end() || count_ > 1 || checksum_ == address;
}

bool ArenaModel::Offers(Operation operation) const {
  switch (operation) {
    case Operation::kUsedBytes:
    case Operation::kAvailableBytes:
      return true;
    case Operation::kAllocatePersistent:
    case Operation::kMarkTail:
    case Operation::kRewindTail:
    case Operation::kKeepTail:
    case Operation::kPersistentUsedBytes:
      return kind_ != ArenaKind::kNonPersistent;
    case Operation::kAllocateResizable:
    case Operation::kResizeHead:
    case Operation::kDeallocateResizable:
    case Operation::kReserveOverlay:
    case Operation::kAllocateTemporary:
    case Operation::kDeallocateTemporary:
    case Operation::kResetTemporaries:
    case Operation::kAllTemporariesDeallocated:
    case Operation::kNonPersistentUsedBytes:
      return kind_ != ArenaKind::kPersistent;
  }
  return false;
}

// A switch without default: an operation that is new in the table does not compile before the model knows it.
std::optional<std::uintptr_t> ArenaModel::Predict(const ArenaCall<std::uintptr_t>& call) const {
  if (!Offers(call.operation)) return std::nullopt;
  const Wide size = call.arguments.size;
  const Wide alignment = call.operation == Operation::kDeallocateResizable ? 1 : call.arguments.alignment;
  const auto head_at = [&](Wide wanted_bytes) -> std::optional<std::uintptr_t> {
    if (alignment == 0 || temporary_end() != head_end_ || count_ != 0) return std::nullopt;
    const Wide start = FirstMultipleFrom(begin_, alignment);
    if (start + wanted_bytes > tail_begin()) return std::nullopt;
    return Narrow(start);
  };
  switch (call.operation) {
    case Operation::kAllocateResizable:
      if (resizable_taken_) return std::nullopt;
      return head_at(size);
    case Operation::kReserveOverlay:
      return head_at(size) ? std::optional<std::uintptr_t>(0) : std::nullopt;
    case Operation::kResizeHead:
      return head_at(size) == call.arguments.address ? std::optional<std::uintptr_t>(0) : std::nullopt;
    case Operation::kDeallocateResizable:
      return head_at(0) == call.arguments.address ? std::optional<std::uintptr_t>(0) : std::nullopt;
    case Operation::kAllocateTemporary: {
      if (alignment == 0) return std::nullopt;
      const Wide start = FirstMultipleFrom(temporary_end(), alignment);
      if (start + size > tail_begin()) return std::nullopt;
      return Narrow(start);
    }
    case Operation::kDeallocateTemporary:
      return TakesFree(call.arguments.address) ? std::optional<std::uintptr_t>(0) : std::nullopt;
    case Operation::kResetTemporaries:
      return count_ == 0 && checksum_ == 0 ? std::optional<std::uintptr_t>(0) : std::nullopt;
    case Operation::kAllocatePersistent: {
      if (alignment == 0) return std::nullopt;
      const Wide start = LastMultipleUpTo(Wide{tail_begin()} - size, alignment);
      if (start < temporary_end()) return std::nullopt;
      return Narrow(start);
    }
    case Operation::kMarkTail:
      if (mark_) return std::nullopt;
      return tail_begin();
    case Operation::kRewindTail:
      if (!mark_ || call.arguments.address != *mark_ || temporary_end() != head_end_ || count_ != 0) {
        return std::nullopt;
      }
      return 0;
    case Operation::kKeepTail:
      return mark_ ? std::optional<std::uintptr_t>(0) : std::nullopt;
    case Operation::kAllTemporariesDeallocated:
      return Predict({Operation::kResetTemporaries, {}}) ? 1 : 0;
    case Operation::kNonPersistentUsedBytes:
      return temporary_end() - begin_;
    case Operation::kPersistentUsedBytes:
      return end_ - tail_begin();
    case Operation::kUsedBytes:
      return temporary_end() - begin_ + (end_ - tail_begin());
    case Operation::kAvailableBytes: {
      if (alignment == 0) return std::nullopt;
      const Wide most = LastMultipleUpTo(tail_begin(), alignment) - FirstMultipleFrom(temporary_end(), alignment);
      return most > 0 ? Narrow(most) : 0;
    }
  }
  return std::nullopt;
}

void ArenaModel::Apply(const ArenaCall<std::uintptr_t>& call) {
  const std::optional<std::uintptr_t> answer = Predict(call);
  if (!answer) return;
  switch (call.operation) {
    case Operation::kAllocateResizable:
      resizable_taken_ = kind_ == ArenaKind::kNonPersistent;
      [[fallthrough]];
    case Operation::kResizeHead:
    case Operation::kReserveOverlay:
      head_end_ = Narrow(FirstMultipleFrom(begin_, call.arguments.alignment) + Wide{call.arguments.size});
      break;
    case Operation::kDeallocateResizable:
      resizable_taken_ = false;
      head_end_ = begin_;
      break;
    case Operation::kAllocateTemporary:
      temporaries_.push_back({{*answer, call.arguments.size}, true});
      ++count_;
      checksum_ ^= *answer;
      return;
    case Operation::kDeallocateTemporary: {
      --count_;
      checksum_ ^= call.arguments.address;
      const auto found = std::find_if(temporaries_.begin(), temporaries_.end(), [&](const ModelTemporary& temporary) {
        return temporary.outstanding && temporary.block.address == call.arguments.address;
      });
      if (found != temporaries_.end()) found->outstanding = false;
      return;
    }
    case Operation::kResetTemporaries:
      break;
    case Operation::kAllocatePersistent:
      persistent_.push_back({*answer, call.arguments.size});
      return;
    case Operation::kMarkTail:
      mark_ = *answer;
      kept_count_ = persistent_.size();
      return;
    case Operation::kRewindTail:
      persistent_.resize(kept_count_);
      mark_.reset();
      return;
    case Operation::kKeepTail:
      mark_.reset();
      return;
    case Operation::kAllTemporariesDeallocated:
    case Operation::kNonPersistentUsedBytes:
    case Operation::kPersistentUsedBytes:
    case Operation::kUsedBytes:
    case Operation::kAvailableBytes:
      return;
  }
  // A reset, or a head that moved: it moves only while nothing is outstanding, and leaves an empty section.
  temporaries_.clear();
}

}  // namespace arenaproof
