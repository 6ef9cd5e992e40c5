// The production arena as a state machine under random sequences of calls, compared with a simple model after each call
// and checked by every invariant. Failing sequences are shrunk to readable ones.
//
// One translation unit on purpose: RapidCheck's headers are slow to compile.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>

#include "engine/generators/reach_report.h"
#include "props/arena_machine/arena_model.h"
#include "props/arena_machine/arena_system.h"
#include "props/support/draws.h"

namespace arenaproof {
namespace {

using Word = std::uintptr_t;

// How often each operation is drawn. A switch without default: an operation that is new in the table does not compile
// before it is drawn here.
constexpr std::size_t WeightOf(Operation operation) {
  switch (operation) {
    case Operation::kAllocateTemporary:
    case Operation::kDeallocateTemporary:
      return 6;
    case Operation::kResetTemporaries:
    case Operation::kAllocatePersistent:
      return 3;
    case Operation::kAllocateResizable:
    case Operation::kResizeHead:
    case Operation::kReserveOverlay:
    case Operation::kAvailableBytes:
    case Operation::kMarkTail:
    case Operation::kRewindTail:
      return 2;
    case Operation::kKeepTail:
    case Operation::kDeallocateResizable:
    case Operation::kAllTemporariesDeallocated:
    case Operation::kNonPersistentUsedBytes:
    case Operation::kPersistentUsedBytes:
    case Operation::kUsedBytes:
      return 1;
  }
  return 0;
}

// What the arena does not offer is drawn too, to be refused.
constexpr std::size_t WeightOf(const OperationDescriptor& descriptor, ArenaKind kind) {
  return descriptor.in(kind) ? 4 * WeightOf(descriptor.operation) : 1;
}

constexpr std::size_t WeightSum(ArenaKind kind) {
  std::size_t sum = 0;
  for (const OperationDescriptor& descriptor : kOperationTable) sum += WeightOf(descriptor, kind);
  return sum;
}

Operation DrawOperation(ArenaKind kind) {
  std::size_t left = *rc::gen::noShrink(rc::gen::inRange<std::size_t>(0, WeightSum(kind)));
  for (const OperationDescriptor& descriptor : kOperationTable) {
    const std::size_t weight = WeightOf(descriptor, kind);
    if (left < weight) return descriptor.operation;
    left -= weight;
  }
  return kOperationTable.front().operation;
}

// Mostly what fits, then what just does or does not, then what wraps.
Word DrawSize(const ArenaModel& model) {
  const Word free_bytes = model.free_bytes();
  const Word arena_bytes = model.end() - model.begin();
  const auto small = rc::gen::inRange<Word>(0, 40);
  const auto near_the_gap = rc::gen::map(rc::gen::inRange<Word>(0, 40),
                                         [=](Word less) { return free_bytes + 8 - std::min(less, free_bytes + 8); });
  const auto up_to_the_arena = rc::gen::inRange<Word>(0, arena_bytes + 32);
  const auto near_the_largest = rc::gen::map(rc::gen::inRange<Word>(0, 40), [](Word less) { return ~less; });
  const auto near_minus_address =
      rc::gen::map(rc::gen::inRange<Word>(0, 40), [=](Word more) { return Word{0} - model.tail_begin() + more; });
  const auto far = rc::gen::cast<Word>(testing::Reach(arena_bytes + 1));
  return *rc::gen::weightedOneOf<Word>(
      {{6, small}, {3, near_the_gap}, {2, up_to_the_arena}, {1, far}, {1, near_the_largest}, {1, near_minus_address}});
}

constexpr std::array<Word, 22> kDrawnAlignments = {
    1, 1, 1, 2, 4, 8, 16, 16, 16, 3, 5, 6, 12, 24, 32, 64, 128, Word{1} << 12, Word{1} << 63, ~Word{0}, ~Word{15}, 0};

Word DrawAlignment() { return kDrawnAlignments[*rc::gen::inRange<std::size_t>(0, kDrawnAlignments.size())]; }

// What the client frees: a careful one only what is outstanding; a careless one also what it has freed before and what
// it was never given.
enum class Client : std::uint8_t { kCareful, kCareless };

// One generated call for RapidCheck's state machine. Addresses are generated as what they mean ("the second outstanding
// temporary"), so that a command keeps its sense while the sequence before it shrinks.
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
    kMark,                  // of the tail
    kOffset                 // number_ from the arena's begin, may be negative
  };

