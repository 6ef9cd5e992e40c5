#include "engine/oracles/plans/pairwise_plan.h"

#include <algorithm>

#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof::testing {
bool LivesAt(const PlanBuffer& buffer, std::int64_t time) {
  if (time < buffer.lifetime.lower || time >= buffer.lifetime.upper) return false;
  return std::none_of(buffer.gaps.begin(), buffer.gaps.end(),
                      [&](const TimeInterval& gap) { return gap.lower <= time && time < gap.upper; });
}

// Two that live together do so when one of them begins, or comes back from a gap.
bool LiveTogether(const PlanBuffer& a, const PlanBuffer& b) {
  for (const PlanBuffer* buffer : {&a, &b}) {
    if (LivesAt(a, buffer->lifetime.lower) && LivesAt(b, buffer->lifetime.lower)) return true;
    for (const TimeInterval& gap : buffer->gaps) {
      if (LivesAt(a, gap.upper) && LivesAt(b, gap.upper)) return true;
    }
  }
  return false;
}

namespace {

PlanFault FaultOf(const PlanBuffer& buffer, std::optional<std::int64_t> offset) {
  if (!offset) return PlanFault::kNoOffset;
  if (*offset < 0) return PlanFault::kOffsetNegative;
  if (*offset % buffer.alignment != 0) return PlanFault::kMisaligned;
  return buffer.offset.value_or(*offset) == *offset ? PlanFault::kNone : PlanFault::kFixedMoved;
}

}  // namespace

WrongPlan WhatIsWrong(const std::vector<PlanBuffer>& buffers, const std::vector<std::optional<std::int64_t>>& offsets) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (const PlanFault fault = FaultOf(buffers[i], offsets[i]); fault != PlanFault::kNone) return {fault, i};
  }
  WrongPlan wrong;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = i + 1; j < buffers.size(); ++j) {
      const std::int64_t begin = std::max(*offsets[i], *offsets[j]);
      const std::int64_t end = std::min(*offsets[i] + buffers[i].bytes, *offsets[j] + buffers[j].bytes);
      if (begin < end && LiveTogether(buffers[i], buffers[j])) wrong.pairs.emplace_back(i, j);
    }
  }
  if (!wrong.pairs.empty()) wrong.fault = PlanFault::kSharedBytes;
  return wrong;
}

bool SaysTheSame(const PlanCertificate& certificate, const WrongPlan& wrong) {
  if (certificate.fault != wrong.fault) return false;
  if (wrong.fault == PlanFault::kNone) return true;
  if (wrong.fault != PlanFault::kSharedBytes) return certificate.first == wrong.buffer;
  const std::pair named(certificate.first, certificate.second);
  return std::find(wrong.pairs.begin(), wrong.pairs.end(), named) != wrong.pairs.end();
}

}  // namespace arenaproof::testing

ARENAPROOF_UNGUIDED_END
