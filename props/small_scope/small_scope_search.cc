#include "props/small_scope/small_scope_search.h"

#include <algorithm>

#include "core/arena/step.h"
#include "engine/cases/arena_call.h"
#include "engine/oracles/arena/arena_history.h"

namespace arenaproof {
namespace {

// A state of the search: what the arena knows and what its client and the oracle know. Equal configurations have equal
// futures.
template <typename Word>
struct Configuration {
  ArenaState<Word> arena;
  ArenaHistory<Word, kMostOutstanding> history;

  friend bool operator==(const Configuration&, const Configuration&) = default;
};

template <typename Word>
std::uint64_t HashOf(const Configuration<Word>& configuration) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  const auto mix = [&](std::uint64_t value) {
    hash = (hash ^ value) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  };
  const ArenaState<Word>& arena = configuration.arena;
  const auto& history = configuration.history;
  for (const Word word :
       {arena.head_end, arena.temporary_end, arena.tail_begin, arena.temporary_count, arena.temporary_checksum,
        arena.tail_mark, history.head_end, history.temporary_end, history.persistent_begin}) {
    mix(word);
  }
  for (const Word address : history.outstanding) mix(address);
  mix(history.outstanding_count * 8 + (history.careful ? 1 : 0) + (arena.marked ? 2 : 0) +
      (arena.resizable_taken ? 4 : 0));
  return hash;
}

template <typename Word>
class SearchRun {
 public:
  SearchRun(const SmallScope& scope, std::uint64_t most_states)
      : scope_(scope),
        most_states_(most_states),
        begin_(static_cast<Word>(scope.begin)),
        table_(std::size_t{1} << 16, kAbsent) {
    const auto end = static_cast<Word>(scope.begin + scope.bytes);
    const ArenaState<Word> empty = EmptyArena<Word>(begin_, end, scope.kind);
    Insert({empty, EmptyHistory<kMostOutstanding>(empty)}, kAbsent, {});
    ListFixedCalls(end);
  }

  SmallScopeResult Run(SearchProgress progress) {
    for (std::size_t index = 0; index < states_.size() && broken_ == nullptr; ++index) {
      if (states_.size() > most_states_) {
        result_.end = SmallScopeResult::End::kTooManyStates;
        break;
      }
      if (progress != nullptr && index % 4096 == 0) {
        progress(states_.size(), result_.transition_count, states_.size() - index);
      }
      VisitSuccessors(index);
    }
    result_.state_count = states_.size();
    result_.longest_sequence = LengthOf(states_.size() - 1);
    return result_;
  }

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  struct Origin {
    std::uint32_t parent;
    ArenaCall<Word> call;
  };

  // All calls but the frees and the rewinds, whose addresses depend on the state.
  void ListFixedCalls(Word end) {
    const std::vector<Word> head_addresses = {
        begin_, static_cast<Word>(begin_ + 1), static_cast<Word>(begin_ + 3), static_cast<Word>(begin_ - 1), end,
        Word{0}};
    for (const OperationDescriptor& descriptor : kOperationTable) {
      if (descriptor.operation == Operation::kDeallocateTemporary) continue;
      if (descriptor.operation == Operation::kRewindTail) continue;
      for (const std::uint64_t size : descriptor.takes_size ? scope_.sizes : kOne) {
        for (const std::uint64_t alignment : descriptor.takes_alignment ? scope_.alignments : kOne) {
          for (const Word address : descriptor.takes_address ? head_addresses : std::vector<Word>{0}) {
            fixed_calls_.push_back(
                {descriptor.operation, {static_cast<Word>(size), static_cast<Word>(alignment), address}});
          }
        }
      }
    }
    for (Word offset = 0; offset <= end - begin_ + 2; ++offset) {
      free_addresses_.push_back(static_cast<Word>(begin_ + offset - 1));
    }
    free_addresses_.push_back(Word{0});
    free_addresses_.push_back(Largest<Word>());
    std::sort(free_addresses_.begin(), free_addresses_.end());
    free_addresses_.erase(std::unique(free_addresses_.begin(), free_addresses_.end()), free_addresses_.end());
  }

