// A name for each refusal that programs can compare: it stays when a sentence changes. docs/json.md lists all.
#pragma once

#include <string>
#include <string_view>

#include "core/base/status.h"

namespace arenaproof {

enum class ToolRefusal {
#define ARENAPROOF_TOOL_REFUSAL(name, meaning) name,
#include "tools/text/tool_refusals.inc"
#undef ARENAPROOF_TOOL_REFUSAL
};

// "space_to_depth" of kSpaceToDepth. Precondition: the name of an enumerator.
std::string WithUnderscores(std::string_view name);

// "arena_head_does_not_fit" of kArenaHeadDoesNotFit; "unknown" for a code outside the list.
std::string RefusalCode(StatusCode code);

// "file_unreadable" of kFileUnreadable.
std::string RefusalCode(ToolRefusal refusal);

}  // namespace arenaproof
