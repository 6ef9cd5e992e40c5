#include "sanitizers/instrument/shadow/shadow_instrument.h"

#include <algorithm>
#include <cstring>

#include "sanitizers/hooks/shadow_table.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

ShadowInstrument* attached = nullptr;

// Null when the range does not lie in one region.
std::uint8_t* ShadowOf(const OperandRange& operand) {
  const std::uintptr_t begin = AddressOf(operand.data);
  for (int i = 0; i < hooks::shadow_table.region_count; ++i) {
    const hooks::ShadowRegion& region = hooks::shadow_table.regions[i];
    const std::uintptr_t offset = begin - region.begin;
    if (offset < region.bytes && operand.bytes <= region.bytes - offset) return region.shadow + offset;
  }
  return nullptr;
}

}  // namespace

ShadowInstrument::~ShadowInstrument() {
  if (attached == this) Stop();
}

Status ShadowInstrument::Available() const {
#ifdef ARENAPROOF_SHADOW
  return Ok();
#else
  return Failure(StatusCode::kInstrumentUnavailable);
#endif
}

void ShadowInstrument::Start(std::span<const WatchedRegion> watched) {
  if (!Available().ok()) return;
  attached = this;
  shadows_.clear();
  hooks::shadow_table = {};
  hooks::shadow_table.report = Report;
  lowest_ = UINTPTR_MAX;
  std::uintptr_t highest = 0;
  for (const WatchedRegion& region : watched) {
    if (hooks::shadow_table.region_count == hooks::kMaxShadowRegions) {
      DeclareBlind("more than " + std::to_string(hooks::kMaxShadowRegions) + " regions of memory to watch");
      break;
    }
    shadows_.emplace_back(region.whole.bytes + hooks::kShadowPadding, std::uint8_t{0});
    const std::uintptr_t begin = AddressOf(region.whole.data);
    hooks::shadow_table.regions[hooks::shadow_table.region_count++] = {begin, region.whole.bytes,
                                                                       shadows_.back().data()};
    lowest_ = std::min(lowest_, begin);
    highest = std::max(highest, begin + region.whole.bytes);
  }
  extent_ = highest - lowest_;
}

void ShadowInstrument::Close(std::span<const OperandRange> open) {
  if (attached != this) return;
  for (const OperandRange& operand : open) {
    std::uint8_t* shadow = operand.data == nullptr ? nullptr : ShadowOf(operand);
    if (shadow == nullptr) continue;
    // kMayRead and kMayWrite are the same bits.
    const auto rights = static_cast<std::uint8_t>(static_cast<unsigned>(RightOf(operand.right)) |
                                                  (IsInPlace(operand.right) ? hooks::kInPlace : 0U));
    for (std::size_t i = 0; i < operand.bytes; ++i) shadow[i] |= rights;
  }
  hooks::shadow_table.lowest = lowest_;
  hooks::shadow_table.extent = extent_;
}

void ShadowInstrument::Open(std::span<const OperandRange> open) {
  if (attached != this) return;
  hooks::shadow_table.extent = 0;
  if (!runtime_works()) {
    for (const OperandRange& operand : open) CollectExtent(operand);
  }
  for (const OperandRange& operand : open) {
    std::uint8_t* shadow = operand.data == nullptr ? nullptr : ShadowOf(operand);
    if (shadow != nullptr) std::memset(shadow, 0, operand.bytes);
  }
}

void ShadowInstrument::CollectExtent(const OperandRange& operand) {
  const std::uint8_t* shadow = operand.data == nullptr ? nullptr : ShadowOf(operand);
  if (shadow == nullptr || operand.bytes == 0) return;
  const auto collect = [&](std::uint8_t mark, bool Extent::* any, std::size_t Extent::* lowest,
                           std::size_t Extent::* highest) {
    std::size_t first = 0;
    while (first < operand.bytes && (shadow[first] & mark) == 0) ++first;
    if (first == operand.bytes) return;
    std::size_t last = operand.bytes - 1;
    while ((shadow[last] & mark) == 0) --last;
    Extent& extent = ExtentOf(operand);
    extent.*lowest = extent.*any ? std::min(extent.*lowest, first) : first;
    extent.*highest = extent.*any ? std::max(extent.*highest, last) : last;
    extent.*any = true;
  };
  collect(hooks::kWasRead, &Extent::read, &Extent::lowest_read, &Extent::highest_read);
  // What the output in an input's bytes was written is not the input's.
  if (IsInPlace(operand.right) && !Grants(operand.right, true)) return;
  collect(hooks::kWasWritten, &Extent::written, &Extent::lowest_written, &Extent::highest_written);
}

void ShadowInstrument::Stop() {
  if (attached != this) return;
  hooks::shadow_table = {};
  shadows_.clear();
  attached = nullptr;
}

void ShadowInstrument::Report(std::uintptr_t address, std::size_t bytes, bool write) {
  attached->CheckAccess(address, bytes, write);
}

static_assert(hooks::kInPlace == hooks::kMayRead << 4);
static_assert(hooks::kMayRead == static_cast<std::uint8_t>(AccessRight::kRead));
static_assert(hooks::kMayWrite == static_cast<std::uint8_t>(AccessRight::kWrite));

}  // namespace arenaproof
