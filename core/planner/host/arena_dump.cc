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

std::vector<NodeUse> UsesOfNodes(std::span<const Allocation> places, std::int32_t last_node) {
  std::vector<NodeUse> uses(static_cast<std::size_t>(last_node) + 1);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    uses[i].node = static_cast<std::int32_t>(i);
    for (const Allocation& record : places) {
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

void DumpLargest(std::span<const Allocation> places, PictureSink& sink) {
  std::size_t largest = 0;
  for (const Allocation& record : places) largest = std::max(largest, record.size);
  std::vector<std::int32_t> ids;
  for (const Allocation& record : places) {
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

void DumpArena(const DumpTitle& title, std::span<const Allocation> places, PictureSink& sink) {
  if (places.empty() || title.last_node < 0) return;
  sink.Line(kRule);
  sink.Line(std::string(title.name) + " of subgraph " + std::to_string(title.subgraph) + ": " + Bytes(title.bytes) +
            ", " + std::to_string(places.size()) + " tensors");
  for (const Allocation& record : places) {
    sink.Line("tensor " + std::to_string(record.tensor) + ": life span [" + std::to_string(record.first) + ", " +
              std::to_string(EndOf(record, title.last_node)) + "], offset " + std::to_string(record.offset) + ", " +
              Bytes(record.size));
  }
  DumpLargest(places, sink);
  std::vector<NodeUse> uses = UsesOfNodes(places, title.last_node);
  for (const NodeUse& use : uses) sink.Line(NodeLine(use, title.bytes));
  std::sort(uses.begin(), uses.end(), [](const NodeUse& a, const NodeUse& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.node < b.node;
  });
  uses.resize(std::min(uses.size(), kMostExpensiveNodes));
  sink.Line("nodes that need most:");
  for (const NodeUse& use : uses) sink.Line(NodeLine(use, title.bytes));
  sink.Line(kRule);
}

void DrawArena(std::span<const Allocation> places, std::int32_t last_node, PictureSink& sink) {
  if (places.empty() || last_node < 0) return;
  std::vector<PlacedBuffer> buffers;
  for (const Allocation& record : places) {
    buffers.push_back({record.offset, record.size, record.first, EndOf(record, last_node)});
  }
  sink.Line("picture of the non-persistent arena; id N is tensor N of its list above, counted from 0");
  DrawPlan(buffers, sink);
}

}  // namespace arenaproof
