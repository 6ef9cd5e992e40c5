#include "engine/harness/host_planner/head_plan_run.h"

#include <array>
#include <optional>

#include "core/base/alignment.h"
#include "core/planner/host/arena_head_planner.h"
#include "core/planner/host/simple_arena.h"
#include "engine/oracles/host_planner/smallest_gap.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostHeadBuffers = 24;
constexpr std::array<std::size_t, 12> kHeadAlignments = {1, 2, 3, 4, 7, 8, 12, 16, 32, 33, 48, 64};

TimedBuffer BufferOf(const SessionDraw& draw) {
  TimedBuffer buffer;
  buffer.bytes = draw.b % 4 == 0 ? std::size_t{draw.a} * 16 : draw.a;
  if (draw.b >= 253) buffer.bytes = SIZE_MAX - draw.a;
  if (draw.c >= 250) return buffer;  // never alive
  buffer.first = draw.c % 8;
  buffer.last = draw.what % 5 == 0 ? 12 : buffer.first + draw.c / 8 % 5;
  return buffer;
}

class HeadRun {
 public:
  explicit HeadRun(const HeadSession& session) {
    for (std::size_t i = 0; i < session.buffers.size() && i < kMostHeadBuffers; ++i) {
      buffers_.push_back(BufferOf(session.buffers[i]));
      asks_between_.push_back(session.buffers[i].what >= 192);
    }
    for (const TimedBuffer& buffer : buffers_) {
      result_.history += std::to_string(buffer.bytes) + " bytes in [" + std::to_string(buffer.first) + ", " +
                         std::to_string(buffer.last) + "]\n";
    }
    PlanHead();
    PlanBareArena(kHeadAlignments[session.alignment % kHeadAlignments.size()]);
  }

  HeadSessionResult Take() { return std::move(result_); }

 private:
  void Fault(const std::string& fault) {
    if (result_.fault.empty()) result_.fault = fault;
  }

  // Of the first `count` buffers.
  void CompareHead(ArenaHeadPlanner& planner, std::size_t count) {
    const std::span<const TimedBuffer> added = std::span(buffers_).first(count);
    std::size_t refused = 0;
    const std::optional<GapPlan> expected = PlanBySmallestGap(added, kTensorAlignment, &refused);
    const Status answer =
        expected ? Ok() : Failure(StatusCode::kHostArenaOverflow, added[refused].bytes, kTensorAlignment);
    if (!expected) result_.refused = true;
    if (planner.BufferCount() != count) return Fault("the head planner counts otherwise");
    std::size_t end = 0;
    if (planner.MaximumBytes(&end) != answer) return Fault("MaximumBytes answers otherwise");
    if (expected && end != expected->end) {
      return Fault("the head has " + std::to_string(end) + " bytes, not " + std::to_string(expected->end));
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t offset = 0;
      if (planner.OffsetOf(i, &offset) != answer) return Fault("OffsetOf answers otherwise");
      if (expected && offset != expected->offsets[i]) {
        return Fault("buffer " + std::to_string(i) + " of the head lies at " + std::to_string(offset) + ", not at " +
                     std::to_string(expected->offsets[i]));
      }
    }
    std::size_t offset = 0;
    if (planner.OffsetOf(count, &offset) != Failure(StatusCode::kPlannerBufferIndex, count, count)) {
      Fault("OffsetOf a buffer that is not there answers otherwise");
    }
  }

  void PlanHead() {
    ArenaHeadPlanner planner;
    if (planner.supports_offline() || planner.preserves_all_tensors() || planner.WorkspaceBytes(buffers_.size()) != 0) {
      return Fault("the head planner says something else of itself");
    }
    for (int round = 0; round < 2; ++round) {  // the second begins anew
      if (!planner.Init({}).ok()) return Fault("Init is refused");
      for (std::size_t i = 0; i < buffers_.size(); ++i) {
        const TimedBuffer& buffer = buffers_[i];
        if (!planner.AddBuffer(buffer.bytes, buffer.first, buffer.last).ok()) return Fault("AddBuffer is refused");
        if (!asks_between_[i] || round > 0) continue;
        if (planner.AddBuffer(buffer.bytes, buffer.first, buffer.last, 16) !=
            Failure(StatusCode::kPlannerOfflineOffset, i + 1, 16)) {
          return Fault("a fixed offset is answered otherwise");
        }
        CompareHead(planner, i + 1);
      }
      CompareHead(planner, buffers_.size());
    }
  }

  void PlanBareArena(std::size_t alignment) {
    std::size_t refused = 0;
    const std::optional<GapPlan> expected = PlanBySmallestGap(buffers_, alignment, &refused);
    SimpleArena arena;
    for (const std::size_t i : OrderOfPlacement(buffers_)) {
      const TimedBuffer& buffer = buffers_[i];
      const auto tensor = static_cast<std::int32_t>(i);
      Allocation record;
      const Status status = arena.Allocate(alignment, buffer.bytes, tensor, buffer.first, buffer.last, &record);
      if (!expected && i == refused) {
        if (status != Failure(StatusCode::kHostArenaOverflow, buffer.bytes, alignment)) {
          Fault("an allocation that does not fit is answered otherwise");
        }
        return;
      }
      if (!status.ok()) return Fault("an allocation is refused");
      if (!expected) continue;
      if (record != Allocation{expected->offsets[i], buffer.bytes, tensor, buffer.first, buffer.last}) {
        return Fault("at alignment " + std::to_string(alignment) + " buffer " + std::to_string(i) + " lies at " +
                     std::to_string(record.offset) + ", not at " + std::to_string(expected->offsets[i]));
      }
    }
    if (expected && arena.high_water() != expected->end) Fault("the arena reaches elsewhere");
  }

  std::vector<TimedBuffer> buffers_;
  std::vector<bool> asks_between_;
  HeadSessionResult result_;
};

}  // namespace

HeadSessionResult RunHeadSession(const HeadSession& session) { return HeadRun(session).Take(); }

}  // namespace arenaproof::testing
