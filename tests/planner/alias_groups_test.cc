// Buffers that share bytes on purpose: what the certifier takes, what it refuses and why, and that whatever it takes
// leaves every reader the value that it reads when everybody has bytes of their own.
#include "core/planner/alias_groups.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "core/planner/certifier.h"
#include "engine/oracles/planner/alias_program.h"

namespace arenaproof::testing {
namespace {

using enum CertificateReason;

BufferAlias Alias(std::uint32_t buffer, std::uint32_t source, std::uint32_t owner, bool modifies = true) {
  BufferAlias alias;
  alias.buffer = buffer;
  alias.source = source;
  alias.owner = owner;
  alias.modifies = modifies;
  return alias;
}

Certificate CertifyShared(std::vector<PlacedBuffer> buffers, std::vector<BufferAlias> aliases) {
  std::vector<std::byte> workspace(CertifierWorkspaceBytes(buffers.size()));
  const std::vector<PlacedBuffer> before = buffers;
  const Certificate certificate = Certify(buffers, aliases, 1024, 16, workspace);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(buffers[i].bytes, before[i].bytes) << i;
    EXPECT_EQ(buffers[i].offset, before[i].offset) << i;
    EXPECT_EQ(buffers[i].last, before[i].last) << i;
    EXPECT_FALSE(buffers[i].shares) << i;
  }
  return certificate;
}

void ExpectAliases(const std::vector<PlacedBuffer>& buffers, const std::vector<BufferAlias>& aliases,
                   CertificateReason reason, std::size_t first = 0, std::size_t second = 0) {
  const Certificate certificate = CertifyShared(buffers, aliases);
  EXPECT_EQ(certificate.reason, reason) << CertificateReasonName(certificate.reason);
  EXPECT_EQ(certificate.first, first);
  EXPECT_EQ(certificate.second, second);
}

// Three buffers in a row, each written from the one before.
std::vector<PlacedBuffer> Row() { return {{0, 32, 0, 1}, {0, 32, 1, 2}, {0, 32, 2, 3}}; }

TEST(Aliases, AGroupCountsAsOneBuffer) {
  ExpectAliases(Row(), {}, kSharedBytes, 0, 1);
  ExpectAliases(Row(), {Alias(1, 0, 0)}, kSharedBytes, 0, 2);
  ExpectAliases(Row(), {Alias(1, 0, 0), Alias(2, 1, 0)}, kCertified);
  ExpectAliases(Row(), {Alias(2, 1, 0), Alias(1, 0, 0)}, kCertified);
  std::vector<PlacedBuffer> more = Row();
  more.push_back({32, 32, 0, 3});
  ExpectAliases(more, {Alias(1, 0, 0), Alias(2, 1, 0)}, kCertified);
  more.push_back({16, 16, 3, 3});  // when the owner itself is dead
  ExpectAliases(more, {Alias(1, 0, 0), Alias(2, 1, 0)}, kSharedBytes, 0, 4);
}

TEST(Aliases, OfUnmodifiedDataMayAllBeRead) {
  const std::vector<PlacedBuffer> buffers{{0, 32, 0, 5}, {0, 32, 1, 4}, {0, 32, 2, 5}};
  ExpectAliases(buffers, {Alias(1, 0, 0, false), Alias(2, 0, 0, false)}, kCertified);
  ExpectAliases(buffers, {Alias(1, 0, 0, false), Alias(2, 0, 0, true)}, kAliasStillRead, 2, 0);
}

// The chain of which a public implementation looks at the first and the last link only.
TEST(Aliases, AMiddleNameThatIsReadLaterIsNotOverwritten) {
  std::vector<PlacedBuffer> buffers{{0, 32, 0, 1}, {0, 32, 1, 4}, {0, 32, 2, 3}, {0, 32, 3, 5}};
  const std::vector<BufferAlias> aliases{Alias(1, 0, 0, false), Alias(2, 1, 0, false), Alias(3, 2, 0, true)};
  ExpectAliases(buffers, aliases, kAliasStillRead, 3, 1);
  buffers[1].last = 3;
  ExpectAliases(buffers, aliases, kAliasStillRead, 3, 1);  // by the operator itself
  buffers[1].last = 2;
  ExpectAliases(buffers, aliases, kCertified);
}

TEST(Aliases, WhatIsKeptSharesNothing) {
  const std::vector<BufferAlias> aliases{Alias(1, 0, 0)};
  const auto with = [](auto change) {
    std::vector<PlacedBuffer> buffers{{0, 32, 0, 1}, {0, 32, 1, 2}};
    change(buffers);
    return buffers;
  };
  using Buffers = std::vector<PlacedBuffer>;
  ExpectAliases(with([](Buffers& b) { b[0].kept = kKeptInput; }), aliases, kAliasKept, 1, 0);
  ExpectAliases(with([](Buffers& b) { b[1].kept = kKeptOutput; }), aliases, kAliasKept, 1, 0);
  ExpectAliases(with([](Buffers& b) { b[0].variable = true; }), aliases, kAliasKept, 1, 0);
  ExpectAliases(with([](Buffers& b) { b[1].variable = true; }), aliases, kAliasKept, 1, 0);
  ExpectAliases(with([](Buffers& b) { b[0].trusted = true; }), aliases, kAliasKept, 1, 0);
  // An output that is read in the last scope, in which the operator runs: its lifetime alone does not show it.
  ExpectAliases(with([](Buffers& b) { b[0].kept = kKeptOutput; }), aliases, kAliasStillRead, 1, 0);
  ExpectAliases(with([](Buffers& b) { b[0].kept = kKeptOutput; }), {Alias(1, 0, 0, false)}, kCertified);
  ExpectAliases(with([](Buffers& b) { b[1].kept = kKeptInput; }), aliases, kCertified);
}

TEST(Aliases, MoveAsOne) {
  std::vector<PlacedBuffer> buffers = Row();
  buffers[2].offset = 16;
  ExpectAliases(buffers, {Alias(1, 0, 0), Alias(2, 1, 0)}, kAliasApart, 2, 1);
  buffers = Row();
  buffers[1].bytes = 16;
  ExpectAliases(buffers, {Alias(1, 0, 0)}, kAliasApart, 1, 0);
}

TEST(Aliases, AreAForestInTheOrderOfTime) {
  ExpectAliases(Row(), {Alias(3, 0, 0)}, kAliasLink, 3, 0);
  ExpectAliases(Row(), {Alias(1, 3, 3)}, kAliasLink, 1, 3);
  ExpectAliases(Row(), {Alias(1, 0, 3)}, kAliasLink, 1, 0);
  ExpectAliases(Row(), {Alias(1, 1, 1)}, kAliasLink, 1, 1);
  ExpectAliases(Row(), {Alias(1, 0, 0), Alias(1, 0, 0)}, kAliasLink, 1, 0);
  ExpectAliases(Row(), {Alias(0, 1, 1)}, kAliasLink, 0, 1);                  // backwards in time
  ExpectAliases(Row(), {Alias(2, 0, 0)}, kAliasLink, 2, 0);                  // dead before
  ExpectAliases(Row(), {Alias(1, 0, 0), Alias(2, 1, 1)}, kAliasLink, 2, 1);  // another owner than its source
  ExpectAliases(Row(), {Alias(1, 0, 2), Alias(2, 1, 2)}, kAliasLink, 1, 0);
  ExpectAliases({{0, 32, -1, -1}, {0, 32, -1, -1}}, {Alias(1, 0, 0)}, kAliasLink, 1, 0);
}

TEST(Aliases, ThatAreTakenLeaveEveryReaderItsValue) {
  std::mt19937 random(25);
  std::size_t taken = 0, refused = 0, wrong = 0;
  for (int i = 0; i < 40000; ++i) {
    const AliasProgram program =
        DrawAliasProgram([&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); });
    const std::vector<PlacedBuffer> buffers = BuffersOf(program);
    const bool sees = EveryReaderSeesItsValue(program, buffers);
    std::vector<BufferAlias> aliases = program.aliases;
    const bool certified = CertifyShared(buffers, aliases).ok();
    ++(certified ? taken : refused);
    if (!sees) ++wrong;
    ASSERT_TRUE(!certified || sees) << "program " << i;
  }
  EXPECT_GT(taken, 4000u);
  EXPECT_GT(wrong, 4000u);
  EXPECT_GE(refused, wrong);
}

}  // namespace
}  // namespace arenaproof::testing
