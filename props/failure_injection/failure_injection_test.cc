// Memory that is exhausted at every single operation of set-up in turn, whoever asks: whatever refuses, set-up fails
// with that very status, no temporary stays behind, and the same memory serves the same model and another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "core/arena/invariants.h"
#include "core/arena/tensor_arena.h"
#include "core/runtime/interpreter.h"
#include "core/runtime/kernel_set.h"
#include "kernels/kernel_sets.h"
#include "props/failure_injection/refusals_to_order.h"
#include "tools/arena_memory.h"
#include "tools/arena_need.h"
#include "tools/input_generator.h"
#include "tools/model_builder.h"
#include "tools/model_file.h"
#include "tools/model_options.h"

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
  // On the way out of a refusal the second temporary's kernel gives nothing back: the runtime has to.
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

struct Subject {
  std::string name;
  const KernelSet* kernels = nullptr;
  std::unique_ptr<ModelFile> file;   // of a model on disk
  std::vector<std::byte> own_bytes;  // of a built one
  ModelView view;
  std::size_t arena_bytes = 0;  // three set-ups in a row fit, with the tails of two of them lost
};

std::vector<Subject> Subjects() {
  std::vector<Subject> subjects;
  const std::filesystem::path folder = std::filesystem::path(ARENAPROOF_SOURCE_FOLDER) / "corpus" / "models";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tflite") continue;
    Subject subject;
    subject.name = entry.path().stem().string();
    subject.kernels = FindKernelSet("reference");
    subject.file = std::make_unique<ModelFile>();
    const KernelSetSupport support(*subject.kernels);
    if (!subject.file->Load(entry.path(), &support).empty()) continue;
    subject.view = subject.file->view();
    subjects.push_back(std::move(subject));
  }
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
  if (!ModelView::Open(greedy.own_bytes, &greedy.view).ok()) throw std::logic_error("the built model is no model");
  subjects.push_back(std::move(greedy));
  std::sort(subjects.begin(), subjects.end(), [](const Subject& a, const Subject& b) { return a.name < b.name; });
  for (Subject& subject : subjects) subject.arena_bytes = 3 * FindArenaNeed(subject.view, *subject.kernels).bytes;
  return subjects;
}

// Where every tensor lies, and what comes out.
struct SettledModel {
  std::vector<std::size_t> offsets;
  std::vector<std::byte> outputs;
  friend bool operator==(const SettledModel&, const SettledModel&) = default;
};

enum class Shape { kSingleArena, kTwoArenas };

class FailureInjection : public ::testing::TestWithParam<Shape> {
 protected:
  static constexpr std::size_t kMostInvokedBytes = 20000;

  std::unique_ptr<Interpreter> Make(const Subject& subject) {
    if (GetParam() == Shape::kSingleArena) {
      return std::make_unique<Interpreter>(subject.view, *subject.kernels, memory_.start(), arena_bytes_,
                                           ForModel(subject.view));
    }
    const ArenaBuffers arenas{memory_.start(), arena_bytes_, other_memory_.start(), arena_bytes_};
    return std::make_unique<Interpreter>(subject.view, *subject.kernels, arenas, ForModel(subject.view));
  }

  bool Grow(std::size_t bytes) {
    arena_bytes_ = bytes;
    return memory_.Grow(bytes) && other_memory_.Grow(bytes);
  }

  // Of an interpreter that has been set up. Large models are only invoked when asked to.
  static SettledModel Observe(const Subject& subject, Interpreter& interpreter, bool invoke) {
    SettledModel found;
    for (std::size_t i = 0; i < subject.view.tensor_count(0); ++i) {
      std::size_t offset = SIZE_MAX;
      if (!interpreter.TensorOffset(static_cast<std::int32_t>(i), &offset).ok()) offset = SIZE_MAX;
      found.offsets.push_back(offset);
    }
    if (!invoke) return found;
    InputGenerator generator(1);
    for (const Operand& input : interpreter.inputs()) generator.Fill(input.type, {input.data, input.bytes});
    EXPECT_TRUE(interpreter.Invoke().ok());
    for (const Operand& output : interpreter.outputs()) {
      found.outputs.insert(found.outputs.end(), output.data, output.data + output.bytes);
    }
    return found;
  }

  static void ExpectSoundArenas() {
    for (const Arena* arena : RefusalsToOrder::arenas()) {
      const char* broken = FirstBroken(arena->state());
      EXPECT_EQ(broken, nullptr) << broken;
      EXPECT_EQ(arena->state().temporary_count, 0u);
      EXPECT_EQ(arena->state().temporary_end, arena->state().head_end);
    }
  }

