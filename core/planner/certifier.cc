#include "core/planner/certifier.h"

#include <algorithm>
#include <new>

#include "core/planner/prefix_maximum.h"
#include "core/planner/rank_set.h"

namespace arenaproof {
namespace {

constexpr std::size_t kNone = RankSet::kNone;
constexpr std::size_t kMostBuffers = UINT32_MAX;

constexpr std::size_t WordCount(std::size_t buffer_count, WordSize word = kOwnWordSize) {
  return 2 * RankSet::WordCount(buffer_count, static_cast<std::size_t>(word) * 8) +
         PrefixMaximum::WordCount(buffer_count);
}

// A sweep over time. A buffer's rank is its place by offset among the buffers that can conflict at all; who is alive is
// kept as sets of ranks, so that neighbours in a set are neighbours in memory.
class Sweep {
 public:
  // `memory`: CertifierWorkspaceBytes, aligned for a word.
  Sweep(std::span<const PlacedBuffer> buffers, std::size_t count, std::byte* memory)
      : buffers_(buffers),
        count_(count),
        words_(new(memory) std::size_t[WordCount(count)]),
        by_rank_(new(memory + WordCount(count) * sizeof(std::size_t)) std::uint32_t[3 * count]),
        by_start_(by_rank_ + count),
        by_end_(by_start_ + count),
        untrusted_(count, words_),
        trusted_(count, words_ + RankSet::WordCount(count)),
        trusted_ends_(count, words_ + 2 * RankSet::WordCount(count)) {}

  // The pair found first, or a certificate.
  Certificate Run() {
    SortEvents();
    std::size_t ended_count = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t rank = by_start_[i];
      while (At(by_end_[ended_count]).last < At(rank).first) Remove(by_end_[ended_count++]);
      if (const std::size_t other = Conflict(rank); other != kNone) return SharedBytes(rank, other);
      Insert(rank);
    }
    return {};
  }

 private:
  const PlacedBuffer& At(std::size_t rank) const { return buffers_[by_rank_[rank]]; }
  std::size_t End(std::size_t rank) const { return At(rank).offset + At(rank).bytes; }
  std::size_t TrustedEnd(std::size_t rank) const { return trusted_.Contains(rank) ? End(rank) : 0; }

  void SortEvents() {
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_[i].bytes > 0 && buffers_[i].last >= 0) by_rank_[rank++] = static_cast<std::uint32_t>(i);
    }
    std::sort(by_rank_, by_rank_ + count_, [this](std::uint32_t a, std::uint32_t b) {
      return buffers_[a].offset != buffers_[b].offset ? buffers_[a].offset < buffers_[b].offset : a < b;
    });
    for (std::uint32_t i = 0; i < count_; ++i) by_start_[i] = by_end_[i] = i;
    std::sort(by_start_, by_start_ + count_, [this](std::uint32_t a, std::uint32_t b) {
      return At(a).first != At(b).first ? At(a).first < At(b).first : a < b;
    });
    std::sort(by_end_, by_end_ + count_, [this](std::uint32_t a, std::uint32_t b) {
      return At(a).last != At(b).last ? At(a).last < At(b).last : a < b;
    });
  }

  // The rank of a live buffer that must not share bytes with `rank` but does, or kNone. The live untrusted buffers are
  // disjoint (each was checked), so of those only the neighbours can reach a newcomer; trusted ones may cover each
  // other, so there the farthest end below counts.
  std::size_t Conflict(std::size_t rank) const {
    const std::size_t below = untrusted_.Predecessor(rank);
    if (below != kNone && End(below) > At(rank).offset) return below;
    const std::size_t above = untrusted_.Successor(rank);
    if (above != kNone && At(above).offset < End(rank)) return above;
    if (At(rank).trusted) return kNone;
    const std::size_t trusted_above = trusted_.Successor(rank);
    if (trusted_above != kNone && At(trusted_above).offset < End(rank)) return trusted_above;
    const auto trusted_end = [this](std::size_t i) { return TrustedEnd(i); };
    if (trusted_ends_.Before(rank, trusted_end) <= At(rank).offset) return kNone;
    std::size_t trusted_below = 0;
    while (TrustedEnd(trusted_below) <= At(rank).offset) ++trusted_below;
    return trusted_below;
  }

  void Insert(std::size_t rank) {
    if (!At(rank).trusted) return untrusted_.Insert(rank);
    trusted_.Insert(rank);
    trusted_ends_.Update(rank, [this](std::size_t i) { return TrustedEnd(i); });
  }

  void Remove(std::size_t rank) {
    if (!At(rank).trusted) return untrusted_.Erase(rank);
    trusted_.Erase(rank);
    trusted_ends_.Update(rank, [this](std::size_t i) { return TrustedEnd(i); });
  }

  Certificate SharedBytes(std::size_t a, std::size_t b) const {
    return {CertificateReason::kSharedBytes, std::min(by_rank_[a], by_rank_[b]), std::max(by_rank_[a], by_rank_[b])};
  }

  std::span<const PlacedBuffer> buffers_;
  std::size_t count_;
  std::size_t* words_;
  std::uint32_t* by_rank_;   // index of the buffer
  std::uint32_t* by_start_;  // ranks
  std::uint32_t* by_end_;    // ranks
  RankSet untrusted_;
  RankSet trusted_;
  PrefixMaximum trusted_ends_;
};

