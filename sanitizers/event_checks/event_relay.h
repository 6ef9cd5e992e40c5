// An observer that passes every event on. Observers that use or change some of the events derive from it.
#pragma once

#include "core/arena/observer.h"

namespace arenaproof {

class EventRelay : public ArenaObserver {
 public:
  // `next` may be null.
  explicit EventRelay(ArenaObserver* next) : next_(next) {}

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override {
    if (next_ != nullptr) next_->OnAttach(arena, model);
  }
  void OnHeadResized(MemoryRegion head) override {
    if (next_ != nullptr) next_->OnHeadResized(head);
  }
  void OnTemporaryAllocated(MemoryRegion block) override {
    if (next_ != nullptr) next_->OnTemporaryAllocated(block);
  }
  void OnTemporaryFreed(const std::byte* address) override {
    if (next_ != nullptr) next_->OnTemporaryFreed(address);
  }
  void OnTemporariesReset() override {
    if (next_ != nullptr) next_->OnTemporariesReset();
  }
  void OnTailAllocated(MemoryRegion block) override {
    if (next_ != nullptr) next_->OnTailAllocated(block);
  }
  void OnTailRewound(const std::byte* tail_begin) override {
    if (next_ != nullptr) next_->OnTailRewound(tail_begin);
  }
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override {
    if (next_ != nullptr) next_->OnPlanCommitted(head_start, plan);
  }
  void OnBytesShared(std::span<const BufferAlias> aliases) override {
    if (next_ != nullptr) next_->OnBytesShared(aliases);
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    if (next_ != nullptr) next_->OnOperatorBegins(scope);
  }
  void OnOperatorEnds() override {
    if (next_ != nullptr) next_->OnOperatorEnds();
  }
  void OnRuntimeEnters() override {
    if (next_ != nullptr) next_->OnRuntimeEnters();
  }
  void OnRuntimeLeaves() override {
    if (next_ != nullptr) next_->OnRuntimeLeaves();
  }
  void OnDetach() override {
    if (next_ != nullptr) next_->OnDetach();
  }
  void OnRuntimeWorkBegins(const RuntimeScope& scope) override {
    if (next_ != nullptr) next_->OnRuntimeWorkBegins(scope);
  }
  void OnRuntimeWorkEnds() override {
    if (next_ != nullptr) next_->OnRuntimeWorkEnds();
  }
  void OnShape(const StructureBytes& element, std::size_t count) override {
    if (next_ != nullptr) next_->OnShape(element, count);
  }
  void OnOperation(Operation operation, std::size_t size, std::size_t alignment) override {
    if (next_ != nullptr) next_->OnOperation(operation, size, alignment);
  }
  ArenaObserver* DuringBookkeeping() override { return next_ == nullptr ? nullptr : next_->DuringBookkeeping(); }

 protected:
  ~EventRelay() = default;

  ArenaObserver* next() const { return next_; }
  // From now on events go to `next`, which may be null.
  void ForwardTo(ArenaObserver* next) { next_ = next; }

 private:
  ArenaObserver* next_;
};

}  // namespace arenaproof
