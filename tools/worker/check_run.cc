#include "tools/worker/check_run.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "sanitizers/event_checks/allocation_audit.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/instrument/instrument_factory.h"
#include "sanitizers/layout/dilating_planner.h"
#include "sanitizers/layout/layout.h"
#include "sanitizers/layout/relocated_model.h"
#include "sanitizers/self_test/free_self_test.h"
#include "sanitizers/self_test/instrument_self_test.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/input_generator.h"
#include "tools/model/kernel_set_choice.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/model/offline_plan_report.h"
#include "tools/model/unproduced_tensors.h"
#include "tools/text/refusal_status.h"
#include "tools/text/sentences.h"
#include "tools/worker/arena_size.h"
#include "tools/worker/protocol.h"
#include "tools/worker/report_events.h"

namespace arenaproof {
namespace {

class Check;

// When a kernel's wild access ends the process, what was found until then is the best clue to it: it is told from the
// signal's handler, and the process then dies of the signal all the same.
struct CrashReporter {
  Check* speaker = nullptr;
  void SpeakFor(Check* check);
  static void OnSignal(int signal);
  static void OnSignalWhileSpeaking(int signal);
};
CrashReporter crash_reporter;

class Check {
 public:
  void ReportBeforeCrash() {
    // The model, whose names are read now, is closed while an operator runs.
    if (instrument_) instrument_->OnDetach();
    ReportViolations();
    ReportOperators();
  }

  Check(const CheckArguments& arguments, EventWriter& events, CheckMeans means)
      : arguments_(arguments), events_(events), kernels_(means.kernels), instrument_(std::move(means.instrument)) {}

  int Run() {
    events_.Write(protocol::kStarted, {{protocol::kInstrument, arguments_.instrument},
                                       {protocol::kLayout, LayoutName(arguments_.layout)},
                                       {protocol::kPreset, ARENAPROOF_PRESET_NAME},
                                       {protocol::kKernels, arguments_.kernels},
                                       {protocol::kModel, arguments_.model},
                                       {protocol::kSeed, arguments_.seed},
                                       {protocol::kRuns, arguments_.runs}});
    if (!ChooseInstrument() || !LoadModel() || !PlaceModel() || !MakeArena() || !Allocate() || !InvokeAll()) {
      crash_reporter.SpeakFor(nullptr);
      return ReportInconsistencies() ? protocol::kExitInternalError : refusal_exit_;
    }
    crash_reporter.SpeakFor(nullptr);
    if (ReportInconsistencies()) return protocol::kExitInternalError;
    ReportOperators();
    const std::uint64_t violation_count = ReportViolations();
    const std::size_t group_count = instrument_ ? instrument_->log().groups().size() : 0;
    const bool capped = instrument_ && instrument_->log().capped();
    if (!FreeArena()) return protocol::kExitInternalError;
    events_.Write(
        protocol::kFinished,
        {{protocol::kViolationCount, violation_count}, {protocol::kGroups, group_count}, {protocol::kCapped, capped}});
    return violation_count == 0 ? protocol::kExitClean : protocol::kExitViolations;
  }

 private:
  bool dilated() const { return arguments_.layout == Layout::kDilated; }
  OfflinePlanPolicy policy() { return {.trust = arguments_.trust_plan != 0, .listener = &offline_plan_}; }

