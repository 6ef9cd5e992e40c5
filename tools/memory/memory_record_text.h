// What a recorded tail was spent on, in the words of TensorFlow Lite Micro's recording allocator.
#pragma once

#include <string>

#include "core/runtime/interpreter/model_allocator.h"

namespace arenaproof {

const char* MemoryCategoryName(MemoryCategory category);  // "TfLiteEvalTensor data"
const char* MemoryCategoryWord(MemoryCategory category);  // what its count counts: "allocations"

// One line each for the arena's total, head and tail and for every category with bytes, each with the prefix
// "[RecordingMicroAllocator] ". Empty when the allocator does not record.
std::string MemoryRecordText(const ModelAllocator& allocator);

}  // namespace arenaproof
