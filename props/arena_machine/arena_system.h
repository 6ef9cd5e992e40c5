// The system under test: a production arena in a real array whose every byte is known at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/generators/reach.h"
#include "engine/oracles/arena/arena_of_kind.h"
#include "engine/oracles/arena/temporary_tracker.h"
#include "props/arena_machine/arena_model.h"

namespace arenaproof {

class ArenaSystem {
 public:
  static constexpr std::size_t kMostBytes = kFarthest;
  static constexpr std::size_t kMostMisalignment = 64;
  static constexpr std::size_t kGuardBytes = 256;  // on both sides; nobody may write there

  // The same array each time, so that equal arguments mean equal addresses: a failing sequence fails again when shrunk.
  ArenaSystem(ArenaKind kind, std::size_t misalignment, std::size_t bytes);

  // Performs the call. Returns what is wrong, by the name of the invariant, or "" if all is well. Fills a block that
  // was handed out with bytes of its own. `model` is the client's view before the call.
  std::string Perform(const ArenaModel& model, const ArenaCall<std::uintptr_t>& call);

  static std::uintptr_t BeginOf(std::size_t misalignment);
  const TemporaryTracker& tracker() const { return tracker_; }

 private:
  void Fill(std::uintptr_t address, std::size_t bytes);
  std::string CheckContents() const;
  std::string CheckEventStream(const ArenaModel& model, const ArenaCall<std::uintptr_t>& call, bool granted,
                               std::size_t findings_before) const;

  TemporaryTracker tracker_;
  ArenaOfKind production_;
  std::vector<std::byte> expected_;  // what the array has to contain, to the guard behind the arena
  unsigned fill_count_ = 0;
};

}  // namespace arenaproof
