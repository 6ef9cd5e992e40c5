// The part that all instruments share which check single accesses: from the events of ArenaObserver it maintains what
// the running operator may touch (operator-scoped visibility), and it turns illegal accesses into the violation log.
// A backend only has to open exactly the listed ranges and to report which accesses were made outside of them.
//
//   Watch(...) any number of times; then attach (the interpreter's constructor does). On attach planted accesses are
//   made: self_test() returns which the backend saw. An instrument whose self-test failed checks nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/arena/observer.h"
#include "core/base/status.h"
#include "sanitizers/report/attribution.h"
#include "sanitizers/report/byte_registry.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {

struct KernelSet;

// A limit of all that watch arena and model only.
inline constexpr const char* kFarAccesses = "accesses outside of arena and model and of the closed bytes around them";

struct SelfTestResult {
  bool ran = false;
  std::vector<std::string> seen;            // planted illegal accesses that were reported
  std::vector<std::string> missed;          // that were not
  std::vector<std::string> legal_reported;  // legal accesses that were reported
  std::vector<std::string> limits;          // what this instrument cannot see by design

  // kInstrumentBlind with the counts, unless all was as it should be.
  Status status() const;
};

// Lowest and highest byte of an operand that its operator touched, relative to its start, both inclusive; with what it
// read of the bytes beside it that it may read.
struct Extent {
  std::size_t bytes = 0;  // of the operand, the most of all invokes
  bool read = false, written = false;
  std::ptrdiff_t lowest_read = 0, highest_read = 0;
  std::ptrdiff_t lowest_written = 0, highest_written = 0;
};
// subgraph, operator, phase, operand kind, operand index.
using ExtentKey = std::tuple<std::int32_t, std::int32_t, OperatorPhase, OperandKind, std::int32_t>;

// Bytes beside an operand that its operator may read (OperatorScope::read_allowances).
struct ReadableAround {
  std::size_t before_bytes = 0, after_bytes = 0;
};

// A stretch of checked memory: closed from end to end while an operator runs; [usable] is open to the runtime, the rest
// are guards, closed for ever.
struct WatchedRegion {
  MemoryRegion whole;
  MemoryRegion usable;
};

class AccessInstrument : public ArenaObserver {
 public:
  virtual ~AccessInstrument() = default;
  AccessInstrument() = default;
  AccessInstrument(const AccessInstrument&) = delete;
  AccessInstrument& operator=(const AccessInstrument&) = delete;

  virtual const char* name() const = 0;
  // kInstrumentUnavailable when this build cannot run it.
  virtual Status Available() const = 0;
  // Closed bytes that a backend leaves open before and after an operand, and what may be read around it, because it
  // cannot check to the byte.
  virtual std::size_t BlindBytesBefore(const OperandRange&, const ReadableAround&) const { return 0; }
  virtual std::size_t BlindBytesAfter(const OperandRange&, const ReadableAround&) const { return 0; }
  // Whether each access is seen. Otherwise only bytes that differ when the operator's code stops running: no read, no
  // write of the byte that lay there, and adjoining writes as one.
  virtual bool SeesAccesses() const { return true; }
  // Whether each write to what may only be read is seen. Otherwise only bytes that differ when the operator's code
  // stops running.
  virtual bool SeesRights() const { return true; }
  // Whether a read of a byte in place that was written already is seen.
  virtual bool SeesOverwritten() const { return true; }
  // Whether every access is reported with its distance to the byte, wide unaligned ones and library calls too.
  virtual bool SeesExactDistances() const { return true; }

  // Whether it sees that bytes of a result were never written, or were made from such.
  virtual bool SeesUnwritten() const { return ComparesRuns() || NeedsWrappedKernels(); }
  // Whether a self-test can afford a few accesses of one shape only.
  virtual bool AccessesAreCostly() const { return false; }

  // Whether it sees no access at all, but what differs between two whole runs: of fresh interpreters, in the same
  // memory, with equal inputs. After a run true means that the next attach begins the other one.
  virtual bool ComparesRuns() const { return false; }
  virtual bool BeginOtherRun() { return false; }
  // The other run, and not the first one, failed in this operator: logged. False when there is no such operator or run.
  virtual bool ChargeFailure(std::int32_t /*subgraph*/, std::int32_t /*operator_index*/) { return false; }

  // The kernels that the interpreter has to be given, where the instrument comes between it and them.
  virtual bool NeedsWrappedKernels() const { return false; }
  virtual const KernelSet& Wrap(const KernelSet& kernels) { return kernels; }
  const KernelSet& Wrap(KernelSet&&) = delete;  // it is used as long as the interpreter lives
  // Whether it watches what the runtime itself does.
  virtual bool WatchesRuntime() const { return false; }
  // Whether it came to watch the operator that ended last.
  virtual bool SawOperator() const { return true; }
  // Whether it goes on checking later operators when its log was capped.
  virtual bool ChecksWhenCapped() const { return false; }

  // Before the attach, for this and all later ones. Arena and model are watched on attach in any case, without guards
  // unless they lie in a region announced here.
  void Watch(WatchedRegion region) { watched_.push_back(region); }
  // The planted accesses are real; an engine that dies of its first report runs the self-test elsewhere.
  void SkipSelfTest() { skip_self_test_ = true; }

