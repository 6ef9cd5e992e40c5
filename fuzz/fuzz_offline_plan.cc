// Is every plan for one model decoded, checked, placed and certified as the rules of offline plans say? The model has
// three subgraphs that call each other, variables, constants, tensors of no bytes and of nobody, scratch buffers.
//
//   byte 0   bit 0 trust, bit 1 the linear planner, bits 2 and 3 which arena, bits 4 and 5 its misalignment; bits 4
//            to 6: ask again after a refusal; bit 6 alone of the three: strict; bit 7: the rest of the input is the
//            plan's very bytes
//   byte 1   a letter of a metadata entry's name that is another one (engine/generators/offline_plan/changed_name.h), 0
//   for none else     what a plan that fits the model is drawn from (engine/generators/offline_plan/plan_recipe.h)
//
// The plan is put into the model file in place of what is there; bytes behind it are poisoned. Each input is one whole
// set-up over the real file by the allocator, with the requests that kernels would make (the model target has the
// kernels). On a disagreement with the oracle (engine/oracles/offline_plan) the process aborts.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "engine/generators/offline_plan/changed_name.h"
#include "engine/generators/offline_plan/plan_model.h"
#include "engine/generators/offline_plan/plan_recipe.h"
#include "engine/harness/offline_plan/plan_run.h"
#include "engine/harness/offline_plan/plan_stages.h"
#include "engine/oracles/defect.h"
#include "sanitizers/instrument/asan/sanitizer_options.h"

#ifdef ARENAPROOF_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) static_cast<void>(address)
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) static_cast<void>(address)
#endif

#ifdef ARENAPROOF_FUZZ
// These cost more than an input here; the replay under the preset asan has them all.
ARENAPROOF_ASAN_OPTIONS("detect_stack_use_after_return=0:" ARENAPROOF_SHORT_CONTEXTS ":quarantine_size_mb=8");
#endif

namespace arenaproof {
namespace {

constexpr std::size_t kArenaCount = 4;
constexpr std::array<std::size_t, 4> kMisalignments = {0, 16, 7, 33};
constexpr std::size_t kVariableSetCount = 4;  // of two variables

// A file whose plan can be changed in length and content, because its list of bytes is the longest that is ever needed.
class Subject {
 public:
  Subject() : file_(PlanFuzzModel(kMostPlanBytes)), view_(Validated(file_)) {
    facts_ = OracleModelOf(view_);
    if (facts_.tensors.size() != kPlanFuzzTensorCount) Defect("the model", "has another number of tensors");
    facts_.tensors[kSuppliedTensor].supplied = true;
    OfflinePlanEntry entry;
    RequireOk(LocateOfflinePlan(view_, &entry), "the plan of the model");
    place_ = file_.data() + (entry.bytes.data() - view_.bytes().data());
    MakePlain();
    plain_ = RunPlan(view_, facts_, AllocatorSetUp, {});
  }

  void Put(std::span<const std::byte> plan) {
    const std::size_t length = std::min(plan.size(), kMostPlanBytes);
    ASAN_UNPOISON_MEMORY_REGION(place_, kMostPlanBytes);
    const auto word = static_cast<std::uint32_t>(length);
    std::memcpy(place_ - sizeof word, &word, sizeof word);
    if (length > 0) std::memcpy(place_, plan.data(), length);
    ASAN_POISON_MEMORY_REGION(place_ + length, kMostPlanBytes - length);
  }

  // Holds until the next call; see ChangeName.
  void ChangeNameTo(std::uint8_t code) {
    ChangeName(file_, view_, name_code_);
    ChangeName(file_, view_, code);
    name_code_ = code;
  }

  void MakePlain() { PutOffsets(std::vector<std::int32_t>(facts_.tensors.size(), kPlannedAtRunTime)); }

  // A plan that places a set of variables, as OracleQuestion::rooms counts them, and nothing else.
  void PlaceVariables(std::size_t placed_set) {
    std::vector<std::int32_t> offsets(facts_.tensors.size(), kPlannedAtRunTime);
    std::size_t variable_count = 0;
    std::int32_t end = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (!facts_.tensors[i].variable) continue;
      if ((placed_set >> variable_count++ & 1) == 0) continue;
      offsets[i] = end;
      end += static_cast<std::int32_t>((facts_.tensors[i].bytes + 15) / 16 * 16);
    }
    if (kVariableSetCount != std::size_t{1} << variable_count) Defect("the model", "has another number of variables");
    PutOffsets(offsets);
  }

  const ValidatedModel& view() const { return view_; }
  const OracleModel& facts() const { return facts_; }
  const PlanRunResult& plain() const { return plain_; }

