#include "engine/cases/arena_call.h"

namespace arenaproof {

const char* RefusalName(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone:
      return "none";
    case Refusal::kZeroAlignment:
      return "zero alignment";
    case Refusal::kTemporariesLive:
      return "temporaries live";
    case Refusal::kNotTheHeadBlock:
      return "not the head block";
    case Refusal::kDoesNotFit:
      return "does not fit";
    case Refusal::kNoTemporaryOutstanding:
      return "no temporary outstanding";
    case Refusal::kForeignTemporary:
      return "foreign temporary";
    case Refusal::kTemporariesOutstanding:
      return "temporaries outstanding";
    case Refusal::kTooManyTemporaries:
      return "too many temporaries";
    case Refusal::kNotOffered:
      return "this arena has no such operation";
    case Refusal::kResizableTaken:
      return "a resizable block is taken";
    case Refusal::kTailMarked:
      return "the tail is marked";
    case Refusal::kNotTheMark:
      return "not the tail's mark";
  }
  return "unknown refusal";
}

const char* KindName(ArenaKind kind) {
  switch (kind) {
    case ArenaKind::kSingle:
      return "single";
    case ArenaKind::kPersistent:
      return "persistent";
    case ArenaKind::kNonPersistent:
      return "non-persistent";
  }
  return "unknown";
}

std::string ShowNumber(std::uint64_t number, unsigned word_bits) {
  const std::uint64_t largest = ~std::uint64_t{0} >> (64 - word_bits);
  if (number == largest) return "max";
  if (largest - number <= 4096) return "max-" + std::to_string(largest - number);
  return std::to_string(number);
}

std::string ShowAddress(std::uint64_t address, std::uint64_t begin, unsigned word_bits) {
  constexpr std::uint64_t kNear = std::uint64_t{1} << 20;
  if (address >= begin && address - begin < kNear) return "begin+" + std::to_string(address - begin);
  if (address < begin && begin - address < kNear) return "begin-" + std::to_string(begin - address);
  return ShowNumber(address, word_bits);
}

namespace arena_call_internal {

std::string ShowCall(const OperationDescriptor& descriptor, std::uint64_t size, std::uint64_t alignment,
                     std::uint64_t address, std::uint64_t begin, unsigned word_bits) {
  std::string text = std::string(descriptor.name) + "(";
  const char* separator = "";
  if (descriptor.takes_address) {
    text += "address=" + ShowAddress(address, begin, word_bits);
    separator = ", ";
  }
  if (descriptor.takes_size) {
    text += separator + ("size=" + ShowNumber(size, word_bits));
    separator = ", ";
  }
  if (descriptor.takes_alignment) text += separator + ("alignment=" + ShowNumber(alignment, word_bits));
  return text + ")";
}

}  // namespace arena_call_internal
}  // namespace arenaproof
