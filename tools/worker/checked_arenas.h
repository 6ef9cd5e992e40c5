// The memory of a check's arena, or of its two, with closed bytes around each.
#pragma once

#include <memory>
#include <optional>

#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/instrument/checked_memory.h"
#include "tools/memory/host_arenas.h"
#include "tools/worker/arena_size.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/run_refusal.h"

namespace arenaproof {

class CheckedArenas {
 public:
  // Announces the arenas to `instrument` (may be null).
  std::optional<RunRefusal> Make(const CheckArguments& arguments, const ArenaSize& size, AccessInstrument* instrument);

  std::unique_ptr<Interpreter> MakeInterpreter(const ValidatedModel& model, const KernelSet& kernels,
                                               const InterpreterOptions& options) const;

  void Overwrite(std::byte with);

  const std::byte* start() const { return arena_.data(); }
  // Of the single arena or the one for the head, with what is reserved in front of it.
  MemoryRegion allocation() const { return {arena_.allocation(), arena_.reserve().bytes + arena_.bytes()}; }
  ArenaSizes sizes() const;
  const ArenaSizes& device_sizes() const { return device_sizes_; }  // in the faithful layout

  // Gives the arena back by the original pointer, as an application does. Empty, or why that was refused.
  [[nodiscard]] std::string Free() { return arena_.Free(arena_.allocation()); }

 private:
  CheckedMemory arena_{0};
  std::optional<CheckedMemory> persistent_;  // of two arenas the tail's
  ArenaSizes device_sizes_;
};

}  // namespace arenaproof
