#include "core/planner/host/arena_dump.h"

#include <algorithm>
#include <cstdio>

namespace arenaproof {
namespace {

constexpr std::size_t kMostExpensiveNodes = 5;
constexpr char kRule[] = "--------------------------------------------------------------------------------";

struct NodeUse {
  std::int32_t node = 0;
  std::size_t bytes = 0;
  std::vector<std::int32_t> tensors;
};

std::string Megabytes(std::size_t bytes) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.3f MB", static_cast<double>(bytes) / (1024.0 * 1024.0));
  return text;
}

std::string Bytes(std::size_t bytes) { return std::to_string(bytes) + " bytes (" + Megabytes(bytes) + ")"; }

std::int32_t EndOf(const Allocation& record, std::int32_t last_node) { return std::min(record.last, last_node); }

std::vector<NodeUse> UsesOfNodes(std::span<const Allocation> active, std::int32_t last_node) {
  std::vector<NodeUse> uses(static_cast<std::size_t>(last_node) + 1);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    uses[i].node = static_cast<std::int32_t>(i);
    for (const Allocation& record : active) {
      if (record.first > uses[i].node || record.last < uses[i].node) continue;
      uses[i].bytes += record.size;
      uses[i].tensors.push_back(record.tensor);
    }
  }
  return uses;
}

std::string NodeLine(const NodeUse& use, std::size_t arena_bytes) {
  char percent[32];
  std::snprintf(percent, sizeof(percent), "%.3f%%",
                arena_bytes == 0 ? 0.0 : 100.0 * static_cast<double>(use.bytes) / static_cast<double>(arena_bytes));
  return "node " + std::to_string(use.node) + ": " + Bytes(use.bytes) + ", utilisation " + percent + ", " +
         std::to_string(use.tensors.size()) + " tensors: " + IdList(use.tensors);
}

void DumpLargest(std::span<const Allocation> active, PictureSink& sink) {
  std::size_t largest = 0;
  for (const Allocation& record : active) largest = std::max(largest, record.size);
  std::vector<std::int32_t> ids;
  for (const Allocation& record : active) {
    if (record.size == largest) ids.push_back(record.tensor);
  }
  sink.Line("largest tensors, of " + Bytes(largest) + ": " + IdList(ids));
}

}  // namespace

std::string IdList(std::vector<std::int32_t> ids) {
  std::sort(ids.begin(), ids.end());
  std::string text = "[";
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    if (i > 0) text += ',';
    text += std::to_string(ids[i]);
    if (end - i >= 2) text += (end - i == 2 ? "," : "-") + std::to_string(ids[end - 1]);
    i = end;
  }
  return text + "]";
}

void DumpArena(const char* title, int subgraph, const SimpleArena& arena, std::int32_t last_node, PictureSink& sink) {
  const auto active = arena.active();
  if (active.empty() || last_node < 0) return;
  const std::size_t arena_bytes = arena.buffer_bytes() != 0 ? arena.buffer_bytes() : arena.high_water();
  sink.Line(kRule);
  sink.Line(std::string(title) + " of subgraph " + std::to_string(subgraph) + ": " + Bytes(arena_bytes) + ", " +
            std::to_string(active.size()) + " tensors");
  for (const Allocation& record : active) {
    sink.Line("tensor " + std::to_string(record.tensor) + ": life span [" + std::to_string(record.first) + ", " +
              std::to_string(EndOf(record, last_node)) + "], offset " + std::to_string(record.offset) + ", " +
              Bytes(record.size));
  }
  DumpLargest(active, sink);
  std::vector<NodeUse> uses = UsesOfNodes(active, last_node);
  for (const NodeUse& use : uses) sink.Line(NodeLine(use, arena_bytes));
  std::sort(uses.begin(), uses.end(), [](const NodeUse& a, const NodeUse& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.node < b.node;
  });
  uses.resize(std::min(uses.size(), kMostExpensiveNodes));
  sink.Line("nodes that need most:");
  for (const NodeUse& use : uses) sink.Line(NodeLine(use, arena_bytes));
  sink.Line(kRule);
}

void DrawArena(const SimpleArena& arena, std::int32_t last_node, PictureSink& sink) {
  std::vector<PlacedBuffer> buffers;
  for (const Allocation& record : arena.active()) {
    buffers.push_back({record.offset, record.size, record.first, EndOf(record, last_node)});
  }
  if (!buffers.empty() && last_node >= 0) DrawPlan(buffers, sink);
}

}  // namespace arenaproof
