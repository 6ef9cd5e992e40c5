#include "props/arena_machine/arena_system.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/arena/step.h"
#include "engine/oracles/arena/arena_buffer.h"
#include "engine/oracles/arena/production_call.h"

namespace arenaproof {
namespace {

// Guard, arena, guard: the bytes of the array that a case is about.
constexpr std::size_t ArrayBytes(std::size_t misalignment, std::size_t bytes) {
  return ArenaSystem::kGuardBytes * 2 + misalignment + bytes;
}

static_assert(ArrayBytes(ArenaSystem::kMostMisalignment, ArenaSystem::kMostBytes) <= kArenaBufferBytes);

std::byte* const array = ArenaBuffer();

std::byte CanaryAt(std::size_t offset) { return static_cast<std::byte>((offset * 37 + 11) & 0xff); }

}  // namespace

std::uintptr_t ArenaSystem::BeginOf(std::size_t misalignment) {
  return reinterpret_cast<std::uintptr_t>(array) + kGuardBytes + misalignment;
}

ArenaSystem::ArenaSystem(ArenaKind kind, std::size_t misalignment, std::size_t bytes)
    : expected_(ArrayBytes(misalignment, bytes)) {
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] = CanaryAt(i);
  std::memcpy(array, expected_.data(), expected_.size());
  std::byte* const begin = array + kGuardBytes + misalignment;
  tracker_.OnAttach({begin, bytes}, {});
  if (!production_.Init(kind, begin, bytes, &tracker_).ok()) std::abort();
}

void ArenaSystem::Fill(std::uintptr_t address, std::size_t bytes) {
  const std::size_t offset = address - reinterpret_cast<std::uintptr_t>(array);
  ++fill_count_;
  for (std::size_t i = 0; i < bytes; ++i) {
    expected_[offset + i] = static_cast<std::byte>((fill_count_ * 101 + i * 7) & 0xff);
    array[offset + i] = expected_[offset + i];
  }
}

std::string ArenaSystem::CheckContents() const {
  if (std::memcmp(array, expected_.data(), expected_.size()) == 0) return "";
  const std::byte* const found = std::mismatch(expected_.begin(), expected_.end(), array).second;
  return "I15 no silent writes: the byte at arena offset " +
         std::to_string(found - reinterpret_cast<const std::byte*>(production_.arena().state().begin)) + " changed";
}

std::string ArenaSystem::CheckEventStream(const ArenaModel& model, const ArenaCall<std::uintptr_t>& call, bool granted,
                                          std::size_t findings_before) const {
  std::vector<TemporaryFault> expected;
  if (granted && call.operation == Operation::kDeallocateTemporary) {
    const WrongFree wrong = model.CheckFree(call.arguments.address);
    if (wrong == WrongFree::kDouble) expected = {TemporaryFault::kDoubleFree};
    if (wrong == WrongFree::kForeign) expected = {TemporaryFault::kForeignFree};
  }
  if (granted && call.operation == Operation::kResetTemporaries) {
    expected.assign(model.OutstandingTemporaries().size(), TemporaryFault::kResetOverLive);
  }
  if (granted && Describe(call.operation).section == OperationSection::kHead) {
    expected.assign(model.OutstandingTemporaries().size(), TemporaryFault::kHeadOverLive);
  }
  const auto& findings = tracker_.findings();
  std::vector<TemporaryFault> found;
  std::string text;
  for (std::size_t i = findings_before; i < findings.size(); ++i) {
    // Several blocks at one address are one finding of the tracker; only zero bytes can share one.
    found.push_back(findings[i].fault);
    text += tracker_.Describe(findings[i]) + "; ";
  }
  const bool agree = expected.empty() ? found.empty() : !found.empty() && found.front() == expected.front();
  if (agree) return "";
  return "I12 temporary tracking: the tracker should report " +
         (expected.empty() ? std::string("nothing") : std::string(TemporaryFaultName(expected.front()))) +
         ", it reports: " + text;
}

std::string ArenaSystem::Perform(const ArenaModel& model, const ArenaCall<std::uintptr_t>& call) {
  // First on a copy: instrumented builds end at a broken invariant inside the arena, and a machine that is to shrink
  // its sequence has to survive it.
  const Transition<std::uintptr_t> step = Step(production_.arena().state(), call.operation, call.arguments);
  if (const char* broken = FirstBroken(step)) return broken;

  const ArenaState<std::uintptr_t>& after = step.after;
  if (after.head_end > after.tail_begin || after.temporary_end > after.tail_begin) return "tail and head never cross";
  const bool reset_before = step.before.temporary_end == step.before.head_end && model.OutstandingTemporaries().empty();
  const bool careless = !tracker_.findings().empty();
  if (after.head_end != step.before.head_end && !reset_before && !careless) {
    return "the temporary region is always reset before the head moves";
  }

  const std::optional<std::uintptr_t> predicted = model.Predict(call);
  if (predicted.has_value() != step.outcome.ok()) {
    return std::string("the model expects ") + (predicted ? "a grant" : "a refusal") + "; the arena says " +
           ShowOutcome(call.operation, step.outcome, model.begin());
  }
  if (predicted && *predicted != step.outcome.result) {
    return "the model expects " + ShowAddress(*predicted, model.begin(), 64) + "; the arena says " +
           ShowOutcome(call.operation, step.outcome, model.begin());
  }

  const std::size_t findings_before = tracker_.findings().size();
  const ProductionResult production = CallProduction(production_.arena(), call);
  if (const char* differs = ProductionDiffers(production_.arena(), production, step)) return differs;
  if (const char* broken = production_.CheckCounters(step)) return broken;
  std::string wrong = CheckEventStream(model, call, step.outcome.ok(), findings_before);
  if (!wrong.empty()) return wrong;
  wrong = CheckContents();
  if (wrong.empty() && step.outcome.ok() && Describe(call.operation).result == OperationResult::kBlock) {
    Fill(step.outcome.result, call.arguments.size);
  }
  return wrong;
}

}  // namespace arenaproof
