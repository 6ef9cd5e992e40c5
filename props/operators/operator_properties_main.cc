// Does every kernel, of the reference set and of the aligned one, compute what its definition says, on any shape, and
// touch only what it was given, all of its output, and of its scratch buffers the last byte? Random operators
// (engine/cases/operator_case.h) run in watched memory, over two kinds of garbage, and are compared with a naive
// reading of their definition on real numbers (naive_reference.h) and to the bit (exact_reference.h for quantised ones,
// exact_floats.h). And does it refuse what breaks any one rule (invalid_case.h, call_case.h), with the status that says
// which? Exactly at its limits it accepts, one step beyond it does not (limit_cases.h). What it takes of scratch and of
// arrays for channels is what the definition says (memory_definition.h).
//
//   arenaproof-operator-properties [--cases=N] [--seconds=S] [--seed=N] [--operator=NAME]
//
// The first of cases and seconds that is reached ends it. With an operator, such as FULLY_CONNECTED, every case is of
// its row in the table of operators, and nothing else runs.
//
// Like the other property programs it takes "seed=N max_success=N" from RC_PARAMS, and words that begin with --gtest_
// mean nothing to it. A case takes less than theirs: there are several for each success asked for, and other ones in
// each build.
//
// Exit status: 0 nothing found; 1 a kernel is wrong; 2 the words are no options of it; what a kernel must never do ends
// the process by abort. The case is on stderr.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "engine/cases/unvalidated.h"
#include "engine/generators/operators/call_case.h"
#include "engine/generators/operators/far_cases.h"
#include "engine/generators/operators/invalid_case.h"
#include "engine/generators/operators/limit_cases.h"
#include "engine/generators/operators/reach/table_reach.h"
#include "engine/harness/fuzz_process.h"
#include "engine/harness/model_pipeline/watched_session.h"
#include "engine/harness/self_test/definition_self_test.h"
#include "engine/harness/self_test/oracle_self_test.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/beyond_run.h"
#include "props/operators/case_report.h"
#include "props/operators/output_comparison.h"
#include "props/operators/single_kernel.h"
#include "props/operators/table_run.h"
#include "tools/memory/larger_arena.h"
#include "tools/text/sentences.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof::props {
namespace {

constexpr int kGarbage = 0xa5;
constexpr int kOtherGarbage = 0x5a;

using DrawnRow = std::pair<const OperatorRow*, const OperatorDefinition*>;

std::uint64_t current_number = 0;
// The one row that cases are drawn from; null: all of them, and cases beside the table.
const DrawnRow* only_row = nullptr;

void ReportHowToRepeat() {
  std::fprintf(stderr, "again: --seed=%llu --cases=1", static_cast<unsigned long long>(current_number));
  if (only_row != nullptr) std::fprintf(stderr, " --operator=%s", BuiltinOperatorName(only_row->first->code));
  std::fprintf(stderr, "\n");
}

void ReportTheCase(int signal) {
  if (!current_case.empty()) {  // else it was a self-test
    ReportHowToRepeat();
    std::fprintf(stderr, "the operator: %s\n", current_case.c_str());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool CompareOutputs(const OperatorCase& subject, const OperatorDefinition* definition, const RunResult& found) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < subject.output_count(); ++i) {
    bytes += subject.output_at(i).count() * ElementBytes(subject.output_at(i).type);
  }
  if (found.outputs.size() != 2 * bytes) return Complain("the outputs have another size");
  for (std::size_t copy = 0; copy < 2; ++copy) {
    if (definition != nullptr) {
      if (!NoDifference(testing::DifferenceOfOutputs(subject, *definition, found.outputs.data() + copy * bytes))) {
        return false;
      }
      continue;
    }
    const bool omits = copy == 1 && subject.second_omits_last_input;
    if (!CompareOutput(subject, found.outputs.data() + copy * bytes, copy, omits)) return false;
  }
  return true;
}

// How many of the last buffers the reference's kernels request too and the ones here do not need.
std::size_t RequestedForTheDevice(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::kMean:
    case BuiltinOperator::kSum:
    case BuiltinOperator::kReduceMax:
    case BuiltinOperator::kReduceMin:
    case BuiltinOperator::kReduceAll:
    case BuiltinOperator::kMirrorPad:
      return 2;
    case BuiltinOperator::kAddN:
      return 1;
    default:
      return 0;
  }
}

