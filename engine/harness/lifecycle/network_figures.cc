#include "engine/harness/lifecycle/network_figures.h"

#include <cstdlib>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "engine/harness/lifecycle/lifecycle_memory.h"
#include "engine/harness/lifecycle/networks.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_options.h"

namespace arenaproof {

std::size_t NeedBytes(std::size_t network) {
  static const std::vector<std::size_t>* const needs = [] {
    auto* found = new std::vector<std::size_t>();
    for (const Network& each : Networks()) found->push_back(MeasureMemory(*each.view, NetworkKernels()).need_bytes);
    return found;
  }();
  return (*needs)[network];
}

std::size_t OperationCount(std::size_t network) {
  static const std::vector<std::size_t>* const counts = [] {
    auto* found = new std::vector<std::size_t>();
    ArenaMemory memory;
    memory.Grow(kArenaBytes);
    for (const Network& each : Networks()) {
      Interpreter interpreter(*each.view, NetworkKernels(), memory.start(), kArenaBytes, ForModel(*each.view));
      InjectedRefusals::Begin(InjectedRefusals::kNone);
      if (!interpreter.AllocateTensors().ok()) std::abort();
      found->push_back(InjectedRefusals::operation_count());
    }
    InjectedRefusals::ForgetArenas();
    return found;
  }();
  return (*counts)[network];
}

}  // namespace arenaproof
