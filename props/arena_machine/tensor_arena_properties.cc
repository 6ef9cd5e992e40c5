// TensorArena over one memory and over two: whatever is called in whatever order, it answers like the model's arenas,
// and whoever is its observer receives each grant, nothing else, and nothing before or after.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/event_log.h"
#include "engine/oracles/arena/arena_buffer.h"
#include "engine/oracles/arena/production_call.h"
#include "props/arena_machine/arena_model.h"
#include "props/support/draws.h"

namespace arenaproof {
namespace {

using testing::EventLog;
using testing::OneIn;
using testing::Reach;
using Word = std::uintptr_t;
using Lines = std::vector<std::string>;

constexpr std::size_t kNearBytes = 700;

static_assert(32 + kFarthest + 100 + kFarthest <= kArenaBufferBytes);

Word AddressOf(const std::byte* pointer) { return reinterpret_cast<Word>(pointer); }

// One step, before it is known what it finds: `first` and `second` choose among what there is.
struct Draw {
  int what = 0;
  std::uint16_t first = 0;
  std::uint16_t second = 0;
};

std::ostream& operator<<(std::ostream& stream, const Draw& draw) {
  return stream << "{" << draw.what << ", " << draw.first << ", " << draw.second << "}";
}

rc::Gen<std::vector<Draw>> Draws() {
  return rc::gen::container<std::vector<Draw>>(
      rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 32), rc::gen::inRange<std::uint16_t>(0, 1000),
                                  rc::gen::inRange<std::uint16_t>(0, 1000)),
                   [](const std::tuple<int, std::uint16_t, std::uint16_t>& parts) {
                     return Draw{std::get<0>(parts), std::get<1>(parts), std::get<2>(parts)};
                   }));
}

void Fail(const std::string& what) {
  const std::string message = "VIOLATED: " + what;
  RC_FAIL(message);
}

class Machine {
 public:
  // The memories lie apart in the one buffer, the second one of a pair behind the first. Nothing where the arena does
  // not fit its memory. `empty`: every temporary has no bytes.
  static std::optional<Machine> Make(bool pair, bool recorded, std::size_t shift, bool empty, std::size_t bytes,
                                     std::size_t head_bytes) {
    Machine machine;
    machine.empty_ = empty;
    machine.most_bytes_ = std::max(bytes, head_bytes);
    std::byte* const start = ArenaBuffer() + shift;
    std::byte* const head = start + bytes + 100;
    const Status status =
        pair ? TensorArena::CreatePair({start, bytes, head, head_bytes}, nullptr, &machine.arena_, recorded)
             : TensorArena::CreateSingle(start, bytes, nullptr, &machine.arena_, recorded);
    if (!status.ok()) return std::nullopt;
    const TensorArena::State state = machine.arena_.state();
    RequireEdges(state, pair, AddressOf(start), bytes, AddressOf(head), head_bytes);
    const auto model_of = [](const ArenaState<Word>& arena) {
      return ArenaModel(arena.kind, arena.begin, arena.tail_begin - arena.begin);
    };
    machine.models_.push_back(model_of(state.persistent));
    if (pair) machine.models_.push_back(model_of(state.non_persistent));
    return machine;
  }

  void Do(const Draw& draw) {
    if (draw.what >= 28) return SetObserver(draw.first % 3);
    static constexpr std::array kOperations = {Operation::kAllocateTemporary,
                                               Operation::kAllocateTemporary,
                                               Operation::kAllocateTemporary,
                                               Operation::kAllocateTemporary,
                                               Operation::kAllocateTemporary,
                                               Operation::kAllocateTemporary,
                                               Operation::kDeallocateTemporary,
                                               Operation::kDeallocateTemporary,
                                               Operation::kDeallocateTemporary,
                                               Operation::kDeallocateTemporary,
                                               Operation::kDeallocateTemporary,
                                               Operation::kResetTemporaries,
                                               Operation::kResetTemporaries,
                                               Operation::kAllocatePersistent,
                                               Operation::kAllocatePersistent,
                                               Operation::kAllocatePersistent,
                                               Operation::kMarkTail,
                                               Operation::kMarkTail,
                                               Operation::kRewindTail,
                                               Operation::kRewindTail,
                                               Operation::kRewindTail,
                                               Operation::kKeepTail,
                                               Operation::kAllocateResizable,
                                               Operation::kAllocateResizable,
                                               Operation::kResizeHead,
                                               Operation::kResizeHead,
                                               Operation::kDeallocateResizable,
                                               Operation::kReserveOverlay};
    Perform(Resolve(kOperations[static_cast<std::size_t>(draw.what)], draw));
    CheckQuestions();
  }

