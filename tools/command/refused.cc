#include "tools/command/refused.h"

#include <nlohmann/json.hpp>

#include "tools/memory/larger_arena.h"
#include "tools/text/operator_text.h"
#include "tools/text/text.h"

namespace arenaproof {

RefusalFacts RefusedWith(ToolRefusal refusal) { return {.code = RefusalCode(refusal)}; }

RefusalFacts RefusedWith(const ModelView& model, const Status& status, const OperatorLocation& location) {
  return {.code = RefusalCode(status.code),
          .location = location,
          .operator_name = location.known() ? OperatorName(model, location) : std::string(),
          .larger_arena = AsksForALargerArena(status)};
}

OrderedJson SmallArenasJson(const std::vector<SmallArena>& arenas) {
  OrderedJson list = OrderedJson::array();
  for (const SmallArena& arena : arenas) {
    list.push_back({{"arena", arena.arena}, {"given_bytes", arena.given_bytes}, {"need_bytes", arena.need_bytes}});
  }
  return list;
}

OrderedJson RefusedJson(const RefusalFacts& refused) {
  return {{"code", refused.code},
          {"subgraph", refused.location.subgraph},
          {"operator", refused.location.operator_index},
          {"operator_name", refused.operator_name},
          {"larger_arena", refused.larger_arena},
          {"arenas", SmallArenasJson(refused.arenas)}};
}

std::string RefusalJson(const std::string& command, const std::string& model, const std::string& sentence,
                        const RefusalFacts& refused, ExitStatus status) {
  return JsonReport({{"command", command},
                     {"model", model},
                     {"exit_status", static_cast<int>(status)},
                     {"refusal", sentence},
                     {"refused", RefusedJson(refused)}});
}

}  // namespace arenaproof
