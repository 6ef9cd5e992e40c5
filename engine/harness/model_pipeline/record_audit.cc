#include "engine/harness/model_pipeline/record_audit.h"

#include <string>

#include "core/model/tensor_bytes.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/recording.h"

namespace arenaproof {
namespace {

class Audit {
 public:
  Audit(const ModelView& model, const Interpreter& interpreter, std::size_t set_up_count, EventStreamChecker& checker)
      : model_(model),
        interpreter_(interpreter),
        record_(*interpreter.allocator()->record()),
        set_up_count_(set_up_count),
        checker_(checker) {}

  void Run() {
    const std::size_t graph_tensors = model_.inputs(0).size() + model_.outputs(0).size();
    ExpectArray(MemoryCategory::kEvalTensors, "eval tensors", model_.total_tensor_count(), sizeof(EvalTensor));
    ExpectArray(MemoryCategory::kOperators, "operators", model_.total_operator_count(), sizeof(OperatorRecord));
    ExpectArray(MemoryCategory::kPersistentTensors, "persistent tensors", graph_tensors, sizeof(Operand));
    ExpectVariables();
    ExpectPersistentBuffers();
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kMemoryCategoryCount; ++i) {
      const RecordedMemory& memory = record_.of(static_cast<MemoryCategory>(i));
      if (memory.used_bytes < memory.requested_bytes) Say("a category", "uses less than was requested", 0, 0);
      sum += memory.used_bytes;
    }
    if (sum > interpreter_.tail_bytes())
      Say("the categories", "take more than the tail", sum, interpreter_.tail_bytes());
    const std::size_t counted = interpreter_.allocator()->arena().counters()->used_bytes;
    if (counted != interpreter_.arena_used_bytes()) {
      Say("the arena", "counts other bytes than are used", counted, interpreter_.arena_used_bytes());
    }
  }

 private:
  void Say(const char* what, const char* wrong, std::size_t found, std::size_t expected) {
    checker_.ReportInconsistency(std::string("memory record: ") + what + " " + wrong + ": " + std::to_string(found) +
                                 ", " + std::to_string(expected));
  }

  void ExpectCount(MemoryCategory category, const char* name, std::size_t count) {
    const RecordedMemory& memory = record_.of(category);
    if (memory.count != count) Say(name, "recorded, and expected", memory.count, count);
  }
  // Spacing around blocks is requested with them.
  void ExpectBytes(MemoryCategory category, const char* name, std::size_t bytes) {
    const RecordedMemory& memory = record_.of(category);
    if (checker_.options().persistent_spacing_bytes != 0) return;
    if (memory.requested_bytes != bytes) Say(name, "recorded in bytes, and expected", memory.requested_bytes, bytes);
  }

  void ExpectArray(MemoryCategory category, const char* name, std::size_t count, std::size_t element_bytes) {
    ExpectCount(category, name, set_up_count_ * count);
    const RecordedMemory& memory = record_.of(category);
    const std::size_t bytes = set_up_count_ * count * element_bytes;
    if (memory.requested_bytes != bytes) Say(name, "recorded in bytes, and expected", memory.requested_bytes, bytes);
  }

  void ExpectVariables() {
    if (checker_.has_offline_plan()) return;  // places variables in the head
    std::size_t count = 0, sum = 0;
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t i = 0; i < model_.tensor_count(s); ++i) {
        const TensorView tensor = model_.tensor(s, i);
        std::size_t bytes = 0;
        if (!tensor.is_variable || !TensorArenaBytes(tensor, &bytes).ok()) continue;
        ++count;
        sum += bytes;
      }
    }
    ExpectCount(MemoryCategory::kVariables, "variables", set_up_count_ * count);
    ExpectBytes(MemoryCategory::kVariables, "variables", set_up_count_ * sum);
  }

  // The events give the number; what resource variables hold is not announced.
  void ExpectPersistentBuffers() {
    if (interpreter_.resource_variable_count() != 0) return;
    std::size_t count = 0, sum = 0;
    for (const EventStreamChecker::TailBlock& tail : checker_.tail()) {
      if (tail.owner_operator < 0) continue;
      ++count;
      sum += tail.block.bytes;
    }
    ExpectCount(MemoryCategory::kPersistentBuffers, "persistent buffers", count);
    ExpectBytes(MemoryCategory::kPersistentBuffers, "persistent buffers", sum);
  }

  const ModelView& model_;
  const Interpreter& interpreter_;
  const MemoryRecord& record_;
  const std::size_t set_up_count_;
  EventStreamChecker& checker_;
};

}  // namespace

void AuditRecord(const ModelView& model, const Interpreter& interpreter, std::size_t set_up_count,
                 EventStreamChecker& checker) {
  const ModelAllocator* const allocator = interpreter.allocator();
  if (allocator == nullptr || allocator->record() == nullptr) return;
  Audit(model, interpreter, set_up_count, checker).Run();
}

}  // namespace arenaproof
