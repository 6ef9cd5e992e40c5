// Buffers that share bytes on purpose: whatever list the certifier takes leaves every reader the value that it reads
// when everybody has bytes of their own, and the buffers are afterwards as they were.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/planner/alias_groups.h"
#include "core/planner/certifier.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/planner/alias_program.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

std::string ProgramText(const AliasProgram& program) {
  std::string text;
  for (std::size_t i = 0; i < program.reads.size(); ++i) {
    text += "buffer " + std::to_string(i) + (program.outputs[i] ? " (output)" : "") + " from";
    for (const std::uint32_t read : program.reads[i]) text += " " + std::to_string(read);
    for (const BufferAlias& alias : program.aliases) {
      if (alias.buffer != i) continue;
      text += ", in the bytes of " + std::to_string(alias.source) + (alias.modifies ? ", modified" : "");
    }
    text += "\n";
  }
  return text;
}

// Many small programs in each case: most have a sharing that is refused.
RC_GTEST_PROP(SharedBytes, ThatAreTakenLeaveEveryReaderItsValue, ()) {
  for (int i = 0; i < 40; ++i) {
    const AliasProgram program = DrawAliasProgram([](std::uint32_t count) { return Below(count); });
    const std::vector<PlacedBuffer> before = BuffersOf(program);
    std::vector<PlacedBuffer> buffers = before;
    std::vector<BufferAlias> aliases = program.aliases;
    std::vector<std::byte> workspace(CertifierWorkspaceBytes(buffers.size()));
    const Certificate certificate = Certify(buffers, aliases, 16 * buffers.size(), 16, workspace);
    RC_LOG() << ProgramText(program) << CertificateReasonName(certificate.reason) << " " << certificate.first << " "
             << certificate.second << "\n";
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      Require(buffers[k].bytes == before[k].bytes && buffers[k].offset == before[k].offset &&
                  buffers[k].first == before[k].first && buffers[k].last == before[k].last && !buffers[k].shares,
              "certifying a list of buffers that share changes no buffer");
    }
    if (!certificate.ok()) continue;
    CountReach("buffers that share bytes", aliases.size());
    Require(EveryReaderSeesItsValue(program, before), "A11: a sharing that is certified overwrites nothing still read");
  }
}

// The owner of a buffer's bytes, by its way along the sources.
std::uint32_t OwnerOf(const AliasProgram& program, std::uint32_t buffer) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const BufferAlias& alias : program.aliases) {
      if (alias.buffer != buffer) continue;
      buffer = alias.source;
      moved = true;
      break;
    }
  }
  return buffer;
}

RC_GTEST_PROP(SharedBytes, AreOneBufferThatLivesAsLongAsAnyName, ()) {
  for (int i = 0; i < 10; ++i) {
    const AliasProgram program = DrawAliasProgram([](std::uint32_t count) { return Below(count); });
    const std::vector<PlacedBuffer> before = BuffersOf(program);
    std::vector<PlacedBuffer> buffers = before;
    std::vector<BufferAlias> aliases = program.aliases;
    if (!CheckAliases(buffers, aliases).ok()) continue;
    RC_LOG() << ProgramText(program);
    std::vector<std::int32_t> ends(buffers.size(), -1);
    for (std::uint32_t k = 0; k < buffers.size(); ++k) {
      std::int32_t& end = ends[OwnerOf(program, k)];
      end = std::max(end, before[k].last);
    }
    const JoinedGroups joined(buffers, aliases);
    for (std::uint32_t k = 0; k < buffers.size(); ++k) {
      const bool owns = OwnerOf(program, k) == k;
      Require(buffers[k].shares == !owns && (buffers[k].bytes == 0) == !owns, "a group is one buffer, its owner");
      Require(buffers[k].first == before[k].first, "a group comes alive with its owner");
      Require(!owns || buffers[k].last == ends[k], "A11: the owner's lifetime covers every use of every sharer");
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
