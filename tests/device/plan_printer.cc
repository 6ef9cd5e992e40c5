#include "tests/device/plan_printer.h"

#include "core/base/line_text.h"
#include "tests/device/board/semihosting.h"

namespace arenaproof::device {

void PlanPrinter::OnPlanCommitted(const std::byte*, std::span<const PlanEntry> plan) {
  for (const PlanEntry& buffer : plan) {
    LineText line;
    line.Put("plan ");
    if (buffer.tensor >= 0) {
      line.Put("tensor ");
      line.PutSigned(buffer.tensor);
    } else {
      line.Put("scratch ");
      line.PutSigned(buffer.scratch);
    }
    line.Put(" offset ");
    line.PutNumber(buffer.offset);
    line.Put(" bytes ");
    line.PutNumber(buffer.bytes);
    WriteLine(line.text());
  }
}

}  // namespace arenaproof::device
