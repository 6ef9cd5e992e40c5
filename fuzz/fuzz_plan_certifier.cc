// Does the greedy planner place every buffer as its description says, twice alike, and refuse only what does not fit?
// Does the certifier accept every plan of it, and answer for every other plan like a quadratic oracle? Does the dilated
// layout of an accepted plan keep what it promises?
//
// Up to 64 buffers are planned, certified, dilated; then what is left of the input disturbs the plan, one field at a
// time, and each disturbed plan is certified twice. Now and then the disturbed plan is certified among copies of
// itself, so that there are several hundred buffers, or more than a thousand requests are planned. On a disagreement
// the plan is printed and the process aborts.
//
//   byte 0       distance of the workspace from a multiple of 64 (mod 64); decides what is checked in addition, too
//   byte 1       number of buffers (mod 65)
//   per buffer   size, first scope, duration, offset, as drawn below
//   then         per disturbance: which buffer, which field, value
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "engine/cases/buffer_request.h"
#include "engine/explain.h"
#include "engine/generators/bytes/buffer_request_reader.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/planner/guarded_workspace.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "engine/oracles/planner/reference_greedy.h"
#include "engine/unguided.h"
#include "sanitizers/layout/dilated_layout.h"

namespace arenaproof {
namespace {

using testing::BufferRequest;

constexpr std::size_t kMostDisturbances = 32;

std::string PlanText(const std::vector<PlacedBuffer>& plan, std::size_t head_bytes) {
  std::string text = "head: " + std::to_string(head_bytes) + " bytes; {offset, bytes, first, last, trusted}:";
  for (const PlacedBuffer& buffer : plan) {
    text += "\n  {" + std::to_string(buffer.offset) + ", " + std::to_string(buffer.bytes) + ", " +
            std::to_string(buffer.first) + ", " + std::to_string(buffer.last) + ", " +
            (buffer.trusted ? "true" : "false") + "},";
  }
  return text;
}

[[noreturn]] void ReportAndAbort(const char* broken, const std::vector<PlacedBuffer>& plan, std::size_t head_bytes,
                                 const Certificate& found) {
  std::fprintf(stderr, "VIOLATED: %s\ncertifier: %s (%zu, %zu)\n%s\n", broken, CertificateReasonName(found.reason),
               found.first, found.second, PlanText(plan, head_bytes).c_str());
  std::abort();
}

ARENAPROOF_UNGUIDED_BEGIN

void CheckCertifier(const std::vector<PlacedBuffer>& plan, std::size_t head_bytes, std::size_t alignment) {
  testing::GuardedWorkspace workspace(CertifierWorkspaceBytes(plan.size()), plan.size() * 7, std::byte{0x5a});
  const Certificate found = Certify(plan, head_bytes, alignment, workspace.span());
  const Certificate expected = testing::QuadraticCertificate(plan, head_bytes, alignment);
  if (!testing::SameVerdict(found, expected, plan)) {
    ReportAndAbort("the certifier differs from the oracle", plan, head_bytes, found);
  }
  if (!workspace.intact()) ReportAndAbort("the certifier writes outside its workspace", plan, head_bytes, found);
  if (CertificateReasonName(found.reason)[0] == '\0') ReportAndAbort("a reason has no name", plan, head_bytes, found);
}

// What is wrong about the call comes before all that is wrong about the plan.
void CheckWrongCalls(const std::vector<PlacedBuffer>& plan, std::size_t head_bytes) {
  testing::GuardedWorkspace workspace(CertifierWorkspaceBytes(plan.size()), 0, std::byte{0x5a});
  const Certificate none = Certify(plan, head_bytes, 0, workspace.span());
  if (none.reason != CertificateReason::kZeroAlignment) {
    ReportAndAbort("an alignment of 0 is not refused", plan, head_bytes, none);
  }
  if (plan.empty()) return;
  const Certificate small = Certify(plan, head_bytes, 1, workspace.span().first(workspace.span().size() - 1));
  if (small.reason != CertificateReason::kWorkspaceTooSmall || !workspace.intact()) {
    ReportAndAbort("a byte of workspace too few is not refused", plan, head_bytes, small);
  }
}

// The plan and copies of it, far from each other in memory.
void CheckCopies(const std::vector<PlacedBuffer>& plan, std::size_t copy_count) {
  constexpr std::size_t kDistanceBytes = 4096;
  std::vector<PlacedBuffer> copies;
  for (std::size_t copy = 0; copy < copy_count; ++copy) {
    for (PlacedBuffer buffer : plan) {
      if (buffer.offset >= kDistanceBytes || buffer.bytes >= kDistanceBytes) continue;
      buffer.offset += copy * 2 * kDistanceBytes;
      copies.push_back(buffer);
    }
  }
  CheckCertifier(copies, copy_count * 2 * kDistanceBytes, 1);
}

// A plan from a workspace of just the bytes that are asked for; nothing when the planner refuses.
std::optional<testing::PlanResult> PlanGuarded(MemoryPlanner& planner, const std::vector<BufferRequest>& requests,
                                               std::size_t shift_bytes, std::byte fill) {
  testing::GuardedWorkspace workspace(planner.WorkspaceBytes(requests.size()), shift_bytes, fill);
  const auto complain = [&](const char* what) { ReportAndAbort(what, {}, 0, {}); };
  if (!planner.Init(workspace.span()).ok()) complain("a planner does not start");
  testing::PlanResult result;
  for (const BufferRequest& request : requests) {
    const Status status = planner.AddBuffer(request.bytes, request.first, request.last, request.offline_offset);
    if (status.code == StatusCode::kPlannerTooManyBuffers) complain("a planner's workspace is less than it needs");
    if (!status.ok()) return std::nullopt;
  }
  if (!planner.MaximumBytes(&result.maximum_bytes).ok()) return std::nullopt;
  result.offsets.resize(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!planner.OffsetOf(i, &result.offsets[i]).ok()) complain("a planner has no offset for a buffer");
  }
  std::size_t offset = 0;
  if (planner.BufferCount() != requests.size()) complain("a planner counts its buffers wrongly");
  if (planner.OffsetOf(requests.size(), &offset).code != StatusCode::kPlannerBufferIndex) {
    complain("a planner has an offset for a buffer that it was not given");
  }
  if (!workspace.intact()) complain("a planner writes outside its workspace");
  return result;
}

// A byte of workspace too few: room for all is luck of the address, but nobody writes behind it.
void CheckSmallWorkspace(MemoryPlanner& planner, const std::vector<BufferRequest>& requests, std::size_t shift_bytes) {
  testing::GuardedWorkspace workspace(planner.WorkspaceBytes(requests.size()) - 1, shift_bytes, std::byte{0x69});
  if (!planner.Init(workspace.span()).ok()) return;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Status status = planner.AddBuffer(requests[i].bytes, requests[i].first, requests[i].last);
    const bool full = status.code == StatusCode::kPlannerTooManyBuffers;
    if (full && i + 1 < requests.size()) ReportAndAbort("a planner has no room for all but the last", {}, 0, {});
    if (!status.ok()) break;
  }
  if (!workspace.intact()) ReportAndAbort("a planner writes outside a workspace that is too small", {}, 0, {});
}