  void DrawAddress(const ArenaModel& model, Client client);
  ArenaCall<std::uintptr_t> Resolve(const ArenaModel& model) const;

  Operation operation_;
  Arguments<std::uintptr_t> arguments_;
  AddressMeaning meaning_ = AddressMeaning::kNone;
  std::int64_t number_ = 0;
};

ArenaCommand::ArenaCommand(const ArenaModel& model, Client client) : operation_(DrawOperation(model.kind())) {
  const OperationDescriptor& descriptor = Describe(operation_);
  if (descriptor.takes_size) arguments_.size = DrawSize(model);
  if (descriptor.takes_alignment) arguments_.alignment = DrawAlignment();
  if (descriptor.takes_address) DrawAddress(model, client);
}

void ArenaCommand::DrawAddress(const ArenaModel& model, Client client) {
  const auto arena_bytes = static_cast<std::int64_t>(model.end() - model.begin());
  const bool at_random = *rc::gen::noShrink(rc::gen::inRange(0, 8)) == 0;
  if (Describe(operation_).section == OperationSection::kHead) {
    meaning_ = at_random ? AddressMeaning::kOffset : AddressMeaning::kHeadBlock;
    if (at_random) number_ = *rc::gen::inRange<std::int64_t>(-2, arena_bytes + 3);
    return;
  }
  if (Describe(operation_).section == OperationSection::kTail) {
    meaning_ = at_random || !model.mark() ? AddressMeaning::kOffset : AddressMeaning::kMark;
    if (meaning_ == AddressMeaning::kOffset) number_ = *rc::gen::inRange<std::int64_t>(-2, arena_bytes + 3);
    return;
  }
  if (model.kind() == ArenaKind::kPersistent) {
    meaning_ = AddressMeaning::kOffset;
    return;
  }
  const std::size_t outstanding_count = model.OutstandingTemporaries().size();
  const bool wrong = client == Client::kCareless && *rc::gen::noShrink(rc::gen::inRange(0, 4)) == 0;
  if (wrong && at_random) {
    meaning_ = AddressMeaning::kOffset;
    number_ = *rc::gen::inRange<std::int64_t>(-2, arena_bytes + 3);
  } else if (wrong) {
    RC_PRE(!model.temporaries().empty());
    meaning_ = AddressMeaning::kIssuedTemporary;
    number_ = *rc::gen::inRange<std::int64_t>(0, static_cast<std::int64_t>(model.temporaries().size()));
  } else {
    RC_PRE(outstanding_count > 0);
    meaning_ = AddressMeaning::kOutstandingTemporary;
    number_ = *rc::gen::inRange<std::int64_t>(0, static_cast<std::int64_t>(outstanding_count));
  }
}

void ArenaCommand::checkPreconditions(const ArenaModel& model) const {
  const auto number = static_cast<std::size_t>(number_);
  if (meaning_ == AddressMeaning::kOutstandingTemporary) RC_PRE(number < model.OutstandingTemporaries().size());
  if (meaning_ == AddressMeaning::kMark) RC_PRE(model.mark().has_value());
  if (meaning_ == AddressMeaning::kIssuedTemporary) RC_PRE(number < model.temporaries().size());
}

ArenaCall<Word> ArenaCommand::Resolve(const ArenaModel& model) const {
  ArenaCall<Word> call{operation_, arguments_};
  const auto number = static_cast<std::size_t>(number_);
  switch (meaning_) {
    case AddressMeaning::kNone:
      break;
    case AddressMeaning::kOutstandingTemporary:
      call.arguments.address = model.OutstandingTemporaries()[number].address;
      break;
    case AddressMeaning::kIssuedTemporary:
      call.arguments.address = model.temporaries()[number].block.address;
      break;
    case AddressMeaning::kHeadBlock: {
      const Word remainder = arguments_.alignment == 0 ? 0 : model.begin() % arguments_.alignment;
      call.arguments.address = model.begin() + (remainder == 0 ? 0 : arguments_.alignment - remainder);
      break;
    }
    case AddressMeaning::kMark:
      call.arguments.address = *model.mark();
      break;
    case AddressMeaning::kOffset:
      call.arguments.address = model.begin() + static_cast<Word>(number_);
      break;
  }
  return call;
}

void ArenaCommand::apply(ArenaModel& model) const { model.Apply(Resolve(model)); }