  bool Refuse(RunRefusal refusal) {
    // The other stages are not about the opened file, or name it themselves.
    static constexpr std::string_view kAboutTheFile[] = {"kernels", "layout", "allocate", "certify", "input", "invoke"};
    if (opened_ &&
        std::find(std::begin(kAboutTheFile), std::end(kAboutTheFile), refusal.stage) != std::end(kAboutTheFile)) {
      const std::string sentence = refusal.sentence.empty() ? Sentence(refusal.status) : refusal.sentence;
      refusal.sentence = InFile(arguments_.model, sentence);
    }
    events_.Write(protocol::kRefused, RefusalFields(refusal, opened_ ? &file_.view() : nullptr));
    return false;
  }
  bool Refuse(const char* stage, const Status& status, const OperatorLocation& location = {}) {
    if (status.code == StatusCode::kLayoutMemory) stage = protocol::kStageMemory;
    return Refuse({stage, status, location, {}});
  }
  // Of a set-up. A plan in which tensors share bytes is no unusable input: it is a violation found.
  bool RefuseSetUp(const Status& status, const OperatorLocation& location) {
    if (status.code == StatusCode::kLayoutMemory) return Refuse(protocol::kStageMemory, status);
    const bool violation = ExitStatusOf(status) == ExitStatus::kViolations;
    if (violation) refusal_exit_ = protocol::kExitViolations;
    const bool given = arguments_.arena_bytes || arguments_.persistent_arena_bytes;
    return Refuse({violation ? "certify" : "allocate", status, location,
                   offline_plan_.RefusalSentence(model_, status) + (given ? HintAtALargerArena(status) : "")});
  }
  bool Refuse(const char* stage, std::string sentence) { return Refuse({stage, Ok(), {}, std::move(sentence)}); }

  static void Append(const SelfTestResult& one, SelfTestResult& all) {
    all.missed.insert(all.missed.end(), one.missed.begin(), one.missed.end());
    all.legal_reported.insert(all.legal_reported.end(), one.legal_reported.begin(), one.legal_reported.end());
  }

  bool ChooseInstrument() {
    if (instrument_) {
      observer_.Use(instrument_.get());
      return true;
    }
    if (arguments_.instrument == "none") return true;
    instrument_ = MakeInstrument(arguments_.instrument);
    if (!instrument_) {
      return Refuse("instrument", "there is no instrument '" + arguments_.instrument + "'; shadow, asan or none");
    }
    observer_.Use(instrument_.get());
    const Status available = instrument_->Available();
    if (!available.ok()) return Refuse("instrument", available);
    self_test_ = RunInstrumentSelfTest(*MakeInstrument(arguments_.instrument));
    if (arguments_.reserve_front_bytes != 0) free_self_test_ = RunFreeSelfTest(arguments_.reserve_front_bytes);
    return true;
  }

  bool LoadModel() {
    if (kernels_ == nullptr) kernels_ = FindKernelSet(arguments_.kernels);
    if (kernels_ == nullptr) return Refuse("kernels", UnknownKernelSet(arguments_.kernels));
    const KernelSetSupport support(*kernels_);
    const std::string problem = file_.Load(arguments_.model, &support);
    opened_ = file_.opened();
    if (!problem.empty()) return Refuse({"model", file_.validation().status, {}, problem});
    std::size_t served_count = 0;
    const Status status = CountServedOperators(*kernels_, file_.view(), &served_count);
    if (!status.ok()) return Refuse("kernels", status);
    return served_count > 0 ||
           Refuse("kernels", "the kernel set '" + arguments_.kernels + "' serves no operator of the model");
  }

  // The model's copy with closed bytes around it, or around each of its constants.
  bool PlaceModel() {
    Status status = RelocatedModel::Create(file_.bytes(), arguments_.layout, &relocated_);
    if (status.ok()) status = ModelView::Open(relocated_.file(), &model_);
    if (!status.ok()) return Refuse("layout", status);
    if (!instrument_) return true;
    for (const WatchedRegion& region : relocated_.regions()) instrument_->Watch(region);
    for (std::size_t subgraph = 0; subgraph < model_.subgraph_count(); ++subgraph) NameTensors(subgraph);
    return true;
  }

