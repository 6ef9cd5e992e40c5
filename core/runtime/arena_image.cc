#include "core/runtime/arena_image.h"

#include <cstring>

namespace arenaproof {
namespace {

constexpr std::uint64_t kMagic = 0x656D69'6E656461ULL;  // "adenime"

using Cursors = ArenaState<std::uintptr_t>;

// FNV-1a, 64 bits: each step is a bijection, so one changed byte is always seen.
class Checksum {
 public:
  void Add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ byte[i]) * 0x100000001B3ULL;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

std::uint64_t FieldsChecksumOf(const ArenaSeal& seal) {
  Checksum checksum;
  checksum.Add(&seal, offsetof(ArenaSeal, seal_checksum));
  return checksum.value();
}

std::uint64_t ChecksumOf(const ArenaSeal& seal, const std::byte* head, const std::byte* tail) {
  Checksum checksum;
  checksum.Add(&seal, offsetof(ArenaSeal, checksum));
  checksum.Add(head, static_cast<std::size_t>(seal.head_bytes));
  checksum.Add(tail, static_cast<std::size_t>(seal.tail_bytes));
  return checksum.value();
}

std::uint64_t AddressOf(const std::byte* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::byte* PointerTo(std::uint64_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the seal keeps addresses
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

std::byte* HeadOf(const ArenaSeal& seal) { return PointerTo(seal.arena_address); }
std::byte* TailOf(const ArenaSeal& seal) {
  return PointerTo(seal.persistent_address + seal.persistent_bytes - seal.tail_bytes);
}

bool CursorsInTail(const ArenaSeal& seal, std::uint64_t address) {
  const std::uint64_t tail_address = AddressOf(TailOf(seal));
  return seal.tail_bytes >= sizeof(Cursors) && address >= tail_address &&
         address - tail_address <= seal.tail_bytes - sizeof(Cursors);
}

// Whether the seal is as it was written, and the pieces lie in the arenas; then nothing of the seal can wrap.
bool Sound(const ArenaSeal& seal) {
  if (seal.magic != kMagic || FieldsChecksumOf(seal) != seal.seal_checksum) return false;
  const auto region = [](std::uint64_t address, std::uint64_t bytes) {
    return address != 0 && address <= UINTPTR_MAX && bytes <= UINTPTR_MAX - address;
  };
  return region(seal.arena_address, seal.arena_bytes) && region(seal.persistent_address, seal.persistent_bytes) &&
         seal.head_bytes <= seal.arena_bytes && seal.tail_bytes <= seal.persistent_bytes &&
         (seal.head_cursors_address == 0 || CursorsInTail(seal, seal.head_cursors_address)) &&
         (seal.tail_cursors_address == 0 || CursorsInTail(seal, seal.tail_cursors_address));
}

// The arena whose cursors lay there when it was saved, if it still stands. Lost memory holds anything: only words are
// read, and believed only when they name the arena's own bounds.
struct StandingArena {
  StandingArena(std::uint64_t cursors_address, std::uint64_t begin, std::uint64_t bytes) {
    if (cursors_address == 0) return;
    const auto word = [&](std::size_t offset) {
      std::uintptr_t read = 0;
      std::memcpy(&read, PointerTo(cursors_address) + offset, sizeof read);
      return std::uint64_t{read};
    };
    if (word(offsetof(Cursors, begin)) != begin || word(offsetof(Cursors, end)) != begin + bytes) return;
    stands = true;
    head_bytes = word(offsetof(Cursors, head_end)) - begin;
    temporary_bytes = word(offsetof(Cursors, temporary_end)) - begin - head_bytes;
    temporary_count = word(offsetof(Cursors, temporary_count));
    tail_bytes = begin + bytes - word(offsetof(Cursors, tail_begin));
  }

  bool stands = false;
  std::uint64_t head_bytes = 0;
  std::uint64_t temporary_bytes = 0;
  std::uint64_t temporary_count = 0;
  std::uint64_t tail_bytes = 0;
};

// Whether nothing was allocated since the seal was made, in an arena that still stands.
Status CheckStanding(const ArenaSeal& seal) {
  const StandingArena head(seal.head_cursors_address, seal.arena_address, seal.arena_bytes);
  const StandingArena tail(seal.tail_cursors_address, seal.persistent_address, seal.persistent_bytes);
  if (head.temporary_bytes != 0 || head.temporary_count != 0) {
    return Failure(StatusCode::kArenaImageBusy, head.temporary_count);
  }
  const std::uint64_t head_bytes = head.stands ? head.head_bytes : seal.head_bytes;
  const std::uint64_t tail_bytes = tail.stands ? tail.tail_bytes : seal.tail_bytes;
  if (head_bytes == seal.head_bytes && tail_bytes == seal.tail_bytes) return Ok();
  return Failure(StatusCode::kArenaImageStale, head_bytes, seal.head_bytes, tail_bytes, seal.tail_bytes);
}

Status Compare(std::uint64_t found, std::uint64_t saved) {
  return found == saved ? Ok() : Failure(StatusCode::kArenaImageDamaged, found, saved);
}

// The seal at the image's start, when seal, head and tail are all there.
Status ReadSeal(std::span<const std::byte> image, ArenaSeal* seal) {
  if (image.size() < sizeof(ArenaSeal)) {
    return Failure(StatusCode::kArenaImageMalformed, image.size(), sizeof(ArenaSeal));
  }
  std::memcpy(seal, image.data(), sizeof(ArenaSeal));
  const std::uint64_t pieces = image.size() - sizeof(ArenaSeal);
  if (!Sound(*seal) || seal->head_bytes > pieces || seal->tail_bytes != pieces - seal->head_bytes) {
    return Failure(StatusCode::kArenaImageMalformed, image.size(),
                   sizeof(ArenaSeal) + seal->head_bytes + seal->tail_bytes);
  }
  return Ok();
}

// Whether what was managed lies in the buffer as its arena puts it there: only alignment, less than 16 bytes, is lost.
Status CheckPlace(std::uint64_t address, std::uint64_t bytes, const std::byte* buffer, std::size_t buffer_bytes) {
  const std::uint64_t given = AddressOf(buffer);
  const bool same = address >= given && address - given < 16 && address - given <= buffer_bytes &&
                    bytes <= buffer_bytes - (address - given) && buffer_bytes - (address - given) - bytes < 16;
  return same ? Ok() : Failure(StatusCode::kArenaImageRelocated, given, address, buffer_bytes, bytes);
}

Status Restore(std::span<const std::byte> image, const ArenaSeal& seal) {
  const std::byte* const head = image.data() + sizeof(ArenaSeal);
  const std::byte* const tail = head + seal.head_bytes;
  ARENAPROOF_RETURN_IF_ERROR(Compare(ChecksumOf(seal, head, tail), seal.checksum));
  ARENAPROOF_RETURN_IF_ERROR(CheckStanding(seal));
  std::memcpy(HeadOf(seal), head, static_cast<std::size_t>(seal.head_bytes));
  std::memcpy(TailOf(seal), tail, static_cast<std::size_t>(seal.tail_bytes));
  return Ok();
}

}  // namespace

Status SealArena(const TensorArena& arena, ArenaSeal* seal) {
  if (!arena.AllTemporariesDeallocated() ||
      arena.non_persistent().state().temporary_end != arena.non_persistent().state().head_end) {
    return Failure(StatusCode::kArenaImageBusy, arena.non_persistent().state().temporary_count);
  }
  const Cursors& head = arena.non_persistent().state();
  const Cursors& tail = arena.persistent().state();
  ArenaSeal sealed;
  sealed.magic = kMagic;
  sealed.arena_address = head.begin;
  sealed.arena_bytes = head.end - head.begin;
  sealed.persistent_address = tail.begin;
  sealed.persistent_bytes = tail.end - tail.begin;
  sealed.head_bytes = head.head_end - head.begin;
  sealed.tail_bytes = tail.end - tail.tail_begin;
  const auto address_of = [&sealed](const Cursors& cursors) {
    const auto address = std::uint64_t{reinterpret_cast<std::uintptr_t>(&cursors)};
    return CursorsInTail(sealed, address) ? address : 0;
  };
  sealed.head_cursors_address = address_of(head);
  sealed.tail_cursors_address = address_of(tail);
  sealed.checksum = ChecksumOf(sealed, HeadOf(sealed), TailOf(sealed));
  sealed.seal_checksum = FieldsChecksumOf(sealed);
  *seal = sealed;
  return Ok();
}

Status CheckSealFields(const ArenaSeal& seal) {
  return Sound(seal) ? Ok() : Failure(StatusCode::kArenaImageMalformed, sizeof(ArenaSeal), sizeof(ArenaSeal));
}

Status CheckSeal(const ArenaSeal& seal) {
  ARENAPROOF_RETURN_IF_ERROR(CheckSealFields(seal));
  return Compare(ChecksumOf(seal, HeadOf(seal), TailOf(seal)), seal.checksum);
}

std::size_t ArenaImageBytes(const TensorArena& arena) {
  return sizeof(ArenaSeal) + arena.NonPersistentUsedBytes() + arena.PersistentUsedBytes();
}

Status SaveArena(const TensorArena& arena, std::span<std::byte> image, std::size_t* image_bytes) {
  ArenaSeal seal;
  ARENAPROOF_RETURN_IF_ERROR(SealArena(arena, &seal));
  const std::size_t needed_bytes = ArenaImageBytes(arena);
  if (image.size() < needed_bytes) return Failure(StatusCode::kArenaImageRoom, image.size(), needed_bytes);
  std::byte* const head = image.data() + sizeof seal;
  std::memcpy(image.data(), &seal, sizeof seal);
  std::memcpy(head, HeadOf(seal), static_cast<std::size_t>(seal.head_bytes));
  std::memcpy(head + seal.head_bytes, TailOf(seal), static_cast<std::size_t>(seal.tail_bytes));
  *image_bytes = needed_bytes;
  return Ok();
}

Status RestoreArena(std::span<const std::byte> image, std::byte* arena, std::size_t arena_bytes) {
  ArenaSeal seal;
  ARENAPROOF_RETURN_IF_ERROR(ReadSeal(image, &seal));
  ARENAPROOF_RETURN_IF_ERROR(CheckPlace(seal.arena_address, seal.arena_bytes, arena, arena_bytes));
  ARENAPROOF_RETURN_IF_ERROR(CheckPlace(seal.persistent_address, seal.persistent_bytes, arena, arena_bytes));
  return Restore(image, seal);
}

Status RestoreArena(std::span<const std::byte> image, const ArenaBuffers& arenas) {
  ArenaSeal seal;
  ARENAPROOF_RETURN_IF_ERROR(ReadSeal(image, &seal));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckPlace(seal.arena_address, seal.arena_bytes, arenas.non_persistent, arenas.non_persistent_bytes));
  ARENAPROOF_RETURN_IF_ERROR(
      CheckPlace(seal.persistent_address, seal.persistent_bytes, arenas.persistent, arenas.persistent_bytes));
  return Restore(image, seal);
}

}  // namespace arenaproof
