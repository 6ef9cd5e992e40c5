#include "engine/oracles/host_planner/dump_lines.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "engine/oracles/planner/reference_picture.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof::testing {
namespace {

using Ids = std::multiset<std::int32_t>;

// To the nearest thousandth, a half to the even one.
std::string InBytes(std::size_t bytes) {
  constexpr std::size_t kMegabyte = 1024 * 1024;
  const auto product = static_cast<unsigned __int128>(bytes) * 1000;
  auto thousandths = static_cast<std::size_t>(product / kMegabyte);
  const auto rest = static_cast<std::size_t>(product % kMegabyte);
  if (rest > kMegabyte / 2 || (rest == kMegabyte / 2 && thousandths % 2 == 1)) ++thousandths;
  std::string behind_point = std::to_string(thousandths % 1000);
  behind_point.insert(0, 3 - behind_point.size(), '0');
  return std::to_string(bytes) + " bytes (" + std::to_string(thousandths / 1000) + "." + behind_point + " MB)";
}

// Runs of three and more are written with a dash. An id that is there twice is written twice.
std::string Compressed(const Ids& ids) {
  std::string text = "[";
  std::vector<std::int32_t> run;
  const auto write = [&] {
    if (run.empty()) return;
    if (text != "[") text += ",";
    text += std::to_string(run.front());
    if (run.size() == 2) text += "," + std::to_string(run.back());
    if (run.size() > 2) text += "-" + std::to_string(run.back());
    run.clear();
  };
  for (const std::int32_t id : ids) {
    if (!run.empty() && run.back() + 1 != id) write();
    run.push_back(id);
  }
  write();
  return text + "]";
}

struct DumpNode {
  std::int32_t number = 0;
  std::size_t bytes = 0;
  Ids tensors;
};

std::string DumpNodeText(const DumpNode& node, std::size_t arena_bytes) {
  const double part =
      arena_bytes == 0 ? 0.0 : 100.0 * static_cast<double>(node.bytes) / static_cast<double>(arena_bytes);
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.3f", part);
  return "node " + std::to_string(node.number) + ": " + InBytes(node.bytes) + ", utilisation " + percent + "%, " +
         std::to_string(node.tensors.size()) + " tensors: " + Compressed(node.tensors);
}

bool IsLiveAt(const Allocation& record, std::int32_t node) { return record.first <= node && node <= record.last; }

}  // namespace

std::vector<std::string> DumpLines(const DumpedArena& arena) {
  if (arena.places.empty() || arena.node_count == 0) return {};
  const std::string rule(80, '-');
  std::vector<std::string> lines = {rule, arena.title + " of subgraph " + std::to_string(arena.subgraph) + ": " +
                                              InBytes(arena.bytes) + ", " + std::to_string(arena.places.size()) +
                                              " tensors"};
  std::size_t largest = 0;
  for (const Allocation& record : arena.places) {
    const std::int32_t end = record.last < arena.node_count ? record.last : arena.node_count - 1;
    lines.push_back("tensor " + std::to_string(record.tensor) + ": life span [" + std::to_string(record.first) + ", " +
                    std::to_string(end) + "], offset " + std::to_string(record.offset) + ", " + InBytes(record.size));
    largest = record.size > largest ? record.size : largest;
  }
  Ids of_largest;
  for (const Allocation& record : arena.places) {
    if (record.size == largest) of_largest.insert(record.tensor);
  }
  lines.push_back("largest tensors, of " + InBytes(largest) + ": " + Compressed(of_largest));
  std::vector<DumpNode> nodes;
  for (std::int32_t i = 0; i < arena.node_count; ++i) {
    DumpNode& node = nodes.emplace_back();
    node.number = i;
    for (const Allocation& record : arena.places) {
      if (!IsLiveAt(record, i)) continue;
      node.bytes += record.size;
      node.tensors.insert(record.tensor);
    }
    lines.push_back(DumpNodeText(node, arena.bytes));
  }
  lines.push_back("nodes that need most:");
  std::sort(nodes.begin(), nodes.end(), [](const DumpNode& a, const DumpNode& b) {
    return std::pair(b.bytes, a.number) < std::pair(a.bytes, b.number);
  });
  for (std::size_t i = 0; i < nodes.size() && i < 5; ++i) lines.push_back(DumpNodeText(nodes[i], arena.bytes));
  lines.push_back(rule);
  return lines;
}

std::vector<std::string> PictureLines(const DumpedArena& arena) {
  if (arena.places.empty() || arena.node_count == 0) return {};
  std::vector<PlacedBuffer> buffers;
  for (const Allocation& record : arena.places) {
    PlacedBuffer& buffer = buffers.emplace_back();
    buffer.offset = record.offset;
    buffer.bytes = record.size;
    buffer.first = record.first;
    buffer.last = record.last < arena.node_count ? record.last : arena.node_count - 1;
  }
  std::vector<std::string> lines = ReferencePicture(buffers);
  lines.insert(lines.begin(),
               "picture of the non-persistent arena; id N is tensor N of its list above, counted from 0");
  return lines;
}

}  // namespace arenaproof::testing

ARENAPROOF_UNGUIDED_END
