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

std::size_t ScratchLinkCount(const EventStreamChecker& ledger) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> requests;
  for (const PlanEntry& buffer : ledger.plan()) {
    if (buffer.tensor < 0) ++requests[{buffer.subgraph, buffer.owner_operator}];
  }
  std::size_t link_count = 0;
  for (const auto& [owner, count] : requests) link_count += count - std::min(count, kScratchSlotsPerPrepare);
  return link_count;
}

// Everything that the tail holds was announced. Not announced are the spacing, for each request beyond the slots of the
// request table a link, and what resource variables hold, which may be the tail's lowest bytes: a kernel asks for it
// and it is not that kernel's. Second allocations leave the first one's in the tail.
void AuditTail(const Interpreter& interpreter, EventStreamChecker& ledger) {
  constexpr std::size_t kMostLinkBytes = 24;
  const auto announced = static_cast<std::size_t>(ledger.tail_end() - ledger.tail_begin());
  const std::size_t told = interpreter.tail_bytes();
  const std::size_t spacing_bytes = ledger.options().persistent_spacing_bytes;
  const std::size_t resources = MostResourceBytes(interpreter, spacing_bytes);
  if (told < announced || told - announced > kAlignment - 1 + spacing_bytes + resources) {
    ledger.ReportInconsistency("the tail has " + std::to_string(told) + " bytes, its announced blocks reach down to " +
                               std::to_string(announced));
  }
  const std::size_t most = (ScratchLinkCount(ledger) * kMostLinkBytes + resources) * ledger.plan_count();
  if (ledger.unexplained_tail_bytes() > most) {
    ledger.ReportInconsistency("tail: " + std::to_string(ledger.unexplained_tail_bytes()) +
                               " bytes between announced blocks belong to no announced one");
  }
}

void AuditTensor(const ModelView& model, const Interpreter& interpreter, std::int32_t subgraph, std::int32_t tensor,
                 std::size_t* plan_entries, EventStreamChecker& ledger) {
  const auto who = [&] { return "tensor " + std::to_string(tensor) + " of subgraph " + std::to_string(subgraph); };
  const TensorView view = model.tensor(static_cast<std::size_t>(subgraph), static_cast<std::size_t>(tensor));
  std::size_t bytes = 0;
  std::span<std::byte> told;
  if (!TensorArenaBytes(view, &bytes).ok() || !interpreter.TensorBytes(tensor, &told, subgraph).ok()) {
    return ledger.ReportInconsistency(who() + " has no size");
  }
  if (view.is_constant()) return;
  if (told.size() != (told.data() == nullptr ? 0 : bytes)) {
    ledger.ReportInconsistency(who() + " has " + std::to_string(told.size()) + " bytes instead of " +
                               std::to_string(bytes));
  }
  const PlanEntry* const planned = ledger.FindTensor(subgraph, tensor);
  *plan_entries += planned != nullptr ? 1 : 0;
  if (view.is_variable && !(ledger.has_offline_plan() && planned != nullptr)) {
    if (planned != nullptr)
      ledger.ReportInconsistency("variable " + std::to_string(tensor) + " has a place in the plan too");
    return;
  }
  if (bytes == 0 || (planned == nullptr && ledger.IsTailBlock({told.data(), told.size()}))) return;
  if (planned == nullptr) return ledger.ReportInconsistency(who() + " is not in the announced plan");
  if (told.data() != ledger.head_start() + planned->offset || planned->bytes != bytes) {
    ledger.ReportInconsistency(who() + " does not lie where the announced plan puts it");
  }
}

void AuditPlan(const ModelView& model, const Interpreter& interpreter, EventStreamChecker& ledger) {
  std::size_t entries = 0, scratch = 0, highest = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      AuditTensor(model, interpreter, static_cast<std::int32_t>(s), static_cast<std::int32_t>(i), &entries, ledger);
    }
  }
  for (const PlanEntry& buffer : ledger.plan()) {
    highest = std::max(highest, buffer.offset + buffer.bytes);
    if (buffer.tensor >= 0) continue;
    std::span<std::byte> told;
    if (!interpreter.ScratchBytes(static_cast<std::size_t>(buffer.scratch), &told).ok() ||
        told.data() != ledger.head_start() + buffer.offset || told.size() != buffer.bytes) {
      ledger.ReportInconsistency("scratch buffer " + std::to_string(buffer.scratch) +
                                 " does not lie where the announced plan puts it");
    }
    ++scratch;
  }
  if (scratch != interpreter.scratch_count()) {
    ledger.ReportInconsistency("the announced plan has " + std::to_string(scratch) +
                               " scratch buffers, the interpreter " + std::to_string(interpreter.scratch_count()));
  }
  if (entries + scratch != ledger.plan().size()) ledger.ReportInconsistency("the announced plan lists a tensor twice");
  if (highest > interpreter.head_bytes()) {
    ledger.ReportInconsistency("the head has " + std::to_string(interpreter.head_bytes()) + " bytes, the plan needs " +
                               std::to_string(highest));
  }
}

}  // namespace

void AuditAllocation(const ModelView& model, const Interpreter& interpreter, EventStreamChecker& ledger) {
  if (ledger.plan_count() == 0) return ledger.ReportInconsistency("no plan was announced");
  if (ledger.head().bytes != interpreter.head_bytes()) {
    ledger.ReportInconsistency("the head has " + std::to_string(interpreter.head_bytes()) + " bytes, announced were " +
                               std::to_string(ledger.head().bytes));
  }
  if (!ledger.temporaries().empty()) ledger.ReportInconsistency("a temporary is left after set-up");
  if (!ledger.temporary_region_is_reset()) {
    ledger.ReportInconsistency("set-up is over, and no reset of the temporaries was announced");
  }
  const std::size_t used = interpreter.arena_used_bytes();
  if (used != interpreter.head_bytes() + interpreter.tail_bytes() ||
      (!ledger.separate() && used > ledger.arena().bytes)) {
    ledger.ReportInconsistency("the used bytes of the arena are not those of head and tail");
  }
  AuditTail(interpreter, ledger);
  AuditPlan(model, interpreter, ledger);
  AuditVariables(model, interpreter, "set-up", ledger);
}

void AuditVariables(const ModelView& model, const Interpreter& interpreter, const char* when,
                    EventStreamChecker& ledger) {
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
        ledger.ReportInconsistency("variable " + std::to_string(i) + " does not hold its first value after " + when);
      }
    }
  }
}

}  // namespace arenaproof
