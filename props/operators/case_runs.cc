#include "props/operators/case_runs.h"

#include <algorithm>
#include <cstdio>

#include "engine/cases/unvalidated.h"
#include "engine/generators/operators/call_case.h"
#include "engine/generators/operators/limit_cases.h"
#include "engine/generators/operators/reach/table_reach.h"
#include "engine/harness/fuzz_process.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/kernels/in_place_run.h"
#include "engine/harness/model_pipeline/watched_session.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/case_report.h"
#include "props/operators/output_comparison.h"
#include "tools/memory/larger_arena.h"
#include "tools/text/sentences.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof::props {
namespace {

constexpr int kGarbage = 0xa5;
constexpr int kOtherGarbage = 0x5a;

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
      const std::ptrdiff_t last = touched ? std::max(found->second.read ? found->second.highest_read : 0,
                                                     found->second.written ? found->second.highest_written : 0)
                                          : -1;
      const auto end = static_cast<std::size_t>(last + 1);
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

// Each of the two operators by itself gives the same once more, to the bit, in the bytes of every input that its kernel
// lets it share.
bool CompareInPlace(const OperatorCase& subject, const KernelSet& kernels, const std::byte* outputs) {
  for (const bool omits : {false, true}) {
    if (omits && !subject.second_omits_last_input) return true;  // the second operator is the first one's equal
    const testing::TestOperator made = testing::OperatorOf(subject, omits);
    std::vector<std::vector<std::byte>> expected;
    for (const testing::TestTensor& output : made.outputs) {
      expected.emplace_back(outputs, outputs + output.bytes.size());
      outputs += output.bytes.size();
    }
    const testing::InPlaceRuns in_place = testing::RunInPlace(kernels, made, expected);
    if (!in_place.broken_promise.empty()) return Complain(in_place.broken_promise.c_str());
  }
  return true;
}

Status SetUp(const ValidatedModel& model, const KernelSet& kernels, bool dilated) {
  const PlacedModel placed = PlaceModel(model);
  WatchedSession session(placed, kernels, PipelineArenaMemory().span(), {.dilated = dilated, .garbage = kGarbage});
  return session.Allocate();
}

bool PreparesInvalid(CaseRandom& random, const OperatorCase& subject, const std::optional<Refusal>& refusal) {
  if (!refusal) return true;
  const bool aligned = random() % 2 == 0;
  current_case = subject.Describe() + Words(*refusal) + (aligned ? ", kernels aligned" : "");
  const std::vector<std::byte> file = ModelOf(subject);
  if (file.size() > PipelineModelMemory().bytes()) return true;
  return Prepares(file, aligned ? AlignedKernels() : ReferenceKernels(), random() % 2 == 0, refusal);
}

}  // namespace

bool Prepares(const std::vector<std::byte>& file, const KernelSet& kernels, bool dilated,
              const std::optional<Refusal>& refusal, bool fits) {
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

bool RunValid(CaseRandom& random, const OperatorCase& subject, const OperatorDefinition* definition) {
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
  const KernelSet& kernels = aligned ? AlignedKernels() : ReferenceKernels();
  WatchedSession session(placed, kernels, PipelineArenaMemory().span().subspan(misalignment),
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
  return CompareOutputs(subject, definition, first) && CompareScratch(subject, session) &&
         CompareInPlace(subject, kernels, first.outputs.data());
}

}  // namespace arenaproof::props