  void Refuse(const Subject& subject, const SettledModel& sound, std::size_t refused, bool invoke) {
    RefusalsToOrder::Begin(refused);
    const std::unique_ptr<Interpreter> interpreter = Make(subject);
    const bool refused_the_allocator = RefusalsToOrder::refused();
    RefusalsToOrder::ForgetArenas();  // one that builds another does not outlive it
    const std::size_t tail_at_start = interpreter->tail_bytes();
    const Status status = interpreter->AllocateTensors();
    ASSERT_TRUE(RefusalsToOrder::refused());
    // The arena's own object has a status of its own.
    const bool no_arena = refused_the_allocator && status.code == StatusCode::kArenaBufferTooSmall;
    if (!no_arena) ASSERT_EQ(status.code, RefusalsToOrder::refused_with());
    ASSERT_EQ(interpreter->state(), InterpreterState::kFailed);
    ASSERT_EQ(interpreter->Invoke().code, StatusCode::kRuntimeState);
    ExpectSoundArenas();
    ASSERT_EQ(interpreter->head_bytes(), 0u);
    ASSERT_EQ(interpreter->tail_bytes(), tail_at_start) << "nothing is lost";
    // The same interpreter again, unless it never had an allocator.
    RefusalsToOrder::Begin(RefusalsToOrder::kNone);
    const Status again = interpreter->AllocateTensors();
    if (refused_the_allocator) {
      ASSERT_EQ(again, status);
    } else {
      ASSERT_EQ(again, Ok());
      ASSERT_EQ(Observe(subject, *interpreter, invoke), sound);
    }
    ExpectSoundArenas();
  }

  ArenaMemory memory_;
  ArenaMemory other_memory_;
  std::size_t arena_bytes_ = 0;
};

TEST_P(FailureInjection, AtEveryOperationOfSetUpLeavesAReusableArena) {
  const std::vector<Subject> subjects = Subjects();
  ASSERT_GE(subjects.size(), 7u);
  std::size_t most_bytes = 0;
  for (const Subject& subject : subjects) most_bytes = std::max(most_bytes, subject.arena_bytes);
  ASSERT_TRUE(Grow(most_bytes));
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    const Subject& subject = subjects[s];
    const Subject& other = subjects[(s + 1) % subjects.size()];
    SCOPED_TRACE(subject.name);
    RefusalsToOrder::Begin(RefusalsToOrder::kNone);
    auto interpreter = Make(subject);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const std::size_t operations = RefusalsToOrder::operation_count();
    const SettledModel sound = Observe(subject, *interpreter, true);
    const SettledModel sound_without_outputs = Observe(subject, *interpreter, false);
    interpreter = Make(other);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const SettledModel sound_other = Observe(other, *interpreter, false);
    const bool small = subject.arena_bytes < 3 * kMostInvokedBytes;
    for (std::size_t refused = 0; refused < operations; ++refused) {
      SCOPED_TRACE("operation " + std::to_string(refused));
      const bool invoke = small || refused == 0 || refused + 1 == operations;
      Refuse(subject, invoke ? sound : sound_without_outputs, refused, invoke);
      // Another model in the very same memory, whatever the refused set-up left there.
      interpreter = Make(other);
      ASSERT_EQ(interpreter->AllocateTensors(), Ok());
      ASSERT_EQ(Observe(other, *interpreter, false), sound_other);
      if (HasFatalFailure()) return;
    }
    std::cout << subject.name << ": refused at each of " << operations << " operations\n";
  }
}

// A second AllocateTensors of an interpreter that runs: its refusal costs the set-up, but never the arena.
TEST_P(FailureInjection, InTheSecondSetUpOfAnInterpreterIsTheSame) {
  const std::vector<Subject> subjects = Subjects();
  for (const Subject& subject : subjects) {
    if (subject.arena_bytes > 3 * kMostInvokedBytes) continue;
    SCOPED_TRACE(subject.name);
    ASSERT_TRUE(Grow(subject.arena_bytes * 4 / 3));
    RefusalsToOrder::Begin(RefusalsToOrder::kNone);
    auto interpreter = Make(subject);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const SettledModel sound = Observe(subject, *interpreter, true);
    const std::size_t head_bytes = interpreter->head_bytes();
    RefusalsToOrder::Begin(RefusalsToOrder::kNone);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const std::size_t operations = RefusalsToOrder::operation_count();
    for (std::size_t refused = 0; refused < operations; ++refused) {
      SCOPED_TRACE("operation " + std::to_string(refused));
      interpreter = Make(subject);
      ASSERT_EQ(interpreter->AllocateTensors(), Ok());
      RefusalsToOrder::Begin(refused);
      ASSERT_EQ(interpreter->AllocateTensors().code, RefusalsToOrder::refused_with());
      ExpectSoundArenas();
      ASSERT_EQ(interpreter->head_bytes(), head_bytes) << "the head keeps the size that the first set-up needed";
      RefusalsToOrder::Begin(RefusalsToOrder::kNone);
      ASSERT_EQ(interpreter->AllocateTensors(), Ok());
      ASSERT_EQ(Observe(subject, *interpreter, true), sound);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FailureInjection, ::testing::Values(Shape::kSingleArena, Shape::kTwoArenas),
                         [](const auto& instance) {
                           return instance.param == Shape::kSingleArena ? "SingleArena" : "TwoArenas";
                         });

}  // namespace
}  // namespace arenaproof
