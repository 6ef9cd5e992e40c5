// Checks a finished plan, whoever made it, before a byte of head is reserved for it.
//
// A plan is certified when (names as in the planners' specification)
//   complete  every buffer has an offset and a lifetime whose end is not before its start;
//   P4        every offset is a multiple of `alignment`;
//   P3        offset + bytes <= head_bytes, computed without wrapping;
//   P1        no two buffers that are alive at one scope share a byte.
// Lifetimes are closed: a buffer that ends in the scope in which another begins conflicts with it. Byte ranges are
// half-open, so a buffer of zero bytes conflicts with nobody; nor does one whose lifetime ends before scope 0, which no
// operator touches. Two `trusted` buffers may share bytes with each other, never with a third that is not. Buffers that
// share on purpose are listed (BufferAlias): each sharing has to be right (alias_groups.h), and a group counts as one.
//
// Time O(n log n), memory only the workspace, no heap. Shares no code with any planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/buffer_alias.h"
#include "core/base/status.h"
#include "core/base/structure_bytes.h"
#include "core/planner/alias_groups.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof {

enum class CertificateReason : std::uint8_t {
  kCertified,
  kWorkspaceTooSmall,  // less than CertifierWorkspaceBytes
  kTooManyBuffers,     // 2^32 or more
  kZeroAlignment,
  kBadLifetime,  // `first` is after `last`
  kNoOffset,     // the buffer is not placed
  kMisaligned,   // P4
  kOutsideHead,  // P3
  kSharedBytes,  // P1
  // About the list of those that share; `first` shares with `second`, for kAliasStillRead with the name that is read.
  kAliasLink,       // the list itself is unsound
  kAliasKept,       // an input or output of a subgraph, a variable, a trusted buffer
  kAliasStillRead,  // data are modified that another name of the bytes still needs
  kAliasApart,      // another offset, or other bytes
};

struct Certificate {
  CertificateReason reason = CertificateReason::kCertified;
  // The buffer the reason is about; for kSharedBytes a pair that shares bytes while both live, first < second. Among
  // kBadLifetime .. kOutsideHead the lowest index with a fault is named, with the first of these reasons that applies;
  // shared bytes are looked for only when no single buffer is at fault.
  std::size_t first = 0;
  std::size_t second = 0;

  constexpr bool ok() const { return reason == CertificateReason::kCertified; }
};

// "P1 shared bytes": short and stable, for reports.
const char* CertificateReasonName(CertificateReason reason);

// A workspace of this many bytes, at any address, certifies `buffer_count` buffers: at most what the greedy planner
// needs for as many. SIZE_MAX when no workspace can.
// `word`: on which machine.
std::size_t CertifierWorkspaceBytes(std::size_t buffer_count, WordSize word = kOwnWordSize);

Certificate Certify(std::span<const PlacedBuffer> buffers, std::size_t head_bytes, std::size_t alignment,
                    std::span<std::byte> workspace);

// With buffers that share bytes. The list is sorted as CheckAliases() does it; buffers are as before. Its reasons come
// before all others but those about the workspace.
Certificate Certify(std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases, std::size_t head_bytes,
                    std::size_t alignment, std::span<std::byte> workspace);

// The reason of a list that is not sound.
CertificateReason ReasonOf(AliasReason reason);

// The certificate as a status with the numbers of the buffers it names.
Status CertificateStatus(const Certificate& certificate, std::span<const PlacedBuffer> buffers);

}  // namespace arenaproof