// What was requested as scratch was touched to its last byte, if the instrument keeps extents.
bool CompareScratch(const OperatorCase& subject, const WatchedSession& session) {
  const AccessInstrument* const instrument = session.instrument();
  if (instrument == nullptr || instrument->extents().empty()) return true;
  for (std::int32_t op = 0; op < 2; ++op) {
    std::vector<std::size_t> requested;
    for (const PlanEntry& buffer : session.event_checker().plan()) {
      if (buffer.tensor < 0 && buffer.owner_operator == op) requested.push_back(buffer.bytes);
    }
    const std::size_t unused = std::min(requested.size(), RequestedForTheDevice(subject.code));
    for (std::size_t i = 0; i + unused < requested.size(); ++i) {
      if (requested[i] == 0) continue;
      const auto found = instrument->extents().find(
          {0, op, OperatorPhase::kInvoke, OperandKind::kScratch, static_cast<std::int32_t>(i)});
      const bool touched = found != instrument->extents().end() && (found->second.read || found->second.written);
      const std::size_t end = touched ? std::max(found->second.read ? found->second.highest_read : 0,
                                                 found->second.written ? found->second.highest_written : 0) +
                                            1
                                      : 0;
      if (end == requested[i]) continue;
      std::fprintf(stderr, "scratch buffer %zu of operator %d: %zu bytes requested, %zu touched\n", i, op, requested[i],
                   end);
      return Complain("scratch is requested that is not used");
    }
  }
  return true;
}

// What the operators asked for, as the checker recorded it, is what the definition says.
bool CompareRecordedRequests(const OperatorCase& subject, const OperatorDefinition* definition,
                             const EventStreamChecker& checker) {
  for (std::int32_t op = 0; op < 2; ++op) {
    std::vector<std::size_t> scratch, blocks;
    for (const PlanEntry& buffer : checker.plan()) {
      if (buffer.tensor < 0 && buffer.owner_operator == op) scratch.push_back(buffer.bytes);
    }
    for (const EventStreamChecker::TailBlock& block : checker.tail()) {
      if (block.owner_operator == op) blocks.push_back(block.block.bytes);
    }
    if (!blocks.empty()) blocks.erase(blocks.begin());  // the operator's own data
    const testing::MemoryRequests found{std::move(scratch), std::move(blocks)};
    const bool same =
        definition == nullptr
            ? CompareMemory(subject, found)
            : NoDifference(testing::DifferenceOfRequests(found, testing::DefinedRequests(subject, *definition)));
    if (!same) return false;
  }
  return true;
}

Status SetUp(const ValidatedModel& model, const KernelSet& kernels, bool dilated) {
  const PlacedModel placed = PlaceModel(model);
  WatchedSession session(placed, kernels, PipelineArenaMemory().span(), {.dilated = dilated, .garbage = kGarbage});
  return session.Allocate();
}

// Does prepare accept the valid model, and refuse the broken one with the status that says why? `fits`: the arena is
// large enough for what is accepted.
bool Prepares(const std::vector<std::byte>& file, const KernelSet& kernels, bool dilated,
              const std::optional<Refusal>& refusal, bool fits = true) {
  ModelView view;
  if (!ModelView::Open(file, &view).ok()) return Complain("the generated model cannot be opened");
  const UnvalidatedModel model(file);
  const Status status = SetUp(model.model(), kernels, dilated);
  if (status.ok() && !refusal) ReachOfThisProcess().Count(view);
  if (!refusal && (status.ok() || (!fits && AsksForALargerArena(status)))) return true;
  if (refusal && Says(status, *refusal)) return true;
  std::fprintf(stderr, "the answer is %s: %s\n", std::string(StatusName(status.code)).c_str(),
               Sentence(status).c_str());
  return Complain(refusal ? "what has to be refused is not, or not with the status that says why"
                          : "a valid operator is refused");
}

