#include "tools/memory/memory_record_text.h"

namespace arenaproof {
namespace {

constexpr const char* kPrefix = "[RecordingMicroAllocator] ";

std::string ArenaLine(const char* what, std::size_t bytes) {
  return std::string(kPrefix) + "Arena allocation " + what + " " + std::to_string(bytes) + " bytes\n";
}

}  // namespace

const char* MemoryCategoryName(MemoryCategory category) {
  switch (category) {
    case MemoryCategory::kEvalTensors:
      return "TfLiteEvalTensor data";
    case MemoryCategory::kPersistentTensors:
      return "Persistent TfLiteTensor data";
    case MemoryCategory::kPersistentTensorQuantization:
      return "Persistent TfLiteTensor quantization data";
    case MemoryCategory::kPersistentBuffers:
      return "Persistent buffer data";
    case MemoryCategory::kVariables:
      return "TfLiteTensor variable buffer data";
    case MemoryCategory::kOperators:
      return "NodeAndRegistration struct";
    case MemoryCategory::kOperatorData:
      return "Operator runtime data";
  }
  return "";
}

const char* MemoryCategoryWord(MemoryCategory category) {
  switch (category) {
    case MemoryCategory::kPersistentTensors:
      return "tensors";
    case MemoryCategory::kOperators:
      return "NodeAndRegistration structs";
    case MemoryCategory::kOperatorData:
      return "OpData structs";
    case MemoryCategory::kEvalTensors:
    case MemoryCategory::kPersistentTensorQuantization:
    case MemoryCategory::kPersistentBuffers:
    case MemoryCategory::kVariables:
      return "allocations";
  }
  return "";
}

std::string MemoryRecordText(const ModelAllocator& allocator) {
  if (allocator.record() == nullptr) return "";
  const TensorArena& arena = allocator.arena();
  std::string text = ArenaLine("total", arena.counters()->used_bytes) +
                     ArenaLine("head", arena.NonPersistentUsedBytes()) + ArenaLine("tail", arena.PersistentUsedBytes());
  for (std::size_t i = 0; i < kMemoryCategoryCount; ++i) {
    const auto category = static_cast<MemoryCategory>(i);
    const RecordedMemory& memory = allocator.record()->of(category);
    if (memory.used_bytes == 0 && memory.requested_bytes == 0) continue;
    text += std::string(kPrefix) + "'" + MemoryCategoryName(category) + "' used " + std::to_string(memory.used_bytes) +
            " bytes with alignment overhead (requested " + std::to_string(memory.requested_bytes) + " bytes for " +
            std::to_string(memory.count) + " " + MemoryCategoryWord(category) + ")\n";
  }
  return text;
}

}  // namespace arenaproof
