#include "props/failure_injection/subjects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/model/offline_plan.h"
#include "core/model/tensor_bytes.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "corpus/seed_models.h"
#include "engine/cases/validated.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/memory_need.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

// Temporaries, persistent blocks and more scratch than a prepare has slots for: what the reference kernels do not ask
// for all at once.
Status PrepareGreedy(PrepareContext& context) {
  std::byte* kept = nullptr;
  std::byte* first = nullptr;
  std::byte* second = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(40, &kept));
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(24, 8, &first));
  // The second temporary's kernel gives nothing back when it is refused: the runtime has to.
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(100, 16, &second));
  for (std::size_t i = 0; i < 15; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(8 * i + 1));
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(3, &kept));
  ARENAPROOF_RETURN_IF_ERROR(context.services->FreeTemporary(first));
  return context.services->FreeTemporary(second);
}

Status InvokeGreedy(const InvokeContext& context) {
  const Operand& input = context.inputs[0];
  for (std::size_t i = 0; i < context.scratch.size(); ++i) context.scratch[i][0] = static_cast<std::byte>(i);
  for (std::size_t i = 0; i < input.bytes; ++i) {
    context.outputs[0].data[i] = static_cast<std::byte>(std::to_integer<int>(input.data[i]) * 3 + 1);
  }
  return Ok();
}

constexpr Kernel kGreedyKernels[] = {
    {.op = BuiltinOperator::kAbs, .name = "greedy", .prepare = PrepareGreedy, .invoke = InvokeGreedy}};
constexpr KernelSet kGreedySet{.name = "greedy", .kernels = kGreedyKernels};

void LoadSeeds(std::vector<Subject>* subjects) {
  const std::filesystem::path folder = std::filesystem::path(ARENAPROOF_SOURCE_FOLDER) / "corpus" / "models";
  std::set<std::string> expected;
  for (const SeedModel& model : AllSeedModels()) expected.emplace(model.name);
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tflite") continue;
    Subject subject;
    subject.name = entry.path().stem().string();
    subject.kernels = FindKernelSet("reference");
    subject.file = std::make_unique<ModelFile>();
    const KernelSetSupport support(*subject.kernels);
    ASSERT_EQ(subject.file->Load(entry.path(), &support), "") << entry.path();
    subject.view = subject.file->model();
    found.insert(subject.name);
    subjects->push_back(std::move(subject));
  }
  ASSERT_EQ(found, expected);
}

void AddGreedy(std::vector<Subject>* subjects) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 4; ++i) {
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{50}}, .is_variable = i == 3});
  }
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAbs), .inputs = {0, 3}, .outputs = {1}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAbs), .inputs = {1}, .outputs = {2}});
  graph.inputs = {0};
  graph.outputs = {2};
  Subject greedy;
  greedy.name = "a kernel that asks for everything";
  greedy.kernels = &kGreedySet;
  greedy.own_bytes = builder.Finish();
  greedy.view = Validated(greedy.own_bytes);
  subjects->push_back(std::move(greedy));
}

void Complete(Subject* subject) {
  const ValidatedModel& view = *subject->view;
  const MemoryNeed need = MeasureMemory(view, *subject->kernels);
  ASSERT_EQ(need.status, Ok());
  subject->arena_bytes = 3 * need.need_bytes;
  OfflinePlanEntry plan;
  ASSERT_EQ(LocateOfflinePlan(view, &plan), Ok());
  if (plan.present) subject->offline_plan_copy_bytes = view.total_tensor_count() * sizeof(std::int32_t);
  for (const std::int32_t input : view.inputs(0)) {
    const auto index = static_cast<std::size_t>(input);
    std::int32_t offset = kPlannedAtRunTime;
    ASSERT_EQ(OfflineOffsetOf(view, 0, index, &offset), Ok());
    if (offset != kPlannedAtRunTime) continue;
    OutsideTensor outside{input, 0};
    ASSERT_EQ(TensorArenaBytes(view.tensor(0, index), &outside.bytes), Ok());
    subject->outside.push_back(outside);
  }
  ASSERT_FALSE(subject->outside.empty());
}

}  // namespace

void LoadSubjects(std::vector<Subject>* subjects) {
  ASSERT_NO_FATAL_FAILURE(LoadSeeds(subjects));
  ASSERT_NO_FATAL_FAILURE(AddGreedy(subjects));
  ASSERT_EQ(subjects->size(), AllSeedModels().size() + 1);
  std::sort(subjects->begin(), subjects->end(), [](const Subject& a, const Subject& b) { return a.name < b.name; });
  for (Subject& subject : *subjects) {
    SCOPED_TRACE(subject.name);
    ASSERT_NO_FATAL_FAILURE(Complete(&subject));
  }
}

}  // namespace arenaproof