  void NameTensors(std::size_t subgraph) {
    const auto number = static_cast<std::int32_t>(subgraph);
    for (std::size_t i = 0; i < model_.tensor_count(subgraph); ++i) {
      const TensorView tensor = model_.tensor(subgraph, i);
      const auto index = static_cast<std::int32_t>(i);
      instrument_->registry().NameTensor(number, index, std::string(tensor.name));
      if (!tensor.is_constant()) continue;
      const std::byte* const data = relocated_.Locate(tensor.buffer, tensor.data.data());
      instrument_->registry().AddConstant(index, {data, tensor.data.size()}, number);
    }
  }

  bool MakeArena() {
    const GivenArenas given{arguments_.arena_bytes, arguments_.persistent_arena_bytes, arguments_.two_arenas != 0};
    const ArenaSize size = FindArenaSize(model_, *kernels_, given, dilated(), &relocated_, policy());
    if (!size.status.ok()) return RefuseSetUp(size.status, size.location);
    const ArenaSizes& sizes = dilated() ? size.dilated : size.faithful;
    device_arenas_ = size.faithful;
    arena_ = CheckedMemory(sizes.bytes, 0, arguments_.reserve_front_bytes);
    if (arena_.data() == nullptr) return Refuse("layout", Failure(StatusCode::kLayoutMemory, sizes.bytes));
    if (sizes.two_arenas) {
      persistent_.emplace(sizes.persistent_bytes);
      if (persistent_->data() == nullptr) {
        return Refuse("layout", Failure(StatusCode::kLayoutMemory, sizes.persistent_bytes));
      }
      if (instrument_) instrument_->Watch(persistent_->region());
    }
    if (instrument_) {
      instrument_->Watch(arena_.region());
      instrument_->registry().SetReserve(arena_.reserve(), !dilated());
    }
    return true;
  }

  bool Allocate() {
    EventStreamOptions event_stream_options{.trust_plan = arguments_.trust_plan != 0};
    if (dilated()) {
      event_stream_options.distance_bytes = 2 * kClosedBytes;
      event_stream_options.persistent_spacing_bytes = kPersistentSpacingBytes;
    }
    ledger_.emplace(event_stream_options);
    ledger_->CompareWith(&model_, &relocated_);
    ledger_->Forward(&observer_);
    InterpreterOptions options = ForModel(model_, {.observer = &*ledger_, .constants = &relocated_});
    offline_plan_.Clear();
    options.offline_plan = policy();
    if (dilated()) {
      options.planner = &dilating_;
      options.persistent_spacing_bytes = kPersistentSpacingBytes;
    }
    crash_reporter.SpeakFor(this);
    if (persistent_) {
      const ArenaBuffers buffers{persistent_->data(), persistent_->bytes(), arena_.data(), arena_.bytes()};
      interpreter_ = std::make_unique<Interpreter>(model_, *kernels_, buffers, options);
    } else {
      interpreter_ = std::make_unique<Interpreter>(model_, *kernels_, arena_.data(), arena_.bytes(), options);
    }
    if (instrument_) {
      SelfTestResult proof = instrument_->self_test();
      Append(self_test_, proof);
      Append(free_self_test_, proof);
      proof.seen.insert(proof.seen.end(), free_self_test_.seen.begin(), free_self_test_.seen.end());
      events_.Write(protocol::kSelfTest, SelfTestFields(proof));
      const Status status = proof.status();
      if (!status.ok()) return Refuse("instrument", status);
    }
    const Status status = interpreter_->AllocateTensors();
    if (!status.ok()) {
      ReportViolations();
      return RefuseSetUp(status, interpreter_->failed_operator());
    }
    AuditAllocation(model_, *interpreter_, *ledger_);
    const ArenaSizes sizes{arena_.bytes(), persistent_ ? persistent_->bytes() : 0, persistent_.has_value()};
    events_.Write(protocol::kPlan,
                  PlanFields(model_, observer_.plan(), *interpreter_, arena_.data(), sizes, device_arenas_));
    const OfflinePlanReport offline_plan = MakeOfflinePlanReport(model_, offline_plan_);
    if (!offline_plan.empty()) events_.Write(protocol::kOfflinePlan, OfflinePlanJson(offline_plan));
    return true;
  }

