#include "tools/plan_text.h"

#include <nlohmann/json.hpp>

#include "tools/text.h"

namespace arenaproof {
namespace {

using Json = nlohmann::ordered_json;

std::string NameOf(const ModelView& model, const PlannedBuffer& buffer) {
  if (buffer.tensor < 0) return {};
  return std::string(
      model.tensor(static_cast<std::size_t>(buffer.subgraph), static_cast<std::size_t>(buffer.tensor)).name);
}

}  // namespace

std::string PlanText(const ModelView& model, std::span<const PlannedBuffer> plan) {
  TextTable table({">offset", ">bytes", ">first", ">last", "what"});
  for (const PlannedBuffer& buffer : plan) {
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

std::string PlanJson(const ModelView& model, std::span<const PlannedBuffer> plan) {
  Json list = Json::array();
  for (const PlannedBuffer& buffer : plan) {
    list.push_back({{"subgraph", buffer.subgraph},
                    {"tensor", buffer.tensor},
                    {"scratch", buffer.scratch},
                    {"owner_operator", buffer.owner_operator},
                    {"name", NameOf(model, buffer)},
                    {"offset", buffer.offset},
                    {"bytes", buffer.bytes},
                    {"first", buffer.first},
                    {"last", buffer.last}});
  }
  return list.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string ArenaText(const ArenaFigures& arena) {
  std::string text = "arena of " + Counted(static_cast<long long>(arena.arena_bytes), "byte");
  if (arena.need_bytes != 0)
    text += ", which is the least that set-up needs (from an address that is a multiple of 64)";
  text += "\n";
  TextTable table({"", ">bytes"});
  table.AddRow({"  used after set-up", std::to_string(arena.used_bytes)});
  table.AddRow({"  head (tensors and scratch buffers)", std::to_string(arena.head_bytes)});
  table.AddRow({"  tail (persistent)", std::to_string(arena.tail_bytes)});
  return text + table.Text(0);
}

std::string ArenaJson(const ArenaFigures& arena) {
  return Json{{"need_bytes", arena.need_bytes},
              {"arena_bytes", arena.arena_bytes},
              {"used_bytes", arena.used_bytes},
              {"head_bytes", arena.head_bytes},
              {"tail_bytes", arena.tail_bytes}}
      .dump();
}

}  // namespace arenaproof
