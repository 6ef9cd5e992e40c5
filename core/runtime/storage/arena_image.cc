#include "core/runtime/storage/arena_image.h"

#include <cstring>

#include "core/runtime/storage/checksum.h"
#include "core/runtime/storage/memory_regions.h"

namespace arenaproof {
namespace {

constexpr std::uint64_t kMagic = 0x656D69'6E656461ULL;  // "adenime"

using Cursors = ArenaState<std::uintptr_t>;

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

// Whether an object of the type can lie there, as a whole in the tail.
template <typename Object>
bool InTail(const ArenaSeal& seal, std::uint64_t address) {
  const std::uint64_t tail_address = AddressOf(TailOf(seal));
  return seal.tail_bytes >= sizeof(Object) && address >= tail_address &&
         address - tail_address <= seal.tail_bytes - sizeof(Object);
}

// Whether the seal is as it was written, and the pieces lie in the arenas; then nothing of the seal can wrap.
bool Sound(const ArenaSeal& seal) {
  if (seal.magic != kMagic || FieldsChecksumOf(seal) != seal.seal_checksum) return false;
  const auto region = [](std::uint64_t address, std::uint64_t bytes) {
    return address != 0 && address <= UINTPTR_MAX && bytes <= UINTPTR_MAX - address;
  };
  return region(seal.arena_address, seal.arena_bytes) && region(seal.persistent_address, seal.persistent_bytes) &&
         seal.head_bytes <= seal.arena_bytes && seal.tail_bytes <= seal.persistent_bytes &&
         (seal.head_cursors_address == 0 || InTail<Cursors>(seal, seal.head_cursors_address)) &&
         (seal.tail_cursors_address == 0 || InTail<Cursors>(seal, seal.tail_cursors_address)) &&
         (seal.set_up_mark_address == 0 || InTail<std::size_t>(seal, seal.set_up_mark_address));
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

// Whether an arena that still stands holds the set-ups that the image, whose tail is `saved_tail`, was saved with.
Status CheckSetUp(const ArenaSeal& seal, const std::byte* saved_tail) {
  if (seal.set_up_mark_address == 0) return Ok();
  std::size_t found = 0;
  std::size_t saved = 0;
  const std::byte* const mark = PointerTo(seal.set_up_mark_address);
  std::memcpy(&found, mark, sizeof found);
  std::memcpy(&saved, saved_tail + (mark - TailOf(seal)), sizeof saved);
  return found == saved ? Ok() : Failure(StatusCode::kArenaImageOtherSetUp, found, saved);
}

// Whether, in an arena that still stands, nothing was allocated since the seal was made and the set-ups are the same.
Status CheckStanding(const ArenaSeal& seal, const std::byte* saved_tail) {
  const StandingArena head(seal.head_cursors_address, seal.arena_address, seal.arena_bytes);
  const StandingArena tail(seal.tail_cursors_address, seal.persistent_address, seal.persistent_bytes);
  if (head.temporary_bytes != 0 || head.temporary_count != 0) {
    return Failure(StatusCode::kArenaImageBusy, head.temporary_count);
  }
  const std::uint64_t head_bytes = head.stands ? head.head_bytes : seal.head_bytes;
  const std::uint64_t tail_bytes = tail.stands ? tail.tail_bytes : seal.tail_bytes;
  if (head_bytes == seal.head_bytes && tail_bytes == seal.tail_bytes) {
    return tail.stands ? CheckSetUp(seal, saved_tail) : Ok();
  }
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

// The managed bytes: of a single arena both regions are the same.
Status CheckApart(std::span<const std::byte> image, const ArenaSeal& seal) {
  const auto check = [image](std::uint64_t address, std::uint64_t bytes) {
    const MemoryRegion arena{PointerTo(address), static_cast<std::size_t>(bytes)};
    if (!Overlap({image.data(), image.size()}, arena)) return Ok();
    return Failure(StatusCode::kArenaImageOverlaps, AddressOf(image.data()), image.size(), address, bytes);
  };
  ARENAPROOF_RETURN_IF_ERROR(check(seal.arena_address, seal.arena_bytes));
  return check(seal.persistent_address, seal.persistent_bytes);
}

Status Restore(std::span<const std::byte> image, const ArenaSeal& seal) {
  ARENAPROOF_RETURN_IF_ERROR(CheckApart(image, seal));
  const std::byte* const head = image.data() + sizeof(ArenaSeal);
  const std::byte* const tail = head + seal.head_bytes;
  ARENAPROOF_RETURN_IF_ERROR(Compare(ChecksumOf(seal, head, tail), seal.checksum));
  ARENAPROOF_RETURN_IF_ERROR(CheckStanding(seal, tail));
  std::memcpy(HeadOf(seal), head, static_cast<std::size_t>(seal.head_bytes));
  std::memcpy(TailOf(seal), tail, static_cast<std::size_t>(seal.tail_bytes));
  return Ok();
}

}  // namespace

Status SealArena(const TensorArena& arena, ArenaSeal* seal, const std::size_t* set_up_mark) {
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
  const auto address_of = [&sealed]<typename Object>(const Object* object) {
    const auto address = std::uint64_t{reinterpret_cast<std::uintptr_t>(object)};
    return InTail<Object>(sealed, address) ? address : 0;
  };
  sealed.head_cursors_address = address_of(&head);
  sealed.tail_cursors_address = address_of(&tail);
  sealed.set_up_mark_address = address_of(set_up_mark);
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

Status SaveArena(const TensorArena& arena, std::span<std::byte> image, std::size_t* image_bytes,
                 const std::size_t* set_up_mark) {
  ArenaSeal seal;
  ARENAPROOF_RETURN_IF_ERROR(SealArena(arena, &seal, set_up_mark));
  const std::size_t needed_bytes = ArenaImageBytes(arena);
  if (image.size() < needed_bytes) return Failure(StatusCode::kArenaImageRoom, image.size(), needed_bytes);
  ARENAPROOF_RETURN_IF_ERROR(CheckApart(image, seal));
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
