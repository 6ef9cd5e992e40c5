#include "engine/oracles/model/committed_plan.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/alignment.h"
#include "engine/oracles/model/planning_oracle.h"
#include "engine/oracles/model/reference_lifetimes.h"
#include "engine/oracles/model/value_trace.h"
#include "engine/oracles/model/wire_model.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

constexpr std::int64_t kVarHandle = 142;  // its kernel gives its output a place of its own

std::string Number(std::int64_t number) { return std::to_string(number); }

std::string NameOf(const PlanEntry& buffer) {
  return (buffer.tensor >= 0 ? "tensor " + Number(buffer.tensor) : "scratch buffer " + Number(buffer.scratch)) +
         " of subgraph " + Number(buffer.subgraph);
}

// Everything else may rely on it: the buffer is a tensor's or an operator's, and no sum of its numbers leaves the room.
const char* WrongPlace(const wire::Model& model, const PlanEntry& buffer, std::size_t head_room_bytes) {
  const auto s = static_cast<std::size_t>(buffer.subgraph);
  if (s >= Count(model.subgraphs())) return "is of no subgraph (I12)";
  const wire::SubGraph& graph = *Entry(model.subgraphs(), s);
  if (buffer.tensor >= 0) {
    if (static_cast<std::size_t>(buffer.tensor) >= Count(graph.tensors())) return "is no tensor (I12)";
  } else if (static_cast<std::size_t>(buffer.owner_operator) >= Count(graph.operators())) {
    return "is of no operator (I12)";
  }
  if (buffer.offset % kTensorAlignment != 0) return "is not 16-aligned (I3)";
  const bool fits = buffer.bytes <= head_room_bytes && buffer.offset <= head_room_bytes - buffer.bytes;
  return fits ? nullptr : "lies outside the arena (I2)";
}

