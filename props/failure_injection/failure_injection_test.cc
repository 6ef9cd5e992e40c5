// Memory that is exhausted at every single operation of set-up in turn, whoever asks: whatever refuses, set-up fails
// with that very status, no temporary stays behind, and the same memory serves the same model and another one. In every
// shape that an interpreter's memory can have.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "core/arena/invariants.h"
#include "core/arena/tensor_arena.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "props/failure_injection/subjects.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_record_text.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

// Larger models are only invoked now and then.
constexpr std::size_t kMostInvokedBytes = 20000;

bool Small(const Subject& subject) { return subject.arena_bytes <= 3 * kMostInvokedBytes; }

// Where every tensor lies, and what comes out.
struct SettledModel {
  std::vector<std::size_t> offsets;
  std::vector<std::byte> outputs;
  friend bool operator==(const SettledModel&, const SettledModel&) = default;
};

// What can be seen of an interpreter that has been set up.
SettledModel Observe(const Subject& subject, Interpreter& interpreter, bool invoke) {
  SettledModel found;
  for (std::size_t i = 0; i < subject.view->tensor_count(0); ++i) {
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

void ExpectSoundArenas() {
  for (const Arena* arena : InjectedRefusals::arenas()) {
    const char* broken = FirstBroken(arena->state());
    EXPECT_EQ(broken, nullptr) << broken;
    EXPECT_EQ(arena->state().temporary_count, 0u);
    EXPECT_EQ(arena->state().temporary_end, arena->state().head_end);
  }
}

enum class Shape { kSingleArena, kTwoArenas, kRecorded, kRecordedTwoArenas, kPreallocated };

class FailureInjection : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(LoadSubjects(&subjects_)); }

  bool recorded() const { return GetParam() == Shape::kRecorded || GetParam() == Shape::kRecordedTwoArenas; }
  bool separate() const { return GetParam() == Shape::kTwoArenas || GetParam() == Shape::kRecordedTwoArenas; }

  std::unique_ptr<Interpreter> Make(const Subject& subject) {
    const InterpreterOptions options = ForModel(*subject.view, {.record_memory = recorded()});
    if (separate()) {
      const ArenaBuffers arenas{memory_.start(), arena_bytes_, other_memory_.start(), arena_bytes_};
      return std::make_unique<Interpreter>(*subject.view, *subject.kernels, arenas, options);
    }
    auto interpreter =
        std::make_unique<Interpreter>(*subject.view, *subject.kernels, memory_.start(), arena_bytes_, options);
    if (GetParam() == Shape::kPreallocated) ServeFromOutside(subject, *interpreter);
    return interpreter;
  }

  void ServeFromOutside(const Subject& subject, Interpreter& interpreter) {
    std::byte* buffer = other_memory_.start();
    for (const OutsideTensor& outside : subject.outside) {
      EXPECT_EQ(interpreter.RegisterPreallocatedTensor(0, outside.tensor, buffer, outside.bytes), Ok());
      buffer += (outside.bytes + 15) / 16 * 16;
    }
    ASSERT_LE(buffer, other_memory_.start() + arena_bytes_);
  }

  bool Grow(std::size_t bytes) {
    arena_bytes_ = bytes;
    return memory_.Grow(bytes) && other_memory_.Grow(bytes);
  }

  // What is seen of an interpreter that has been set up in the shape that it is to have.
  SettledModel Settle(const Subject& subject, Interpreter& interpreter, bool invoke) {
    const std::byte* buffer = other_memory_.start();
    for (const OutsideTensor& outside : subject.outside) {
      if (GetParam() != Shape::kPreallocated) break;
      std::span<std::byte> bytes;
      EXPECT_EQ(interpreter.TensorBytes(outside.tensor, &bytes), Ok());
      EXPECT_EQ(bytes.data(), buffer);
      buffer += (outside.bytes + 15) / 16 * 16;
    }
    return Observe(subject, interpreter, invoke);
  }

  // What the tail was spent on; empty unless recorded.
  static std::string Spent(const Interpreter& interpreter) {
    return interpreter.allocator() == nullptr ? "" : MemoryRecordText(*interpreter.allocator());
  }

  void Refuse(const Subject& subject, const SettledModel& sound, std::size_t refused, bool invoke) {
    InjectedRefusals::Begin(refused);
    const std::unique_ptr<Interpreter> interpreter = Make(subject);
    const bool refused_the_allocator = InjectedRefusals::refused();
    InjectedRefusals::ForgetArenas();  // one that builds another does not outlive it
    const std::size_t tail_at_start = interpreter->tail_bytes();
    const std::string spent_at_start = Spent(*interpreter);
    if (recorded() && !refused_the_allocator) ASSERT_NE(spent_at_start, "");
    const Status status = interpreter->AllocateTensors();
    ASSERT_TRUE(InjectedRefusals::refused());
    refusals_.push_back(InjectedRefusals::refusal());
    // The arena's own object has a status of its own.
    const bool no_arena = refused_the_allocator && status.code == StatusCode::kArenaBufferTooSmall;
    if (!no_arena) ASSERT_EQ(status.code, InjectedRefusals::refused_with());
    ASSERT_EQ(interpreter->state(), InterpreterState::kFailed);
    ASSERT_EQ(interpreter->Invoke().code, StatusCode::kRuntimeState);
    ExpectSoundArenas();
    ASSERT_EQ(interpreter->head_bytes(), 0u);
    ASSERT_EQ(interpreter->tail_bytes(), tail_at_start) << "nothing is lost";
    ASSERT_EQ(Spent(*interpreter), spent_at_start) << "nothing is counted";
    // The same interpreter again, unless it never had an allocator.
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    const Status again = interpreter->AllocateTensors();
    if (refused_the_allocator) {
      ASSERT_EQ(again, status);
    } else {
      ASSERT_EQ(again, Ok());
      ASSERT_EQ(Settle(subject, *interpreter, invoke), sound);
    }
    ExpectSoundArenas();
  }

  std::vector<Subject> subjects_;
  ArenaMemory memory_;
  ArenaMemory other_memory_;  // a second arena, or the application's buffers
  std::size_t arena_bytes_ = 0;
  std::vector<Status> refusals_;
};

