#include "sanitizers/event_checks/allocation_audit.h"

#include <algorithm>
#include <string>

#include "core/model/tensor_bytes.h"
#include "core/runtime/kernel_interface/limits.h"

namespace arenaproof {
namespace {

constexpr std::size_t kAlignment = 16;

// The most that a set-up took of the tail for what resource variables hold.
std::size_t MostResourceBytes(const Interpreter& interpreter, std::size_t spacing_bytes) {
  return interpreter.resource_value_bytes() +
         interpreter.resource_variable_count() * (kAlignment - 1 + 2 * spacing_bytes);
}

std::size_t ScratchLinkCount(const EventStreamChecker& checker) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> requests;
  for (const PlanEntry& buffer : checker.plan()) {
    if (buffer.tensor < 0) ++requests[{buffer.subgraph, buffer.owner_operator}];
  }
  std::size_t link_count = 0;
  for (const auto& [owner, count] : requests) link_count += count - std::min(count, kScratchSlotsPerPrepare);
  return link_count;
}

// Everything that the tail holds was announced. Not announced are the spacing, for each request beyond the slots of the
// request table a link, and what resource variables hold, which may be the tail's lowest bytes: a kernel asks for it
// and it is not that kernel's. Second allocations leave the first one's in the tail.
void AuditTail(const Interpreter& interpreter, EventStreamChecker& checker) {
  constexpr std::size_t kMostLinkBytes = 24;
  const auto announced = static_cast<std::size_t>(checker.tail_end() - checker.tail_begin());
  const std::size_t tail_bytes = interpreter.tail_bytes();
  const std::size_t spacing_bytes = checker.options().persistent_spacing_bytes;
  const std::size_t resources = MostResourceBytes(interpreter, spacing_bytes);
  if (tail_bytes < announced || tail_bytes - announced > kAlignment - 1 + spacing_bytes + resources) {
    checker.ReportInconsistency("the tail has " + std::to_string(tail_bytes) +
                                " bytes, its announced blocks reach down to " + std::to_string(announced));
  }
  const std::size_t most = (ScratchLinkCount(checker) * kMostLinkBytes + resources) * checker.plan_count();
  if (checker.unexplained_tail_bytes() > most) {
    checker.ReportInconsistency("tail: " + std::to_string(checker.unexplained_tail_bytes()) +
                                " bytes between announced blocks belong to no announced one");
  }
}

void AuditTensor(const ModelView& model, const Interpreter& interpreter, std::int32_t subgraph, std::int32_t tensor,
                 std::size_t* plan_entries, EventStreamChecker& checker) {
  const auto who = [&] { return "tensor " + std::to_string(tensor) + " of subgraph " + std::to_string(subgraph); };
  const TensorView view = model.tensor(static_cast<std::size_t>(subgraph), static_cast<std::size_t>(tensor));
  std::size_t bytes = 0;
  std::span<std::byte> place;
  if (!TensorArenaBytes(view, &bytes).ok() || !interpreter.TensorBytes(tensor, &place, subgraph).ok()) {
    return checker.ReportInconsistency(who() + " has no size");
  }
  if (view.is_constant()) return;
  if (place.size() != (place.data() == nullptr ? 0 : bytes)) {
    checker.ReportInconsistency(who() + " has " + std::to_string(place.size()) + " bytes instead of " +
                                std::to_string(bytes));
  }
  const PlanEntry* const planned = checker.FindTensor(subgraph, tensor);
  *plan_entries += planned != nullptr ? 1 : 0;
  if (view.is_variable && !(checker.has_offline_plan() && planned != nullptr)) {
    if (planned != nullptr)
      checker.ReportInconsistency("variable " + std::to_string(tensor) + " has a place in the plan too");
    return;
  }
  if (bytes == 0 || (planned == nullptr && checker.LiesInTailBlock({place.data(), place.size()}))) return;
  if (planned == nullptr) return checker.ReportInconsistency(who() + " is not in the announced plan");
  if (place.data() != checker.head_start() + planned->offset || planned->bytes != bytes) {
    checker.ReportInconsistency(who() + " does not lie where the announced plan puts it");
  }
}

void AuditPlan(const ModelView& model, const Interpreter& interpreter, EventStreamChecker& checker) {
  std::size_t entries = 0, scratch = 0, highest = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      AuditTensor(model, interpreter, static_cast<std::int32_t>(s), static_cast<std::int32_t>(i), &entries, checker);
    }
  }
  for (const PlanEntry& buffer : checker.plan()) {
    highest = std::max(highest, buffer.offset + buffer.bytes);
    if (buffer.tensor >= 0) continue;
    std::span<std::byte> place;
    if (!interpreter.ScratchBytes(static_cast<std::size_t>(buffer.scratch), &place).ok() ||
        place.data() != checker.head_start() + buffer.offset || place.size() != buffer.bytes) {
      checker.ReportInconsistency("scratch buffer " + std::to_string(buffer.scratch) +
                                  " does not lie where the announced plan puts it");
    }
    ++scratch;
  }
  if (scratch != interpreter.scratch_count()) {
    checker.ReportInconsistency("the announced plan has " + std::to_string(scratch) +
                                " scratch buffers, the interpreter " + std::to_string(interpreter.scratch_count()));
  }
  if (entries + scratch != checker.plan().size())
    checker.ReportInconsistency("the announced plan lists a tensor twice");
  if (highest > interpreter.head_bytes()) {
    checker.ReportInconsistency("the head has " + std::to_string(interpreter.head_bytes()) + " bytes, the plan needs " +
                                std::to_string(highest));
  }
}

}  // namespace

void AuditAllocation(const ModelView& model, const Interpreter& interpreter, EventStreamChecker& checker) {
  if (checker.plan_count() == 0) return checker.ReportInconsistency("no plan was announced");
  if (checker.head().bytes != interpreter.head_bytes()) {
    checker.ReportInconsistency("the head has " + std::to_string(interpreter.head_bytes()) + " bytes, announced were " +
                                std::to_string(checker.head().bytes));
  }
  if (!checker.temporaries().empty()) checker.ReportInconsistency("a temporary is left after set-up");
  if (!checker.temporary_region_is_reset()) {
    checker.ReportInconsistency("set-up is over, and no reset of the temporaries was announced");
  }
  const std::size_t used = interpreter.arena_used_bytes();
  if (used != interpreter.head_bytes() + interpreter.tail_bytes() ||
      (!checker.separate() && used > checker.arena().bytes)) {
    checker.ReportInconsistency("the used bytes of the arena are not those of head and tail");
  }
  AuditTail(interpreter, checker);
  AuditPlan(model, interpreter, checker);
  AuditVariables(model, interpreter, "set-up", checker);
}

void AuditVariables(const ModelView& model, const Interpreter& interpreter, const char* when,
                    EventStreamChecker& checker) {
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      const TensorView view = model.tensor(s, i);
      if (!view.is_variable || view.is_constant()) continue;
      std::span<std::byte> bytes;
      const auto tensor = static_cast<std::int32_t>(i);
      if (!interpreter.TensorBytes(tensor, &bytes, static_cast<std::int32_t>(s)).ok()) continue;
      std::byte fill{0};
      if (view.type == TensorType::kInt8 && view.quantization.zero_point_count > 0) {
        fill = static_cast<std::byte>(view.quantization.zero_point());
      }
      if (std::any_of(bytes.begin(), bytes.end(), [&](std::byte byte) { return byte != fill; })) {
        checker.ReportInconsistency("variable " + std::to_string(i) + " does not hold its first value after " + when);
      }
    }
  }
}

}  // namespace arenaproof
