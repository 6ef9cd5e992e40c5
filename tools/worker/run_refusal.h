// Why a check could not run, or what its set-up found wrong with the plan.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/planning/offline_plan_listener.h"
#include "tools/memory/small_arenas.h"
#include "tools/text/refusal_code.h"
#include "tools/worker/protocol.h"

namespace arenaproof {

struct RunRefusal {
  std::string stage;  // of protocol.h's "refused"
  Status status;
  OperatorLocation location;
  std::string sentence;  // empty: the status's
  int exit_status = protocol::kExitCouldNotRun;
  std::string code = {};                       // empty: the status's
  std::vector<SmallArena> small_arenas = {};   // given ones
  std::optional<OfflineOverlap> overlap = {};  // for which an offline plan is refused
};

inline RunRefusal Refusal(const char* stage, const Status& status, const OperatorLocation& location = {}) {
  return {status.code == StatusCode::kLayoutMemory ? protocol::kStageMemory : stage, status, location, {}};
}

inline RunRefusal Refusal(const char* stage, ToolRefusal code, std::string sentence) {
  RunRefusal refusal{stage, Ok(), {}, std::move(sentence)};
  refusal.code = RefusalCode(code);
  return refusal;
}

}  // namespace arenaproof
