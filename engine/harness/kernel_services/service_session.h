// An application, an interpreter and kernels that follow a script, which is read from a fuzzer's bytes while they run.
// Beside them goes the model of service_state.h: it says what each call must be answered with, from the rules of
// runtime_services.h, kernel.h, prepare_services_impl.h and interpreter.h. Whatever differs ends the process
// (defect.h).
//
//   service_session.cc    the application's calls
//   session_set_up.cc     what AllocateTensors does: which kernel is called when, and what is left when it fails
//   session_invoke.cc     which operator runs next, what it gets to see, and what stays as it was
//   memory_calls.cc, subgraph_calls.cc, resource_calls.cc    one call of a kernel, and its answer
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/harness/kernel_services/expected_answer.h"
#include "engine/harness/kernel_services/scripted_kernels.h"
#include "engine/harness/kernel_services/service_network.h"
#include "engine/harness/kernel_services/service_state.h"
#include "sanitizers/event_checks/event_stream_checker.h"

namespace arenaproof {

struct ServiceWorld {
  bool two_arenas = false;
  bool spaced = false;  // persistent blocks
  bool preserves_all = false;
  bool recorded = false;
  std::size_t resource_count = 0;
  std::size_t arena_bytes = 0;
};

ServiceWorld DrawServiceWorld(ByteReader& reader);

class ServiceSession final : private KernelScript, private Cancellation {
 public:
  explicit ServiceSession(ByteReader& reader);
  ~ServiceSession();
  ServiceSession(const ServiceSession&) = delete;
  ServiceSession& operator=(const ServiceSession&) = delete;

  // Until the bytes end. How many calls of kernels there were.
  std::size_t Run();

 private:
  static constexpr std::size_t kMostApplicationCalls = 12, kMostKernelCalls = 300;

  // ---- the application (service_session.cc)
  void CallOfApplication();
  void Allocate();
  void InvokeMain();
  void ResetAll();
  void ResetOneVariable();
  void SetContextOfApplication();
  // A tensor's number as a caller may give it, near the valid ones and beside them.
  struct DrawnTensor {
    std::int32_t subgraph = 0;
    std::int32_t tensor = 0;
    std::size_t graph = 0;  // 0 where there is no such subgraph
    std::size_t count = 0;  // of the graph's tensors
    bool exists = false;    // the subgraph
    bool found = false;     // the tensor in it
  };
  DrawnTensor DrawTensor();
  void DescribeTensorStruct();
  void Query();
  void Preallocate();
  void RequireSound(const char* after);
  void RequireEventsFit() const;

  // ---- set-up (session_set_up.cc)
  void BeginSetUp();
  void FinishSetUp(const Status& status);
  void ExpectSetUpOf(std::size_t slot, ScriptPhase phase);
  Status RunSetUp(std::size_t slot, ScriptPhase phase, PrepareContext& context);
  void EndOfPrepare(OperatorPlace place);
  void PassBareOperators();
  void RequireFrees(const Status& status);
  void RequireOneReset(const char* when);
  void RequireAllocatedWell();
  void RequireGivenBack();
  bool RoomIsShort() const;
  Status Init(std::size_t slot, PrepareContext& context) override;
  Status Prepare(std::size_t slot, PrepareContext& context) override;
  void Reset(std::size_t slot, void* op_data) override;
  void Free(std::size_t slot, void* op_data) override;

  // ---- invoke (session_invoke.cc)
  bool Cancelled(const OperatorLocation& next) override;
  Status Invoke(std::size_t slot, const InvokeContext& context) override;
  void FillScratch(const InvokeContext& context) const;
  void RequireScratch(const InvokeContext& context) const;
  void WriteResults(const InvokeContext& context);
  void RequireValues(const char* when);
  void EnterGraph(std::size_t graph);
  void LeaveGraph(std::size_t graph);
  void ExpectEndOfGraph(ExpectedAnswer& expected);
  enum class Keep : std::uint8_t { kNothing, kInputs, kOutputs };
  void ForgetGraph(std::size_t graph, Keep keep);
  void ForgetOthersThan(std::size_t graph);
  void Write(std::size_t graph, std::int32_t tensor, std::vector<std::byte> value);

