#include "tools/plans/plan_certificate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/planner/alias_groups.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

PlanFault FaultOfOne(const PlanBuffer& buffer, const std::optional<std::int64_t>& offset) {
  if (!offset) return PlanFault::kNoOffset;
  if (*offset < 0) return PlanFault::kOffsetNegative;
  if (*offset % buffer.alignment != 0) return PlanFault::kMisaligned;
  if (buffer.offset && *buffer.offset != *offset) return PlanFault::kFixedMoved;
  if (*offset > kMostPlanBytes - buffer.bytes) return PlanFault::kEndOverflow;
  return PlanFault::kNone;
}

// A moment at which a buffer begins or ceases to be alive; at one moment those that cease come first.
struct LifeEvent {
  std::int64_t time;
  bool begins;
  std::size_t buffer;

  auto Key() const { return std::tuple(time, begins, buffer); }
};

std::vector<LifeEvent> LifeEvents(std::span<const PlanBuffer> buffers) {
  std::vector<LifeEvent> events;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes == 0) continue;
    for (const TimeInterval& piece : AliveIntervals(buffers[i])) {
      events.push_back({piece.lower, true, i});
      events.push_back({piece.upper, false, i});
    }
  }
  std::sort(events.begin(), events.end(), [](const LifeEvent& a, const LifeEvent& b) { return a.Key() < b.Key(); });
  return events;
}

PlanCertificate FaultOfAny(std::span<const PlanBuffer> buffers, PlanOffsets offsets) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlanFault fault = FaultOfOne(buffers[i], offsets[i]);
    if (fault != PlanFault::kNone) return {fault, i, i, 0, 0};
  }
  return {};
}

bool IsAllowed(const SharingRules& rules, const BufferAlias& alias) {
  const auto key = [](const BufferAlias& each) { return std::pair(each.buffer, each.source); };
  auto each = std::lower_bound(rules.allowed.begin(), rules.allowed.end(), alias,
                               [&](const BufferAlias& a, const BufferAlias& b) { return key(a) < key(b); });
  for (; each != rules.allowed.end() && key(*each) == key(alias); ++each) {
    if (each->subgraph == alias.subgraph && each->operator_index == alias.operator_index &&
        each->input == alias.input && each->modifies == alias.modifies) {
      return true;
    }
  }
  return false;
}

PlanFault FaultOf(AliasReason reason) {
  switch (reason) {
    case AliasReason::kSound:
      return PlanFault::kNone;
    case AliasReason::kLink:
      return PlanFault::kSharingLink;
    case AliasReason::kKept:
      return PlanFault::kSharingKept;
    case AliasReason::kStillRead:
      return PlanFault::kSharingStillRead;
    case AliasReason::kApart:
      return PlanFault::kSharingApart;
  }
  return PlanFault::kSharingLink;
}

PlanCertificate FaultOfSharing(const LabelledProblem& problem, PlanOffsets offsets) {
  for (const BufferAlias& alias : problem.sharing) {
    if (!IsAllowed(problem.rules, alias)) return {PlanFault::kSharingOperator, alias.buffer, alias.source, 0, 0};
  }
  std::vector<BufferAlias> aliases = problem.sharing;
  const AliasVerdict verdict = CheckAliases(problem.rules.buffers, aliases);
  if (!verdict.ok()) return {FaultOf(verdict.reason), verdict.buffer, verdict.other, 0, 0};
  for (const BufferAlias& alias : aliases) {
    if (offsets[alias.buffer] == offsets[alias.source]) continue;
    return {PlanFault::kSharingApart, alias.buffer, alias.source, 0, 0};
  }
  return {};
}

// Of what stands for several fixed buffers one that has the byte then.
std::size_t FixedAt(const LabelledProblem& problem, const PlanCertificate& fault) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const PlanBuffer& buffer = problem.buffers[i];
    if (!buffer.offset || !IsAliveAt(buffer, fault.shared_time)) continue;
    if (*buffer.offset > fault.shared_offset || *buffer.offset + buffer.bytes <= fault.shared_offset) continue;
    found = i;
    break;
  }
  return found;
}

// Fixed buffers that share bytes are certified as what they take together.
PlanCertificate CertifyDisjoint(const LabelledProblem& problem, PlanOffsets offsets) {
  const std::vector<PlanBuffer> buffers = DisjointBuffers(problem);
  std::vector<std::optional<std::int64_t>> all(offsets.begin(), offsets.end());
  for (std::size_t i = all.size(); i < buffers.size(); ++i) all.push_back(buffers[i].offset);
  PlanCertificate fault = CertifyPlan(buffers, all);
  if (!fault.ok() && fault.second >= offsets.size()) {
    fault.second = FixedAt(problem, fault);
    if (fault.second < fault.first) std::swap(fault.first, fault.second);
  }
  return fault;
}

}  // namespace