// For a plan of any length: in the order of their first scopes, each buffer lies beside those that are still alive.
// A variable in the head outlives its lifetime: the trace of values knows.
std::string SharedBytes(const ModelView& model, std::span<const PlanEntry> plan) {
  std::vector<const PlanEntry*> buffers;
  for (const PlanEntry& buffer : plan) {
    const bool variable =
        buffer.tensor >= 0 &&
        model.tensor(static_cast<std::size_t>(buffer.subgraph), static_cast<std::size_t>(buffer.tensor)).is_variable;
    if (buffer.bytes > 0 && buffer.last >= 0 && !variable) buffers.push_back(&buffer);
  }
  std::sort(buffers.begin(), buffers.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  std::multimap<std::int32_t, const PlanEntry*> by_last;
  std::map<std::size_t, const PlanEntry*> by_offset;
  for (const PlanEntry* const buffer : buffers) {
    while (!by_last.empty() && by_last.begin()->first < buffer->first) {
      by_offset.erase(by_last.begin()->second->offset);
      by_last.erase(by_last.begin());
    }
    const auto above = by_offset.lower_bound(buffer->offset);
    const bool meets_above = above != by_offset.end() && above->first < buffer->offset + buffer->bytes;
    const bool meets_below =
        above != by_offset.begin() && std::prev(above)->first + std::prev(above)->second->bytes > buffer->offset;
    if (meets_above || meets_below) {
      return "in the committed plan two buffers share bytes while both are alive, at offset " +
             Number(static_cast<std::int64_t>(buffer->offset)) + " (I1)";
    }
    by_last.emplace(buffer->last, buffer);
    by_offset.emplace(buffer->offset, buffer);
  }
  return {};
}

class CommittedPlanCheck {
 public:
  CommittedPlanCheck(const ModelView& model, std::span<const PlanEntry> plan)
      : model_view_(model), file_(model.bytes()), model_(ModelOf(model.bytes())), plan_(plan) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < Count(model_.subgraphs()); ++s) {
      first_tensor_.push_back(count);
      count += Count(Entry(model_.subgraphs(), s)->tensors());
    }
    homes_.resize(count);
  }

  std::string Run() {
    std::vector<ScratchPlace> places;
    for (const PlanEntry& buffer : plan_) {
      if (buffer.tensor >= 0) continue;
      places.push_back(
          {static_cast<std::uint32_t>(buffer.subgraph), static_cast<std::uint32_t>(buffer.owner_operator)});
    }
    const ReferenceLifetimes lifetimes = WalkAsReference(file_, places);
    std::size_t scratch_count = 0;
    for (const PlanEntry& buffer : plan_) {
      std::string complaint;
      const Home home{true, buffer.offset, buffer.bytes};
      if (buffer.tensor >= 0) {
        complaint = Tensor(buffer, home, lifetimes);
      } else {
        scratch_.push_back(
            {static_cast<std::size_t>(buffer.subgraph), static_cast<std::size_t>(buffer.owner_operator), home});
        complaint = LifetimeOf(buffer, lifetimes.scratch[scratch_count++]);
      }
      if (!complaint.empty()) return "in the committed plan " + NameOf(buffer) + " " + complaint;
    }
    std::string complaint = Missing();
    if (complaint.empty()) complaint = TraceValues(file_, homes_, scratch_);
    if (complaint.empty()) complaint = SharedBytes(model_view_, plan_);
    return complaint;
  }

 private:
  std::string Tensor(const PlanEntry& buffer, const Home& home, const ReferenceLifetimes& lifetimes) {
    const auto s = static_cast<std::size_t>(buffer.subgraph);
    const auto i = static_cast<std::size_t>(buffer.tensor);
    const wire::Tensor& table = *Entry(Entry(model_.subgraphs(), s)->tensors(), i);
    if (IsConstant(model_, table)) return "is a constant (I14)";
    if (ExactElements(table, 0) * BytesOfType(static_cast<std::int64_t>(table.type())) != buffer.bytes) {
      return "has " + Number(static_cast<std::int64_t>(buffer.bytes)) + " bytes, not those of its shape (I5)";
    }
    Home& known = homes_[first_tensor_[s] + i];
    if (known.planned) return "is planned twice";
    known = home;
    // A variable with a place of its own in the head outlives what the graph says of it.
    return table.is_variable() ? std::string() : LifetimeOf(buffer, lifetimes.tensors[first_tensor_[s] + i]);
  }

  static std::string LifetimeOf(const PlanEntry& buffer, const Lifetime& expected) {
    if (buffer.first == expected.first && buffer.last == expected.last) return {};
    return "has the lifetime [" + Number(buffer.first) + "," + Number(buffer.last) + "] and has to have [" +
           Number(expected.first) + "," + Number(expected.last) + "] (I4: from first write to last read)";
  }

  // What operators read and write has a place.
  std::string Missing() const {
    for (std::size_t s = 0; s < first_tensor_.size(); ++s) {
      const wire::SubGraph& graph = *Entry(model_.subgraphs(), s);
      for (std::size_t i = 0; i < Count(graph.operators()); ++i) {
        const wire::Operator& op = *Entry(graph.operators(), i);
        if (CodeOf(*Entry(model_.operator_codes(), op.opcode_index())) == kVarHandle) continue;
        for (const std::int64_t index : Numbers(op.outputs())) {
          const wire::Tensor& table = *Entry(graph.tensors(), static_cast<std::size_t>(index));
          const bool empty = ExactElements(table, 0) * BytesOfType(static_cast<std::int64_t>(table.type())) == 0;
          if (empty || homes_[first_tensor_[s] + static_cast<std::size_t>(index)].planned) continue;
          return "in the committed plan tensor " + Number(index) + " of subgraph " +
                 Number(static_cast<std::int64_t>(s)) + " is missing, though an operator writes it (I2)";
        }
      }
    }
    return {};
  }

  const ModelView& model_view_;
  std::span<const std::byte> file_;
  const wire::Model& model_;
  std::span<const PlanEntry> plan_;
  std::vector<std::size_t> first_tensor_;
  std::vector<Home> homes_;
  std::vector<ScratchHome> scratch_;
};

}  // namespace

std::string CheckCommittedPlan(const ModelView& model, std::span<const PlanEntry> plan, std::size_t head_room_bytes) {
  for (const PlanEntry& buffer : plan) {
    const char* const wrong = WrongPlace(ModelOf(model.bytes()), buffer, head_room_bytes);
    if (wrong != nullptr) return "in the committed plan " + NameOf(buffer) + " " + wrong;
  }
  if (plan.size() <= kMostCheckedBuffers && model.total_operator_count() <= kMostCheckedBuffers) {
    return CommittedPlanCheck(model, plan).Run();
  }
  return SharedBytes(model, plan);
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
