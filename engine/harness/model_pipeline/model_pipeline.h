// Takes any bytes the whole way of a model: verifier, validation, lifetimes, plan, certificate, prepare in a bounded
// arena, and, within a counted work budget, invoke while an instrument watches that each operator touches its own
// operands only.
//
// What must never happen ends the process: bytes that are opened, or refused, against the contract of ModelView::Open,
// at this address or any less aligned; a sanitizer's report, a violation by a reference kernel, a sound model whose
// lifetimes or plan fail, a plan that the certifier refuses, a changed model file, an invoke that fails after a prepare
// that did not, a smaller arena that is refused for another reason than its size; an event stream, an access list or
// arena figures that do not agree with each other or with the model (sanitizers/event_checks/event_stream_checker.h,
// allocation_audit.h); outputs that differ when the model is run again over other garbage, after another
// AllocateTensors or in the other layout. The reason is on stderr.
//
// Deterministic: choices (layout, values of inputs, size of the second arena) come from a checksum of the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/harness/model_pipeline/stage_counts.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {

// Longer inputs are not looked at.
inline constexpr std::size_t kMostModelBytes = 64 * 1024;
inline constexpr std::size_t kPipelineArenaBytes = 128 * 1024;
inline constexpr std::uint64_t kMostInvokeWork = 1 << 20;
// Greedy planning is quadratic; models of more buffers are not planned on the side, only in the arena.
inline constexpr std::size_t kMostPlannedBuffers = 2048;

// Which of the oracles an input meets. Dear are those that open, read, set up or run the model once more; whether an
// input meets them under kDearForFew says a hash of its bytes, so that it does whoever runs it.
enum class OracleChoice : std::uint8_t { kAll, kDearForFew };
inline constexpr std::uint64_t kDearForOneIn = 16;

// Of a fuzzing engine, which has many inputs to go; what is replayed meets all.
#ifdef ARENAPROOF_FUZZ
inline constexpr OracleChoice kOraclesOfThisBuild = OracleChoice::kDearForFew;
#else
inline constexpr OracleChoice kOraclesOfThisBuild = OracleChoice::kAll;
#endif

// Returns the last stage reached; counts nothing. `kernels` are other than the reference in tests of the oracles.
ModelStage RunModelPipeline(std::span<const std::uint8_t> bytes, const KernelSet& kernels = ReferenceKernels(),
                            OracleChoice choice = OracleChoice::kAll);

}  // namespace arenaproof
