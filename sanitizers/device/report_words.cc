#include "sanitizers/device/report_words.h"

#include <cstddef>

namespace arenaproof {

const char* ViolationSideName(ViolationSide side) {
  constexpr const char* kNames[] = {"before", "after", "inside", "far", "overwritten", "differs", "unwritten"};
  return kNames[static_cast<std::size_t>(side)];
}

const char* OperandKindName(OperandKind kind) {
  constexpr const char* kNames[] = {"input",      "output",    "constant",     "variable", "scratch",
                                    "persistent", "temporary", "quantization", "options",  "workspace",
                                    "record",     "source",    "destination"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool HasTensorIndex(OperandKind kind) {
  return kind == OperandKind::kInput || kind == OperandKind::kOutput || kind == OperandKind::kConstant ||
         kind == OperandKind::kVariable || kind == OperandKind::kQuantization;
}

const char* OperatorPhaseName(OperatorPhase phase) {
  constexpr const char* kNames[] = {"init", "prepare", "invoke", "runtime"};
  return kNames[static_cast<std::size_t>(phase)];
}

}  // namespace arenaproof