  // What was seen is known after the runs only.
  void ReportOperators() {
    if (!interpreter_) return;
    for (std::size_t subgraph = 0; subgraph < model_.subgraph_count(); ++subgraph) ReportOperatorsOf(subgraph);
    if (const auto& place = observer_.capped_at()) {
      events_.Write(protocol::kCapped, {{protocol::kSubgraph, place->subgraph},
                                        {protocol::kOperator, place->operator_index},
                                        {protocol::kOperatorName, place->operator_name},
                                        {protocol::kPhase, OperatorPhaseName(place->phase)}});
    }
  }

  void ReportOperatorsOf(std::size_t subgraph) {
    const auto number = static_cast<std::int32_t>(subgraph);
    for (std::size_t i = 0; i < model_.operator_count(subgraph); ++i) {
      const auto index = static_cast<std::int32_t>(i);
      const Kernel* kernel = interpreter_->kernel_of(index, number);
      events_.Write(protocol::kOperator, {{protocol::kIndex, i},
                                          {protocol::kSubgraph, subgraph},
                                          {protocol::kName, BuiltinOperatorName(model_.operator_at(subgraph, i).code)},
                                          {protocol::kKernel, kernel == nullptr ? "" : kernel->name},
                                          {protocol::kSeenByInstrument, observer_.Saw(number, index)}});
    }
  }

  // Variables that the model's own plan puts into the head.
  std::vector<std::span<std::byte>> VariablesInHead() const {
    std::vector<std::span<std::byte>> variables;
    for (std::size_t subgraph = 0; subgraph < model_.subgraph_count(); ++subgraph) {
      for (std::size_t i = 0; i < model_.tensor_count(subgraph); ++i) {
        if (!model_.tensor(subgraph, i).is_variable) continue;
        const auto number = static_cast<std::int32_t>(subgraph);
        const auto index = static_cast<std::int32_t>(i);
        std::size_t offset = 0;
        if (!interpreter_->TensorOffset(index, &offset, number).ok()) continue;
        std::span<std::byte> bytes;
        if (interpreter_->TensorBytes(index, &bytes, number).ok()) variables.push_back(bytes);
      }
    }
    return variables;
  }

  // Garbage that differs between the layouts: an answer that depends on it differs too. Variables keep their values.
  void FillHeadWithGarbage() {
    const std::vector<std::span<std::byte>> variables = VariablesInHead();
    std::vector<std::vector<std::byte>> values;
    for (const std::span<std::byte> variable : variables) values.emplace_back(variable.begin(), variable.end());
    const MemoryRegion head = ledger_->head();
    std::memset(const_cast<std::byte*>(head.data), dilated() ? 0x5a : 0xa5, head.bytes);
    for (std::size_t i = 0; i < variables.size(); ++i) std::ranges::copy(values[i], variables[i].begin());
  }

  // True when there were any: what the events say contradicts the arena or the model, so nothing can be concluded.
  bool ReportInconsistencies() {
    if (!ledger_ || ledger_->inconsistencies().empty()) return false;
    for (const std::string& contradiction : ledger_->inconsistencies()) {
      events_.Write(protocol::kInternalError,
                    {{protocol::kSentence, "events, arena and model do not fit: " + contradiction}});
    }
    return true;
  }

