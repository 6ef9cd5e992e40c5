// Makes one chosen operation of the arena refuse as if the memory were exhausted: head, temporary or tail, whoever
// asks. The program is linked so that every call of these operations comes here first; core/arena knows nothing of it.
#pragma once

#include <cstddef>
#include <set>

#include "core/arena/arena.h"

namespace arenaproof {

class InjectedRefusals {
 public:
  // From now on operations count from 0, and the one numbered `refused` refuses. None: npos.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static void Begin(std::size_t refused);
  // What has happened since Begin.
  static std::size_t operation_count();
  static bool refused();
  static StatusCode refused_with();
  static const Status& refusal();  // its first detail: the bytes asked for
  // Arenas that were asked since Begin or ForgetArenas.
  static void ForgetArenas();
  static const std::set<const Arena*>& arenas();
};

}  // namespace arenaproof