  // ---- one call of the running kernel
  void FollowKernel();
  Status DrawResult();
  void CallOfKernel();
  void AskForPersistent();
  void AskForScratch();
  void AskForTemporary();
  void GiveTemporaryBack();
  void AskTheInterpreter();
  void AskAboutSubgraph();
  void AskAboutOperand();
  void CopyBetweenGraphs();
  void CallSubgraph();
  void ReadSubgraphOutput();
  void FindVariable();
  void PlaceAnOutput();
  void SizeVariable();
  void ReadVariable();
  void AssignVariable();
  void SetContextOfKernel();

  // ---- rules that several calls share
  void RefuseOutside(ExpectedAnswer& expected, bool in_init, bool in_prepare, bool in_invoke) const;
  void RefuseUncalled(ExpectedAnswer& expected, std::int32_t subgraph) const;
  void RefusePersistent(ExpectedAnswer& expected, std::size_t bytes, std::size_t alignment, std::size_t spacing) const;
  void RequireOperand(const Operand& operand, std::size_t graph, std::int32_t tensor, const char* what) const;
  void RequireOperands(std::span<const Operand> inputs, std::span<const Operand> outputs) const;
  std::int32_t DrawSubgraph();
  std::size_t DrawBytes();
  std::vector<std::byte> ArenaBytes() const;
  void RequireArenaUnchanged(std::vector<std::byte> before, std::span<const MemoryRegion> but, const char* call) const;

  const ServiceGraph& graph_of(std::size_t graph) const { return network_.graphs[graph]; }
  const ServiceOperator& op_at(OperatorPlace place) const {
    return network_.graphs[place.graph].operators[place.index];
  }
  ServiceOperatorState& state_at(OperatorPlace place) { return state_.operators[place.graph][place.index]; }
  const ServiceOperator& running_op() const { return op_at(*running_); }
  ServiceTensorState& tensor_at(std::size_t graph, std::int32_t tensor) {
    return state_.tensors[graph][static_cast<std::size_t>(tensor)];
  }
  const ServiceTensor& described(std::size_t graph, std::int32_t tensor) const {
    return network_.graphs[graph].tensors[static_cast<std::size_t>(tensor)];
  }
  OperatorPlace PlaceOf(std::size_t slot) const;
  // Cursors as the arena reports them.
  std::uintptr_t head_begin() const;
  std::uintptr_t head_end() const;
  std::uintptr_t temporary_end() const;
  std::uintptr_t head_limit() const;  // where temporaries have to end
  std::uintptr_t tail_begin() const;
  std::uintptr_t tail_limit() const;  // where the tail has to end
  bool tracks_values() const { return !network_.has_plan; }

  ByteReader& reader_;
  const ServiceNetwork network_;
  const ServiceWorld world_;
  const std::vector<std::byte> file_;  // as it has to stay
  ServiceState state_;
  GrantedMemory granted_;
  EventStreamChecker checker_;
  std::span<std::byte> arena_, persistent_arena_;
  std::optional<Interpreter> interpreter_storage_;
  Interpreter* interpreter_ = nullptr;  // also while it goes
  std::size_t kernel_calls_ = 0;
  bool attempted_ = false;
  bool serves_tensors_ = false;    // buffers of the application
  bool operands_overlap_ = false;  // an output lies on another, or in a block that is longer

  // While AllocateTensors runs.
  bool setting_up_ = false;
  ScriptPhase set_up_phase_ = ScriptPhase::kNone;  // that is under way
  OperatorPlace set_up_next_;                      // whose init or prepare is due
  ExpectedAnswer set_up_answer_;                   // why it has to stop, when it has to
  std::optional<OperatorPlace> stop_place_;
  bool any_kernel_ran_ = false;
  std::vector<std::size_t> frees_;  // so far, by slot
  std::vector<bool> had_kernel_;    // when it began
  std::size_t scratch_count_ = 0;   // of the whole model
  std::size_t asked_bytes_ = 0;     // of the arena, at most
  std::uintptr_t tail_before_ = 0, head_before_ = 0;

  // While a kernel runs.
  ScriptPhase phase_ = ScriptPhase::kNone;
  std::optional<OperatorPlace> running_;
  PrepareServices* services_ = nullptr;  // kept from set-up, as a kernel may
  RuntimeServices* runtime_ = nullptr;
  const InvokeContext* invoke_ = nullptr;
  PrepareContext* prepare_ = nullptr;

  // While Invoke runs.
  std::size_t questions_ = 0, cancel_at_ = 0;
  std::uint8_t next_value_ = 0;
};

}  // namespace arenaproof
