#include "sanitizers/report/attribution.h"

namespace arenaproof {

std::vector<IllegalRun> AttributeAccess(std::span<const OperandRange> operands, std::uintptr_t address,
                                        std::size_t bytes, bool write, std::span<const OperandRange> allowances) {
  std::vector<IllegalRun> runs;
  const AddressRange access{address, address + bytes < address ? UINTPTR_MAX : address + bytes};
  IllegalRun run;
  for (std::uintptr_t from = address; NextIllegalRun(operands, access, write, allowances, from, &run); from = run.end) {
    runs.push_back(run);
  }
  return runs;
}

}  // namespace arenaproof
