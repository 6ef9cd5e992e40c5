#include "tools/command/model_check.h"

namespace arenaproof {

ExitStatus StatusOf(std::span<const ModelCheck> checks, const std::string& not_written) {
  ExitStatus status = not_written.empty() ? ExitStatus::kClean : ExitStatus::kCouldNotRun;
  for (const ModelCheck& check : checks) status = Worse(status, check.result.status);
  return status;
}

}  // namespace arenaproof