TEST_P(FailureInjection, AtEveryOperationOfSetUpLeavesAReusableArena) {
  std::size_t most_bytes = 0;
  std::size_t planned_count = 0;
  for (const Subject& subject : subjects_) most_bytes = std::max(most_bytes, subject.arena_bytes);
  ASSERT_TRUE(Grow(most_bytes));
  for (std::size_t s = 0; s < subjects_.size(); ++s) {
    const Subject& subject = subjects_[s];
    const Subject& other = subjects_[(s + 1) % subjects_.size()];
    SCOPED_TRACE(subject.name);
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    auto interpreter = Make(subject);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const std::size_t operations = InjectedRefusals::operation_count();
    const SettledModel sound = Settle(subject, *interpreter, true);
    const SettledModel sound_without_outputs = Settle(subject, *interpreter, false);
    interpreter = Make(other);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const SettledModel sound_other = Settle(other, *interpreter, false);
    refusals_.clear();
    for (std::size_t refused = 0; refused < operations; ++refused) {
      SCOPED_TRACE("operation " + std::to_string(refused));
      const bool invoke = Small(subject) || refused == 0 || refused + 1 == operations;
      Refuse(subject, invoke ? sound : sound_without_outputs, refused, invoke);
      // Another model in the very same memory, whatever the refused set-up left there.
      interpreter = Make(other);
      ASSERT_EQ(interpreter->AllocateTensors(), Ok());
      ASSERT_EQ(Settle(other, *interpreter, false), sound_other);
      if (HasFatalFailure()) return;
    }
    const auto copies = std::count_if(refusals_.begin(), refusals_.end(), [&](const Status& refusal) {
      return refusal.code == StatusCode::kArenaTemporaryDoesNotFit &&
             refusal.detail[0] == subject.offline_plan_copy_bytes;
    });
    EXPECT_EQ(copies, subject.offline_plan_copy_bytes > 0 ? 1 : 0) << "of the model's own plan";
    if (subject.offline_plan_copy_bytes > 0) ++planned_count;
    std::cout << subject.name << ": refused at each of " << operations << " operations\n";
  }
  EXPECT_GE(planned_count, 1u) << "a model that brings a plan";
}

// A second AllocateTensors of an interpreter that runs: its refusal costs the set-up, but never the arena.
TEST_P(FailureInjection, InTheSecondSetUpOfAnInterpreterIsTheSame) {
  for (const Subject& subject : subjects_) {
    if (!Small(subject)) continue;
    SCOPED_TRACE(subject.name);
    ASSERT_TRUE(Grow(subject.arena_bytes * 4 / 3));
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    auto interpreter = Make(subject);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const SettledModel sound = Settle(subject, *interpreter, true);
    const std::size_t head_bytes = interpreter->head_bytes();
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    const std::size_t operations = InjectedRefusals::operation_count();
    for (std::size_t refused = 0; refused < operations; ++refused) {
      SCOPED_TRACE("operation " + std::to_string(refused));
      interpreter = Make(subject);
      ASSERT_EQ(interpreter->AllocateTensors(), Ok());
      const std::string spent = Spent(*interpreter);
      InjectedRefusals::Begin(refused);
      ASSERT_EQ(interpreter->AllocateTensors().code, InjectedRefusals::refused_with());
      ExpectSoundArenas();
      ASSERT_EQ(interpreter->head_bytes(), head_bytes) << "the head keeps the size that the first set-up needed";
      ASSERT_EQ(Spent(*interpreter), spent);
      InjectedRefusals::Begin(InjectedRefusals::kNone);
      ASSERT_EQ(interpreter->AllocateTensors(), Ok());
      ASSERT_EQ(Settle(subject, *interpreter, true), sound);
    }
  }
}

std::string NameOf(const ::testing::TestParamInfo<Shape>& instance) {
  constexpr const char* kNames[] = {"SingleArena", "TwoArenas", "Recorded", "RecordedTwoArenas", "Preallocated"};
  return kNames[static_cast<std::size_t>(instance.param)];
}

