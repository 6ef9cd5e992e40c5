// What valgrind is shown on attach: at each place around an open range accesses of every shape in one operator, each
// behind a mark in the log, since a copy of the process takes longer than an access; loads of a vector unit, of which
// some bytes are closed; and a byte that nobody has written, in an operator's output, copied, or decided by.
#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "sanitizers/instrument/valgrind/memcheck_requests.h"
#include "sanitizers/instrument/valgrind/valgrind_instrument.h"
#include "sanitizers/planted/planted_access.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

constexpr std::size_t kOpenAt = 64, kOpenBytes = 24, kVectorBytes = 16, kResultBytes = 8;
constexpr std::uint8_t kPlantedByte = 0x1a;

typedef std::int32_t Vector __attribute__((vector_size(kVectorBytes)));
volatile int kept;

__attribute__((noinline)) void LoadAlignedVector(const std::byte* address) {
  const Vector lanes = *reinterpret_cast<const volatile Vector*>(address);
  kept = lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
}

__attribute__((noinline)) void LoadAlignedWord(const std::byte* address) {
  kept = static_cast<int>(*reinterpret_cast<const volatile std::uint64_t*>(address));
}

#ifdef __x86_64__
// The first `lanes` of four.
__attribute__((noinline, target("avx"))) void LoadMasked(const std::byte* address, int lanes) {
  const __m128i mask = _mm_cmplt_epi32(_mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32(lanes));
  alignas(16) float loaded[4];
  _mm_store_ps(loaded, _mm_maskload_ps(reinterpret_cast<const float*>(address), mask));
  kept = static_cast<int>(loaded[0]);
}
#endif

__attribute__((noinline)) void Decide(const std::byte* address) {
  if (*reinterpret_cast<const volatile char*>(address) == 'x') kept = 1;
}

OperatorScope ScopeOf(std::span<const OperandRange> operands) {
  OperatorScope scope;
  scope.subgraph = scope.operator_index = -1;
  scope.operator_name = "self-test";
  scope.kernel_name = "planted";
  scope.operands = operands;
  return scope;
}

}  // namespace

void ValgrindInstrument::MakePlantedAccesses(std::byte* area) {
  std::byte* const open = area + kOpenAt;
  const OperandRange range{open, kOpenBytes, AccessRight::kReadWrite, OperandKind::kPersistent, 0};
  const auto plant_alone = [&](const PlantedAccess& planted, std::byte* address) {
    const std::uint64_t before = log().access_count();
    SetPlantedValue(kPlantedByte);
    OnOperatorBegins(ScopeOf({&range, 1}));
    planted.make(address);
    OnOperatorEnds();
    return log().access_count() != before;
  };
  const auto at_each_shape = [&](const char* where, bool illegal, const auto& place) {
    SetPlantedValue(kPlantedByte);
    OnOperatorBegins(ScopeOf({&range, 1}));
    unsigned mark = 0;
    for (const PlantedAccess& planted : PlantedAccesses()) {
      memcheck::WriteMark(++mark);
      if (std::byte* const address = place(planted)) planted.make(address);
    }
    OnOperatorEnds();
    const std::vector<MemcheckError> errors = errors_;
    mark = 0;
    for (const PlantedAccess& planted : PlantedAccesses()) {
      ++mark;
      std::byte* const address = place(planted);
      if (address == nullptr) continue;
      const bool reported =
          std::any_of(errors.begin(), errors.end(), [&](const MemcheckError& error) { return error.mark == mark; });
      // It may have been hidden behind one like it, of a function that it shares with another shape.
      NotePlanted(reported || (illegal && plant_alone(planted, address)), illegal,
                  std::string(planted.what) + " " + where);
    }
  };
  at_each_shape("inside", false, [&](const PlantedAccess&) { return open; });
  at_each_shape("before", true, [&](const PlantedAccess&) { return open - kPlantedBytes; });
  at_each_shape("after", true, [&](const PlantedAccess&) { return open + kOpenBytes; });
  const auto if_any = [](const PlantedAccess& planted, std::byte* address) {
    return planted.any_alignment ? address : nullptr;
  };
  at_each_shape("across the start", true,
                [&](const PlantedAccess& planted) { return if_any(planted, open - planted.bytes / 2); });
  at_each_shape("across the end", true,
                [&](const PlantedAccess& planted) { return if_any(planted, open + kOpenBytes - planted.bytes / 2); });
  TestNesting(area, open);
  PlantPartialLoads(area);
  PlantUnwritten(area);
  saw_last_ = true;
  repeats_left_ = kMostRepeats;
}

// By default memcheck says nothing of an aligned load that has one open byte.
void ValgrindInstrument::PlantPartialLoads(std::byte* area) {
  std::byte* const start = area + (kVectorBytes - AddressOf(area) % kVectorBytes) % kVectorBytes + kVectorBytes;
  const auto plant = [&](const char* what, std::size_t open_bytes, bool illegal, const std::function<void()>& load) {
    const OperandRange range{start, open_bytes, AccessRight::kRead, OperandKind::kInput, 0};
    const std::uint64_t before = log().access_count();
    OnOperatorBegins(ScopeOf({&range, 1}));
    load();
    OnOperatorEnds();
    NotePlanted(log().access_count() != before, illegal, what);
  };
  plant("aligned vector load across the end", 12, true, [&] { LoadAlignedVector(start); });
  plant("aligned 8-byte load across the end", 4, true, [&] { LoadAlignedWord(start); });
  plant("aligned vector load inside", kVectorBytes, false, [&] { LoadAlignedVector(start); });
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx")) {
    plant("masked load across the end", 12, true, [&] { LoadMasked(start, 4); });
    plant("masked load that ends with the open bytes", 12, false, [&] { LoadMasked(start, 3); });
    return;
  }
#endif
  AddLimit("masked loads: this processor has none, so that they were not planted");
}

void ValgrindInstrument::PlantUnwritten(std::byte* area) {
  const OperandRange operands[] = {{area, kResultBytes, AccessRight::kReadWrite, OperandKind::kScratch, 0},
                                   {area + kOpenAt, kResultBytes, AccessRight::kReadWrite, OperandKind::kOutput, 1}};
  std::byte* const scratch = area;
  std::byte* const output = area + kOpenAt;
  const auto plant = [&](const char* what, bool illegal, const std::function<void()>& run) {
    const std::uint64_t before = log().access_count();
    OnOperatorBegins(ScopeOf(operands));
    run();
    OnOperatorEnds();
    NotePlanted(log().access_count() != before, illegal, what);
  };
  plant("output that is written", false, [&] { std::memset(output, 1, kResultBytes); });
  plant("last byte of an output, which is not written", true, [&] { std::memset(output, 1, kResultBytes - 1); });
  plant("output copied from scratch memory that is written", false, [&] {
    std::memset(scratch, 1, kResultBytes);
    std::memcpy(output, scratch, kResultBytes);
  });
  plant("output copied from scratch memory whose last byte is not written", true, [&] {
    std::memset(scratch, 1, kResultBytes - 1);
    std::memcpy(output, scratch, kResultBytes);
  });
  plant("decision by a byte that is not written", true, [&] {
    std::memset(output, 1, kResultBytes);
    Decide(scratch);
  });
}

}  // namespace arenaproof
