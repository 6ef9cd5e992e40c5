#include <algorithm>
#include <cstdint>
#include <map>

#include "tests/command/access_rules.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kGranuleBytes = 8, kVectorBytes = 16;

ByteState StateOf(AccessPlace place) {
  switch (place) {
    case AccessPlace::kDead:
    case AccessPlace::kUnborn:
      return ByteState::kDeadTensor;
    case AccessPlace::kLive:
      return ByteState::kLiveTensor;
    case AccessPlace::kScratch:
      return ByteState::kScratch;
    case AccessPlace::kTail:
    case AccessPlace::kRuntime:
      return ByteState::kTail;
    case AccessPlace::kConstant:
      return ByteState::kConstant;
    case AccessPlace::kBeforeLoose:
    case AccessPlace::kModelFile:
      return ByteState::kModelFile;
    case AccessPlace::kReadOnly:
    case AccessPlace::kReadOnlyModel:
      return ByteState::kOwnOperand;
    default:
      return ByteState::kGap;
  }
}

bool IsStore(const PlacedRow& row) { return row.row.words.kind == AccessKind::kStore; }
bool IsUsed(const PlacedRow& row) { return row.row.words.kind == AccessKind::kUsedLoad; }
bool IsPrepare(const PlacedRow& row) { return row.row.words.in_prepare != 0; }
std::size_t BytesOf(const PlacedRow& row) { return static_cast<std::size_t>(row.row.words.bytes); }
bool IsOneInstruction(const PlacedRow& row) { return row.row.words.by_call == 0 && BytesOf(row) <= kVectorBytes; }

AccessPromise NotSeen(const std::string& limit, bool not_exact = false) {
  return {.seen = false, .limit = limit, .not_exact = not_exact};
}

// All of it, to the byte.
AccessPromise Exact(const PlacedRow& row) {
  AccessPromise promise;
  promise.side = ViolationSideName(row.side);
  promise.state_kind = ByteStateName(StateOf(row.row.place));
  promise.most_distance_bytes = SIZE_MAX;
  if (row.only_far) return promise;
  promise.least_distance_bytes = promise.most_distance_bytes = row.distance_bytes;
  promise.operand_kind = row.operand_kind;
  promise.operand_name = row.operand_name;
  return promise;
}

// Of parts of it, each by itself: the furthest of a group counts, and the nearest byte of what is far.
void InParts(const PlacedRow& row, AccessPromise& promise) {
  if (row.only_far || row.side == ViolationSide::kInside) return;
  if (row.side == ViolationSide::kFar) {
    promise.most_distance_bytes += BytesOf(row);
  } else {
    promise.least_distance_bytes = 1;
  }
}

// The result of the second run is another one.
AccessPromise Differs(const PlacedRow& row) {
  return {
      .side = ViolationSideName(ViolationSide::kDiffers), .operand_kind = "output", .operand_name = row.result_name};
}

AccessPromise ByShadow(const PlacedRow& row) {
  AccessPromise promise = Exact(row);
  promise.width_bytes = BytesOf(row);
  return promise;
}

// Of what may begin anywhere it tests the first and the last byte, each in granules.
AccessPromise ByAsan(const PlacedRow& row) {
  AccessPromise promise = Exact(row);
  const AccessWords& words = row.row.words;
  if (row.row.place == AccessPlace::kBetween) {
    return NotSeen(words.by_call != 0 ? "of a library call such as memcpy()"
                                      : "of a wide unaligned access the first and the last byte are tested");
  }
  const auto open_before = static_cast<std::int32_t>(row.base_address % kGranuleBytes);
  if (!row.only_far && words.at < 0 && words.at >= -open_before) {
    return NotSeen("an operand that does not start on a multiple of 8 leaves up to 7 bytes before it open", true);
  }
  if (words.by_call != 0 && !row.only_far) {
    promise.least_distance_bytes = promise.most_distance_bytes = row.distance_of_first_bytes;
  } else if (BytesOf(row) > 1) {
    InParts(row, promise);
  }
  return promise;
}

