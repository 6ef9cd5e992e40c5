// The simple model of the whole lifecycle: what each slot's interpreter has to be and to answer, in plain vectors. It
// shares no code with the runtime; operators are computed again from networks.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "engine/harness/lifecycle/networks.h"

namespace arenaproof {

inline constexpr std::size_t kSlotCount = 2;
inline constexpr std::size_t kBuffersPerSlot = 4;

// How the slots get their memory.
enum class World : std::uint8_t { kOneArenaEach, kTwoArenasEach, kOneAllocator, kOneAllocatorOfTwoArenas };
inline bool Shares(World world) { return world >= World::kOneAllocator; }

enum class ArenaSize : std::uint8_t { kLarge, kExact, kOneByteShort };

enum class SlotState : std::uint8_t { kEmpty, kFresh, kReady, kFailed };

using Bytes = std::vector<std::uint8_t>;
using TensorKey = std::pair<std::size_t, std::int32_t>;       // subgraph, tensor
using OperatorPlace = std::pair<std::int32_t, std::int32_t>;  // subgraph, operator
inline constexpr OperatorPlace kNoOperator = {-1, -1};

// What an invoke can change and an image of the arena holds.
struct Memory {
  std::map<TensorKey, Bytes> variables;
  std::set<TensorKey> called_once;  // subgraph, operator
  std::map<std::string, Bytes> resources;
};

// What an image of an arena holds of all interpreters in it, and how many allocations the arena had seen.
struct Saved {
  std::size_t allocation_count = 0;
  std::vector<Memory> memories;  // of every slot
};

struct Slot {
  SlotState state = SlotState::kEmpty;
  std::size_t network = 0;
  ArenaSize size = ArenaSize::kLarge;
  std::size_t allocation_count = 0;  // successful or not
  Memory memory;
  std::optional<Saved> saved;                // perhaps of an earlier allocation
  std::map<TensorKey, std::size_t> outside;  // preallocated tensors, to their buffers
};

// How an invoke ends early.
struct Ending {
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  std::size_t fail_at_run = kNever;    // counted over own kernels
  std::size_t cancel_at_ask = kNever;  // at a subgraph's start and before each operator
};

struct InvokeResult {
  StatusCode code = StatusCode::kOk;
  std::vector<Bytes> outputs;
  std::size_t runs = 0;
  std::vector<OperatorPlace> asked;   // whether to go on: before each subgraph (operator -1) and each operator
  std::vector<OperatorPlace> events;  // each operator that begins, kNoOperator where one ends
  OperatorPlace failed = kNoOperator;
};

// How a buffer that is offered for a tensor is wrong.
enum class Offer : std::uint8_t { kSound, kNull, kMisaligned, kTooShort, kInTheArena, kOfAnother };

class LifecycleModel {
 public:
  explicit LifecycleModel(World world) : world(world) {}

  World world;
  Slot slots[kSlotCount];
  // Successful allocations in the arena of each slot; in a shared one the first counts for all.
  std::size_t arena_allocation_counts[kSlotCount] = {};

  std::size_t& arena_allocation_count(std::size_t slot) { return arena_allocation_counts[Shares(world) ? 0 : slot]; }
  // Whether something was allocated in the slot's arena since its image was saved.
  bool SavedIsStale(std::size_t slot) const {
    return slots[slot].saved->allocation_count != arena_allocation_counts[Shares(world) ? 0 : slot];
  }
  const Network& NetworkOf(std::size_t slot) const { return Networks()[slots[slot].network]; }
  static Memory FreshMemory(const Network& network);
  // What a reset does; what CALL_ONCE has run stays run.
  static void Refill(const Network& network, Memory& memory);
  static Bytes InputOf(const NetworkTensor& tensor, std::uint32_t seed, std::size_t position);
  // Plain computation; changes `memory` as far as it gets.
  static InvokeResult Invoke(const Network& network, Memory& memory, std::uint32_t seed, const Ending& ending);
  // The answer to a registration; kOk registers.
  StatusCode CheckOffer(std::size_t slot, TensorKey tensor, Offer offer, std::size_t buffer) const;
  // Own kernels of the network, in the order in which they are prepared, once each.
  static std::vector<OperatorPlace> OwnKernels(const Network& network);
};

}  // namespace arenaproof
