#include "tools/command/model_check.h"

namespace arenaproof {

ExitStatus StatusOf(std::span<const ModelCheck> checks) {
  ExitStatus status = ExitStatus::kClean;
  for (const ModelCheck& check : checks) status = Worse(status, check.result.status);
  return status;
}

}  // namespace arenaproof