// By operands in pages of their own: what is near there is the operand that the access is counted from.
AccessPromise ByGuard(const PlacedRow& row) {
  const AccessWords& words = row.row.words;
  if (words.base == AccessBase::kPersistentOfHolder || IsPrepare(row)) return NotSeen("accesses in init and prepare");
  if (words.base == AccessBase::kTemporaryOfHolder) return NotSeen("accesses by an address that was kept");
  const std::size_t alignment = std::min(kVectorBytes, row.base_address & (~row.base_address + 1));
  const auto size = static_cast<std::int64_t>(row.base_bytes);
  const auto closed_from = static_cast<std::int64_t>((row.base_bytes + alignment - 1) / alignment * alignment);
  const std::int64_t begin = words.at, end = begin + words.bytes;
  AccessPromise promise = Exact(row);
  promise.operand_kind = row.base_kind;
  promise.operand_name = row.base_name;
  promise.differs_too = IsUsed(row);
  if (row.side == ViolationSide::kInside) return promise;
  if (!IsStore(row) && begin >= 0 && end <= closed_from) {
    return IsUsed(row) ? Differs(row) : NotSeen("reads of the bytes behind an operand that its alignment", true);
  }
  if (row.row.place == AccessPlace::kBetween) promise.state_kind.clear();  // the pair's other one, in the arena
  const bool one = IsOneInstruction(row), leaves_bytes = IsStore(row) && row.base_kind == "output";
  // What is read, or written beside what may only be read, is known by its first byte in a closed page, which of
  // several instructions may be any one's. Other stores leave bytes in the pages of the run whose operand is flush to
  // the other side.
  const std::int64_t first = begin < 0 ? -begin : std::max(begin, IsStore(row) ? begin : closed_from) - size + 1;
  const std::int64_t furthest = begin < 0 ? -begin : end - size;
  if (first > static_cast<std::int64_t>(kFarBytes)) {
    promise.side = ViolationSideName(ViolationSide::kFar);
    promise.most_distance_bytes = static_cast<std::size_t>(one || begin < 0 ? first : furthest) - 1;
    promise.least_distance_bytes = static_cast<std::size_t>(one || begin > 0 ? first - 1 : -end);
    return promise;
  }
  promise.most_distance_bytes = static_cast<std::size_t>(leaves_bytes || !one ? furthest : first);
  promise.least_distance_bytes = static_cast<std::size_t>(leaves_bytes ? furthest : one ? first : 1);
  return promise;
}

AccessPromise ByValgrind(const PlacedRow& row) {
  AccessPromise promise = Exact(row);
  // A store of more bytes is several of 8.
  if (IsOneInstruction(row) && (!IsStore(row) || BytesOf(row) <= 8)) promise.width_bytes = BytesOf(row);
  if (row.row.words.by_call != 0 || (row.side == ViolationSide::kFar && promise.width_bytes == 0)) {
    InParts(row, promise);
  }
  return promise;
}

AccessPromise ByCanary(const PlacedRow& row) {
  return IsStore(row) ? Exact(row) : NotSeen("reads: it compares bytes before and after");
}

AccessPromise ByTwofill(const PlacedRow& row) {
  if (IsStore(row)) return Exact(row);
  return IsUsed(row) ? Differs(row) : NotSeen("reads that influence no result of their operator");
}

}  // namespace

AccessPromise PromiseBy(const std::string& instrument, const PlacedRow& row) {
  static const std::map<std::string, AccessPromise (*)(const PlacedRow&)> kRules = {
      {"shadow", ByShadow},     {"asan", ByAsan},     {"guard", ByGuard},
      {"valgrind", ByValgrind}, {"canary", ByCanary}, {"twofill", ByTwofill}};
  return kRules.at(instrument)(row);
}

}  // namespace arenaproof::testing