std::string Words(const Refusal& refusal) {
  std::string text = std::string(", ") + refusal.what + " (";
  for (const StatusCode code : refusal.codes) text += (text.back() == '(' ? "" : ", ") + std::string(StatusName(code));
  return text + ")";
}

bool RunCall(CaseRandom& random) {
  CallCase subject = MakeCallCase(random);
  std::optional<Refusal> refusal;
  if (random() % 4 != 0) refusal = BreakOneRule(subject, random);
  current_case = subject.Describe() + (refusal ? Words(*refusal) : "");
  return Prepares(ModelOf(subject), ReferenceKernels(), random() % 2 == 0, refusal);
}

bool PreparesInvalid(CaseRandom& random, const OperatorCase& subject, const std::optional<Refusal>& refusal) {
  if (!refusal) return true;
  const bool aligned = random() % 2 == 0;
  current_case = subject.Describe() + Words(*refusal) + (aligned ? ", kernels aligned" : "");
  const std::vector<std::byte> file = ModelOf(subject);
  if (file.size() > PipelineModelMemory().bytes()) return true;
  return Prepares(file, aligned ? AlignedKernels() : ReferenceKernels(), random() % 2 == 0, refusal);
}

bool RunInvalid(CaseRandom& random) {
  OperatorCase subject = MakeCase(random);
  const std::optional<Refusal> refusal = BreakOneRule(subject, random);
  return PreparesInvalid(random, subject, refusal);
}

bool RunInvalid(CaseRandom& random, std::size_t rule) {
  OperatorCase subject;
  const std::optional<Refusal> refusal = MakeInvalidCase(random, rule, &subject);
  return PreparesInvalid(random, subject, refusal);
}

bool RunLimit(CaseRandom& random, std::size_t which, bool beyond) {
  const LimitCase limit = MakeLimitCase(random, which, beyond);
  const bool aligned = random() % 2 == 0;
  current_case = limit.subject.Describe() +
                 (beyond ? Words(*limit.refusal) : std::string(", not quite ") + limit.what) +
                 (aligned ? ", kernels aligned" : "");
  return Prepares(ModelOf(limit.subject), aligned ? AlignedKernels() : ReferenceKernels(), random() % 2 == 0,
                  limit.refusal, false);
}

// Without a definition of the table's kind the older oracles speak.
bool RunValid(CaseRandom& random, const OperatorCase& subject, const OperatorDefinition* definition = nullptr) {
  const bool aligned = random() % 2 == 0;
  current_case = subject.Describe() + (aligned ? ", kernels aligned" : "");
  const std::vector<std::byte> file = ModelOf(subject);
  if (file.size() > PipelineModelMemory().bytes()) return true;
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open(file, &report);
  if (!model) {
    std::fprintf(stderr, "validation: %s\n", ValidationSentence(report).c_str());
    return Complain("a valid operator is refused");
  }
  ReachOfThisProcess().Count(ReachedOf(subject));
  const PlacedModel placed = PlaceModel(*model);
  // Half of the arenas do not begin where one would.
  const std::size_t misalignment = random.OneIn(2) ? random.Below(64) : 0;
  WatchedSession session(placed, aligned ? AlignedKernels() : ReferenceKernels(),
                         PipelineArenaMemory().span().subspan(misalignment),
                         {.dilated = random() % 2 == 0, .garbage = kGarbage});
  if (const Status status = session.Allocate(); !status.ok()) {
    std::fprintf(stderr, "AllocateTensors: %s\n", Sentence(status).c_str());
    return Complain("a valid operator is refused");
  }
  if (!CompareRecordedRequests(subject, definition, session.event_checker())) return false;
  std::vector<std::vector<std::byte>> inputs;
  for (const CaseTensor& input : subject.inputs) {
    if (input.present && !input.constant && !input.variable) inputs.push_back(input.bytes);
  }
  const RunResult first = session.Run(inputs, kGarbage);
  if (!(session.Run(inputs, kOtherGarbage) == first)) return Complain("the outputs differ over other garbage");
  return CompareOutputs(subject, definition, first) && CompareScratch(subject, session);
}