void ArenaCommand::run(const ArenaModel& model, ArenaSystem& system) const {
  const ArenaCall<Word> call = Resolve(model);
  const std::string wrong = system.Perform(model, call);
  if (!wrong.empty()) RC_FAIL(ShowCall(call, model.begin()) + ": " + wrong);
}

void ArenaCommand::show(std::ostream& stream) const {
  constexpr unsigned kBits = sizeof(Word) * 8;
  const OperationDescriptor& descriptor = Describe(operation_);
  stream << descriptor.name << '(';
  const char* separator = descriptor.takes_address ? ", " : "";
  switch (meaning_) {
    case AddressMeaning::kNone:
      break;
    case AddressMeaning::kOutstandingTemporary:
      stream << "outstanding temporary #" << number_;
      break;
    case AddressMeaning::kIssuedTemporary:
      stream << "issued temporary #" << number_;
      break;
    case AddressMeaning::kHeadBlock:
      stream << "head block";
      break;
    case AddressMeaning::kMark:
      stream << "the tail's mark";
      break;
    case AddressMeaning::kOffset:
      stream << "address=begin" << (number_ < 0 ? "" : "+") << number_;
      break;
  }
  if (descriptor.takes_size) {
    stream << separator << "size=" << ShowNumber(arguments_.size, kBits);
    separator = ", ";
  }
  if (descriptor.takes_alignment) stream << separator << "alignment=" << ShowNumber(arguments_.alignment, kBits);
  stream << ')';
}

rc::Gen<std::size_t> ArenaBytes() {
  return rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 128), rc::gen::inRange<std::size_t>(0, 1024),
                        testing::Reach(ArenaSystem::kMostBytes));
}

// From the first case on, so that it does not depend on how large arenas are then.
rc::Gen<std::size_t> Misalignment() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, ArenaSystem::kMostMisalignment));
}

void CheckMachine(ArenaKind kind, Client client) {
  const auto misalignment = *Misalignment().as("bytes past alignment");
  const auto bytes = *ArenaBytes().as("arena bytes");
  CountReach("bytes of an arena", bytes);
  if (misalignment % 16 != 0) CountReach("bytes of an arena off a multiple of 16", bytes);
  ArenaSystem system(kind, misalignment, bytes);
  const ArenaModel model(kind, ArenaSystem::BeginOf(misalignment), bytes);
  rc::state::check(model, system, [client](const ArenaModel& state) {
    return rc::state::gen::execOneOfWithArgs<ArenaCommand>()(state, client);
  });
  if (client == Client::kCareful) RC_ASSERT(system.tracker().findings().empty());
}

RC_GTEST_PROP(ArenaMachine, KeepsEveryInvariantForACarefulClient, ()) {
  CheckMachine(ArenaKind::kSingle, Client::kCareful);
}

RC_GTEST_PROP(ArenaMachine, NamesTheWrongFreesOfACarelessClient, ()) {
  CheckMachine(ArenaKind::kSingle, Client::kCareless);
}

RC_GTEST_PROP(PersistentArenaMachine, KeepsEveryInvariant, ()) {
  CheckMachine(ArenaKind::kPersistent, Client::kCareful);
}

RC_GTEST_PROP(NonPersistentArenaMachine, KeepsEveryInvariantForACarefulClient, ()) {
  CheckMachine(ArenaKind::kNonPersistent, Client::kCareful);
}

RC_GTEST_PROP(NonPersistentArenaMachine, NamesTheWrongFreesOfACarelessClient, ()) {
  CheckMachine(ArenaKind::kNonPersistent, Client::kCareless);
}

// However few cases a run has: what is drawn reaches every power of two, at any distance from a multiple of 16.
TEST(ArenaMachine, DrawsArenasOfEveryPowerOfTwoAtEveryAddress) {
  ReachTally tally;
  for (unsigned i = 0; i < 6000; ++i) {
    const std::size_t bytes = ArenaBytes()(rc::Random(i), rc::kNominalSize).value();
    const std::size_t misalignment = Misalignment()(rc::Random(1'000'000 + i), rc::kNominalSize).value();
    tally.Count(misalignment % 16 == 0 ? "aligned" : "off a multiple of 16", bytes);
  }
  EXPECT_EQ(tally.dimension_count(), 2u);
  EXPECT_TRUE(tally.Missing().empty()) << tally.Lines();
}

}  // namespace
}  // namespace arenaproof
