// One generated call for RapidCheck's state machine. Addresses are generated as what they mean ("the second outstanding
// temporary"), so that a command keeps its sense while the sequence before it shrinks.
#pragma once

#include <rapidcheck/state.h>

#include <cstdint>
#include <iosfwd>

#include "props/arena_machine/arena_model.h"
#include "props/arena_machine/arena_system.h"

namespace arenaproof {

// What the client frees: a careful one only what is outstanding; a careless one also what it has freed before and what
// it was never given.
enum class Client : std::uint8_t { kCareful, kCareless };

class ArenaCommand : public rc::state::Command<ArenaModel, ArenaSystem> {
 public:
  // Draws the call; only inside a RapidCheck generator.
  ArenaCommand(const ArenaModel& model, Client client);

  void checkPreconditions(const ArenaModel& model) const override;
  void apply(ArenaModel& model) const override;
  void run(const ArenaModel& model, ArenaSystem& system) const override;
  void show(std::ostream& stream) const override;

 private:
  enum class AddressMeaning : std::uint8_t {
    kNone,
    kOutstandingTemporary,  // number_ counts from 0 in order of allocation
    kIssuedTemporary,       // since the last reset, freed or not
    kHeadBlock,             // where the block of this alignment starts
    kOffset                 // number_ from the arena's begin, may be negative
  };

  void DrawAddress(const ArenaModel& model, Client client);
  ArenaCall<std::uintptr_t> Resolve(const ArenaModel& model) const;

  Operation operation_;
  Arguments<std::uintptr_t> arguments_;
  AddressMeaning meaning_ = AddressMeaning::kNone;
  std::int64_t number_ = 0;
};

}  // namespace arenaproof