 private:
  void PutOffsets(std::span<const std::int32_t> offsets) {
    std::vector<std::byte> bytes(OfflinePlanBytes(offsets.size()));
    EncodeOfflinePlan({}, offsets, bytes);
    Put(bytes);
  }

  std::vector<std::byte> file_;
  // Stays true although the plan's bytes, their number and the entry's name change: validation looks at none of them.
  ValidatedModel view_;
  OracleModel facts_;
  std::byte* place_ = nullptr;
  std::uint8_t name_code_ = 0;
  PlanRunResult plain_;
};

Subject& TheSubject() {
  static Subject subject;
  return subject;
}

using Rooms = std::array<std::uint64_t, kVariableSetCount>;

// A roomy arena, and some in which the ends of offsets that are drawn often lie near the end of the room.
std::array<std::size_t, kArenaCount> ChooseArenas(const Subject& subject) {
  std::size_t works = kMostPlanArenaBytes;
  for (std::size_t step = works / 2; step >= 8; step /= 2) {
    PlanRunOptions options;
    options.arena_bytes = works - step;
    if (RunPlan(subject.view(), subject.facts(), AllocatorSetUp, options).status.ok()) works -= step;
  }
  // Placed variables are planned too, which takes memory.
  return {kMostPlanArenaBytes, works + 2048, works + 768, works + 520};
}

// V19's rooms of an arena: what is left of it beside the tails that set-ups with those variables took, each in an arena
// where everything fits and that ends at the same distance from a multiple of 64.
Rooms MeasureRooms(Subject& subject, std::size_t arena_bytes, std::size_t misalignment) {
  Rooms rooms{};
  PlanRunOptions options;
  options.misalignment = misalignment;
  options.arena_bytes = kMostPlanArenaBytes - 64 + arena_bytes % 64;
  const std::size_t aligned_start = (misalignment + 15) / 16 * 16;
  for (std::size_t placed_set = 0; placed_set < rooms.size(); ++placed_set) {
    subject.PlaceVariables(placed_set);
    const PlanRunResult result = RunPlan(subject.view(), subject.facts(), AllocatorSetUp, options);
    RequireOk(result.status, "a plan that places variables only");
    rooms[placed_set] = misalignment + arena_bytes - result.tail_bytes - aligned_start;
  }
  return rooms;
}

struct Arenas {
  std::array<std::size_t, kArenaCount> bytes{};
  std::array<std::array<Rooms, kMisalignments.size()>, kArenaCount> rooms{};
};

Arenas MakeArenas() {
  Arenas arenas;
  arenas.bytes = ChooseArenas(TheSubject());
  for (std::size_t arena = 0; arena < kArenaCount; ++arena) {
    for (std::size_t i = 0; i < kMisalignments.size(); ++i) {
      arenas.rooms[arena][i] = MeasureRooms(TheSubject(), arenas.bytes[arena], kMisalignments[i]);
    }
  }
  TheSubject().MakePlain();
  return arenas;
}

const Arenas& TheArenas() {
  static const Arenas arenas = MakeArenas();
  return arenas;
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  arenaproof::TheArenas();
  arenaproof::PrintPlanStagesAtExit();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  using namespace arenaproof;
  if (bytes < 2) return 0;
  Subject& subject = TheSubject();
  const Arenas& arenas = TheArenas();
  const std::uint8_t choice = data[0];
  subject.ChangeNameTo(data[1]);
  if ((choice & 128) != 0) {
    subject.Put(std::as_bytes(std::span(data + 2, bytes - 2)));
  } else {
    ByteReader reader(data + 2, bytes - 2);
    subject.Put(DrawPlan(reader, kPlanFuzzTensorCount, kPlanFuzzSubgraphCount, kMostPlanBytes));
  }
  PlanRunOptions options;
  options.trust = (choice & 1) != 0;
  options.linear_planner = (choice & 2) != 0;
  const std::size_t arena = choice >> 2 & 3;
  const std::size_t misalignment = choice >> 4 & 3;
  options.arena_bytes = arenas.bytes[arena];
  options.misalignment = kMisalignments[misalignment];
  options.rooms = arenas.rooms[arena][misalignment];
  options.strict = (choice & 0x70) == 0x40;
  if ((choice & 0x70) == 0x70) options.correct = [] { TheSubject().MakePlain(); };
  // The linear planner lays the model out otherwise, and wants more.
  if (!options.linear_planner) {
    options.plain = &subject.plain().layout;
    const bool ends_alike = (options.misalignment + options.arena_bytes) % 64 == kMostPlanArenaBytes % 64;
    if (ends_alike) options.plain_tail_bytes = subject.plain().tail_bytes;
  }
  options.no_kernels = true;
  CountPlanStage(RunPlan(subject.view(), subject.facts(), AllocatorSetUp, options).status);
  return 0;
}