CertificateReason CheckAlone(const PlacedBuffer& buffer, std::size_t head_bytes, std::size_t alignment) {
  if (buffer.first > buffer.last) return CertificateReason::kBadLifetime;
  if (buffer.offset == kUnplaced) return CertificateReason::kNoOffset;
  if (buffer.offset % alignment != 0) return CertificateReason::kMisaligned;
  if (buffer.bytes > head_bytes || buffer.offset > head_bytes - buffer.bytes) return CertificateReason::kOutsideHead;
  return CertificateReason::kCertified;
}

}  // namespace

const char* CertificateReasonName(CertificateReason reason) {
  switch (reason) {
    case CertificateReason::kCertified:
      return "certified";
    case CertificateReason::kWorkspaceTooSmall:
      return "workspace too small";
    case CertificateReason::kTooManyBuffers:
      return "too many buffers";
    case CertificateReason::kZeroAlignment:
      return "zero alignment";
    case CertificateReason::kBadLifetime:
      return "bad lifetime";
    case CertificateReason::kNoOffset:
      return "unplaced";
    case CertificateReason::kMisaligned:
      return "P4 misaligned";
    case CertificateReason::kOutsideHead:
      return "P3 outside the head";
    case CertificateReason::kSharedBytes:
      return "P1 shared bytes";
    case CertificateReason::kAliasLink:
      return "A11 no chain of aliases";
    case CertificateReason::kAliasKept:
      return "A11 an alias of what is kept";
    case CertificateReason::kAliasStillRead:
      return "A11 modified while still read";
    case CertificateReason::kAliasApart:
      return "A11 aliases apart";
  }
  return "unknown";
}

std::size_t CertifierWorkspaceBytes(std::size_t buffer_count, WordSize word) {
  // No more than 8 words for each buffer; checked before the exact sum, which could wrap.
  if (buffer_count > kMostBuffers || buffer_count > SIZE_MAX / (8 * sizeof(std::size_t))) return SIZE_MAX;
  if (buffer_count == 0) return 0;
  const auto word_bytes = static_cast<std::size_t>(word);
  return word_bytes - 1 + WordCount(buffer_count, word) * word_bytes + 3 * buffer_count * sizeof(std::uint32_t);
}