  // 2: nobody.
  void SetObserver(std::size_t choice) {
    observer_ = choice;
    arena_.set_observer(choice == 2 ? nullptr : &logs_[choice]);
    if (arena_.observer() != (choice == 2 ? nullptr : &logs_[choice])) Fail("observer: it is not the one that was set");
  }

 private:
  // A single arena has all of its memory from the first multiple of 16 on. Of a pair the persistent one has all up to
  // the last multiple of 16, the other one all from its first.
  static void RequireEdges(const TensorArena::State& state, bool pair, Word start, std::size_t bytes, Word head,
                           std::size_t head_bytes) {
    const auto up = [](Word address) { return (address + 15) / 16 * 16; };
    const Word end = start + bytes;
    const bool persistent =
        state.persistent.begin == (pair ? start : up(start)) && state.persistent.end == (pair ? end / 16 * 16 : end);
    if (!persistent) Fail("an arena begins or ends elsewhere than its memory");
    if (!pair) return;
    if (state.non_persistent.begin != up(head) || state.non_persistent.end != head + head_bytes) {
      Fail("the second arena of a pair begins or ends elsewhere than its memory");
    }
  }

  bool pair() const { return models_.size() == 2; }
  ArenaModel& tail() { return models_.front(); }
  ArenaModel& head() { return models_.back(); }
  ArenaModel& ModelOf(Operation operation) {
    return Describe(operation).section == OperationSection::kTail ? tail() : head();
  }

  ArenaCall<Word> Resolve(Operation operation, const Draw& draw) {
    const OperationDescriptor& descriptor = Describe(operation);
    ArenaCall<Word> call{operation, {}};
    static constexpr std::array<Word, 8> kSizes = {0, 0, 1, 8, 16, 24, 100, 400};
    static constexpr std::array<Word, 8> kAlignments = {1, 1, 4, 16, 16, 64, 24, 0};
    if (descriptor.takes_size) call.arguments.size = kSizes[draw.first % 8] + draw.first / 8 % 4;
    if (descriptor.takes_size && most_bytes_ > kNearBytes && draw.first % 3 == 0) {
      const std::span<const std::size_t> far = ReachNumbersUpTo(most_bytes_);
      call.arguments.size = far[draw.first / 8 % far.size()];
    }
    if (descriptor.takes_alignment) call.arguments.alignment = kAlignments[draw.second % 8];
    // A section of no bytes may have blocks in it all the same.
    if (operation == Operation::kAllocateTemporary && empty_) call.arguments = {0, 1, 0};
    if (operation == Operation::kDeallocateTemporary) {
      const std::vector<ModelBlock> blocks = head().OutstandingTemporaries();
      call.arguments.address = blocks.empty() ? head().begin() : blocks[draw.first % blocks.size()].address;
    } else if (operation == Operation::kRewindTail) {
      call.arguments.address = tail().mark().value_or(tail().begin());
    } else if (descriptor.takes_address) {
      const Word alignment = call.arguments.alignment == 0 ? 1 : call.arguments.alignment;
      call.arguments.address = (head().begin() + alignment - 1) / alignment * alignment;
    }
    return call;
  }

  // What the arenas of the model answer; of a pair, temporaries of one arena hold the other's tail.
  std::optional<Word> Predict(const ArenaCall<Word>& call) {
    const bool held = head().temporary_end() != head().head_end() || !head().OutstandingTemporaries().empty();
    if (call.operation == Operation::kRewindTail && held) return std::nullopt;
    return ModelOf(call.operation).Predict(call);
  }

