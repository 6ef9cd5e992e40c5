// What is wrong with a list of buffers that share bytes, by asking each rule of core/planner/alias_groups.h of each of
// them and of all members of its group: too simple to be wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <tuple>

#include "core/base/buffer_alias.h"
#include "core/planner/certifier.h"
#include "core/planner/placed_buffer.h"
#include "engine/oracles/planner/quadratic_groups.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

// The reason, the buffer, and its source or the name that is still read.
using AliasFaults = std::set<std::tuple<CertificateReason, std::size_t, std::size_t>>;

// Each step has one way, none comes back, all on the way name the same owner, and it ends there.
inline bool WayLeadsToOwner(const BufferAlias& alias, std::span<const BufferAlias> aliases) {
  std::size_t at = alias.buffer;
  for (std::size_t steps = 0; steps <= aliases.size(); ++steps) {
    const auto is_of = [&](const BufferAlias& other) { return other.buffer == at; };
    const auto next = std::find_if(aliases.begin(), aliases.end(), is_of);
    if (next == aliases.end()) return at == alias.owner;
    if (std::count_if(aliases.begin(), aliases.end(), is_of) > 1 || next->owner != alias.owner) return false;
    at = next->source;
  }
  return false;
}

inline AliasFaults FaultsOfLinks(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> aliases) {
  AliasFaults faults;
  for (const BufferAlias& alias : aliases) {
    const PlacedBuffer& source = buffers[alias.source];
    const PlacedBuffer& buffer = buffers[alias.buffer];
    const auto add = [&](CertificateReason reason) { faults.emplace(reason, alias.buffer, alias.source); };
    if (!WayLeadsToOwner(alias, aliases) || source.first >= buffer.first || source.last < buffer.first) {
      add(CertificateReason::kAliasLink);
    }
    if ((source.kept & kKeptInput) != 0 || (buffer.kept & kKeptOutput) != 0 || source.variable || buffer.variable ||
        source.trusted || buffer.trusted) {
      add(CertificateReason::kAliasKept);
    }
    if (source.bytes != buffer.bytes) add(CertificateReason::kAliasApart);
  }
  return faults;
}

// Of sound links. A name that comes alive later reads what was modified.
inline AliasFaults FaultsOfGroups(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> aliases) {
  AliasFaults faults;
  for (const BufferAlias& alias : aliases) {
    const PlacedBuffer& buffer = buffers[alias.buffer];
    for (std::size_t name = 0; name < buffers.size(); ++name) {
      if (name == alias.buffer || RootOf(name, aliases) != alias.owner) continue;
      if (buffers[name].first == buffer.first) {
        faults.emplace(CertificateReason::kAliasLink, alias.buffer, alias.source);
      }
      if (!alias.modifies || buffers[name].first > buffer.first) continue;
      const bool read = name == alias.source ? buffers[name].last > buffer.first : buffers[name].last >= buffer.first;
      const bool kept = (buffers[name].kept & kKeptOutput) != 0;
      if (read || kept) faults.emplace(CertificateReason::kAliasStillRead, alias.buffer, name);
    }
  }
  return faults;
}

// Of which the certifier has to name one; empty: the list is sound. Whoever is wrong in one way may be in another,
// which then counts only once the first is mended.
inline AliasFaults FaultsOfAliases(std::span<const PlacedBuffer> buffers, std::span<const BufferAlias> aliases) {
  AliasFaults faults;
  for (const BufferAlias& alias : aliases) {
    if (std::max({alias.buffer, alias.source, alias.owner}) < buffers.size()) continue;
    faults.emplace(CertificateReason::kAliasLink, alias.buffer, alias.source);
  }
  if (faults.empty()) faults = FaultsOfLinks(buffers, aliases);
  if (faults.empty()) faults = FaultsOfGroups(buffers, aliases);
  if (!faults.empty()) return faults;
  for (const BufferAlias& alias : aliases) {
    if (buffers[alias.buffer].offset == buffers[alias.source].offset) continue;
    faults.emplace(CertificateReason::kAliasApart, alias.buffer, alias.source);
  }
  return faults;
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
