#include "engine/oracles/model/opening_oracle.h"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "core/model/model_view.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/wire_model.h"
#include "engine/unguided.h"
#include "tools/model/damaged_place.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

// The format's own verifier, with lists aligned, tables at most sixteen deep, and no more of them visited than one for
// each four bytes of the file, and one.
bool IsSoundStructure(std::span<const std::byte> file) {
  flatbuffers::Verifier::Options limits;
  limits.max_depth = 16;
  limits.max_tables = static_cast<flatbuffers::uoffset_t>(1 + file.size() / 4);
  limits.check_alignment = true;
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), limits);
  return verifier.VerifyBuffer<wire::Model>(nullptr);
}

// In the order of the contract. `file` is aligned when `aligned`.
StatusCode Expected(std::span<const std::byte> file, bool aligned) {
  if (file.size() < 8) return StatusCode::kModelTooSmall;
  if (!aligned) return StatusCode::kModelMisaligned;
  if (std::memcmp(file.data() + 4, "TFL3", 4) != 0) return StatusCode::kModelIdentifier;
  return IsSoundStructure(file) ? StatusCode::kOk : StatusCode::kModelStructure;
}

std::string CheckAt(std::span<const std::byte> file, std::size_t offset) {
  ModelView view;
  const Status status = ModelView::Open(file, &view);
  const StatusCode expected = Expected(file, offset == 0);
  if (status.code != expected) {
    return std::string("a model at an address ") + std::to_string(offset) + " past a multiple of 16 opens with " +
           StatusName(status.code) + ", expected was " + StatusName(expected);
  }
  const bool opened = view.bytes().data() == file.data() && view.bytes().size() == file.size();
  if (status.ok() ? !opened : !view.bytes().empty()) {
    return status.ok() ? "an opened view is not of these bytes" : "a refused file has changed the view";
  }
  if (status.code == StatusCode::kModelMisaligned && (status.detail[0] != offset || status.detail[1] != 16)) {
    return "the misalignment of a model is reported wrongly";
  }
  return {};
}

// The walk that explains what the verifier refuses, and nothing that it accepts.
std::string CheckPlace(std::span<const std::byte> file) {
  const StatusCode expected = Expected(file, true);
  if (expected != StatusCode::kOk && expected != StatusCode::kModelStructure) return {};
  const auto place = LocateDamage(file, {.most_tables = 1 + file.size() / 4, .most_depth = 16});
  if (place.has_value() == (expected == StatusCode::kModelStructure)) return {};
  return place ? "damage is found in a file that the verifier accepts: " + DamageSentence(*place)
               : "no damage is found in a file that the verifier refuses";
}

}  // namespace

std::string CheckOpening(std::span<const std::byte> file) {
  constexpr std::size_t kAlignment = 16;
  std::vector<std::byte> room(file.size() + 2 * kAlignment);
  const auto residue = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(room.data()) % kAlignment);
  std::byte* const aligned = room.data() + (kAlignment - residue) % kAlignment;
  for (const std::size_t offset : std::initializer_list<std::size_t>{8, 4, 2, 1, 12, 0}) {
    if (!file.empty()) std::memcpy(aligned + offset, file.data(), file.size());
    const std::string complaint = CheckAt({aligned + offset, file.size()}, offset);
    if (!complaint.empty()) return complaint;
  }
  // The copy at offset 0 is the last.
  return CheckPlace({aligned, file.size()});
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
