// Whether a plan keeps apart what has to be kept apart, whoever made it: for problems with gaps, alignments and fixed
// offsets, whose numbers may be anything. The certifier of the runtime (core/planner/certifier.h) knows neither.
//
// Time O(p log p) for p pieces of lifetimes, plus memory of that size on the heap. Shares no code with any planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/planner/optimal/plan_problem.h"
#include "tools/plans/labelled_problem.h"

namespace arenaproof {

// A buffer ends no later.
inline constexpr std::int64_t kMostPlanBytes = std::int64_t{1} << 62;

enum class PlanFault : std::uint8_t {
  kNone,
  kNoOffset,        // the plan does not place the buffer
  kOffsetNegative,  // it begins before the head
  kMisaligned,
  kFixedMoved,   // it does not lie where the problem fixes it
  kEndOverflow,  // offset + bytes is more than 2^62
  kSharedBytes,  // two buffers that are alive together
  // Of a buffer that is to lie in the bytes of another; but for the first and last as core/planner/alias_groups.h says.
  kSharingOperator,   // no operator that writes it lets it lie there
  kSharingLink,       // the group is none: it has no one owner, or its bytes are not handed on while they are alive
  kSharingKept,       // an input or output of a subgraph, a variable
  kSharingStillRead,  // data are modified that another of the group still needs
  kSharingApart,      // another offset
};

struct PlanCertificate {
  PlanFault fault = PlanFault::kNone;
  // The buffer with the fault. Faults of a single one come first, those of the lowest index, then those of sharing,
  // with the buffer in whose bytes it is to lie or that still needs them; of kSharedBytes the pair that the earliest
  // moment shows, first < second.
  std::size_t first = 0;
  std::size_t second = 0;
  std::int64_t shared_offset = 0;  // the lowest byte that the pair shares
  std::int64_t shared_time = 0;    // a time at which both are alive

  bool ok() const { return fault == PlanFault::kNone; }
};

using PlanOffsets = std::span<const std::optional<std::int64_t>>;

// `offsets` has one entry for each buffer; CheckProblem finds no fault in the buffers, other than kFixedOverlap.
PlanCertificate CertifyPlan(std::span<const PlanBuffer> buffers, PlanOffsets offsets);

// With its sharing: a group moves as one, and each sharing has to be right by the problem's rules.
PlanCertificate CertifyPlan(const LabelledProblem& problem, PlanOffsets offsets);

// "misaligned": short and stable, for programs.
const char* PlanFaultName(PlanFault fault);

// Which buffers, their offsets and lifetimes; empty for a certified plan.
std::string CertificateSentence(const LabelledProblem& problem, PlanOffsets offsets,
                                const PlanCertificate& certificate);

// The end of the highest buffer, 0 without any. The plan is certified.
std::int64_t PeakOf(std::span<const PlanBuffer> buffers, PlanOffsets offsets);

}  // namespace arenaproof
