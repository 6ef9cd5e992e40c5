// Does any sequence of calls on two interpreters, their arenas and what was saved of them differ from the simple model
// of their life? Preallocated tensors, refused and leaking set-ups, failing and cancelled invokes, images, one
// allocator for both: the machine of props/lifecycle, with the bytes of an input in place of its draws.
//
//   byte 0     the world, mod 4: an arena each, two arenas each, one allocator for both, one of two arenas
//   byte 1-4   what the first arena leaves before (mod 64) and behind (mod 200) the part that is given, and the second
//              one of a pair, in 256ths of a quarter and as many bytes more as the last four bits say
//   then       six bytes a call: operation (by weight), slot and size and offer (bits 0, 1-3, 4-6), network, buffer and
//              seed, number (two bytes); a call that is not possible then is passed over
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "engine/explain.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/lifecycle/lifecycle_call.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostLifecycleCalls = 60;

ArenaCuts CutsOf(ByteReader& reader) {
  constexpr std::size_t kFirst = 64, kLast = 200;
  const auto quarter = [&reader] {
    const std::size_t byte = reader.Byte();
    return byte * (kArenaBytes / 4) / 256 + byte % 16;
  };
  ArenaCuts cuts{};
  cuts[0] = {reader.Below(kFirst), reader.Below(kLast)};
  cuts[1] = {quarter(), quarter()};
  return cuts;
}

LifecycleCall CallOf(ByteReader& reader, const LifecycleModel& model) {
  constexpr ArenaSize kSizes[] = {ArenaSize::kLarge, ArenaSize::kLarge, ArenaSize::kLarge, ArenaSize::kLarge,
                                  ArenaSize::kLarge, ArenaSize::kLarge, ArenaSize::kExact, ArenaSize::kOneByteShort};
  constexpr Offer kOffers[] = {Offer::kSound,      Offer::kSound,    Offer::kSound,      Offer::kNull,
                               Offer::kMisaligned, Offer::kTooShort, Offer::kInTheArena, Offer::kOfAnother};
  LifecycleCall call;
  call.operation = LifecycleOperationAt(reader.Below(LifecycleWeightSum()));
  const std::uint8_t choices = reader.Byte();
  call.slot = choices % kSlotCount;
  if (model.world == World::kOneArenaEach) call.size = kSizes[choices / 2 % 8];
  call.offer = kOffers[choices / 16 % 8];
  call.network = reader.Below(Networks().size());
  const std::uint8_t buffer_and_seed = reader.Byte();
  call.buffer = buffer_and_seed % kBuffersPerSlot;
  call.seed = 1 + buffer_and_seed % (LifecycleCall::kSeeds - 1);
  call.number = static_cast<std::size_t>(reader.Number(2)) % LifecycleCall::kNumbers;
  return call;
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace arenaproof;
  static constexpr const char* kWorlds[] = {"an arena each", "two arenas each", "one allocator for both",
                                            "one allocator of two arenas for both"};
  ByteReader reader(data, bytes);
  const auto world = static_cast<World>(reader.Below(4));
  LifecycleSystem system(world, CutsOf(reader));
  LifecycleModel model(world);
  std::string history = std::string("two interpreters, ") + kWorlds[static_cast<std::size_t>(world)];
  Explain(history);
  std::size_t made = 0;
  while (!reader.empty() && made < kMostLifecycleCalls) {
    const LifecycleCall call = CallOf(reader, model);
    if (!call.IsPossible(model)) continue;
    ++made;
    history += "\n  " + call.Words();
    Explain("  " + call.Words());
    if (const std::string wrong = call.Run(model, system); !wrong.empty()) {
      std::fprintf(stderr, "VIOLATED: %s\n%s\n", wrong.c_str(), history.c_str());
      std::abort();
    }
    call.Apply(model);
  }
  CountReach("calls in a life", made);
  return 0;
}
