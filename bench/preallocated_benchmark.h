// What a preallocated input saves: the copy from the sensor's buffer into the arena before each invoke.
#pragma once

#include <memory>
#include <string>

#include "tools/model/model_file.h"

namespace arenaproof {

// copy_input/ (the copies alone), invoke_with_copy/ and invoke_preallocated/ of one model, whose graph inputs arrive in
// buffers of the application. None for a model whose inputs an offline plan has placed.
void RegisterPreallocatedBenchmarks(const std::string& name, const std::shared_ptr<ModelFile>& file,
                                    std::size_t arena_bytes);

}  // namespace arenaproof