  ByteRegistry& registry() { return registry_; }
  const ByteRegistry& registry() const { return registry_; }
  const ViolationLog& log() const { return ended_in_self_test_ ? log_of_other_run_ : log_; }
  const SelfTestResult& self_test() const { return self_test_; }
  const std::map<ExtentKey, Extent>& extents() const { return extents_; }

  void OnAttach(const AttachedArena& arena, MemoryRegion model) final;
  void OnHeadResized(MemoryRegion head) final;
  void OnTemporaryAllocated(MemoryRegion block) final;
  void OnTemporaryFreed(const std::byte* address) final;
  void OnTemporariesReset() final;
  void OnTailAllocated(MemoryRegion block) final;
  void OnTailRewound(const std::byte* tail_begin) final;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) final;
  void OnOperatorBegins(const OperatorScope& scope) final;
  void OnOperatorEnds() final;
  void OnRuntimeEnters() final;
  void OnRuntimeLeaves() final;
  void OnDetach() final;
  void OnRuntimeWorkBegins(const RuntimeScope& scope) final;
  void OnRuntimeWorkEnds() final;

 protected:
  // All regions are known.
  virtual void Start(std::span<const WatchedRegion> watched) = 0;
  // Close: from now on exactly these bytes are legal. Open: everything but the guards is legal again.
  virtual void Close(std::span<const OperandRange> open) = 0;
  virtual void Open(std::span<const OperandRange> open) = 0;
  virtual void Stop() = 0;
  // Once for each operator, while everything is open: before its first Close() and behind its last Open().
  virtual void Begin(std::span<const OperandRange>) {}
  virtual void End(std::span<const OperandRange>) {}
  // The self-test on attach, in the 152 bytes from `area` on, a multiple of 8; their contents are put back.
  virtual void MakePlantedAccesses(std::byte* area);
  // A part of it: an operator runs inside a call of another one.
  void TestNesting(std::byte* of_callee, std::byte* of_caller);

  // Logs what is illegal about an access of the running operator that the backend suspects. Returns false when by the
  // access list nothing is.
  bool CheckAccess(std::uintptr_t address, std::size_t bytes, bool write);
  // Logs what is illegal about an access of so many bytes.
  void LogRun(const IllegalRun& run, std::size_t bytes, bool write);
  // Logs what a backend knows in another way. False when there is nothing.
  bool AddViolations(const std::vector<Violation>& violations);
  // What the self-test has planted was reported, or not.
  void NotePlanted(bool was_reported, bool illegal, const std::string& what);
  bool operator_runs() const { return state_ == State::kOperator; }
  // What is open then is the runtime's, for work of its own.
  bool runtime_works() const { return interrupted_.has_value(); }
  const NamedOperator& named_operator() const { return operator_; }
  std::span<const OperandRange> open_ranges() const { return operands_; }
  // Of the running operator; they are none of its open ranges.
  std::span<const OperandRange> read_allowances() const { return read_allowances_; }
  Extent& ExtentOf(const OperandRange& operand);
  void AddLimit(std::string text) { self_test_.limits.push_back(std::move(text)); }
  // Of those whose hooks ask about each access of a kernel's code.
  void AddLimitsOfHooks();
  void CapLog() { log_.SetCapped(); }
  // The log goes on at the next attach: that of another run of the same model.
  void KeepLog() { keeps_log_ = true; }
  // For a backend that cannot do its work; the self-test fails.
  void DeclareBlind(std::string why) { self_test_.missed.push_back(std::move(why)); }

 private:
  enum class State : std::uint8_t { kDetached, kIdle, kOperator, kRuntime };

  // An operator that has called the runtime, while operators of a subgraph that it calls run.
  struct Caller {
    NamedOperator op;
    std::vector<OperandRange> operands, read_allowances;
    std::int32_t scope;
  };

  // What goes on when the runtime's work is done.
  struct Interrupted {
    NamedOperator op;
    std::vector<OperandRange> operands, read_allowances;
    State state;
  };

  static void AddUnlessCovered(MemoryRegion region, std::vector<WatchedRegion>* watched);
  void RunSelfTest();
  void TestInPlace(std::byte* shared);
  void TestReadOnly();
  void TestRuntime(std::byte* area);
  // Runs of an access that the access list allows and that reads what was overwritten in place.
  std::vector<IllegalRun> OverwrittenRuns(std::uintptr_t address, std::size_t bytes) const;

  State state_ = State::kDetached;
  bool skip_self_test_ = false;
  bool keeps_log_ = false;
  bool blind_ = false;
  std::vector<WatchedRegion> watched_;  // as announced; it stays for later attaches
  ByteRegistry registry_;
  ViolationLog log_;
  ViolationLog log_of_other_run_;  // while the attach of the second run tests the backend
  bool attaching_ = false;
  // A crash detached it then: what was planted is nobody's.
  bool ended_in_self_test_ = false;
  SelfTestResult self_test_;
  std::map<ExtentKey, Extent> extents_;
  NamedOperator operator_;
  std::vector<OperandRange> operands_, read_allowances_;  // of the running operator
  std::int32_t scope_ = -1;
  std::vector<Caller> callers_;             // the innermost last
  std::optional<Interrupted> interrupted_;  // by the runtime's work
  bool planned_ = false;
  alignas(64) std::array<std::byte, 256> probe_{};  // where the self-test takes place when the arena is tiny
};

}  // namespace arenaproof