PlanCertificate CertifyPlan(const LabelledProblem& problem, PlanOffsets offsets) {
  if (problem.sharing.empty() && !problem.trusts_fixed) return CertifyPlan(problem.buffers, offsets);
  if (const PlanCertificate fault = FaultOfAny(problem.buffers, offsets); !fault.ok()) return fault;
  if (const PlanCertificate fault = FaultOfSharing(problem, offsets); !fault.ok()) return fault;
  return CertifyDisjoint(problem, offsets);
}

PlanCertificate CertifyPlan(std::span<const PlanBuffer> buffers, PlanOffsets offsets) {
  if (const PlanCertificate fault = FaultOfAny(buffers, offsets); !fault.ok()) return fault;
  // What is alive, by offset. As long as nothing shares bytes, a newcomer can do so with its neighbours only.
  std::map<std::int64_t, std::size_t> alive;
  for (const LifeEvent& event : LifeEvents(buffers)) {
    const std::int64_t offset = *offsets[event.buffer];
    if (!event.begins) {
      alive.erase(offset);
      continue;
    }
    const auto next = alive.lower_bound(offset);
    std::optional<std::size_t> other;
    if (next != alive.end() && next->first < offset + buffers[event.buffer].bytes) other = next->second;
    if (!other && next != alive.begin()) {
      const auto& [before, index] = *std::prev(next);
      if (before + buffers[index].bytes > offset) other = index;
    }
    if (other) {
      const auto [first, second] = std::minmax(event.buffer, *other);
      return {PlanFault::kSharedBytes, first, second, std::max(*offsets[first], *offsets[second]), event.time};
    }
    alive.emplace(offset, event.buffer);
  }
  return {};
}

const char* PlanFaultName(PlanFault fault) {
  switch (fault) {
    case PlanFault::kNone:
      return "none";
    case PlanFault::kNoOffset:
      return "no_offset";
    case PlanFault::kOffsetNegative:
      return "offset_negative";
    case PlanFault::kMisaligned:
      return "misaligned";
    case PlanFault::kFixedMoved:
      return "fixed_moved";
    case PlanFault::kEndOverflow:
      return "end_overflow";
    case PlanFault::kSharedBytes:
      return "shared_bytes";
    case PlanFault::kSharingOperator:
      return "sharing_operator";
    case PlanFault::kSharingLink:
      return "sharing_link";
    case PlanFault::kSharingKept:
      return "sharing_kept";
    case PlanFault::kSharingStillRead:
      return "sharing_still_read";
    case PlanFault::kSharingApart:
      return "sharing_apart";
  }
  return "unknown";
}

std::string CertificateSentence(const LabelledProblem& problem, PlanOffsets offsets,
                                const PlanCertificate& certificate) {
  const auto describe = [&](std::size_t i) {
    std::string text = WhatItIs(problem.labels[i]) + " (" + Counted(problem.buffers[i].bytes, "byte");
    if (offsets[i]) text += " at offset " + std::to_string(*offsets[i]);
    return text + ", " + AliveText(problem.buffers[i], problem.labels[i]) + ")";
  };
  const std::string first = certificate.ok() ? std::string() : describe(certificate.first);
  switch (certificate.fault) {
    case PlanFault::kNone:
      return {};
    case PlanFault::kNoOffset:
      return first + " has no offset";
    case PlanFault::kOffsetNegative:
      return first + " begins before the head";
    case PlanFault::kMisaligned:
      return first + " is misaligned: its offset has to be a multiple of " +
             std::to_string(problem.buffers[certificate.first].alignment);
    case PlanFault::kFixedMoved:
      return first + " does not lie where it is fixed, which is offset " +
             std::to_string(*problem.buffers[certificate.first].offset);
    case PlanFault::kEndOverflow:
      return first + " ends beyond 2^62 bytes";
    case PlanFault::kSharedBytes:
      return first + " and " + describe(certificate.second) + " share bytes from offset " +
             std::to_string(certificate.shared_offset) + " on while both are alive";
    case PlanFault::kSharingOperator:
      return first + " is to lie in the bytes of " + describe(certificate.second) +
             ", and no operator that writes it lets it lie there";
    case PlanFault::kSharingLink:
      return first + " is to lie in the bytes of " + describe(certificate.second) +
             ", and these are no one group whose bytes are handed on while they are alive";
    case PlanFault::kSharingKept:
      return first + " is to lie in the bytes of " + describe(certificate.second) +
             ", and one of the two is kept: an input or output of its subgraph, or a variable";
    case PlanFault::kSharingStillRead:
      return first + " is written over " + describe(certificate.second) + ", which is still needed";
    case PlanFault::kSharingApart:
      return first + " is to lie in the bytes of " + describe(certificate.second) + ", and lies apart from it";
  }
  return {};
}

std::int64_t PeakOf(std::span<const PlanBuffer> buffers, PlanOffsets offsets) {
  std::int64_t peak = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) peak = std::max(peak, *offsets[i] + buffers[i].bytes);
  return peak;
}

}  // namespace arenaproof
