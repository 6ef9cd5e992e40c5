// Is an image of an arena put back as it was, or refused with every byte left as it was?
//
// An arena, single or of two memories, is filled and saved; then the image, the memory or the arena is changed, and the
// image is put back.
//
//   byte 0     bit 0: two memories; bit 1: a mark of the set-up; bit 2: checksums are made right again after changes;
//              bits 3-4: where the image is to lie: 3 in the arena's unused bytes, else apart; bits 5-7: how many times
//              8 bytes less of memory are offered
//   byte 1-2   bytes of head, of tail
//   byte 3     what happens between: mod 8: 1 a temporary, 2 tail allocated, 3 the memory lost, 4 another set-up's mark
//   then       three bytes each: where in the image (two bytes), exclusive or with what; 255 cuts the image there
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "core/runtime/storage/arena_image.h"
#include "core/runtime/storage/checksum.h"
#include "engine/explain.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/oracles/defect.h"
#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMemoryBytes = 2048;  // of each memory
constexpr std::size_t kImageRoom = 2 * kMemoryBytes + sizeof(ArenaSeal);

// Objects of their own, so that AddressSanitizer sees whoever leaves one. A single arena has the first memory.
alignas(16) std::byte persistent_memory[kMemoryBytes];
alignas(16) std::byte other_memory[kMemoryBytes];
alignas(16) std::byte image_room[kImageRoom];

using ImageBytes = std::vector<std::byte>;

ImageBytes MemoriesNow() {
  ImageBytes all(persistent_memory, persistent_memory + kMemoryBytes);
  all.insert(all.end(), other_memory, other_memory + kMemoryBytes);
  return all;
}

struct ImagePlan {
  bool pair = false, marked = false, repaired = false, within = false;
  std::size_t offered_less = 0, head_bytes = 0, tail_bytes = 0;
  unsigned between = 0;
};

ImagePlan DrawPlan(ByteReader& reader) {
  const std::uint8_t choice = reader.Byte();
  ImagePlan plan;
  plan.pair = (choice & 1) != 0;
  plan.marked = (choice & 2) != 0;
  plan.repaired = (choice & 4) != 0;
  plan.within = choice / 8 % 4 == 3;
  plan.offered_less = choice / 32u * 8;
  plan.head_bytes = reader.Byte();
  plan.tail_bytes = reader.Byte();
  plan.between = reader.Byte() % 8;
  return plan;
}

TensorArena MakeArena(bool pair) {
  TensorArena arena;
  const ArenaBuffers buffers{persistent_memory, kMemoryBytes, other_memory, kMemoryBytes};
  RequireOk(pair ? TensorArena::CreatePair(buffers, nullptr, &arena)
                 : TensorArena::CreateSingle(persistent_memory, kMemoryBytes, nullptr, &arena),
            "an arena of an image");
  return arena;
}

std::byte* FillHeadAndTail(const ImagePlan& plan, TensorArena& arena) {
  std::byte *head = nullptr, *tail = nullptr;
  RequireOk(arena.AllocateResizable(plan.head_bytes, 16, &head), "a head for an image");
  RequireOk(arena.AllocatePersistent(sizeof(std::size_t), alignof(std::size_t), &tail), "a mark for an image");
  std::memset(head, 0x5a, plan.head_bytes);
  std::byte* more = nullptr;
  RequireOk(arena.AllocatePersistent(plan.tail_bytes, 1, &more), "a tail for an image");
  std::memset(more, 0xa5, plan.tail_bytes);
  std::memset(tail, 0x11, sizeof(std::size_t));
  return tail;
}

// A seal whose checksums are right, whatever else it says: as somebody makes who means harm.
void Repair(std::span<std::byte> image) {
  if (image.size() < sizeof(ArenaSeal)) return;
  ArenaSeal seal;
  std::memcpy(&seal, image.data(), sizeof seal);
  Checksum pieces, fields;
  pieces.Add(&seal, offsetof(ArenaSeal, checksum));
  pieces.Add(image.data() + sizeof seal, image.size() - sizeof seal);
  seal.checksum = pieces.value();
  fields.Add(&seal, offsetof(ArenaSeal, seal_checksum));
  seal.seal_checksum = fields.value();
  std::memcpy(image.data(), &seal, sizeof seal);
}

// Returns the image's bytes after the changes.
std::size_t ChangeImage(ByteReader& reader, std::byte* image, std::size_t image_bytes) {
  while (!reader.empty()) {
    const std::size_t where = static_cast<std::size_t>(reader.Number(2)) % (image_bytes + 1);
    const std::uint8_t what = reader.Byte();
    if (what == 255) image_bytes = where;
    if (where < image_bytes) image[where] ^= static_cast<std::byte>(what);
    if (image_bytes == 0) break;
  }
  return image_bytes;
}

