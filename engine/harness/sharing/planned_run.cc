#include "engine/harness/sharing/planned_run.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/harness/model_pipeline/work_estimate.h"
#include "kernels/reference/reference_kernels.h"
#include "sanitizers/layout/dilating_planner.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_arena_planner.h"
#include "tools/model/model_options.h"
#include "tools/model/model_sharing.h"
#include "tools/model/plan_recorder.h"
#include "tools/planner/given_plan_planner.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kArenaBytes = 256 * 1024;
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 22;  // loops that a wrong plan keeps running end there

class RunRecorder final : public PlanRecorder {
 public:
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override {
    PlanRecorder::OnPlanCommitted(head_start, plan);
    head_start_ = head_start;
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    if (scope.phase != OperatorPhase::kInvoke || !wrong_access_list_.empty() || IsInPlaceAsAnnounced(scope)) return;
    wrong_access_list_ = std::string(scope.operator_name) + " " + std::to_string(scope.operator_index) +
                         " of subgraph " + std::to_string(scope.subgraph) +
                         " is not told to work in place where it was announced to";
  }
  const std::byte* head_start() const { return head_start_; }
  const std::string& wrong_access_list() const { return wrong_access_list_; }

 private:
  // In place are exactly the input and the output that were announced to share, in the very same bytes; where none
  // were announced, nothing is.
  bool IsInPlaceAsAnnounced(const OperatorScope& scope) const {
    std::vector<const OperandRange*> in_place;
    for (const OperandRange& range : scope.operands) {
      if (IsInPlace(range.right)) in_place.push_back(&range);
    }
    const auto announced = std::find_if(sharing().begin(), sharing().end(), [&](const BufferAlias& alias) {
      return alias.subgraph == scope.subgraph && alias.operator_index == scope.operator_index;
    });
    if (announced == sharing().end()) return in_place.empty();
    if (in_place.size() != 2) return false;
    const OperandRange& input = *in_place[0];
    const OperandRange& output = *in_place[1];
    return input.kind == OperandKind::kInput && input.right == AccessRight::kReadInPlace &&
           input.index == plan()[announced->source].tensor && output.kind == OperandKind::kOutput &&
           output.right == AccessRight::kReadWriteInPlace && output.index == plan()[announced->buffer].tensor &&
           input.data == output.data && input.bytes == output.bytes;
  }

  const std::byte* head_start_ = nullptr;
  std::string wrong_access_list_;
};

}  // namespace

PlannedRun RunPlanned(const ValidatedModel& model, InterpreterOptions options) {
  static std::vector<std::byte> arena(kArenaBytes);
  PlannedRun run;
  RunRecorder recorder;
  options = ForModel(model, options);
  options.observer = &recorder;
  std::optional<WorkBudget> budget(std::in_place, model, kMostWork);
  options.cancellation = &*budget;
  std::fill(arena.begin(), arena.end(), std::byte{0xA5});
  Interpreter interpreter(model, ReferenceKernels(), arena.data(), arena.size(), options);
  run.status = interpreter.AllocateTensors();
  if (!run.status.ok()) return run;
  run.plan = recorder.plan();
  run.sharing = recorder.sharing();
  run.head_bytes = interpreter.head_bytes();
  InputGenerator generator(7);
  for (const std::byte garbage : {std::byte{0xA5}, std::byte{0x3C}}) {
    if (run.head_bytes > 0) {
      std::memset(arena.data() + (recorder.head_start() - arena.data()), std::to_integer<int>(garbage), run.head_bytes);
    }
    for (const Operand& input : interpreter.inputs()) generator.Fill(input.type, {input.data, input.bytes});
    budget.emplace(model, kMostWork);
    run.status = interpreter.Invoke();
    run.wrong_access_list = recorder.wrong_access_list();
    if (!run.status.ok()) return run;
    for (const Operand& output : interpreter.outputs()) {
      run.outputs.insert(run.outputs.end(), output.data, output.data + output.bytes);
    }
  }
  return run;
}

PlannedRun RunWithPlanner(const ValidatedModel& model, const std::string& word, bool no_sharing) {
  ChosenPlanner planner;
  if (const std::string problem = planner.Choose(word, !no_sharing); !problem.empty()) throw std::logic_error(problem);
  SetUpOptions set_up;
  set_up.planner = word;
  set_up.no_sharing = no_sharing;
  return RunPlanned(model, InterpreterOptionsOf(set_up, planner));
}

PlannedRun RunDilated(const ValidatedModel& model, bool no_sharing) {
  ModelArenaPlanner arena(!no_sharing);
  DilatingPlanner planner(arena);
  return RunPlanned(model, {.planner = &planner, .sharing = &arena});
}

PlannedRun RunGiven(const ValidatedModel& model, std::span<const std::int64_t> offsets, bool no_sharing) {
  GivenPlanPlanner planner({offsets.begin(), offsets.end()});
  ModelSharing sharing(&planner, !no_sharing);
  return RunPlanned(model, {.planner = &planner, .sharing = &sharing});
}

std::vector<std::int64_t> OffsetsOf(const PlannedRun& run) {
  std::vector<std::int64_t> offsets;
  for (const PlanEntry& entry : run.plan) offsets.push_back(static_cast<std::int64_t>(entry.offset));
  return offsets;
}

std::string WrongSharing(const PlannedRun& run) {
  if (!run.wrong_access_list.empty()) return run.wrong_access_list;
  std::vector<std::size_t> group(run.plan.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const BufferAlias& alias : run.sharing) group[alias.buffer] = alias.owner;
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const PlanEntry& a = run.plan[k];
      const PlanEntry& b = run.plan[i];
      const bool meet = a.first <= b.last && b.first <= a.last && std::min(a.last, b.last) >= 0;
      const bool overlap = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
      if (!meet || !overlap || group[i] == group[k]) continue;
      return "A1: buffers " + std::to_string(k) + " and " + std::to_string(i) + " share bytes while both are alive";
    }
  }
  return {};
}

}  // namespace arenaproof::testing
