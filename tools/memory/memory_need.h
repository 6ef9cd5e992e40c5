// What a model needs of memory: the smallest arena with which a model is set up and runs, exactly, and where every byte
// of it goes. Working memory of prepare, planner and certifier counts.
//
// One real set-up with plenty of memory is traced; its movements are then repeated on cursors alone, in smaller and
// smaller arenas, at the word of the machine that is asked about. On a base that is a multiple of 16 `need` passes and
// one byte less fails with a status that asks for more; at any base address `need + 15` passes. A temporary whose
// alignment is no divisor of 64 counts as where it takes most, so that there one byte less may pass by chance. An
// invoke takes nothing from the arena, so what set-up needs is what it needs too, but for reads behind tensors that
// kernels declare: the arena goes on as far as these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/model/validated_model.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/planning/planning_bytes.h"
#include "sanitizers/layout/layout.h"
#include "tools/memory/larger_arena.h"

namespace arenaproof {

struct MemoryQuestion {
  Layout layout = Layout::kFaithful;
  bool two_arenas = false;
  WordSize word = kOwnWordSize;  // k32: the ARM EABI
  // What else is chosen about the set-up. The observer and the number of resource variables are the measurement's own,
  // in the dilated layout the planner and the spacing too. A planner counts with the workspace that it names, in bytes
  // of this machine. An offline plan's listener receives what every set-up that is traced reports.
  InterpreterOptions set_up = {};
  // The largest arena for the tail that is tried, of two: a process may have no room for two of the largest.
  std::size_t most_persistent_bytes = kMaxArenaBytes;
};

// Bytes of the tail by what they are for; the same names for every model.
struct TailCategory {
  std::string name;
  std::size_t used_bytes = 0;  // with what alignment costs
  std::size_t requested_bytes = 0;
  std::size_t block_count = 0;
};

// Tail bytes that one operator's record and its requests take; its scratch buffers are part of the plan.
struct OperatorMemory {
  std::int32_t subgraph = 0;
  std::int32_t operator_index = 0;
  std::size_t persistent_bytes = 0;
  std::size_t temporary_peak_bytes = 0;  // in prepare
};

struct MemoryNeed {
  // Why there is no answer: the refusal of the largest arena that can be tried; kLayoutMemory when this machine has no
  // memory for one so large.
  Status status;
  OperatorLocation location;  // of the operator that was refused

  std::size_t need_bytes = 0;             // the single arena, or the one for head and temporaries
  std::size_t set_up_need_bytes = 0;      // of it, what a set-up asks for: less only where reads go on behind that
  std::size_t persistent_need_bytes = 0;  // with two arenas: the one for the tail
  // Bytes of `need` that may be left over where the arena happens to lie: alignments of temporaries.
  std::size_t padding_by_chance_bytes = 0;

  std::size_t head_bytes = 0;
  std::size_t tail_bytes = 0;
  // The most that scratch requests and temporaries took before the head had its size.
  std::size_t set_up_peak_bytes = 0;
  PlanningBytes planning;
  std::string limited_by;             // what would not fit into one byte less
  std::string persistent_limited_by;  // with two arenas

  std::vector<TailCategory> categories;
  std::vector<OperatorMemory> operators;
  std::vector<PlanEntry> plan;
  std::vector<BufferAlias> sharing;  // which of the plan's buffers lie in the bytes of another
};

// The options of a set-up that the question is about; `dilating`, which trusts plans as the question does, has to
// outlive the interpreter.
InterpreterOptions MeasuredOptions(const ModelView& model, const MemoryQuestion& question, MemoryPlanner& dilating,
                                   ArenaObserver* observer = nullptr);

MemoryNeed MeasureMemory(const ValidatedModel& model, const KernelSet& kernels, const MemoryQuestion& question = {});

}  // namespace arenaproof
