// Why kernels that were chosen cannot be used.
#pragma once

#include <string>

#include "tools/text/refusal_code.h"

namespace arenaproof {

struct KernelRefusal {
  ToolRefusal code;
  std::string sentence;
};

}  // namespace arenaproof