  // The events of a granted call, in the order in which they have to come.
  Lines Events(const ArenaCall<Word>& call, Word result) {
    const Arguments<Word>& arguments = call.arguments;
    const auto alignment = [&]() -> Word {
      if (Describe(call.operation).takes_alignment) return arguments.alignment;
      return call.operation == Operation::kDeallocateResizable ? 1 : 0;
    };
    Lines lines = {EventLog::Granted(call.operation, arguments.size, alignment())};
    switch (call.operation) {
      case Operation::kAllocateResizable:
      case Operation::kResizeHead:
      case Operation::kDeallocateResizable:
      case Operation::kReserveOverlay:
        lines.push_back(EventLog::Block("head", head().begin(), head().head_end() - head().begin()));
        break;
      case Operation::kAllocateTemporary:
        lines.push_back(EventLog::Block("temporary", result, arguments.size));
        break;
      case Operation::kDeallocateTemporary:
        lines.push_back(EventLog::Place("free", arguments.address));
        break;
      case Operation::kResetTemporaries:
        lines.emplace_back("reset");
        break;
      case Operation::kAllocatePersistent:
        lines.push_back(EventLog::Block("tail", result, arguments.size));
        break;
      case Operation::kRewindTail:
        lines.push_back(EventLog::Place("rewind", arguments.address));
        break;
      default:
        break;
    }
    return lines;
  }

  void Perform(const ArenaCall<Word>& call) {
    const std::string text = ShowCall(call, head().begin());
    RC_LOG() << text << ", received by "
             << (observer_ == 2   ? "nobody"
                 : observer_ == 1 ? "the second"
                                  : "the first")
             << "\n";
    const bool held = pair() && call.operation == Operation::kRewindTail &&
                      (head().temporary_end() != head().head_end() || !head().OutstandingTemporaries().empty());
    const Status expected_hold = {StatusCode::kArenaTemporariesLive,
                                  {head().temporary_end() - head().head_end(), head().OutstandingTemporaries().size()}};
    const std::optional<Word> predicted = Predict(call);
    const ProductionResult answer = CallProduction(arena_, call);
    if (answer.status.ok() != predicted.has_value()) {
      Fail(std::string("arena over ") + (pair() ? "two memories: " : "one memory: ") + text +
           (predicted ? " is refused" : " is granted"));
    }
    if (predicted && answer.result != *predicted) Fail(text + " has another result than the model's");
    if (held && answer.status != expected_hold) Fail(text + " does not name the temporaries that hold the tail");
    if (predicted) ModelOf(call.operation).Apply(call);
    const Lines expected = predicted ? Events(call, answer.result) : Lines{};
    for (std::size_t k = 0; k < logs_.size(); ++k) {
      const Lines received = logs_[k].Take();
      if (k == observer_ ? received == expected : received.empty()) continue;
      std::string all;
      for (const std::string& line : received) all += line + "; ";
      Fail("observer: after " + text + (k == observer_ ? " it receives: " : " one that is not attached receives: ") +
           all);
    }
  }

  void CheckQuestions() {
    const bool all_freed = head().OutstandingTemporaries().empty();
    if (arena_.AllTemporariesDeallocated() != all_freed) Fail("AllTemporariesDeallocated is wrong (I12)");
    if (arena_.HeadRoomBytes() != head().tail_begin() - head().begin()) Fail("HeadRoomBytes is wrong");
    if (AddressOf(arena_.OverlayAddress()) != head().begin()) Fail("OverlayAddress is wrong");
    if (arena_.NonPersistentUsedBytes() != head().temporary_end() - head().begin()) Fail("I10: non-persistent use");
    if (arena_.state().persistent.tail_begin != tail().tail_begin()) Fail("the tail is elsewhere");
    // The arena's own record lies behind the blocks.
    const std::size_t persistent_bytes = arena_.state().persistent.end - tail().tail_begin();
    if (arena_.PersistentUsedBytes() != persistent_bytes) Fail("I10: persistent use");
    if (arena_.UsedBytes() != head().temporary_end() - head().begin() + persistent_bytes) Fail("I10: used bytes");
    for (const Word alignment : {Word{1}, Word{16}, Word{64}}) {
      const Word available = head().Predict({Operation::kAvailableBytes, {.alignment = alignment}}).value();
      if (arena_.AvailableBytes(alignment) != available) Fail("I10: available bytes");
    }
    for (const EventLog& log : logs_) {
      if (!log.lines.empty()) Fail("observer: a question is announced");
    }
  }

