// What programs are given beside the sentence of a refusal.
#pragma once

#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/runtime/interpreter/operator_location.h"
#include "tools/memory/small_arenas.h"
#include "tools/text/exit_status.h"
#include "tools/text/json_text.h"
#include "tools/text/refusal_code.h"

namespace arenaproof {

struct RefusalFacts {
  std::string code = {};  // of refusal_code.h
  OperatorLocation location = {};
  std::string operator_name = {};       // empty: no operator was refused
  bool larger_arena = false;            // one might do
  std::vector<SmallArena> arenas = {};  // given ones that are too small
};

RefusalFacts RefusedWith(ToolRefusal refusal);
RefusalFacts RefusedWith(const ModelView& model, const Status& status, const OperatorLocation& location = {});

OrderedJson SmallArenasJson(const std::vector<SmallArena>& arenas);
OrderedJson RefusedJson(const RefusalFacts& refused);

// The whole JSON object of a command that could not do anything with the model, or (kViolations) refused its plan.
std::string RefusalJson(const std::string& command, const std::string& model, const std::string& sentence,
                        const RefusalFacts& refused, ExitStatus status = ExitStatus::kCouldNotRun);

}  // namespace arenaproof
