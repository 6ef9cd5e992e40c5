// Records the runtime's own work as it is announced: which bytes were open, and what they held before and behind it.
#pragma once

#include <vector>

#include "engine/harness/event_log.h"

namespace arenaproof::testing {

struct AnnouncedWork {
  RuntimeWork work = RuntimeWork::kRecords;
  std::int32_t subgraph = -1;
  std::vector<OperandRange> operands;
  std::vector<std::vector<std::byte>> before, after;  // of each operand
  MemoryRegion newest_tail_block;                     // when it began
};

// Works are lines too: "work 1" with the work's number, "work ends".
class WorkLog final : public EventLog {
 public:
  void OnRuntimeWorkBegins(const RuntimeScope& scope) override {
    open = true;
    works.push_back({scope.work, scope.subgraph, {scope.operands.begin(), scope.operands.end()}, {}, {}, {}});
    works.back().before = BytesNow();
    if (!tail_blocks.empty()) works.back().newest_tail_block = tail_blocks.back();
    lines.push_back("work " + std::to_string(static_cast<int>(scope.work)));
  }
  void OnRuntimeWorkEnds() override {
    open = false;
    works.back().after = BytesNow();
    lines.emplace_back("work ends");
  }

  std::vector<AnnouncedWork> Of(RuntimeWork work) const {
    std::vector<AnnouncedWork> found;
    for (const AnnouncedWork& one : works) {
      if (one.work == work) found.push_back(one);
    }
    return found;
  }

  std::vector<AnnouncedWork> works;
  bool open = false;

 private:
  std::vector<std::vector<std::byte>> BytesNow() const {
    std::vector<std::vector<std::byte>> bytes;
    for (const OperandRange& operand : works.back().operands) {
      bytes.emplace_back(operand.data, operand.data + operand.bytes);
    }
    return bytes;
  }
};

}  // namespace arenaproof::testing