std::optional<testing::PlanResult> PlanGreedily(const std::vector<BufferRequest>& requests, std::size_t shift_bytes) {
  GreedyPlanner planner;
  const auto plan = PlanGuarded(planner, requests, shift_bytes, std::byte{0xa5});
  if (shift_bytes % 2 == 1 && plan != PlanGuarded(planner, requests, 64 - shift_bytes, std::byte{0x3c})) {
    ReportAndAbort("the greedy planner plans one problem in two ways (P5)", {}, 0, {});
  }
  const auto reference = testing::ReferenceGreedy(requests);
  if (plan.has_value() != reference.has_value()) {
    ReportAndAbort("the greedy planner lets an overflow through, or refuses an exact plan", {}, 0, {});
  }
  if (plan != reference) {
    ReportAndAbort("the greedy planner differs from the reference one (P7, P3)",
                   testing::Placed(requests, plan->offsets), plan->maximum_bytes, {});
  }
  return plan;
}

// The requests again and again, `apart` each time when those before are dead. None where they are too few, or live at
// far times.
std::vector<BufferRequest> Repeated(const std::vector<BufferRequest>& requests, std::size_t least_count, bool apart) {
  constexpr std::size_t kLeastRequests = 8;
  constexpr std::int32_t kScopes = 32;
  const auto is_near = [](const BufferRequest& request) { return request.first >= -1 && request.last < kScopes - 1; };
  std::vector<BufferRequest> repeated;
  if (requests.size() < kLeastRequests || !std::all_of(requests.begin(), requests.end(), is_near)) return repeated;
  for (std::int32_t turn = 0; repeated.size() < least_count; ++turn) {
    for (BufferRequest request : requests) {
      request.first += apart ? turn * kScopes : 0;
      request.last += apart ? turn * kScopes : 0;
      repeated.push_back(request);
    }
  }
  return repeated;
}

