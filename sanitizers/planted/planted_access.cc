#include "sanitizers/planted/planted_access.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "sanitizers/hooks/attributes.h"

namespace arenaproof {
namespace {

// Results go here, so that no access can be left out; lengths and values come from here, so that none can be narrowed.
volatile int sink;
volatile std::size_t planted_bytes = kPlantedBytes;
std::byte other[kPlantedBytes];
std::byte other_range[kPlantedRangeBytes];

typedef std::int32_t Vector __attribute__((vector_size(16)));

template <typename Integer>
__attribute__((noinline)) void Read(std::byte* address) {
  sink = static_cast<int>(*reinterpret_cast<const volatile Integer*>(address));
}

template <typename Integer>
__attribute__((noinline)) void Write(std::byte* address) {
  *reinterpret_cast<volatile Integer*>(address) = static_cast<Integer>(sink);
}

__attribute__((noinline)) void ReadVector(std::byte* address) {
  Vector lanes;
  std::memcpy(&lanes, address, sizeof lanes);
  sink = lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
}

__attribute__((noinline)) void WriteVector(std::byte* address) {
  const int value = sink;
  const Vector lanes{value, value, value, value};
  std::memcpy(address, &lanes, sizeof lanes);
}

__attribute__((noinline)) void CopyFrom(std::byte* address) { std::memcpy(other, address, planted_bytes); }
__attribute__((noinline)) void CopyTo(std::byte* address) { std::memcpy(address, other, planted_bytes); }
__attribute__((noinline)) void MoveFrom(std::byte* address) { std::memmove(other, address, planted_bytes); }
__attribute__((noinline)) void MoveTo(std::byte* address) { std::memmove(address, other, planted_bytes); }
__attribute__((noinline)) void Set(std::byte* address) { std::memset(address, sink, planted_bytes); }

// Widths that are no power of two.
constexpr std::size_t kExtendedBytes = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double);
volatile long double extended_sink;

struct __attribute__((packed)) PackedExtended {
  long double value;
};
struct __attribute__((packed)) Packed24 {
  std::uint32_t value : 24;
};

__attribute__((noinline)) void ReadExtended(std::byte* address) {
  extended_sink = reinterpret_cast<const volatile PackedExtended*>(address)->value;
}
__attribute__((noinline)) void WriteExtended(std::byte* address) {
  reinterpret_cast<volatile PackedExtended*>(address)->value = extended_sink;
}
__attribute__((noinline)) void ReadPacked(std::byte* address) {
  sink = static_cast<int>(reinterpret_cast<const volatile Packed24*>(address)->value);
}

constexpr PlantedAccess kPlanted[] = {
    {"1-byte read", 1, false, false, Read<std::uint8_t>},
    {"1-byte write", 1, true, false, Write<std::uint8_t>},
    {"2-byte read", 2, false, false, Read<std::int16_t>},
    {"2-byte write", 2, true, false, Write<std::int16_t>},
    {"4-byte read", 4, false, false, Read<std::int32_t>},
    {"4-byte write", 4, true, false, Write<std::int32_t>},
    {"8-byte read", 8, false, false, Read<std::int64_t>},
    {"8-byte write", 8, true, false, Write<std::int64_t>},
    {"16-byte vector read", 16, false, true, ReadVector},
    {"16-byte vector write", 16, true, true, WriteVector},
    {"memcpy from", 16, false, true, CopyFrom},
    {"memcpy to", 16, true, true, CopyTo},
    {"memmove from", 16, false, true, MoveFrom},
    {"memmove to", 16, true, true, MoveTo},
    {"memset", 16, true, true, Set},
    {"long double read", kExtendedBytes, false, true, ReadExtended},
    {"long double write", kExtendedBytes, true, true, WriteExtended},
    {"3-byte read", 3, false, true, ReadPacked},
};

#if defined(ARENAPROOF_SHADOW) || defined(ARENAPROOF_ASAN)

// One or more for each line of wrapped_calls.inc. What a call touches depends on the bytes that it finds: these are
// laid by code that no instrument looks at.
ARENAPROOF_UNINSTRUMENTED __attribute__((noinline)) void Lay(std::byte* address, bool terminated) {
  for (std::size_t i = 0; i < kPlantedBytes; ++i) {
    const bool last = terminated && i + 1 == kPlantedBytes;
    for (std::byte* const text : {address, other}) {
      reinterpret_cast<volatile char*>(text)[i] = last ? '\0' : 'a';
    }
  }
}

const char* Text(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }

ARENAPROOF_UNINSTRUMENTED int CompareBytes(const void* a, const void* b) {
  return *static_cast<const volatile unsigned char*>(a) - *static_cast<const volatile unsigned char*>(b);
}

__attribute__((noinline)) void Compare(std::byte* address) { sink = std::memcmp(address, other, planted_bytes); }
__attribute__((noinline)) void CompareAsSecond(std::byte* address) {
  sink = std::memcmp(other, address, planted_bytes);
}
__attribute__((noinline)) void CompareEqual(std::byte* address) {
  sink = std::memcmp(address, other, planted_bytes) == 0 ? 1 : 0;
}
__attribute__((noinline)) void CompareEqualAsSecond(std::byte* address) {
  sink = std::memcmp(other, address, planted_bytes) == 0 ? 1 : 0;
}
__attribute__((noinline)) void Find(std::byte* address) {
  Lay(address, false);
  sink = std::memchr(address, 'b', planted_bytes) == nullptr ? 0 : 1;
}
__attribute__((noinline)) void Measure(std::byte* address) {
  Lay(address, true);
  sink = static_cast<int>(std::strlen(Text(address)));
}
__attribute__((noinline)) void MeasureAtMost(std::byte* address) {
  Lay(address, false);
  sink = static_cast<int>(strnlen(Text(address), planted_bytes));
}
__attribute__((noinline)) void CompareTexts(std::byte* address) {
  Lay(address, true);
  sink = std::strcmp(Text(address), Text(other));
}
__attribute__((noinline)) void CompareTextsAsSecond(std::byte* address) {
  Lay(address, true);
  sink = std::strcmp(Text(other), Text(address));
}
__attribute__((noinline)) void CompareTextsAtMost(std::byte* address) {
  Lay(address, false);
  sink = std::strncmp(Text(address), Text(other), planted_bytes);
}
__attribute__((noinline)) void CompareTextsAtMostAsSecond(std::byte* address) {
  Lay(address, false);
  sink = std::strncmp(Text(other), Text(address), planted_bytes);
}
__attribute__((noinline)) void Sort(std::byte* address) { std::qsort(address, planted_bytes, 1, CompareBytes); }
__attribute__((noinline)) void Split(std::byte* address) {
  extended_sink = std::frexp(static_cast<double>(sink), reinterpret_cast<int*>(address));
}

constexpr PlantedAccess kPlanted_memcmp[] = {{"memcmp", 16, false, true, Compare, false, true},
                                             {"memcmp, second", 16, false, true, CompareAsSecond, false, true}};
constexpr PlantedAccess kPlanted_bcmp[] = {
    {"memcmp for equality", 16, false, true, CompareEqual, false, true},
    {"memcmp for equality, second", 16, false, true, CompareEqualAsSecond, false, true}};
constexpr PlantedAccess kPlanted_memchr[] = {{"memchr", 16, false, true, Find, true}};
constexpr PlantedAccess kPlanted_strlen[] = {{"strlen", 16, false, true, Measure, true}};
constexpr PlantedAccess kPlanted_strnlen[] = {{"strnlen", 16, false, true, MeasureAtMost, true}};
constexpr PlantedAccess kPlanted_strcmp[] = {{"strcmp", 16, false, true, CompareTexts, true},
                                             {"strcmp, second", 16, false, true, CompareTextsAsSecond, true}};
constexpr PlantedAccess kPlanted_strncmp[] = {{"strncmp", 16, false, true, CompareTextsAtMost, true},
                                              {"strncmp, second", 16, false, true, CompareTextsAtMostAsSecond, true}};
// Reads them all and writes them all.
constexpr PlantedAccess kPlanted_qsort[] = {{"qsort", 16, true, true, Sort, true}};
constexpr PlantedAccess kPlanted_frexp[] = {{"frexp", sizeof(int), true, false, Split, true}};

#define ARENAPROOF_COMPARING_CALL(name) +std::size(kPlanted_##name)
#define ARENAPROOF_WRAPPED_CALL(name) +std::size(kPlanted_##name)
constexpr std::size_t kCallCount = 0
#include "sanitizers/hooks/wrapped_calls.inc"
    ;
#undef ARENAPROOF_COMPARING_CALL
#undef ARENAPROOF_WRAPPED_CALL

constexpr auto kEveryPlanted = [] {
  std::array<PlantedAccess, std::size(kPlanted) + kCallCount> all{};
  std::size_t count = 0;
  for (const PlantedAccess& planted : kPlanted) all[count++] = planted;
#define ARENAPROOF_COMPARING_CALL(name) \
  for (const PlantedAccess& planted : kPlanted_##name) all[count++] = planted;
#define ARENAPROOF_WRAPPED_CALL(name) ARENAPROOF_COMPARING_CALL(name)
#include "sanitizers/hooks/wrapped_calls.inc"
#undef ARENAPROOF_COMPARING_CALL
#undef ARENAPROOF_WRAPPED_CALL
  return all;
}();

#else

constexpr auto& kEveryPlanted = kPlanted;

#endif

__attribute__((noinline)) void CopyRangeFrom(std::byte* address, std::size_t bytes) {
  std::memcpy(other_range, address, bytes);
}
__attribute__((noinline)) void CopyRangeTo(std::byte* address, std::size_t bytes) {
  std::memcpy(address, other_range, bytes);
}
__attribute__((noinline)) void MoveRangeFrom(std::byte* address, std::size_t bytes) {
  std::memmove(other_range, address, bytes);
}
__attribute__((noinline)) void MoveRangeTo(std::byte* address, std::size_t bytes) {
  std::memmove(address, other_range, bytes);
}
__attribute__((noinline)) void SetRange(std::byte* address, std::size_t bytes) { std::memset(address, sink, bytes); }

constexpr PlantedRange kRanges[] = {{"memcpy from", false, CopyRangeFrom},
                                    {"memcpy to", true, CopyRangeTo},
                                    {"memmove from", false, MoveRangeFrom},
                                    {"memmove to", true, MoveRangeTo},
                                    {"memset", true, SetRange}};

}  // namespace

std::span<const PlantedRange> PlantedRanges() { return kRanges; }

std::span<const PlantedAccess> PlantedAccesses() { return kEveryPlanted; }

void SetPlantedValue(std::uint8_t byte) {
  sink = static_cast<int>(byte * 0x01010101U);
  extended_sink = 0x1p-229L;  // 0x80, 0x1a, 0x3f and zeros
  std::memset(other, byte, sizeof other);
  std::memset(other_range, byte, sizeof other_range);
}

__attribute__((noinline)) void WritePlantedResults(std::byte* to) {
  Write<std::int32_t>(to);
  WriteExtended(to + 16);
  CopyTo(to + 32);
}

__attribute__((noinline)) void PlantWriteBack(std::byte* address) {
  auto* const byte = reinterpret_cast<volatile std::uint8_t*>(address);
  *byte = *byte;
}

}  // namespace arenaproof
