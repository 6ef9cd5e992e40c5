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
  AddLimitsOfHooks();
}

void ShadowInstrument::Close(std::span<const OperandRange> open) {
  if (attached != this) return;
  for (const auto ranges : {open, read_allowances()}) {
    for (const OperandRange& range : ranges) {
      std::uint8_t* shadow = range.data == nullptr ? nullptr : ShadowOf(range);
      if (shadow == nullptr) continue;
      // kMayRead and kMayWrite are the same bits.
      const auto rights = static_cast<std::uint8_t>(static_cast<unsigned>(RightOf(range.right)) |
                                                    (IsInPlace(range.right) ? hooks::kInPlace : 0U));
      for (std::size_t i = 0; i < range.bytes; ++i) shadow[i] |= rights;
    }
  }
  hooks::shadow_table.lowest = lowest_;
  hooks::shadow_table.extent = extent_;
}

void ShadowInstrument::Open(std::span<const OperandRange> open) {
  if (attached != this) return;
  hooks::DisarmShadow();
  if (!runtime_works()) CollectExtents(open);
  for (const auto ranges : {open, read_allowances()}) {
    for (const OperandRange& range : ranges) {
      std::uint8_t* shadow = range.data == nullptr ? nullptr : ShadowOf(range);
      if (shadow != nullptr) std::memset(shadow, 0, range.bytes);
    }
  }
}

void ShadowInstrument::CollectExtents(std::span<const OperandRange> open) {
  for (const OperandRange& operand : open) CollectExtent(operand, operand);
  for (const OperandRange& allowed : read_allowances()) {
    const auto operand = std::find_if(open.begin(), open.end(), [&](const OperandRange& one) {
      return one.kind == allowed.kind && one.index == allowed.index;
    });
    if (operand != open.end()) CollectExtent(allowed, *operand);
  }
}

void ShadowInstrument::CollectExtent(const OperandRange& range, const OperandRange& operand) {
  const std::uint8_t* shadow = range.data == nullptr ? nullptr : ShadowOf(range);
  if (shadow == nullptr || range.bytes == 0) return;
  Extent& extent = ExtentOf(operand);
  extent.bytes = std::max(extent.bytes, operand.bytes);
  const auto collect = [&](std::uint8_t mark, bool Extent::* any, std::ptrdiff_t Extent::* lowest,
                           std::ptrdiff_t Extent::* highest) {
    std::size_t first = 0, last = range.bytes;
    while (first < range.bytes && (shadow[first] & mark) == 0) ++first;
    if (first == range.bytes) return;
    while ((shadow[last - 1] & mark) == 0) --last;
    const std::byte* const from = range.data + first;
    const std::byte* const to = range.data + last - 1;
    extent.*lowest = extent.*any ? std::min(extent.*lowest, from - operand.data) : from - operand.data;
    extent.*highest = extent.*any ? std::max(extent.*highest, to - operand.data) : to - operand.data;
    extent.*any = true;
  };
  collect(hooks::kWasRead, &Extent::read, &Extent::lowest_read, &Extent::highest_read);
  // What the output in an input's bytes was written is not the input's.
  if (!Grants(range.right, true)) return;
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