  void VisitSuccessors(std::size_t index) {
    const Configuration<Word> from = states_[index];
    for (const ArenaCall<Word>& call : fixed_calls_) {
      if (call.operation == Operation::kAllocateTemporary &&
          (from.history.full() || from.arena.temporary_count >= scope_.outstanding_limit)) {
        continue;
      }
      if (call.operation == Operation::kMarkTail && !scope_.attempts) {
        CheckOnly(index, from, call);
      } else {
        Visit(index, from, call);
      }
      if (broken_ != nullptr) return;
    }
    const ArenaState<Word>& arena = from.arena;
    for (const Word address : {arena.tail_mark, arena.tail_begin, arena.end, arena.begin, from.history.kept_begin,
                               static_cast<Word>(arena.tail_mark + 1), static_cast<Word>(arena.tail_mark - 1)}) {
      Visit(index, from, {Operation::kRewindTail, {Word{0}, Word{0}, address}});
      if (broken_ != nullptr) return;
    }
    for (const Word address : free_addresses_) {
      const ArenaCall<Word> call{Operation::kDeallocateTemporary, {Word{0}, Word{0}, address}};
      if (!scope_.wrong_frees && !from.history.IsOutstanding(address)) {
        // A careful client does not make this call; the arena's answer is checked all the same, but not followed.
        CheckOnly(index, from, call);
      } else {
        Visit(index, from, call);
      }
      if (broken_ != nullptr) return;
    }
  }

  void CheckOnly(std::size_t index, const Configuration<Word>& from, const ArenaCall<Word>& call) {
    ++result_.transition_count;
    Check(index, from, Step(from.arena, call.operation, call.arguments), call);
  }

  bool Check(std::size_t index, const Configuration<Word>& from, const Transition<Word>& step,
             const ArenaCall<Word>& call) {
    broken_ = FirstBroken(from.history, step);
    if (broken_ == nullptr) return true;
    result_.end = SmallScopeResult::End::kViolation;
    result_.broken = broken_;
    result_.sequence = SequenceTo(index);
    result_.sequence.push_back(ShowCall(call, begin_) + " -> " + ShowOutcome(call.operation, step.outcome, begin_));
    result_.sequence.push_back("before: " + ShowState(step.before));
    result_.sequence.push_back("after:  " + ShowState(step.after));
    return false;
  }

  void Visit(std::size_t index, const Configuration<Word>& from, const ArenaCall<Word>& call) {
    ++result_.transition_count;
    const Transition<Word> step = Step(from.arena, call.operation, call.arguments);
    if (!Check(index, from, step, call)) return;
    if (!step.outcome.ok() || step.after == step.before) {
      if (call.operation != Operation::kResetTemporaries) return;  // a reset may change the history alone
    }
    Configuration<Word> to{step.after, from.history};
    Record(to.history, step);
    Insert(to, static_cast<std::uint32_t>(index), call);
  }

  void Insert(const Configuration<Word>& configuration, std::uint32_t parent, const ArenaCall<Word>& call) {
    std::size_t slot = HashOf(configuration) & (table_.size() - 1);
    while (table_[slot] != kAbsent) {
      if (states_[table_[slot]] == configuration) return;
      slot = (slot + 1) & (table_.size() - 1);
    }
    table_[slot] = static_cast<std::uint32_t>(states_.size());
    states_.push_back(configuration);
    origins_.push_back({parent, call});
    if (states_.size() * 2 > table_.size()) Grow();
  }

  void Grow() {
    table_.assign(table_.size() * 4, kAbsent);
    for (std::size_t index = 0; index < states_.size(); ++index) {
      std::size_t slot = HashOf(states_[index]) & (table_.size() - 1);
      while (table_[slot] != kAbsent) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = static_cast<std::uint32_t>(index);
    }
  }

  std::size_t LengthOf(std::size_t index) const {
    std::size_t length = 0;
    for (; origins_[index].parent != kAbsent; index = origins_[index].parent) ++length;
    return length;
  }

  std::vector<std::string> SequenceTo(std::size_t index) const {
    std::vector<std::string> sequence;
    for (; origins_[index].parent != kAbsent; index = origins_[index].parent) {
      const ArenaCall<Word>& call = origins_[index].call;
      const auto step = Step(states_[origins_[index].parent].arena, call.operation, call.arguments);
      sequence.push_back(ShowCall(call, begin_) + " -> " + ShowOutcome(call.operation, step.outcome, begin_));
    }
    std::reverse(sequence.begin(), sequence.end());
    return sequence;
  }

  inline static const std::vector<std::uint64_t> kOne = {0};

