// The production arena as a state machine under random sequences of calls, compared with a simple model after each call
// and judged by every invariant. Failing sequences are shrunk to readable ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include "props/arena_machine/arena_command.h"

namespace arenaproof {
namespace {

void CheckMachine(Client client) {
  const auto misalignment =
      *rc::gen::inRange<std::size_t>(0, ArenaSystem::kMostMisalignment).as("bytes past alignment");
  const auto bytes =
      *rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 128), rc::gen::inRange<std::size_t>(0, ArenaSystem::kMostBytes))
           .as("arena bytes");
  ArenaSystem system(misalignment, bytes);
  const ArenaModel model(ArenaSystem::BeginOf(misalignment), bytes);
  rc::state::check(model, system, [client](const ArenaModel& state) {
    return rc::state::gen::execOneOfWithArgs<ArenaCommand>()(state, client);
  });
  if (client == Client::kCareful) RC_ASSERT(system.ledger().findings().empty());
}

RC_GTEST_PROP(ArenaMachine, KeepsEveryInvariantForACarefulClient, ()) { CheckMachine(Client::kCareful); }

RC_GTEST_PROP(ArenaMachine, NamesTheWrongFreesOfACarelessClient, ()) { CheckMachine(Client::kCareless); }

}  // namespace
}  // namespace arenaproof