Certificate Certify(std::span<const PlacedBuffer> buffers, std::size_t head_bytes, std::size_t alignment,
                    std::span<std::byte> workspace) {
  if (alignment == 0) return {CertificateReason::kZeroAlignment};
  if (buffers.size() > kMostBuffers) return {CertificateReason::kTooManyBuffers};
  if (workspace.size() < CertifierWorkspaceBytes(buffers.size())) return {CertificateReason::kWorkspaceTooSmall};
  std::size_t conflicting_count = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const CertificateReason reason = CheckAlone(buffers[i], head_bytes, alignment);
    if (reason != CertificateReason::kCertified) return {reason, i};
    if (buffers[i].bytes > 0 && buffers[i].last >= 0) ++conflicting_count;
  }
  if (conflicting_count == 0) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  constexpr std::size_t kAlignment = alignof(std::size_t);
  std::byte* const memory = workspace.data() + (kAlignment - address % kAlignment) % kAlignment;
  return Sweep(buffers, conflicting_count, memory).Run();
}

CertificateReason ReasonOf(AliasReason reason) {
  switch (reason) {
    case AliasReason::kSound:
      return CertificateReason::kCertified;
    case AliasReason::kLink:
      return CertificateReason::kAliasLink;
    case AliasReason::kKept:
      return CertificateReason::kAliasKept;
    case AliasReason::kStillRead:
      return CertificateReason::kAliasStillRead;
    case AliasReason::kApart:
      return CertificateReason::kAliasApart;
  }
  return CertificateReason::kAliasLink;
}

Certificate Certify(std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases, std::size_t head_bytes,
                    std::size_t alignment, std::span<std::byte> workspace) {
  if (aliases.empty()) return Certify(std::span<const PlacedBuffer>(buffers), head_bytes, alignment, workspace);
  AliasVerdict verdict = CheckAliases(buffers, aliases);
  if (verdict.ok()) verdict = CheckAliasPlaces(buffers, aliases);
  if (!verdict.ok()) return {ReasonOf(verdict.reason), verdict.buffer, verdict.other};
  const JoinedGroups joined(buffers, aliases);
  return Certify(std::span<const PlacedBuffer>(buffers), head_bytes, alignment, workspace);
}

Status CertificateStatus(const Certificate& certificate, std::span<const PlacedBuffer> buffers) {
  const std::size_t first = certificate.first;
  const std::size_t second = certificate.second;
  switch (certificate.reason) {
    case CertificateReason::kCertified:
      return Ok();
    case CertificateReason::kWorkspaceTooSmall:
      return Failure(StatusCode::kPlanWorkspaceTooSmall, buffers.size());
    case CertificateReason::kTooManyBuffers:
      return Failure(StatusCode::kPlanTooManyBuffers, buffers.size());
    case CertificateReason::kZeroAlignment:
      return Failure(StatusCode::kPlanZeroAlignment);
    case CertificateReason::kBadLifetime:
      return Failure(StatusCode::kPlanBadLifetime, first, static_cast<std::int64_t>(buffers[first].first),
                     static_cast<std::int64_t>(buffers[first].last));
    case CertificateReason::kNoOffset:
      return Failure(StatusCode::kPlanUnplaced, first, buffers[first].bytes);
    case CertificateReason::kMisaligned:
      return Failure(StatusCode::kPlanMisaligned, first, buffers[first].offset, buffers[first].bytes);
    case CertificateReason::kOutsideHead:
      return Failure(StatusCode::kPlanOutsideHead, first, buffers[first].offset, buffers[first].bytes);
    case CertificateReason::kSharedBytes:
      return Failure(StatusCode::kPlanSharedBytes, first, buffers[first].offset, second, buffers[second].offset);
    case CertificateReason::kAliasLink:
      return Failure(StatusCode::kPlanAliasLink, first, second);
    case CertificateReason::kAliasKept:
      return Failure(StatusCode::kPlanAliasKept, first, second);
    case CertificateReason::kAliasStillRead:
      return Failure(StatusCode::kPlanAliasStillRead, first, second);
    case CertificateReason::kAliasApart:
      return Failure(StatusCode::kPlanAliasApart, first, second);
  }
  return Failure(StatusCode::kPlanUnplaced);
}

}  // namespace arenaproof