  const SmallScope& scope_;
  const std::uint64_t most_states_;
  const Word begin_;
  std::vector<ArenaCall<Word>> fixed_calls_;
  std::vector<Word> free_addresses_;
  std::vector<Configuration<Word>> states_;
  std::vector<Origin> origins_;
  std::vector<std::uint32_t> table_;  // open addressing: indices into states_
  const char* broken_ = nullptr;
  SmallScopeResult result_;
};

std::uint64_t LargestOf(unsigned word_bits) { return ~std::uint64_t{0} >> (64 - word_bits); }

// Small numbers, the arena's size and its neighbours, and what wraps.
std::vector<std::uint64_t> SizesFor(std::uint64_t bytes, unsigned word_bits, std::uint64_t every_up_to) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = 0; size <= every_up_to; ++size) sizes.push_back(size);
  for (const std::uint64_t size : {std::uint64_t{12}, std::uint64_t{16}, bytes - 1, bytes, bytes + 1}) {
    if (size > every_up_to) sizes.push_back(size);
  }
  const std::uint64_t largest = LargestOf(word_bits);
  for (const std::uint64_t below : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{15}, bytes}) {
    sizes.push_back(largest - below);
  }
  sizes.push_back(largest / 2 + 1);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<std::uint64_t> AlignmentsFor(unsigned word_bits) {
  const std::uint64_t largest = LargestOf(word_bits);
  return {0, 1, 2, 3, 4, 8, 12, 16, largest / 2 + 1, largest};
}

}  // namespace

std::vector<SmallScope> SmallScopes(bool quick) {
  const std::uint64_t top32 = LargestOf(32);
  const std::uint64_t top64 = LargestOf(64);
  const auto scope = [](const char* name, unsigned word_bits, std::uint64_t begin, std::uint64_t bytes,
                        std::size_t outstanding_limit, bool wrong_frees, std::uint64_t every_up_to,
                        ArenaKind kind = ArenaKind::kSingle, bool attempts = false) {
    return SmallScope{name,
                      word_bits,
                      begin,
                      bytes,
                      outstanding_limit,
                      wrong_frees,
                      kind,
                      attempts,
                      SizesFor(bytes, word_bits, every_up_to),
                      AlignmentsFor(word_bits)};
  };
  std::vector<SmallScope> scopes = {
      scope("no bytes at all", 32, 64, 0, 2, true, 2),
      scope("aligned", 32, 64, 9, 2, false, 4),
      scope("one past an aligned address", 32, 65, 10, 2, false, 4),
      scope("at address 0", 32, 0, 8, 2, false, 3),
      scope("up to the last address", 32, top32 - 9, 9, 2, false, 4),
      scope("up to the last address, 64 bits", 64, top64 - 9, 9, 1, false, 4),
      scope("wrong frees", 32, 61, 6, 3, true, 3),
      scope("attempts", 32, 65, 7, 1, false, 3, ArenaKind::kSingle, true),
      scope("attempts at address 0", 32, 0, 6, 1, false, 2, ArenaKind::kSingle, true),
      scope("persistent", 32, 65, 10, 1, false, 4, ArenaKind::kPersistent, true),
      scope("persistent up to the last address", 64, top64 - 9, 9, 1, false, 4, ArenaKind::kPersistent, true),
      scope("non-persistent", 32, 65, 10, 2, false, 4, ArenaKind::kNonPersistent),
      scope("non-persistent, wrong frees", 32, 61, 6, 3, true, 3, ArenaKind::kNonPersistent),
  };
  if (quick) return scopes;
  const std::vector<SmallScope> large = {
      scope("wrong frees, many temporaries", 32, 63, 7, 4, true, 4),
      scope("many temporaries", 32, 67, 12, 4, false, 4),
      scope("two temporaries", 32, 77, 20, 2, false, 5),
      scope("40 bytes, one temporary", 64, 4099, 40, 1, false, 4),
      scope("24 bytes up to the last address", 32, top32 - 24, 24, 1, false, 4),
      scope("attempts and two temporaries", 32, 77, 14, 2, false, 4, ArenaKind::kSingle, true),
      scope("persistent, 40 bytes", 64, 4099, 40, 1, false, 4, ArenaKind::kPersistent, true),
      scope("non-persistent, many temporaries", 32, 67, 14, 4, false, 4, ArenaKind::kNonPersistent),
  };
  scopes.insert(scopes.end(), large.begin(), large.end());
  return scopes;
}

SmallScopeResult Search(const SmallScope& scope, std::uint64_t most_states, SearchProgress progress) {
  if (scope.word_bits == 64) return SearchRun<std::uint64_t>(scope, most_states).Run(progress);
  return SearchRun<std::uint32_t>(scope, most_states).Run(progress);
}

}  // namespace arenaproof