// What has a variable keeps its state from run to run, and runs by itself.
bool RunTable(CaseRandom& random, const DrawnRow& drawn) {
  const auto& [row, definition] = drawn;
  bool has_variable = false;
  for (const OperandRow& input : row->inputs) has_variable = has_variable || input.source == Source::kVariable;
  if (has_variable || random.OneIn(2)) return RunTableKernel(random, *row, *definition);
  return RunValid(random, MakeTableCase(random, *row).subject, definition);
}

// Several of the ways in which rules of the table's rows can be broken. What passes the validation of the file is
// refused by the interpreter too.
bool RunBeyond(CaseRandom& random, const OperatorRow* only, std::uint64_t turn) {
  constexpr std::uint64_t kBreaks = 8;
  for (std::uint64_t i = 0; i < kBreaks; ++i) {
    const std::optional<BeyondCase> beyond = MakeNextBeyondCase(random, only, turn * kBreaks + i);
    if (!beyond) continue;
    const bool aligned = random() % 2 == 0;
    current_case =
        beyond->subject.Describe() + Words(beyond->refusal) + beyond->where + (aligned ? ", kernels aligned" : "");
    const KernelSet& kernels = aligned ? AlignedKernels() : ReferenceKernels();
    bool in_prepare = false;
    if (!NoDifference(testing::DifferenceOfRefusal(kernels, *beyond, &in_prepare))) return false;
    if (!in_prepare || !beyond->in_a_file || !random.OneIn(4)) continue;
    const std::vector<std::byte> file = ModelOf(beyond->subject);
    ValidationReport report;
    if (file.size() > PipelineModelMemory().bytes() || !ValidatedModel::Open(file, &report)) continue;
    if (!Prepares(file, kernels, random() % 2 == 0, beyond->refusal)) return false;
  }
  return true;
}

// Rows come by turns, of which one in ten breaks their rules and one in twenty asks for other types. Another row begins
// with each round, so that no row meets the same kind of turn always.
bool RunOfTable(CaseRandom& random, std::uint64_t turn) {
  const OperatorRow* const only = only_row == nullptr ? nullptr : only_row->first;
  if (turn % 10 == 9) return RunBeyond(random, only, turn / 10);
  if (turn % 20 == 4) {
    return RunTableTypes(random, only != nullptr ? *only : *RowsWithCases()[turn / 20 % RowsWithCases().size()]);
  }
  if (only_row != nullptr) return RunTable(random, *only_row);
  const std::size_t count = DrawnRows().size();
  return RunTable(random, DrawnRows()[(turn + turn / count) % count]);
}

// Every other case is of the table, whose operators come by turns. Of the others ten of eighteen are valid. Five kinds
// that random operators seldom are come by turns: far extents, extremes, rules, limits from within and from beyond;
// `number` is that of the case.
bool Run(CaseRandom& random, std::uint64_t all) {
  if (only_row != nullptr) return RunOfTable(random, all);
  if (all % 2 == 1) return RunOfTable(random, all / 2);
  const std::uint64_t number = all / 2;
  const std::uint64_t turn = number / 18;
  const auto extreme = [&](std::uint64_t which) {
    return RunValid(random, MakeExtremeCase(random, (3 * turn + which) % ExtremeKindCount()));
  };
  switch (number % 18) {
    case 0:
      return RunCall(random);
    case 1:
      return RunLimit(random, turn % LimitCount(), false);
    case 9:
      return RunLimit(random, turn % LimitCount(), true);
    case 2:
      return extreme(0);
    case 7:
      return extreme(1);
    case 12:
      return extreme(2);
    case 4:
      return RunInvalid(random, 2 * turn % RuleCount());
    case 10:
      return RunInvalid(random, (2 * turn + 1) % RuleCount());
    case 5:
    case 8:
    case 13:
      return RunInvalid(random);
    case 16:
      return RunFar(random, turn % FarDimensionCount());
    case 17:
      return RunOtherTypes(random);
    default:
      return RunValid(random, MakeCase(random));
  }
}

