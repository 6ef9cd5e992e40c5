// Passes an interpreter's events to the instrument and keeps, beside it, what is reported about the plan and the
// operators: blind pairs, operands that the instrument cannot check to the byte, operators that it saw.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sanitizers/event_checks/event_relay.h"
#include "sanitizers/instrument/access_instrument.h"
#include "tools/memory/allowed_reads.h"

namespace arenaproof {

class CheckingObserver final : public EventRelay {
 public:
  struct Pair {
    std::int32_t subgraph, operator_index;
    std::string operator_name;
    OperandRange first, second;
    std::int64_t distance_bytes;  // negative: they overlap by so many
  };
  struct NotExact {
    std::int32_t subgraph, operator_index;
    std::string operator_name;
    OperandRange operand;
    std::size_t blind_before_bytes, blind_after_bytes;
  };

  struct Place {
    std::int32_t subgraph, operator_index;
    std::string operator_name;
    OperatorPhase phase;
  };

  CheckingObserver() : EventRelay(nullptr) {}
  // Null: events are recorded and not passed on.
  void Use(AccessInstrument* instrument) {
    instrument_ = instrument;
    ForwardTo(instrument);
  }

  const std::vector<PlanEntry>& plan() const { return plan_; }
  const std::vector<BufferAlias>& sharing() const { return sharing_; }  // of the plan
  // They are of each operator's first invoke.
  const std::vector<Pair>& blind_pairs() const { return pairs_; }
  // They are of the operands that each operator's prepare begins with.
  const std::vector<Pair>& prepare_blind_pairs() const { return prepare_pairs_; }
  const std::vector<NotExact>& not_exact() const { return not_exact_; }
  // An operator's invokes, and those that began and ended while the instrument watched: its self-test passed and its
  // log was not capped.
  struct Invokes {
    std::uint64_t count = 0, seen = 0;
    bool all_seen() const { return count > 0 && seen == count; }
  };
  void ForgetInvokes() { invokes_.clear(); }
  Invokes InvokesOf(std::int32_t subgraph, std::int32_t operator_index) const;
  // The operator that ran when the instrument's log turned out to be capped.
  const std::optional<Place>& capped_at() const { return capped_at_; }

  // What the kernels of operators may read beside operands from now on.
  void Allow(std::span<const AllowedRead> reads) { allowed_.assign(reads.begin(), reads.end()); }
  const std::vector<AllowedRead>& allowed() const { return allowed_; }
  const std::byte* head_start() const { return head_start_; }  // of the plan

  void OnBytesShared(std::span<const BufferAlias> aliases) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override;
  void OnOperatorBegins(const OperatorScope& scope) override;
  void OnOperatorEnds() override;
  void OnRuntimeEnters() override;

 private:
  ReadableAround AllowedAround(const OperatorScope& scope, const OperandRange& operand) const;
  void Inspect(const OperatorScope& scope);
  void AddPairs(const OperatorScope& scope, std::vector<Pair>& pairs);
  bool Watches() const;
  void NoteCap();

  AccessInstrument* instrument_ = nullptr;
  std::vector<AllowedRead> allowed_;
  const std::byte* head_start_ = nullptr;
  std::vector<PlanEntry> plan_;
  std::vector<BufferAlias> sharing_;
  std::vector<Pair> pairs_, prepare_pairs_;
  std::vector<NotExact> not_exact_;
  std::map<std::tuple<OperatorPhase, std::int32_t, std::int32_t>, bool> inspected_;
  struct Running {
    Place place;
    bool watched_at_begin;
  };
  std::vector<Running> running_;  // the innermost last
  std::map<std::pair<std::int32_t, std::int32_t>, Invokes> invokes_;
  std::optional<Place> capped_at_;
};

}  // namespace arenaproof
