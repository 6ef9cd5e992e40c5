// When each tensor and scratch buffer of a model is alive, on one clock: it starts at 0, every operator advances it by
// one before it runs, and so does every entry into a subgraph that an operator calls. A control-flow operator's
// operands stay alive through the subgraphs it calls. Lifetimes are closed intervals; [-1,-1] means never.
//
// Unlike the reference this walk reads operator codes by the format's rule (the larger of the old and the new field),
// checks every index, and has limits: a subgraph that calls itself is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/model/call_tree.h"
#include "core/model/model_view.h"

namespace arenaproof {

struct Lifetime {
  std::int32_t first = -1;
  std::int32_t last = -1;
  friend constexpr bool operator==(const Lifetime&, const Lifetime&) = default;
};
ARENAPROOF_PIN_BYTES(Lifetime, 8, 4, 8, 4);

// The operator that requested a scratch buffer.
struct ScratchPlace {
  std::uint32_t subgraph = 0;
  std::uint32_t operator_index = 0;
};
ARENAPROOF_PIN_BYTES(ScratchPlace, 8, 4, 8, 4);

// `tensors` has model.total_tensor_count() entries, subgraph by subgraph; `scratch` has one entry for each of
// `scratch_places`, which are in ascending (subgraph, operator) order, as prepare makes them. A scratch buffer of an
// operator that is never reached keeps [-1,-1]. `last_time`, if not null, gets the clock's last value.
// kLifetimeSpan (a span of the wrong length), kLifetimeScratchOrder, kModelOperatorInput and its kin (an index out of
// range), kModelCalledSubgraph, kModelCallCycle, kModelCallDepth, kModelCallWork.
Status ComputeLifetimes(const ModelView& model, std::span<Lifetime> tensors,
                        std::span<const ScratchPlace> scratch_places, std::span<Lifetime> scratch,
                        std::int32_t* last_time = nullptr);

}  // namespace arenaproof
