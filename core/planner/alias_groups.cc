#include "core/planner/alias_groups.h"

#include <algorithm>

namespace arenaproof {
namespace {

const BufferAlias* FindAlias(std::span<const BufferAlias> by_buffer, std::uint32_t buffer) {
  const auto before = [](const BufferAlias& alias, std::uint32_t index) { return alias.buffer < index; };
  const auto found = std::lower_bound(by_buffer.begin(), by_buffer.end(), buffer, before);
  return found != by_buffer.end() && found->buffer == buffer ? &*found : nullptr;
}

bool LinkIsSound(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> by_buffer,
                 const BufferAlias& alias) {
  const BufferAlias* const source = FindAlias(by_buffer, alias.source);
  if ((source == nullptr ? alias.source : source->owner) != alias.owner) return false;
  if (FindAlias(by_buffer, alias.owner) != nullptr) return false;
  // The source is written before the buffer, so that no way is a circle.
  return buffers[alias.source].first < buffers[alias.buffer].first &&
         buffers[alias.source].last >= buffers[alias.buffer].first;
}

bool IsKept(std::span<const PlacedBuffer> buffers, const BufferAlias& alias) {
  const PlacedBuffer& source = buffers[alias.source];
  const PlacedBuffer& buffer = buffers[alias.buffer];
  return (source.kept & kKeptInput) != 0 || (buffer.kept & kKeptOutput) != 0 || source.variable || buffer.variable ||
         source.trusted || buffer.trusted;
}

// The two names of a group that live longest, so far.
struct LongestNames {
  std::span<const PlacedBuffer> buffers;
  std::uint32_t first;
  std::uint32_t second;  // `first` where there is one name only

  void Add(std::uint32_t name) {
    if (buffers[name].last > buffers[first].last) {
      second = first;
      first = name;
    } else if (second == first || buffers[name].last > buffers[second].last) {
      second = name;
    }
  }
  std::uint32_t OtherThan(std::uint32_t name) const { return name == first ? second : first; }
};

// Of one group, members in the order in which they come alive. Whoever shares with a name that came alive earlier reads
// it then, so that those so far are all that count. The operator itself may read the source, and no other name.
AliasVerdict FindStillRead(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> group) {
  const std::uint32_t owner = group.front().owner;
  const bool output = (buffers[owner].kept & kKeptOutput) != 0;  // no other member is one
  LongestNames names{buffers, owner, owner};
  std::int32_t before = buffers[owner].first;
  for (const BufferAlias& alias : group) {
    const PlacedBuffer& buffer = buffers[alias.buffer];
    if (buffer.first <= before) return {AliasReason::kLink, alias.buffer, alias.source};
    before = buffer.first;
    if (alias.modifies) {
      const std::uint32_t other = names.OtherThan(alias.source);
      if (output) return {AliasReason::kStillRead, alias.buffer, owner};
      if (buffers[alias.source].last > buffer.first) return {AliasReason::kStillRead, alias.buffer, alias.source};
      if (other != alias.source && buffers[other].last >= buffer.first) {
        return {AliasReason::kStillRead, alias.buffer, other};
      }
    }
    names.Add(alias.buffer);
  }
  return {};
}

std::size_t GroupEnd(std::span<const BufferAlias> aliases, std::size_t begin) {
  std::size_t end = begin;
  while (end < aliases.size() && aliases[end].owner == aliases[begin].owner) ++end;
  return end;
}

}  // namespace

AliasVerdict CheckAliases(std::span<const PlacedBuffer> buffers, std::span<BufferAlias> aliases) {
  for (const BufferAlias& alias : aliases) {
    const bool exist = alias.buffer < buffers.size() && alias.source < buffers.size() && alias.owner < buffers.size();
    if (!exist) return {AliasReason::kLink, alias.buffer, alias.source};
  }
  std::sort(aliases.begin(), aliases.end(),
            [](const BufferAlias& a, const BufferAlias& b) { return a.buffer < b.buffer; });
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    const BufferAlias& alias = aliases[i];
    const bool twice = i > 0 && aliases[i - 1].buffer == alias.buffer;
    if (twice || !LinkIsSound(buffers, aliases, alias)) return {AliasReason::kLink, alias.buffer, alias.source};
    if (IsKept(buffers, alias)) return {AliasReason::kKept, alias.buffer, alias.source};
    if (buffers[alias.buffer].bytes != buffers[alias.source].bytes) {
      return {AliasReason::kApart, alias.buffer, alias.source};
    }
  }
  std::sort(aliases.begin(), aliases.end(), [&](const BufferAlias& a, const BufferAlias& b) {
    if (a.owner != b.owner) return a.owner < b.owner;
    if (buffers[a.buffer].first != buffers[b.buffer].first) return buffers[a.buffer].first < buffers[b.buffer].first;
    return a.buffer < b.buffer;
  });
  for (std::size_t i = 0; i < aliases.size();) {
    const std::size_t end = GroupEnd(aliases, i);
    if (const AliasVerdict verdict = FindStillRead(buffers, aliases.subspan(i, end - i)); !verdict.ok()) return verdict;
    i = end;
  }
  return {};
}

AliasVerdict CheckAliasPlaces(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> aliases) {
  for (const BufferAlias& alias : aliases) {
    if (buffers[alias.buffer].offset == buffers[alias.source].offset) continue;
    return {AliasReason::kApart, alias.buffer, alias.source};
  }
  return {};
}

JoinedGroups::JoinedGroups(std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases)
    : buffers_(buffers), aliases_(aliases) {
  for (BufferAlias& alias : aliases_) {
    PlacedBuffer& owner = buffers_[alias.owner];
    PlacedBuffer& buffer = buffers_[alias.buffer];
    alias.owner_last = owner.last;
    owner.last = std::max(owner.last, buffer.last);
    buffer.bytes = 0;
    buffer.shares = true;
  }
}

JoinedGroups::~JoinedGroups() {
  // From the last to the first: the first of a group has the owner's own end.
  for (std::size_t i = aliases_.size(); i-- > 0;) {
    const BufferAlias& alias = aliases_[i];
    PlacedBuffer& owner = buffers_[alias.owner];
    PlacedBuffer& buffer = buffers_[alias.buffer];
    owner.last = alias.owner_last;
    buffer.bytes = owner.bytes;
    buffer.offset = owner.offset;
    buffer.shares = false;
  }
}

}  // namespace arenaproof