// More than a hundred, and in one case of 16, because it is dear, so many that the planner looks only at what is alive
// at the same time.
void CheckMany(const std::vector<BufferRequest>& requests, std::size_t shift_bytes) {
  constexpr std::size_t kMany = 150, kVeryMany = 2000, kDearForOneIn = 16;
  PlanGreedily(Repeated(requests, kMany, shift_bytes % 32 == 13), shift_bytes);
  std::size_t sum = 0;
  for (const BufferRequest& request : requests) sum = sum * 31 + request.bytes;
  if (sum % kDearForOneIn == 0) PlanGreedily(Repeated(requests, kVeryMany, true), shift_bytes);
}

// Requests without fixed offsets lie one behind the other, exact or refused.
void CheckLinear(std::vector<BufferRequest> requests, std::size_t shift_bytes) {
  std::size_t sum = 0;
  bool overflow = false;
  for (BufferRequest& request : requests) {
    request.offline_offset = kOnline;
    overflow |= __builtin_add_overflow(sum, request.bytes, &sum);
  }
  LinearPlanner planner;
  for (int repetition = 0; repetition < 2; ++repetition) {
    const auto plan = PlanGuarded(planner, requests, shift_bytes, std::byte{0x77});
    if (plan.has_value() == overflow)
      ReportAndAbort("the linear planner misses an overflow or reports one that is none", {}, 0, {});
    if (overflow) continue;
    const auto placed = testing::Placed(requests, plan->offsets);
    for (std::size_t i = 1; i < placed.size(); ++i) {
      if (placed[i].offset != placed[i - 1].offset + placed[i - 1].bytes) {
        ReportAndAbort("the linear planner leaves a gap or an overlap", placed, plan->maximum_bytes, {});
      }
    }
    if (plan->maximum_bytes != sum || (!placed.empty() && placed[0].offset != 0)) {
      ReportAndAbort("the linear planner does not start empty, or miscounts (P11, P3)", placed, plan->maximum_bytes,
                     {});
    }
  }
}

PlacedBuffer Widened(PlacedBuffer buffer) {
  buffer.offset -= 64;
  buffer.bytes += 128;
  buffer.trusted = false;
  return buffer;
}

void CheckDilated(const std::vector<PlacedBuffer>& faithful, std::size_t head_bytes) {
  DilatedLayout layout;
  if (!Dilate(faithful, &layout).ok()) return;
  std::vector<PlacedBuffer> dilated = faithful;
  for (std::size_t i = 0; i < dilated.size(); ++i) {
    if (layout.offsets[i] % 64 != faithful[i].offset % 64) {
      ReportAndAbort("an address changed modulo 64", faithful, head_bytes, {});
    }
    dilated[i].offset = layout.offsets[i];
  }
  // With 64 bytes of its own on each side, every buffer that moves alone is still disjoint from the others.
  for (std::size_t i = 0; i < dilated.size(); ++i) {
    for (std::size_t j = i + 1; j < dilated.size(); ++j) {
      if (layout.groups[i] == layout.groups[j]) continue;
      const PlacedBuffer a = Widened(dilated[i]);
      const PlacedBuffer b = Widened(dilated[j]);
      if (testing::WronglyShareBytes(a, b)) ReportAndAbort("closed bytes are missing", dilated, layout.head_bytes, {});
    }
  }
  const Certificate certificate = testing::CertifyAnywhere(dilated, layout.head_bytes, 1);
  if (!certificate.ok()) ReportAndAbort("a dilated plan is refused", dilated, layout.head_bytes, certificate);
}

