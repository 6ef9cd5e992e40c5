// Every service of an allocator in every state that it can be in: no model under way, one under way with or without
// open requests and temporaries, one finished and not yet kept. A few counts are the whole oracle: what each call has
// to answer, that a refusal changes nothing, and that memory that was granted keeps its bytes until it is given back.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/cases/validated.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/model_builder/model_builder.h"
#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

using testing::Below;
using testing::OneIn;
using testing::Require;

constexpr std::int32_t kOperatorCount = 3;
constexpr std::int32_t kTensorCount = kOperatorCount + 1;

std::vector<std::byte> ChainFile() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (std::int32_t i = 0; i < kTensorCount; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{40}}});
  for (std::int32_t i = 0; i < kOperatorCount; ++i) {
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAbs), .inputs = {i}, .outputs = {i + 1}});
  }
  graph.inputs = {0};
  graph.outputs = {kOperatorCount};
  return builder.Finish();
}

enum class Service : std::uint8_t {
  kCreateResources,
  kStart,
  kAllocatePersistent,
  kAllocateResource,
  kRequestScratch,
  kAllocateTemporary,
  kFreeTemporary,
  kFreeForeign,
  kAllocatePersistentTensor,
  kAllocateTemporaryTensor,
  kFinishPrepare,
  kFinishModel,
  kAbort,
  kWithdraw,
  kKeep,
};
constexpr std::array<const char*, 15> kServiceNames = {"CreateResources",
                                                       "StartModelAllocation",
                                                       "AllocatePersistent",
                                                       "AllocateResource",
                                                       "RequestScratch",
                                                       "AllocateTemporary",
                                                       "FreeTemporary",
                                                       "FreeTemporary of no block",
                                                       "AllocatePersistentTensor",
                                                       "AllocateTemporaryTensor",
                                                       "FinishPrepareNodeAllocations",
                                                       "FinishModelAllocation",
                                                       "AbortModelAllocation",
                                                       "WithdrawModelAllocation",
                                                       "KeepModelAllocation"};

struct Block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::byte pattern{};
};

// What has to be, by counting.
struct Expected {
  bool allocating = false;
  bool unkept = false;  // a model is finished, and its tail can still be taken back
  std::size_t open_requests = 0;
  std::int32_t prepared = 0;     // operators whose prepare is finished
  std::vector<Block> held;       // temporaries
  std::vector<Block> given;      // in the tail
  std::size_t given_before = 0;  // how many of them are older than the attempt
};

