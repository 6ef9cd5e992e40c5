// Does the certifier accept every plan of the greedy planner, and judge every other plan like a quadratic oracle? Does
// the dilated layout of an accepted plan keep what it promises?
//
// Up to 64 buffers are planned, certified, dilated; then what is left of the input disturbs the plan, one field at a
// time, and each disturbed plan is judged twice. On a disagreement the plan is printed and the process aborts.
//
//   byte 0       distance of the workspace from a multiple of 64 (mod 64)
//   byte 1       number of buffers (mod 65)
//   per buffer   size, first scope, duration, offset, as drawn below
//   then         per disturbance: which buffer, which field, value
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "fuzz/common/buffer_request_reader.h"
#include "fuzz/common/byte_reader.h"
#include "sanitizers/dilated_layout.h"
#include "tests/planner/planner_support.h"

namespace arenaproof {
namespace {

using testing::BufferRequest;

constexpr std::size_t kMostDisturbances = 32;

[[noreturn]] void ReportAndAbort(const char* broken, const std::vector<PlacedBuffer>& plan, std::size_t head_bytes,
                                 const Certificate& found) {
  std::fprintf(stderr,
               "VIOLATED: %s\ncertifier: %s (%zu, %zu)\nhead: %zu bytes; {offset, bytes, first, last, trusted}:\n",
               broken, CertificateReasonName(found.reason), found.first, found.second, head_bytes);
  for (const PlacedBuffer& buffer : plan) {
    std::fprintf(stderr, "  {%zu, %zu, %d, %d, %s},\n", buffer.offset, buffer.bytes, buffer.first, buffer.last,
                 buffer.trusted ? "true" : "false");
  }
  std::abort();
}

void Judge(const std::vector<PlacedBuffer>& plan, std::size_t head_bytes, std::size_t alignment) {
  const Certificate found = testing::CertifyAnywhere(plan, head_bytes, alignment);
  const Certificate expected = testing::QuadraticCertificate(plan, head_bytes, alignment);
  if (!testing::SameVerdict(found, expected, plan)) {
    ReportAndAbort("the certifier differs from the oracle", plan, head_bytes, found);
  }
}

void JudgeDilated(const std::vector<PlacedBuffer>& faithful, std::size_t head_bytes) {
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
      PlacedBuffer a = dilated[i];
      PlacedBuffer b = dilated[j];
      for (PlacedBuffer* wide : {&a, &b}) {
        wide->offset -= 64;
        wide->bytes += 128;
        wide->trusted = false;
      }
      if (testing::WronglyShareBytes(a, b)) ReportAndAbort("closed bytes are missing", dilated, layout.head_bytes, {});
    }
  }
  const Certificate certificate = testing::CertifyAnywhere(dilated, layout.head_bytes, 1);
  if (!certificate.ok()) ReportAndAbort("a dilated plan is refused", dilated, layout.head_bytes, certificate);
}

void Disturb(ByteReader& reader, std::vector<PlacedBuffer>& plan, std::size_t& head_bytes) {
  PlacedBuffer& buffer = plan[reader.Byte() % plan.size()];
  switch (reader.Byte() % 8) {
    case 0:
      buffer.offset = DrawWord(reader);
      break;
    case 1:
      buffer.offset = plan[reader.Byte() % plan.size()].offset;
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
  const std::size_t shift_bytes = reader.Byte() % 64u;
  const std::vector<BufferRequest> requests = DrawRequests(reader);
  bool inverted = false;
  for (const BufferRequest& request : requests) inverted |= request.first > request.last;
  GreedyPlanner planner;
  const auto result = testing::Plan(planner, requests, shift_bytes);
  if (!result.has_value()) return;  // a negative offset or a sum that does not fit
  std::vector<PlacedBuffer> plan = testing::Placed(requests, result->offsets, true);
  std::size_t head_bytes = result->maximum_bytes;
  const Certificate certificate = testing::CertifyAnywhere(plan, head_bytes, 1);
  if (certificate.ok() == inverted) {
    ReportAndAbort("a greedy plan is refused, or one with an inverted lifetime accepted", plan, head_bytes,
                   certificate);
  }
  Judge(plan, head_bytes, 16);
  if (certificate.ok()) JudgeDilated(plan, head_bytes);
  for (std::size_t i = 0; i < kMostDisturbances && !plan.empty() && !reader.empty(); ++i) {
    Disturb(reader, plan, head_bytes);
    Judge(plan, head_bytes, 1);
  }
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  arenaproof::Run(reader);
  return 0;
}
