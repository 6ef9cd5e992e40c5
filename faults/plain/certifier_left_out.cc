#include "faults/plain/certifier_left_out.h"

#include <span>

#include "core/planner/certifier.h"

namespace arenaproof {
namespace {

std::size_t uncertified_plan_count = 0;
bool plan_is_from_file = false;

}  // namespace

// The product's certifier, by the name that the linker gives it.
Certificate
CertifyAsTheProduct(std::span<const PlacedBuffer> buffers, std::size_t head_bytes, std::size_t alignment, std::span<std::byte> workspace) __asm__(
    "__real__ZN10arenaproof7CertifyESt4spanIKNS_12PlacedBufferELm18446744073709551615EEmmS0_ISt4byteLm184467440"
    "73709551615EE");

// Calls of Certify end here (-Wl,--wrap).
Certificate
CertifyNothing(std::span<const PlacedBuffer> buffers, std::size_t head_bytes, std::size_t alignment, std::span<std::byte> workspace) __asm__(
    "__wrap__ZN10arenaproof7CertifyESt4spanIKNS_12PlacedBufferELm18446744073709551615EEmmS0_ISt4byteLm184467440"
    "73709551615EE");

Certificate CertifyNothing(std::span<const PlacedBuffer> buffers, std::size_t head_bytes, std::size_t alignment,
                           std::span<std::byte> workspace) {
  ++uncertified_plan_count;
  return plan_is_from_file ? CertifyAsTheProduct(buffers, head_bytes, alignment, workspace) : Certificate();
}

void SetPlanIsFromFile(bool is_from_file) { plan_is_from_file = is_from_file; }

std::size_t UncertifiedPlanCount() { return uncertified_plan_count; }

}  // namespace arenaproof
