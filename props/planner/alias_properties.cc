// Buffers that share bytes on purpose: whatever list the certifier takes leaves every reader the value that it reads
// when everybody has bytes of their own, and the buffers are afterwards as they were. While a group is joined it is one
// buffer: from its earliest start to its latest end.
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
#include "engine/oracles/planner/quadratic_certifier.h"
#include "engine/oracles/planner/quadratic_groups.h"
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

// Groups of any size and place.
std::vector<PlacedBuffer> BuffersAnywhere(const AliasProgram& program) {
  std::vector<PlacedBuffer> buffers = BuffersOf(program);
  for (PlacedBuffer& buffer : buffers) {
    buffer.bytes = 16 * (1 + Below(std::size_t{4}));
    buffer.offset = 16 * Below(std::size_t{4} * buffers.size());
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& root = buffers[RootOf(i, program.aliases)];
    buffers[i].bytes = root.bytes;
    buffers[i].offset = root.offset;
  }
  return buffers;
}

RC_GTEST_PROP(SharedBytes, CountAsOneBufferWhileTheyAreJoined, ()) {
  std::size_t joined_groups = 0;
  for (int i = 0; i < 40; ++i) {
    const AliasProgram program = DrawAliasProgram([](std::uint32_t count) { return Below(count); });
    const std::vector<PlacedBuffer> before = BuffersAnywhere(program);
    std::vector<PlacedBuffer> buffers = before;
    std::vector<BufferAlias> aliases = program.aliases;
    if (!CheckAliases(buffers, aliases).ok()) continue;
    const std::vector<PlacedBuffer> expected = JoinedQuadratically(before, program.aliases);
    const std::size_t head_bytes = 16 * Below(std::size_t{8} * buffers.size());
    std::vector<std::byte> workspace(CertifierWorkspaceBytes(buffers.size()));
    const Certificate certificate = Certify(buffers, aliases, head_bytes, 16, workspace);
    Require(SameVerdict(certificate, QuadraticCertificate(expected, head_bytes, 16), expected),
            "a plan with groups is certified as the plan of their roots");
    const std::size_t moved = 16 * Below(std::size_t{100});
    {
      const JoinedGroups joined(buffers, aliases);
      for (std::size_t k = 0; k < buffers.size(); ++k) {
        if (!SameBuffer(buffers[k], expected[k]))
          RC_LOG() << ProgramText(program) << "buffer " << k << ": " << buffers[k].bytes << " bytes in ["
                   << buffers[k].first << ", " << buffers[k].last << "], expected " << expected[k].bytes << " in ["
                   << expected[k].first << ", " << expected[k].last << "]\n";
        Require(SameBuffer(buffers[k], expected[k]), "a group counts as one buffer as long as any of it is alive");
      }
      for (PlacedBuffer& buffer : buffers) {
        if (!buffer.shares) buffer.offset += moved;
      }
    }
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      PlacedBuffer as_it_was = before[k];
      as_it_was.offset += moved;
      Require(SameBuffer(buffers[k], as_it_was), "behind a group each buffer is as before, where its owner lies");
    }
    joined_groups += aliases.size();
  }
  CountReach("buffers of joined groups", joined_groups);
}

}  // namespace
}  // namespace arenaproof::testing