class Machine {
 public:
  explicit Machine(bool two_arenas) : file_(ChainFile()), model_(Validated(file_)) {
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    const auto front = Below<std::size_t>(40);
    const ArenaBuffers both{memory_[0].data() + front, memory_[0].size() - front, memory_[1].data() + front,
                            memory_[1].size() - 2 * front};
    const InterpreterOptions options{.record_memory = OneIn(2)};
    const Status status = two_arenas
                              ? ModelAllocator::Create(both, options, &allocator_)
                              : ModelAllocator::Create(both.persistent, both.persistent_bytes, options, &allocator_);
    RC_ASSERT(status.ok());
  }
  ~Machine() { InjectedRefusals::ForgetArenas(); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void Call(Service service) {
    const TensorArena::State before = allocator_->arena().state();
    const std::size_t mark = *allocator_->set_up_mark();
    const Recorded recorded = RecordedNow();
    const bool unkept = now_.unkept;
    StatusCode expected = ExpectedOf(service);
    // Now and then the arena has no room for one of the operations that a service consists of.
    const bool may_be_refused = MayBeRefused(service) && OneIn(4);
    InjectedRefusals::Begin(may_be_refused ? Below<std::size_t>(4) : InjectedRefusals::kNone);
    const Status status = Perform(service);
    const bool refused = InjectedRefusals::refused();
    if (refused) expected = InjectedRefusals::refused_with();
    InjectedRefusals::Begin(InjectedRefusals::kNone);
    const std::string what = kServiceNames[static_cast<std::size_t>(service)];
    RC_LOG() << what << ": " << StatusName(status.code) << "\n";
    Require(status.code == expected, what + " answers " + std::string(StatusName(status.code)) + " where " +
                                         std::string(StatusName(expected)) + " has to come");
    // Who starts something new keeps what was finished before, even if nothing comes of it.
    const bool keeps = unkept && refused && (service == Service::kStart || service == Service::kCreateResources);
    if (keeps) now_.unkept = false;
    TensorArena::State after = allocator_->arena().state();
    if (refused && (service == Service::kAllocateTemporary || service == Service::kAllocateTemporaryTensor)) {
      // The region gives back only as a whole, and not before its operator has ended: what a refused one had taken
      // first goes with the others.
      if (now_.allocating || !now_.held.empty()) {
        after.non_persistent.temporary_end = before.non_persistent.temporary_end;
        after.persistent.temporary_end = before.persistent.temporary_end;
      }
    }
    const bool changed = !keeps && (!(after == before) || *allocator_->set_up_mark() != mark);
    RequireRecorded(status, recorded, what);
    if (!status.ok() && expected != StatusCode::kTemporariesLeaked) {
      Require(!changed, what + " is refused and has an effect");
    }
    Require(allocator_->allocating() == now_.allocating, what + " leaves a set-up under way, or ends one");
    const ArenaState<std::uintptr_t>& head = allocator_->arena().non_persistent().state();
    if (now_.held.empty() && !now_.allocating) {
      Require(head.temporary_end == head.head_end, what + " leaves bytes of temporaries that nobody holds");
    }
    if (!now_.allocating && !now_.unkept)
      Require(allocator_->lost_tail_bytes() == 0, what + " loses bytes of the tail");
    for (const Block& block : now_.held) RequireWhole(block, what);
    for (const Block& block : now_.given) RequireWhole(block, what);
  }

  // Wherever the calls have led to, a model can be set up next.
  void End() {
    while (!now_.held.empty()) Call(Service::kFreeTemporary);
    Call(Service::kAbort);
    Call(Service::kStart);
    Call(Service::kFinishModel);
  }

 private:
  // What a recorded allocator has counted for good; nothing of others.
  struct Recorded {
    std::size_t requested_tail_bytes = 0;
    std::size_t allocation_count = 0;
    std::array<RecordedMemory, kMemoryCategoryCount> categories{};
    friend bool operator==(const Recorded&, const Recorded&) = default;
  };
  Recorded RecordedNow() const {
    Recorded recorded;
    if (allocator_->record() == nullptr) return recorded;
    recorded.requested_tail_bytes = allocator_->arena().counters()->requested_tail_bytes;
    recorded.allocation_count = allocator_->arena().counters()->allocation_count;
    for (std::size_t i = 0; i < kMemoryCategoryCount; ++i) {
      recorded.categories[i] = allocator_->record()->of(static_cast<MemoryCategory>(i));
    }
    return recorded;
  }
  // A refusal counts nothing; an attempt that is taken back is taken out of the record.
  void RequireRecorded(const Status& status, const Recorded& before, const std::string& what) {
    const Recorded now = RecordedNow();
    if (!status.ok()) Require(now == before, what + " is refused and counted");
    if (taken_back_) Require(now == recorded_at_start_, what + " leaves what was taken back in the record");
    taken_back_ = false;
    if (allocator_->record() == nullptr) return;
    const TensorArena& arena = allocator_->arena();
    const ArenaState<std::uintptr_t>& head = arena.non_persistent().state();
    Require(arena.counters()->used_bytes == head.head_end - head.begin + arena.PersistentUsedBytes(),
            what + " leaves another number of bytes in the record than head and tail have");
  }

  // What it asks of the arena is granted as a whole, or nothing of it.
  static bool MayBeRefused(Service service) {
    switch (service) {
      case Service::kCreateResources:
      case Service::kStart:
      case Service::kAllocatePersistent:
      case Service::kAllocateResource:
      case Service::kRequestScratch:
      case Service::kAllocateTemporary:
      case Service::kAllocatePersistentTensor:
      case Service::kAllocateTemporaryTensor:
        return true;
      default:
        return false;
    }
  }

  StatusCode ExpectedOf(Service service) {
    switch (service) {
      case Service::kCreateResources:
      case Service::kStart:
        if (now_.allocating) return StatusCode::kAllocatorBusy;
        return now_.held.empty() ? StatusCode::kOk : StatusCode::kArenaTemporariesLive;
      case Service::kRequestScratch:
        return now_.allocating ? StatusCode::kOk : StatusCode::kAllocatorIdle;
      case Service::kFreeTemporary:
        return now_.held.empty() ? StatusCode::kForeignTemporary : StatusCode::kOk;
      case Service::kFreeForeign:
        return StatusCode::kForeignTemporary;
      case Service::kAllocatePersistentTensor:
      case Service::kAllocateTemporaryTensor:
        tensor_ = Below(kTensorCount + 2) - 1;
        subgraph_ = OneIn(8) ? 1 - 2 * Below(2) : 0;
        if (subgraph_ != 0) return StatusCode::kRuntimeSubgraphIndex;
        return tensor_ >= 0 && tensor_ < kTensorCount ? StatusCode::kOk : StatusCode::kRuntimeTensorIndex;
      case Service::kFinishPrepare:
        if (!now_.allocating) return StatusCode::kAllocatorIdle;
        return now_.held.empty() ? StatusCode::kOk : StatusCode::kTemporariesLeaked;
      case Service::kFinishModel:
        if (!now_.allocating) return StatusCode::kAllocatorIdle;
        return now_.held.empty() && now_.open_requests == 0 ? StatusCode::kOk : StatusCode::kPrepareUnfinished;
      default:
        return StatusCode::kOk;
    }
  }

  Status Perform(Service service) {
    switch (service) {
      case Service::kCreateResources: {
        ResourceVariables* resources = nullptr;
        const Status status = allocator_->CreateResources(Below<std::size_t>(4), &resources);
        if (status.ok()) now_.unkept = false;
        return status;
      }
      case Service::kStart: {
        const Recorded recorded = RecordedNow();
        const Status status = allocator_->StartModelAllocation(model_, &allocation_);
        if (!status.ok()) return status;
        recorded_at_start_ = recorded;
        now_.allocating = true;
        now_.unkept = false;
        now_.open_requests = 0;
        now_.prepared = 0;
        now_.given_before = now_.given.size();
        return status;
      }
      case Service::kAllocatePersistent:
        return Take(now_.given, [&](Block& block) { return allocator_->AllocatePersistent(block.bytes, &block.data); });
      case Service::kAllocateResource:
        return Take(now_.given, [&](Block& block) { return allocator_->AllocateResource(block.bytes, &block.data); });
      case Service::kAllocateTemporary:
        return Take(now_.held, [&](Block& block) {
          return allocator_->AllocateTemporary(block.bytes, std::size_t{1} << Below(7), &block.data);
        });
      case Service::kRequestScratch: {
        const Status status = allocator_->RequestScratch(Below<std::size_t>(50));
        if (status.ok()) ++now_.open_requests;
        return status;
      }
      case Service::kFreeTemporary: {
        if (now_.held.empty()) return allocator_->FreeTemporary(memory_[1].data());
        const auto which = static_cast<std::ptrdiff_t>(Below(now_.held.size()));
        const Status status = allocator_->FreeTemporary(now_.held[static_cast<std::size_t>(which)].data);
        now_.held.erase(now_.held.begin() + which);
        return status;
      }
      case Service::kFreeForeign: {
        std::byte* const none = now_.held.empty() || OneIn(2) ? nullptr : now_.held.front().data + 1;
        return OneIn(2) ? allocator_->FreeTemporary(none)
                        : allocator_->FreeTemporaryTensor(reinterpret_cast<const Operand*>(none));
      }
      case Service::kAllocatePersistentTensor: {
        const Operand* described = nullptr;
        const Status status =
            allocator_->AllocatePersistentTensor(model_, Allocation(), subgraph_, tensor_, &described);
        return Described(status, described);
      }
      case Service::kAllocateTemporaryTensor: {
        const Operand* described = nullptr;
        const Status status = allocator_->AllocateTemporaryTensor(model_, Allocation(), subgraph_, tensor_, &described);
        if (status.ok()) {
          // Without a pattern: its bytes are the struct's.
          now_.held.push_back({const_cast<std::byte*>(reinterpret_cast<const std::byte*>(described)), 0, {}});
        }
        return Described(status, described);
      }
      case Service::kFinishPrepare: {
        const Status status = allocator_->FinishPrepareNodeAllocations(0, std::min(now_.prepared, kOperatorCount - 1));
        if (status.code == StatusCode::kAllocatorIdle) return status;
        now_.held.clear();
        if (!status.ok()) return status;
        now_.open_requests = 0;
        ++now_.prepared;
        return status;
      }
      case Service::kFinishModel: {
        const Status status = allocator_->FinishModelAllocation(model_, &allocation_);
        if (!status.ok()) return status;
        now_.allocating = false;
        now_.unkept = true;
        return status;
      }
      case Service::kAbort:
        allocator_->AbortModelAllocation();
        if (now_.allocating) TakeBack();
        return Ok();
      case Service::kWithdraw:
        allocator_->WithdrawModelAllocation();
        if (!now_.allocating && now_.unkept) TakeBack();
        return Ok();
      case Service::kKeep:
        allocator_->KeepModelAllocation(Below<std::uint64_t>(9));
        if (!now_.allocating) now_.unkept = false;
        return Ok();
    }
    return Ok();
  }

  const ModelAllocation* Allocation() const { return now_.allocating && OneIn(2) ? &allocation_ : nullptr; }

  void TakeBack() {
    taken_back_ = true;
    now_.allocating = now_.unkept = false;
    now_.held.clear();
    now_.given.resize(now_.given_before);
  }

  template <typename Allocate>
  Status Take(std::vector<Block>& blocks, Allocate allocate) {
    Block block{nullptr, Below<std::size_t>(70), static_cast<std::byte>(++pattern_)};
    const Status status = allocate(block);
    if (!status.ok()) return status;
    if (block.bytes > 0) std::memset(block.data, static_cast<int>(block.pattern), block.bytes);
    blocks.push_back(block);
    return status;
  }

  Status Described(const Status& status, const Operand* described) const {
    Require(status.ok() == (described != nullptr), "a struct is given with a refusal, or none without");
    if (!status.ok()) return status;
    Require(described->tensor_index == tensor_ && described->bytes == 40 && described->type == TensorType::kInt8,
            "a struct describes another tensor");
    return status;
  }

  static void RequireWhole(const Block& block, const std::string& what) {
    const bool whole =
        std::all_of(block.data, block.data + block.bytes, [&](std::byte byte) { return byte == block.pattern; });
    Require(whole, what + " changes memory that was granted before");
  }

  const std::vector<std::byte> file_;
  const ValidatedModel model_;
  std::array<std::vector<std::byte>, 2> memory_ = {std::vector<std::byte>(65536), std::vector<std::byte>(40000)};
  ModelAllocator* allocator_ = nullptr;
  ModelAllocation allocation_;
  Expected now_;
  Recorded recorded_at_start_;
  bool taken_back_ = false;
  std::int32_t tensor_ = 0;
  std::int32_t subgraph_ = 0;
  std::uint8_t pattern_ = 0;
};

RC_GTEST_PROP(AllocatorServices, AnswerInEveryStateAndRefuseWithoutEffect, ()) {
  Machine machine(*rc::gen::arbitrary<bool>().as("two arenas"));
  const auto calls = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(kServiceNames.size())));
  for (const int call : calls) machine.Call(static_cast<Service>(call));
  machine.End();
}

}  // namespace
}  // namespace arenaproof
