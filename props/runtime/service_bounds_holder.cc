// What is granted lies in the arena, apart from all else that was granted; a block that is refused changes nothing.
#include <algorithm>
#include <array>
#include <cstring>

#include "props/runtime/service_bounds_kernels.h"
#include "props/support/draws.h"

namespace arenaproof::testing::service_bounds {
namespace {

void FillBlock(const Range& block) {
  if (block.bytes > 0)
    std::memset(reinterpret_cast<void*>(block.start), std::to_integer<int>(PatternOf(block)), block.bytes);
}

// What is granted is nobody else's.
void RequireOwn(const Range& granted, const char* what) {
  const bool inside =
      RangeOf(arena, sizeof arena).Holds(granted) || RangeOf(other_arena, sizeof other_arena).Holds(granted);
  bool apart = true;
  for (const Holder& holder : holders) {
    for (const std::vector<Range>* each : {&holder.blocks, &holder.temporaries}) {
      for (const Range& other : *each) apart = apart && !granted.Touches(other);
    }
  }
  if ((!inside || !apart) && complaint.empty())
    complaint = std::string("I1, I2: ") + what + " is not its owner's alone";
}

// Around a size, and where sums wrap.
std::size_t TooMany() {
  const auto tail_begin = static_cast<std::size_t>(allocator->arena().persistent().state().tail_begin);
  return std::array<std::size_t, 7>{2 * kArenaBytes,
                                    kMost,
                                    kMost - 15,
                                    kMost - 16 - Below<std::size_t>(64),
                                    kMost / 2 + 1,
                                    kMost - tail_begin + 1,
                                    tail_begin - Below<std::size_t>(64)}[Below<std::size_t>(7)];
}

Status TakeBlock(PrepareServices& services, Holder& holder) {
  const bool refused = OneIn(6);
  const std::size_t bytes = refused ? TooMany() : Below<std::size_t>(64);
  const TensorArena::State before = allocator->arena().state();
  std::byte* data = nullptr;
  const Status status = services.AllocatePersistent(bytes, &data);
  if (refused) {
    if (status.ok() || !(allocator->arena().state() == before)) {
      if (complaint.empty()) complaint = "more bytes than there are were granted, or their refusal has an effect";
      return StatusOfKernelValue(1);
    }
    return Ok();
  }
  ARENAPROOF_RETURN_IF_ERROR(status);
  const Range block = RangeOf(data, bytes);
  RequireOwn(block, "a persistent block");
  holder.blocks.push_back(block);
  FillBlock(block);
  return Ok();
}

Status TakeTemporary(PrepareServices& services, Holder& holder) {
  const std::size_t alignment = std::size_t{1} << Below<std::size_t>(7);
  const bool refused = OneIn(6);
  const std::size_t bytes = refused ? TooMany() : Below<std::size_t>(64);
  std::byte* data = nullptr;
  const Status status = services.AllocateTemporary(bytes, alignment, &data);
  if (refused) {
    if (!status.ok()) return Ok();
    if (complaint.empty()) complaint = "a temporary of more bytes than there are was granted";
    return StatusOfKernelValue(1);
  }
  ARENAPROOF_RETURN_IF_ERROR(status);
  const Range temporary = RangeOf(data, bytes);
  RequireOwn(temporary, "a temporary");
  if (temporary.start % alignment != 0 && complaint.empty()) complaint = "a temporary is misaligned";
  holder.temporaries.push_back(temporary);
  FillBlock(temporary);
  return Ok();
}

Range SomeRange(const Holder& holder) {
  std::vector<Range> ranges;
  for (const Holder& each : holders) {
    if (&each != &holder && !OneIn(4)) continue;
    ranges.insert(ranges.end(), each.blocks.begin(), each.blocks.end());
    if (&each != &holder || OneIn(4)) ranges.insert(ranges.end(), each.temporaries.begin(), each.temporaries.end());
  }
  return ranges.empty() ? Range() : ranges[Below(ranges.size())];
}

// Where `bytes` would begin.
std::uintptr_t NearTheEdgeOf(const Range& range, std::size_t bytes) {
  const std::uintptr_t end = range.start + range.bytes;
  switch (Below(10)) {
    case 0:
      return range.start;
    case 1:
      return end - bytes;
    case 2:
      return end - bytes + 1;
    case 3:
      return end - 1;
    case 4:
      return end;
    case 5:
      return range.start - 1;
    case 6:
      return std::uintptr_t{0};
    case 7:
      return kMost - Below<std::uintptr_t>(2 * bytes + 2);
    default:
      return range.start + Below<std::uintptr_t>(range.bytes + 16);
  }
}

void PlaceOutput(RuntimeServices& runtime, Holder& holder) {
  const std::size_t output = OneIn(6) ? std::array<std::size_t, 3>{1, 2, kMost}[Below<std::size_t>(3)] : 0;
  const Range wish{NearTheEdgeOf(SomeRange(holder), holder.output_bytes), holder.output_bytes};
  auto* const block = reinterpret_cast<std::byte*>(wish.start);
  const bool own =
      std::any_of(holder.blocks.begin(), holder.blocks.end(), [&](const Range& each) { return each.Holds(wish); });
  const StatusCode expected = output != 0 ? StatusCode::kRuntimeTensorIndex
                              : own       ? StatusCode::kOk
                                          : StatusCode::kPlacedOutputBlock;
  const Status status = runtime.PlaceOutput(output, block);
  if (output != 0 && !own && status.code == StatusCode::kPlacedOutputBlock) return;  // both are wrong
  Require(status.code, expected, "an output is placed, whose bytes have to lie in one block of its operator");
  if (status.ok()) holder.placed = block;
}

void FreeTemporary(PrepareServices& services, Holder& holder) {
  const std::uintptr_t address = NearTheEdgeOf(SomeRange(holder), 1);
  const auto found = std::find_if(holder.temporaries.begin(), holder.temporaries.end(),
                                  [&](const Range& each) { return each.start == address; });
  const bool own = found != holder.temporaries.end();
  const Status status = services.FreeTemporary(reinterpret_cast<std::byte*>(address));
  Require(status.code, own ? StatusCode::kOk : StatusCode::kForeignTemporary, "a temporary is given back");
  if (own) holder.temporaries.erase(found);
}

}  // namespace

Status InitHolder(PrepareContext& context) {
  Holder& holder = holders[initialised_count++];
  context.op_data = &holder;
  for (std::size_t count = Below<std::size_t>(4); count > 0; --count) {
    ARENAPROOF_RETURN_IF_ERROR(TakeBlock(*context.services, holder));
  }
  return Ok();
}

Status PrepareHolder(PrepareContext& context) {
  Holder& holder = *static_cast<Holder*>(context.op_data);
  for (std::size_t count = Below<std::size_t>(10); count > 0; --count) {
    switch (Below(6)) {
      case 0:
        ARENAPROOF_RETURN_IF_ERROR(TakeBlock(*context.services, holder));
        break;
      case 1:
        ARENAPROOF_RETURN_IF_ERROR(TakeTemporary(*context.services, holder));
        break;
      case 2:
        FreeTemporary(*context.services, holder);
        break;
      default:
        PlaceOutput(*context.runtime, holder);
        break;
    }
  }
  for (const Range& temporary : holder.temporaries) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->FreeTemporary(reinterpret_cast<std::byte*>(temporary.start)));
  }
  holder.temporaries.clear();
  return asks_for_too_much_scratch ? context.services->RequestScratch(TooMany()) : Ok();
}

Status InvokeHolder(const InvokeContext& context) {
  Holder& holder = *static_cast<Holder*>(context.op_data);
  const Operand& output = context.outputs[0];
  if (holder.placed != nullptr && output.data != holder.placed && complaint.empty()) {
    complaint = "an output does not lie where its operator placed it";
  }
  std::memset(output.data, 0x77, output.bytes);
  return Ok();
}

}  // namespace arenaproof::testing::service_bounds
