#include "tools/memory/small_arenas.h"

#include "tools/text/text.h"

namespace arenaproof {

std::vector<SmallArena> FindSmallArenas(const ValidatedModel& model, const KernelSet& kernels, const ArenaSizes& given,
                                        InterpreterOptions set_up) {
  set_up.observer = nullptr;
  set_up.offline_plan.listener = nullptr;
  const MemoryNeed need = MeasureMemory(model, kernels, {.two_arenas = given.two_arenas, .set_up = set_up});
  if (!need.status.ok()) return {};
  std::vector<SmallArena> arenas;
  if (given.bytes < need.need_bytes) {
    arenas.push_back({given.two_arenas ? "head" : "single", given.bytes, need.need_bytes});
  }
  if (given.two_arenas && given.persistent_bytes < need.persistent_need_bytes) {
    arenas.push_back({"tail", given.persistent_bytes, need.persistent_need_bytes});
  }
  return arenas;
}

std::string SmallArenasText(const std::vector<SmallArena>& arenas) {
  std::string text;
  for (const SmallArena& arena : arenas) {
    const char* const name = arena.arena == "head"   ? "the arena for head and temporaries"
                             : arena.arena == "tail" ? "the arena for what is persistent"
                                                     : "the arena";
    text += "; " + std::string(name) + " has " + Counted(static_cast<long long>(arena.given_bytes), "byte") + ", and " +
            std::to_string(arena.need_bytes) + " are needed";
  }
  return text;
}

}  // namespace arenaproof
