#include "engine/harness/host_planner/planner_comparison.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "engine/oracles/host_planner/dump_lines.h"

namespace arenaproof::testing {
namespace {

constexpr ArenaTensorKind kOfArenas[] = {ArenaTensorKind::kArena, ArenaTensorKind::kPersistentArena};

std::string NodeText(std::optional<std::int32_t> node) { return node ? std::to_string(*node) : "none"; }

std::string RecordText(const Allocation& record) {
  return std::to_string(record.size) + " bytes at " + std::to_string(record.offset) + " of tensor " +
         std::to_string(record.tensor) + " in [" + std::to_string(record.first) + ", " + std::to_string(record.last) +
         "]";
}

std::string AddressDifference(const ComparedPlanner& compared) {
  for (std::size_t i = 0; i < compared.graph.tensors.size(); ++i) {
    const ArenaTensor& tensor = compared.graph.tensors[i];
    const auto expected = compared.model.addresses().find(static_cast<std::int32_t>(i));
    const std::byte* const base = compared.planner.BasePointer(tensor.kind);
    const std::string found = tensor.data == nullptr ? "nowhere" : std::to_string(tensor.data - base);
    const std::string wanted =
        expected == compared.model.addresses().end() ? "nowhere" : std::to_string(expected->second);
    if (found != wanted) return "tensor " + std::to_string(i) + " lies at " + found + ", not at " + wanted;
  }
  return {};
}

std::string TensorDifference(const ComparedPlanner& compared) {
  const std::span<const TensorPlan> tensors = compared.planner.tensors();
  if (tensors.size() != compared.model.known_tensors()) return "the planner knows of another number of tensors";
  std::map<std::int32_t, std::int32_t> owners;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].owner != -1) owners[static_cast<std::int32_t>(i)] = tensors[i].owner;
  }
  if (owners != compared.model.owners()) return "other tensors share their bytes";
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto tensor = static_cast<std::int32_t>(i);
    const TensorPlan& plan = tensors[i];
    const auto node = [](std::int32_t number) { return number == kNoNode ? std::nullopt : std::optional(number); };
    const auto birth = compared.model.Birth(tensor), death = compared.model.Death(tensor);
    if (node(plan.alloc_node) != birth || node(plan.dealloc_node) != death) {
      return "tensor " + std::to_string(i) + " is needed from node " + NodeText(node(plan.alloc_node)) + " to " +
             NodeText(node(plan.dealloc_node)) + ", not from " + NodeText(birth) + " to " + NodeText(death);
    }
    const Allocation place = compared.model.PlaceOf(tensor).value_or(Allocation{});
    if (plan.record.size == 0 && place.size == 0) continue;
    if (plan.record != place) {
      return "tensor " + std::to_string(i) + " has " + RecordText(plan.record) + ", not " + RecordText(place);
    }
  }
  return {};
}

std::string ArenaDifference(const ComparedPlanner& compared, ArenaTensorKind kind) {
  const SimpleArena& arena = compared.planner.arena(kind);
  const ModelPlanner& model = compared.model;
  const std::string name = kind == ArenaTensorKind::kArena ? "the arena" : "the persistent arena";
  if (!compared.memory.IsArena(compared.planner.BasePointer(kind), model.bytes(kind))) {
    return name + " is no block of " + std::to_string(model.bytes(kind)) + " bytes that the host knows";
  }
  if (arena.base() != compared.planner.BasePointer(kind)) return name + " has two bases";
  if (arena.buffer_bytes() != model.bytes(kind)) return name + " has other bytes";
  if (arena.high_water() != model.planned_bytes(kind)) {
    return name + " reaches to " + std::to_string(arena.high_water()) + ", not to " +
           std::to_string(model.planned_bytes(kind));
  }
  if (arena.state().committed != model.committed(kind)) return name + " is committed, or it is not";
  if (arena.state().alignment != kArenaAlignment) return name + " has another alignment";
  std::vector<Allocation> active;
  for (const Allocation& record : arena.active()) {
    if (record.size > 0) active.push_back(record);
  }
  if (active != model.Active(kind)) return name + " keeps clear of other allocations";
  return {};
}

// One line more than there have to be is enough: a wrong picture may have a row for every number.
class Lines final : public PictureSink {
 public:
  explicit Lines(std::size_t expected_count) : expected_count_(expected_count) {}
  bool Line(std::string_view line) override {
    lines.emplace_back(line);
    return lines.size() <= expected_count_;
  }
  std::vector<std::string> lines;

 private:
  std::size_t expected_count_;
};

}  // namespace

std::string PlannerDifference(const ComparedPlanner& compared) {
  const ArenaPlanner& planner = compared.planner;
  const ModelPlanner& model = compared.model;
  if (!compared.memory.fault().empty()) return compared.memory.fault();
  if (std::string fault = AddressDifference(compared); !fault.empty()) return fault;
  if (std::string fault = TensorDifference(compared); !fault.empty()) return fault;
  if (planner.GetAllocInfo().non_persistent != model.bytes(ArenaTensorKind::kArena) ||
      planner.GetAllocInfo().persistent != model.bytes(ArenaTensorKind::kPersistentArena)) {
    return "an arena has other bytes";
  }
  if (planner.HasNonPersistentMemory() != model.has_memory()) return "HasNonPersistentMemory differs";
  std::size_t arenas = 0;
  for (const ArenaTensorKind kind : kOfArenas) {
    if (std::string fault = ArenaDifference(compared, kind); !fault.empty()) return fault;
    if (model.bytes(kind) > 0) ++arenas;
  }
  if (!compared.memory.HasArenas(arenas)) return "a block is kept for no arena, or taken from one";
  for (const auto kind : {ArenaTensorKind::kConstant, ArenaTensorKind::kDynamic, ArenaTensorKind::kCustom}) {
    if (planner.BasePointer(kind) != nullptr) return "a kind of tensors that lies in no arena has a base";
  }
  const ArenaPlannerOptions& options = planner.options();
  if (options.preserve_all_tensors != compared.options.preserve_all_tensors ||
      options.tensor_alignment != compared.options.tensor_alignment || options.subgraph != compared.options.subgraph) {
    return "the planner has other options";
  }
  return {};
}

std::string DumpDifference(const ComparedPlanner& compared) {
  std::vector<std::string> expected;
  std::vector<std::string> picture;
  for (const ArenaTensorKind kind : kOfArenas) {
    const std::vector<Allocation> places = compared.model.Places(kind);
    const bool ordinary = kind == ArenaTensorKind::kArena;
    DumpedArena dumped;
    dumped.title = ordinary ? "non-persistent arena" : "persistent arena";
    dumped.subgraph = compared.options.subgraph;
    dumped.places = places;
    dumped.bytes = compared.model.bytes(kind) > 0 ? compared.model.bytes(kind) : compared.model.planned_bytes(kind);
    dumped.node_count = static_cast<std::int32_t>(compared.model.planned_nodes());
    const std::vector<std::string> lines = DumpLines(dumped);
    expected.insert(expected.end(), lines.begin(), lines.end());
    if (ordinary) picture = PictureLines(dumped);
  }
  expected.insert(expected.end(), picture.begin(), picture.end());
  Lines dump(expected.size());
  compared.planner.DumpDebugInfo(dump);
  for (std::size_t i = 0; i < std::min(expected.size(), dump.lines.size()); ++i) {
    if (dump.lines[i] != expected[i]) return "the dump says\n" + dump.lines[i] + "\nand not\n" + expected[i];
  }
  return dump.lines.size() == expected.size() ? "" : "the dump has too few lines, or too many";
}

}  // namespace arenaproof::testing
