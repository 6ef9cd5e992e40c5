#include "engine/oracles/defect.h"

#include <cstdio>
#include <cstdlib>

#include "tools/text/sentences.h"

namespace arenaproof {

void Defect(const char* what, const char* detail) {
  std::fprintf(stderr, "DEFECT: %s: %s\n", what, detail);
  std::abort();
}

void Defect(const char* what, const Status& status) { Defect(what, Sentence(status).c_str()); }

}  // namespace arenaproof