  bool InvokeAll() {
    for (std::uint32_t run = 0; run < arguments_.runs; ++run) {
      FillHeadWithGarbage();
      InputGenerator generator(arguments_.seed + run == 0 ? 1 : arguments_.seed + run);
      for (std::size_t i = 0; i < interpreter_->inputs().size(); ++i) {
        const Operand& input = interpreter_->inputs()[i];
        if (generator.Fill(input.type, {input.data, input.bytes})) continue;
        return Refuse("input", "input " + std::to_string(i) + " has type " + TensorTypeName(input.type) +
                                   ", for which no values can be generated");
      }
      ClearUnproducedTensors(model_, *interpreter_);
      const Status status = interpreter_->Invoke();
      if (run == 0) ReportBlindness();
      if (!status.ok()) {
        ReportOperators();
        ReportViolations();
        return Refuse("invoke", status, interpreter_->failed_operator());
      }
      for (std::size_t i = 0; i < interpreter_->outputs().size(); ++i) {
        events_.Write(protocol::kOutput, OutputFields(model_, run, i, interpreter_->outputs()[i]));
      }
    }
    return true;
  }

  // As an application does when it is done: everything on the arena first, then the original pointer.
  bool FreeArena() {
    interpreter_.reset();
    instrument_.reset();
    const std::string refusal = arena_.Free(arena_.allocation());
    if (refusal.empty()) return true;
    events_.Write(protocol::kInternalError, {{protocol::kSentence, refusal}});
    return false;
  }

  void ReportBlindness() {
    events_.Write(protocol::kBlindPairs, BlindPairFields(observer_));
    if (!observer_.not_exact().empty()) {
      events_.Write(protocol::kNotExact, NotExactFields(model_, observer_.not_exact()));
    }
  }

  std::uint64_t ReportViolations() {
    if (!instrument_) return 0;
    for (const Violation& violation : instrument_->log().groups()) {
      events_.Write(protocol::kViolation, ViolationFields(model_, violation));
    }
    return instrument_->log().access_count();
  }

  const CheckArguments& arguments_;
  EventWriter& events_;
  const KernelSet* kernels_ = nullptr;
  ModelFile file_;
  bool opened_ = false;
  RelocatedModel relocated_;
  ModelView model_;
  CheckedMemory arena_{0};
  std::optional<CheckedMemory> persistent_;  // the tail's, of two arenas
  ArenaSizes device_arenas_;
  GreedyPlanner greedy_;
  DilatingPlanner dilating_{greedy_, arguments_.trust_plan != 0};
  OfflinePlanRecorder offline_plan_;
  int refusal_exit_ = protocol::kExitCouldNotRun;
  // The order of destruction: the interpreter detaches the observer, then the instrument goes, then the memory.
  std::unique_ptr<AccessInstrument> instrument_;
  CheckingObserver observer_;
  SelfTestResult self_test_, free_self_test_;
  std::optional<EventStreamChecker> ledger_;
  std::unique_ptr<Interpreter> interpreter_;
};

void CrashReporter::SpeakFor(Check* check) {
  static char stack[1 << 16];
  if (speaker == nullptr) {
    const stack_t alternative{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
    sigaltstack(&alternative, nullptr);
  }
  speaker = check;
  struct sigaction action = {};
  // Once: a second signal, from the handler's own work, is the last.
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  action.sa_handler = check == nullptr ? SIG_DFL : OnSignal;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

namespace {
int died_of = 0;
}  // namespace

// The process has to die of the first signal: that one tells what happened.
void CrashReporter::OnSignalWhileSpeaking(int) {
  sigset_t first;
  sigemptyset(&first);
  sigaddset(&first, died_of);
  std::signal(died_of, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &first, nullptr);
  raise(died_of);
}

void CrashReporter::OnSignal(int signal) {
  died_of = signal;
  std::signal(SIGALRM, OnSignalWhileSpeaking);
  if (signal != SIGABRT) std::signal(SIGABRT, OnSignalWhileSpeaking);
  alarm(10);  // a heap that was overwritten may hold its locks for ever
  if (Check* speaker = std::exchange(crash_reporter.speaker, nullptr)) speaker->ReportBeforeCrash();
  raise(signal);
}

}  // namespace

int RunCheckInThisProcess(const CheckArguments& arguments, EventWriter& events, CheckMeans means) {
  return Check(arguments, events, std::move(means)).Run();
}

}  // namespace arenaproof