ARENAPROOF_UNGUIDED_END

void Disturb(ByteReader& reader, std::vector<PlacedBuffer>& plan, std::size_t& head_bytes) {
  PlacedBuffer& buffer = plan[reader.Below(plan.size())];
  switch (reader.Below(8)) {
    case 0:
      buffer.offset = DrawWord(reader);
      break;
    case 1:
      buffer.offset = plan[reader.Below(plan.size())].offset;
      break;
    case 2:
      buffer.offset += reader.Byte() - std::size_t{128};
      break;
    case 3:
      buffer.bytes = DrawWord(reader);
      break;
    case 4:
      buffer.first = DrawScope(reader);
      break;
    case 5:
      buffer.last = DrawScope(reader);
      break;
    case 6:
      buffer.trusted = !buffer.trusted;
      break;
    default:
      head_bytes = DrawWord(reader);
      break;
  }
}

void Run(ByteReader& reader) {
  const std::size_t shift_bytes = reader.Below(64);
  const std::vector<BufferRequest> requests = DrawRequests(reader);
  CountReach("buffers of a plan", requests.size());
  if (Explaining()) {
    Explain("planned greedily, " + std::to_string(requests.size()) +
            " buffers {bytes, first, last, fixed offset or -1}:");
    for (const BufferRequest& request : requests) {
      Explain("  {" + std::to_string(request.bytes) + ", " + std::to_string(request.first) + ", " +
              std::to_string(request.last) + ", " + std::to_string(request.offline_offset) + "},");
    }
  }
  bool inverted = false;
  for (const BufferRequest& request : requests) {
    CountReach("bytes of a buffer", request.bytes);
    inverted |= request.first > request.last;
  }
  if (shift_bytes % 4 == 2) CheckLinear(requests, shift_bytes);
  if (shift_bytes % 8 == 3 && !requests.empty()) {
    GreedyPlanner greedy;
    CheckSmallWorkspace(greedy, requests, shift_bytes);
    LinearPlanner linear;
    CheckSmallWorkspace(linear, requests, shift_bytes);
  }
  if (shift_bytes % 16 == 13) CheckMany(requests, shift_bytes);
  const auto result = PlanGreedily(requests, shift_bytes);
  if (!result.has_value()) return Explain("refused: a negative offset, or a sum that does not fit");
  std::vector<PlacedBuffer> plan = testing::Placed(requests, result->offsets, true);
  std::size_t head_bytes = result->maximum_bytes;
  if (Explaining()) Explain("certified as planned, " + PlanText(plan, head_bytes));
  const Certificate certificate = testing::CertifyAnywhere(plan, head_bytes, 1);
  if (certificate.ok() == inverted) {
    ReportAndAbort("a greedy plan is refused, or one with an inverted lifetime accepted", plan, head_bytes,
                   certificate);
  }
  CheckCertifier(plan, head_bytes, 16);
  if (shift_bytes % 8 == 6) CheckWrongCalls(plan, head_bytes);
  if (certificate.ok() && shift_bytes % 2 == 0) CheckDilated(plan, head_bytes);
  for (std::size_t i = 0; i < kMostDisturbances && !plan.empty() && !reader.empty(); ++i) {
    Disturb(reader, plan, head_bytes);
    if (Explaining()) Explain("certified after disturbance " + std::to_string(i) + ", " + PlanText(plan, head_bytes));
    CheckCertifier(plan, head_bytes, 1);
  }
  if (shift_bytes % 16 == 7) CheckCopies(plan, 2 + shift_bytes / 8);
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  arenaproof::Run(reader);
  return 0;
}