// Returns whether the image may still be put back.
bool HappenBetween(const ImagePlan& plan, TensorArena& arena, std::byte* mark) {
  std::byte* block = nullptr;
  switch (plan.between) {
    case 1:
      RequireOk(arena.AllocateTemporary(16, 16, &block), "a temporary after an image");
      return false;
    case 2:
      RequireOk(arena.AllocatePersistent(1, 1, &block), "a block after an image");
      return false;
    case 3:
      std::memset(persistent_memory, 0xee, kMemoryBytes);
      std::memset(other_memory, 0xee, kMemoryBytes);
      return true;
    case 4:
      std::memset(mark, 0x22, sizeof(std::size_t));
      return !plan.marked;
    default:
      return true;
  }
}

std::string PlanWords(const ImagePlan& plan) {
  static constexpr const char* kBetween[] = {"nothing", "a temporary", "an allocation in the tail", "memory is lost",
                                             "a mark of another set-up"};
  return std::string(plan.pair ? "two memories" : "one memory") + ", head " + std::to_string(plan.head_bytes) +
         " bytes, tail " + std::to_string(plan.tail_bytes) + " bytes, the image " +
         (plan.within ? "in the arena" : "apart") + (plan.marked ? ", a mark" : "") +
         (plan.repaired ? ", checksums made right" : "") +
         "; between: " + kBetween[plan.between < 5 ? plan.between : 0];
}

// Head and tail are what they were.
bool PiecesAreBack(bool pair, std::size_t head_bytes, std::size_t tail_bytes, const ImageBytes& at_first) {
  const ImageBytes now = MemoriesNow();
  const auto same = [&](std::size_t from, std::size_t count) {
    return std::memcmp(now.data() + from, at_first.data() + from, count) == 0;
  };
  return same(pair ? kMemoryBytes : 0, head_bytes) && same(kMemoryBytes - tail_bytes, tail_bytes);
}

void SaveWithin(const TensorArena& arena, bool pair) {
  std::byte* const place = (pair ? other_memory : persistent_memory) + kMemoryBytes / 2;
  std::size_t image_bytes = 0;
  const ImageBytes before = MemoriesNow();
  const Status saved = SaveArena(arena, {place, kMemoryBytes / 2}, &image_bytes);
  if (saved.code != StatusCode::kArenaImageOverlaps) Defect("an image within its arena is taken", saved);
  if (MemoriesNow() != before) Defect("a refused image changes its arena", saved);
}

void RunImage(const ImagePlan& plan, ByteReader& reader) {
  std::memset(persistent_memory, 0xcc, kMemoryBytes);
  std::memset(other_memory, 0xcc, kMemoryBytes);
  TensorArena arena = MakeArena(plan.pair);
  std::byte* const mark = FillHeadAndTail(plan, arena);
  if (plan.within) return SaveWithin(arena, plan.pair);
  std::size_t image_bytes = 0;
  RequireOk(
      SaveArena(arena, image_room, &image_bytes, plan.marked ? reinterpret_cast<const std::size_t*>(mark) : nullptr),
      "an image of an arena");
  const std::size_t head_bytes = arena.NonPersistentUsedBytes(), tail_bytes = arena.PersistentUsedBytes();
  if (image_bytes != sizeof(ArenaSeal) + head_bytes + tail_bytes) Defect("an image has other bytes than its arena", "");
  const ImageBytes arena_at_first = MemoriesNow();
  const ImageBytes image_at_first(image_room, image_room + image_bytes);

  const bool may_go_back = HappenBetween(plan, arena, mark);
  image_bytes = ChangeImage(reader, image_room, image_bytes);
  const bool changed = !std::equal(image_at_first.begin(), image_at_first.end(), image_room, image_room + image_bytes);
  const bool harmful = plan.repaired && changed;
  if (harmful) Repair({image_room, image_bytes});
  const bool right = may_go_back && plan.offered_less == 0 && !changed;

  const ImageBytes before = MemoriesNow();
  const std::span<const std::byte> image(image_room, image_bytes);
  const std::size_t offered = kMemoryBytes - plan.offered_less;
  const Status restored = plan.pair ? RestoreArena(image, {persistent_memory, offered, other_memory, kMemoryBytes})
                                    : RestoreArena(image, persistent_memory, offered);
  if (Explaining()) Explain("it is answered: " + (restored.ok() ? std::string("put back") : Sentence(restored)));
  if (!restored.ok() && MemoriesNow() != before) Defect("a refused image changes a byte", restored);
  if (right && !restored.ok()) Defect("an image is not put back", restored);
  if (!right && !harmful && restored.ok()) Defect("an image that is none is put back", restored);
  if (right && !PiecesAreBack(plan.pair, head_bytes, tail_bytes, arena_at_first)) {
    Defect("an arena is not what it was", restored);
  }
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  const arenaproof::ImagePlan plan = arenaproof::DrawPlan(reader);
  if (arenaproof::Explaining()) arenaproof::Explain(arenaproof::PlanWords(plan));
  arenaproof::RunImage(plan, reader);
  return 0;
}
