#include "tools/command/plan_text.h"

#include <nlohmann/json.hpp>

#include "tools/text/json_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string NameOf(const ModelView& model, const PlanEntry& buffer) {
  if (buffer.tensor < 0) return {};
  return std::string(
      model.tensor(static_cast<std::size_t>(buffer.subgraph), static_cast<std::size_t>(buffer.tensor)).name);
}

}  // namespace

std::string PlanText(const ModelView& model, std::span<const PlanEntry> plan) {
  TextTable table({">offset", ">bytes", ">first step", ">last step", "what"});
  for (const PlanEntry& buffer : plan) {
    std::string what = buffer.tensor >= 0
                           ? "tensor " + std::to_string(buffer.tensor) + " \"" + Printable(NameOf(model, buffer)) + "\""
                           : "scratch buffer " + std::to_string(buffer.scratch) + " of operator " +
                                 std::to_string(buffer.owner_operator);
    if (buffer.subgraph != 0) what += " of subgraph " + std::to_string(buffer.subgraph);
    table.AddRow({std::to_string(buffer.offset), std::to_string(buffer.bytes), std::to_string(buffer.first),
                  std::to_string(buffer.last), what});
  }
  return table.Text(2);
}

std::string PlanJson(const ModelView& model, std::span<const PlanEntry> plan) {
  OrderedJson list = OrderedJson::array();
  for (const PlanEntry& buffer : plan) {
    list.push_back({{"subgraph", buffer.subgraph},
                    {"tensor", buffer.tensor},
                    {"scratch", buffer.scratch},
                    {"owner_operator", buffer.owner_operator},
                    {"name", NameOf(model, buffer)},
                    {"offset", buffer.offset},
                    {"bytes", buffer.bytes},
                    {"first_step", buffer.first},
                    {"last_step", buffer.last}});
  }
  return JsonLine(list);
}

std::string ArenaText(const ArenaFigures& arena) {
  const auto size = [&](const char* what, std::size_t bytes, std::size_t need_bytes) {
    std::string text = what + Counted(static_cast<long long>(bytes), "byte");
    if (need_bytes != 0) {
      text += ", which is the least that set-up needs";
      if (!arena.including.empty()) text += " with " + arena.including;
      text += " (from an address that is a multiple of 64)";
    }
    return text + "\n";
  };
  std::string text;
  if (arena.persistent_arena_bytes == 0) {
    text = size("arena of ", arena.arena_bytes, arena.need_bytes);
  } else {
    text = size("arena for head and temporaries of ", arena.arena_bytes, arena.need_bytes) +
           size("arena for what is persistent of ", arena.persistent_arena_bytes, arena.persistent_need_bytes);
  }
  TextTable table({"", ">bytes"});
  table.AddRow({"  used after set-up", std::to_string(arena.used_bytes)});
  table.AddRow({"  head (tensors and scratch buffers)", std::to_string(arena.head_bytes)});
  table.AddRow({"  tail (persistent)", std::to_string(arena.tail_bytes)});
  text += table.Text(0);
  if (!arena.including.empty()) text += "a device's set-up has no such thing: 'arenaproof size' reports its need\n";
  return text;
}

std::string ArenaJson(const ArenaFigures& arena) {
  OrderedJson json{{"need_bytes", arena.need_bytes},
                   {"arena_bytes", arena.arena_bytes},
                   {"used_bytes", arena.used_bytes},
                   {"head_bytes", arena.head_bytes},
                   {"tail_bytes", arena.tail_bytes}};
  if (arena.persistent_arena_bytes != 0) {
    json["persistent_need_bytes"] = arena.persistent_need_bytes;
    json["persistent_arena_bytes"] = arena.persistent_arena_bytes;
  }
  return json.dump();
}

}  // namespace arenaproof