INSTANTIATE_TEST_SUITE_P(Shapes, FailureInjection,
                         ::testing::Values(Shape::kSingleArena, Shape::kTwoArenas, Shape::kRecorded,
                                           Shape::kRecordedTwoArenas, Shape::kPreallocated),
                         NameOf);

// A model that runs, and the allocator that it shares with a second one.
class SharedByTwo {
 public:
  SharedByTwo(const Subject& first, ArenaMemory& memory, std::size_t bytes) : first_(first) {
    EXPECT_EQ(ModelAllocator::Create(memory.start(), bytes, {}, &allocator_), Ok());
    interpreter_ = Join(first);
    EXPECT_EQ(interpreter_->AllocateTensors(), Ok());
    if (Small(first)) Observe(first, *interpreter_, true);  // an operator that runs once has run then
  }
  std::unique_ptr<Interpreter> Join(const Subject& subject) {
    return std::make_unique<Interpreter>(*subject.view, *subject.kernels, *allocator_, ForModel(*subject.view));
  }
  SettledModel First(bool invoke) {
    EXPECT_EQ(interpreter_->Reset(), Ok());  // the head, where a plan may have put a variable, is everybody's
    return Observe(first_, *interpreter_, invoke);
  }
  const TensorArena& arena() const { return allocator_->arena(); }
  std::size_t lost_tail_bytes() const { return allocator_->lost_tail_bytes(); }

 private:
  const Subject& first_;
  ModelAllocator* allocator_ = nullptr;
  std::unique_ptr<Interpreter> interpreter_;
};

class FailureInjectionBesideAModelThatRuns : public ::testing::Test {
 protected:
  // `sound_first` and `sound`: of the model that runs and of the subject, both with outputs.
  void Refuse(const Subject& subject, const Subject& first, const SettledModel& sound_first, const SettledModel& sound,
              std::size_t refused, bool invoke) {
    const auto expected = [&](const SettledModel& model) {
      return SettledModel{model.offsets, invoke ? model.outputs : std::vector<std::byte>()};
    };
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    SharedByTwo shared(first, memory_, arena_bytes_);
    const std::size_t head_bytes = shared.arena().NonPersistentUsedBytes();
    InjectedRefusals::Begin(refused);
    const std::unique_ptr<Interpreter> interpreter = shared.Join(subject);
    const bool refused_the_interpreter = InjectedRefusals::refused();
    const std::size_t tail_bytes = shared.arena().PersistentUsedBytes();
    const Status status = interpreter->AllocateTensors();
    ASSERT_EQ(status.code, InjectedRefusals::refused_with());
    ASSERT_TRUE(InjectedRefusals::refused());
    ASSERT_EQ(interpreter->state(), InterpreterState::kFailed);
    ExpectSoundArenas();
    ASSERT_EQ(shared.arena().NonPersistentUsedBytes(), head_bytes) << "what the model that runs needs";
    ASSERT_EQ(shared.arena().PersistentUsedBytes(), tail_bytes) << "nothing is lost";
    ASSERT_EQ(shared.lost_tail_bytes(), 0u);
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    ASSERT_EQ(shared.First(invoke), expected(sound_first));
    const Status again = interpreter->AllocateTensors();
    if (refused_the_interpreter) {
      ASSERT_EQ(again, status);
      return;
    }
    ASSERT_EQ(again, Ok());
    ASSERT_EQ(Observe(subject, *interpreter, invoke), expected(sound));
    ASSERT_EQ(shared.First(invoke), expected(sound_first));
    ExpectSoundArenas();
  }

  ArenaMemory memory_;
  std::size_t arena_bytes_ = 0;
};

TEST_F(FailureInjectionBesideAModelThatRuns, LeavesItAndTheSharedAllocatorIntact) {
  std::vector<Subject> subjects;
  ASSERT_NO_FATAL_FAILURE(LoadSubjects(&subjects));
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    const Subject& subject = subjects[s];
    const Subject& first = subjects[(s + 1) % subjects.size()];
    SCOPED_TRACE(subject.name + " beside " + first.name);
    arena_bytes_ = subject.arena_bytes + first.arena_bytes;
    ASSERT_TRUE(memory_.Grow(arena_bytes_));
    SharedByTwo shared(first, memory_, arena_bytes_);
    const SettledModel sound_first = shared.First(true);
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    const auto interpreter = shared.Join(subject);
    ASSERT_EQ(interpreter->AllocateTensors(), Ok());
    const std::size_t operations = InjectedRefusals::operation_count();
    const SettledModel sound = Observe(subject, *interpreter, true);
    ASSERT_EQ(shared.First(true), sound_first);
    for (std::size_t refused = 0; refused < operations; ++refused) {
      SCOPED_TRACE("operation " + std::to_string(refused));
      const bool invoke = (Small(subject) && Small(first)) || refused == 0 || refused + 1 == operations;
      Refuse(subject, first, sound_first, sound, refused, invoke);
      if (HasFatalFailure()) return;
    }
    std::cout << subject.name << " beside " << first.name << ": refused at each of " << operations << " operations\n";
  }
}

}  // namespace
}  // namespace arenaproof