  TensorArena arena_;
  std::vector<ArenaModel> models_;  // tail, head; or one for both
  std::array<EventLog, 2> logs_ = {EventLog({.places = true, .operations = true}),
                                   EventLog({.places = true, .operations = true})};
  std::size_t observer_ = 2;
  bool empty_ = false;
  std::size_t most_bytes_ = 0;  // of either memory
};

// Enough for what an arena keeps of itself, then now and then as far as there is room for two.
std::size_t DrawBytes(std::size_t near) {
  const std::size_t bytes = OneIn(3) ? std::max<std::size_t>(near, *Reach()) : near;
  CountReach("bytes of a tensor arena", bytes);
  return bytes;
}

RC_GTEST_PROP(TensorArena, AnswersLikeItsArenasAndSendsItsObserverTheirEvents, ()) {
  const auto pair = *rc::gen::arbitrary<bool>();
  const auto recorded = *rc::gen::arbitrary<bool>();
  const auto shift = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, 32));
  const auto empty = *rc::gen::weightedElement<bool>({{3, false}, {1, true}});
  const std::size_t bytes = DrawBytes(pair ? 500 : kNearBytes), head_bytes = DrawBytes(300);
  auto machine = Machine::Make(pair, recorded, shift, empty, bytes, head_bytes);
  RC_ASSERT(machine.has_value());
  machine->SetObserver(shift % 3);
  for (const Draw& draw : *Draws()) machine->Do(draw);
}

// Whoever gives as much as a refusal says is needed is taken; one byte less is not enough.
RC_GTEST_PROP(TensorArena, NamesTheMemoryThatItNeeds, ()) {
  const auto pair = *rc::gen::arbitrary<bool>();
  const auto recorded = *rc::gen::arbitrary<bool>();
  const auto shift = *rc::gen::inRange<std::size_t>(0, 40);
  const auto given = *rc::gen::inRange<std::size_t>(0, 260);
  CountReach("bytes of a tensor arena", given);
  const auto head_bytes = *rc::gen::element<std::size_t>(300, 300, 7, 0);
  std::byte* const start = ArenaBuffer() + 400 + shift;
  std::byte* const head = start + 400;
  // The single arena begins where it begins, the pair's persistent one ends where it ends.
  const auto create = [&](std::size_t bytes, std::size_t bytes_of_head) {
    TensorArena arena;
    return pair ? TensorArena::CreatePair({start - bytes, bytes, head, bytes_of_head}, nullptr, &arena, recorded)
                : TensorArena::CreateSingle(start, bytes, nullptr, &arena, recorded);
  };
  const auto require = [](bool holds, const char* what) {
    const std::string message = std::string("VIOLATED: I10 accounting: ") + what;
    if (!holds) RC_FAIL(message);
  };
  const Status status = create(given, head_bytes);
  if (status.ok()) return;
  RC_ASSERT(status.code == StatusCode::kArenaBufferTooSmall);
  const auto needed = static_cast<std::size_t>(status.detail[1]);
  require(needed > status.detail[0] && needed <= 300, "an arena that is refused needs no more than it was given");
  if (pair && status.detail[0] == head_bytes && head_bytes < (16 - AddressOf(head) % 16) % 16) {
    require(create(300, needed).ok(), "a pair is refused with the bytes that were said to be needed");
    require(!create(300, needed - 1).ok(), "a pair is made with less than was said to be needed");
    return;
  }
  require(status.detail[0] == given, "a refusal for too little memory names another size than was given");
  require(create(needed, 300).ok(), "an arena is refused with the bytes that were said to be needed");
  require(!create(needed - 1, 300).ok(), "an arena is made with less than was said to be needed");
}

}  // namespace
}  // namespace arenaproof