// A case takes less there.
constexpr bool kShadow = std::string_view(ARENAPROOF_PRESET_NAME) == "shadow";
constexpr std::uint64_t kCasesPerSuccess = kShadow ? 22 : 11;
// So many cases run before the self-tests, which take longer than they do.
constexpr std::uint64_t kCasesBeforeTheSelfTests = 40 * kCasesPerSuccess;

// Far apart for any two seeds.
std::uint64_t FirstCase(std::uint64_t seed) { return 1 + seed * 1'000'000 + (kShadow ? 500'000 : 0); }

// The numbers of the cases from `first` on.
struct Cases {
  std::uint64_t first, count, done = 0;
  double seconds;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  bool have_time() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
  }
};

bool RunUntil(Cases& cases, std::uint64_t end) {
  for (; cases.done < end && cases.have_time(); ++cases.done) {
    current_number = cases.first + cases.done;
    CaseRandom random(current_number);
    if (Run(random, current_number)) continue;
    ReportHowToRepeat();
    return false;
  }
  return true;
}

// False without a row of that name from which cases are drawn.
bool DrawOnly(std::string_view name) {
  for (const DrawnRow& drawn : DrawnRows()) {
    if (name == BuiltinOperatorName(drawn.first->code)) only_row = &drawn;
  }
  return only_row != nullptr;
}

int RunAll(Cases cases) {
  if (!RunUntil(cases, std::min(cases.count, kCasesBeforeTheSelfTests))) return 1;
  current_case.clear();
  if (only_row == nullptr) {
    RunOracleSelfTest();
    RunDefinitionSelfTest();
  }
  if (!RunUntil(cases, cases.count)) return 1;
  std::printf("%llu operators agree with their definitions or are refused as they have to be\n",
              static_cast<unsigned long long>(cases.done));
  PrintBreaksSeen();
  std::printf("%s", ReachOfThisProcess().Line().c_str());
  return 0;
}

}  // namespace
}  // namespace arenaproof::props

int main(int count, char** words) {
  const char* const parameters = std::getenv("RC_PARAMS");
  const auto parameter = [&](const char* name, std::uint64_t otherwise) {
    const char* const found = parameters == nullptr ? nullptr : std::strstr(parameters, name);
    return found == nullptr ? otherwise : std::uint64_t{std::strtoull(found + std::strlen(name), nullptr, 10)};
  };
  using arenaproof::props::kCasesPerSuccess;
  std::uint64_t cases = kCasesPerSuccess * parameter("max_success=", 5000 / kCasesPerSuccess);
  std::uint64_t seed = arenaproof::props::FirstCase(parameter("seed=", 0));
  double seconds = 1e9;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&](const char* option) {
      const std::size_t length = std::strlen(option);
      return word.compare(0, length, option) == 0 ? word.c_str() + length : nullptr;
    };
    if (word.starts_with("--gtest_")) continue;
    if (const char* number = value("--cases=")) {
      cases = std::strtoull(number, nullptr, 10);
    } else if (const char* limit = value("--seconds=")) {
      seconds = std::strtod(limit, nullptr);
      cases = UINT64_MAX;
    } else if (const char* first = value("--seed=")) {
      seed = std::strtoull(first, nullptr, 10);
    } else if (const char* name = value("--operator=")) {
      if (arenaproof::props::DrawOnly(name)) continue;
      std::fprintf(stderr, "no row of the table of operators that has cases and a definition is named '%s'\n", name);
      return 2;
    } else {
      std::fprintf(stderr, "arenaproof-operator-properties [--cases=N] [--seconds=S] [--seed=N] [--operator=NAME]\n");
      return 2;
    }
  }
  std::signal(SIGABRT, arenaproof::props::ReportTheCase);
#ifndef ARENAPROOF_ASAN  // which reports more of it
  std::signal(SIGSEGV, arenaproof::props::ReportTheCase);
#endif
  arenaproof::StartWatching();
  return arenaproof::props::RunAll({.first = seed, .count = cases, .seconds = seconds});
}
