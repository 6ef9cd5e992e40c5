// What the child process `arenaproof-worker` reports to its parent: JSON objects, one per line, on the descriptor that
// --result-fd names (standard output without it). Every object has the field "event"; its other fields are listed here.
// A reader ignores fields that are not listed. A stream that does not end with "finished" or "refused" is of a worker
// that died: exit 3 of the parent, unless it was killed for time or memory.
//
//   arenaproof-worker check --model=PATH --kernels=SET|FILES --layout=faithful|dilated --instrument=NAME|none
//       [--version=THE_PARENTS (another one's is refused)] [--fallback=none|reference] [--arena-bytes=N (as much as it
//       needs)] [--two-arenas=0|1] [--persistent-arena-bytes=N] [--seed=S] [--runs=N] [--input=INPUT:FILE]...
//       [--reserve-front=N] [--trust-plan=0|1] [--extents=0|1] [--result-fd=FD]
//       [--jobs-fd=FD] [--valgrind-log-fd=FD (by itself: tools/worker/valgrind_start.h)]
//
// On descriptor 4 it notes which operators it runs, in memory shared with its parent (tools/model/operator_board.h).
//
// One process checks one model with one instrument over one layout. With --jobs-fd, a socket, the worker takes more
// checks with the same instrument (tools/worker/job_loop.h): each runs in a copy of the worker that no kernel has run
// in, a child of the worker's parent. The instrument's self-test is made once for them all, by the first whose model is
// not refused. Exit status: 0 clean, 1 violations found, 2 could not run (a
// "refused" event holds why), 3 internal error. In this order:
//
//   started    instrument, layout, preset, kernels, model, seed (number; of the first run, each later one has one
//              more), runs (number)
//   self_test  sees (bool), what [text: the planted accesses that were seen], missed [text],
//              limits [text: what it cannot see by design]; absent for --instrument=none
//   refused    stage (model, kernels, layout, planner, allocate, certify, input_file, input, invoke, instrument,
//              arguments, memory: the limit of memory was met), code (of tools/text/refusal_code.h), detail [4
//              numbers], larger_arena (bool: one might do), small_arenas [{arena: single, head or tail, given_bytes,
//              need_bytes}], buffers [as of plan: the tensors that share bytes, where that is why an offline plan is
//              refused], subgraph, operator (index, -1: none), operator_name (text, may be empty), sentence. Last event
//              of the stream; exit 2, and 1 where the stage is certify: a plan in which tensors that are alive together
//              share bytes.
//   plan       head_bytes, tail_bytes, used_bytes, arena_bytes, device_arena_bytes (as given or needed; the dilated
//              layout spreads it over more), persistent_arena_bytes, device_persistent_arena_bytes (of two arenas, else
//              0), arena_address_modulo_64, buffers [{subgraph, tensor or scratch: index (the other one is -1), name,
//              owner_operator (of scratch, else -1), offset, bytes, first_step, last_step}], sharing [{buffer, source,
//              owner (indices in buffers), subgraph, operator, operator_name, input, modifies (bool)}]: which of them
//              lie in the bytes of another on purpose
//   read_allowances  operands [{subgraph, operator, operator_name, kernel, kind, index, name, before_bytes,
//              after_bytes}]: reads beside operands that kernels from outside declare; absent when they declare none
//   offline_plan  summary (text, may be empty), warnings [text], trusted_overlaps [text], trusted_overlap_count: of the
//              model's own plan; absent when there is nothing to report
//   blind_pairs  count, pairs [at most 20 of {subgraph, operator, operator_name, first_kind, first_index, second_kind,
//              second_index, distance_bytes (negative: they overlap by so many)}]: of invoke; prepare_count,
//              prepare_pairs: the same of prepare, by the operands that it begins with
//   not_exact  operands [{operator, operator_name, kind, index, name, start_modulo_8, end_modulo_8, blind_before_bytes,
//              blind_after_bytes}]: where this instrument cannot check to the byte; absent when it always can
//   operator   index, subgraph, name, kernel, invokes (number), invokes_seen (those that began and ended while the
//              instrument was watching), seen_by_instrument (bool: there were some, and all were seen), without_hooks
//              (bool: its kernel is of a file without the instrument's hooks, so none was seen): one event for each
//              operator, after the runs
//   capped     operator, subgraph, operator_name, phase: while it ran the instrument met its limit, and later accesses
//              were not checked, or not all of them kept
//   extents    operands [{subgraph, operator, operator_name, kind, index, name, bytes, lowest_read, highest_read,
//              lowest_written, highest_written (absent: none)}]: bytes that invokes touched, from the operand's first
//              one on; only of shadow with --extents=1, and of operators that it saw
//   violation  the fields of violation_fields.inc: one event for each group of accesses (same operator, phase, operand,
//              access and side)
//   output     run, index (which output), tensor, name, type, shape [numbers], bytes, sha256 (hex), first_values
//              [at most 8 numbers]
//   internal_error  sentence: a report of the sanitizer that is not about the checked memory; exit 3
//   finished   violation_count (accesses), groups (violation events), capped (bool: more groups than could be kept)
#pragma once

namespace arenaproof::protocol {

inline constexpr int kExitClean = 0;
inline constexpr int kExitViolations = 1;
inline constexpr int kExitCouldNotRun = 2;
inline constexpr int kExitInternalError = 3;

// The values of "stage" for which the parent has sentences of its own: one that names the limit, and one that names the
// worker, which does not understand its parent only when one of them is of another version.
inline constexpr const char* kStageMemory = "memory";
inline constexpr const char* kStageArguments = "arguments";

inline constexpr const char* kEvent = "event";

// Values of "event".
inline constexpr const char* kStarted = "started";
inline constexpr const char* kSelfTest = "self_test";
inline constexpr const char* kRefused = "refused";
inline constexpr const char* kPlan = "plan";
inline constexpr const char* kReadAllowances = "read_allowances";
inline constexpr const char* kOfflinePlan = "offline_plan";
inline constexpr const char* kBlindPairs = "blind_pairs";
inline constexpr const char* kNotExact = "not_exact";
inline constexpr const char* kOperatorEvent = "operator";
inline constexpr const char* kViolation = "violation";
inline constexpr const char* kExtents = "extents";
inline constexpr const char* kOutput = "output";
inline constexpr const char* kInternalError = "internal_error";
inline constexpr const char* kFinished = "finished";

// Fields, in alphabetical order.
inline constexpr const char* kAfterBytes = "after_bytes";
inline constexpr const char* kArena = "arena";
inline constexpr const char* kArenaAddressModulo64 = "arena_address_modulo_64";
inline constexpr const char* kArenaBytes = "arena_bytes";
inline constexpr const char* kBeforeBytes = "before_bytes";
inline constexpr const char* kBlindAfterBytes = "blind_after_bytes";
inline constexpr const char* kBlindBeforeBytes = "blind_before_bytes";
inline constexpr const char* kBuffer = "buffer";
inline constexpr const char* kBuffers = "buffers";
inline constexpr const char* kBytes = "bytes";
inline constexpr const char* kCapped = "capped";  // also the event of that name
inline constexpr const char* kCode = "code";
inline constexpr const char* kCount = "count";
inline constexpr const char* kDetail = "detail";
inline constexpr const char* kDeviceArenaBytes = "device_arena_bytes";
inline constexpr const char* kDevicePersistentArenaBytes = "device_persistent_arena_bytes";
inline constexpr const char* kDistanceBytes = "distance_bytes";
inline constexpr const char* kEndModulo8 = "end_modulo_8";
inline constexpr const char* kFirstIndex = "first_index";
inline constexpr const char* kFirstKind = "first_kind";
inline constexpr const char* kFirstStep = "first_step";
inline constexpr const char* kFirstValues = "first_values";
inline constexpr const char* kGivenBytes = "given_bytes";
inline constexpr const char* kGroups = "groups";
inline constexpr const char* kHeadBytes = "head_bytes";
inline constexpr const char* kHighestRead = "highest_read";
inline constexpr const char* kHighestWritten = "highest_written";
inline constexpr const char* kIndex = "index";
inline constexpr const char* kInput = "input";
inline constexpr const char* kInstrument = "instrument";
inline constexpr const char* kInvokes = "invokes";
inline constexpr const char* kInvokesSeen = "invokes_seen";
inline constexpr const char* kKernel = "kernel";
inline constexpr const char* kKernels = "kernels";
inline constexpr const char* kKind = "kind";
inline constexpr const char* kLargerArena = "larger_arena";
inline constexpr const char* kLastStep = "last_step";
inline constexpr const char* kLayout = "layout";
inline constexpr const char* kLimits = "limits";
inline constexpr const char* kLowestRead = "lowest_read";
inline constexpr const char* kLowestWritten = "lowest_written";
inline constexpr const char* kMissed = "missed";
inline constexpr const char* kModel = "model";
inline constexpr const char* kModifies = "modifies";
inline constexpr const char* kName = "name";
inline constexpr const char* kNeedBytes = "need_bytes";
inline constexpr const char* kOffset = "offset";
inline constexpr const char* kOperands = "operands";
inline constexpr const char* kOperator = "operator";  // also the event of that name
inline constexpr const char* kOperatorName = "operator_name";
inline constexpr const char* kOwner = "owner";
inline constexpr const char* kOwnerOperator = "owner_operator";
inline constexpr const char* kPairs = "pairs";
inline constexpr const char* kPersistentArenaBytes = "persistent_arena_bytes";
inline constexpr const char* kPhase = "phase";
inline constexpr const char* kPrepareCount = "prepare_count";
inline constexpr const char* kPreparePairs = "prepare_pairs";
inline constexpr const char* kPreset = "preset";
inline constexpr const char* kRun = "run";
inline constexpr const char* kRuns = "runs";
inline constexpr const char* kScratch = "scratch";
inline constexpr const char* kSecondIndex = "second_index";
inline constexpr const char* kSecondKind = "second_kind";
inline constexpr const char* kSeed = "seed";
inline constexpr const char* kSeenByInstrument = "seen_by_instrument";
inline constexpr const char* kSees = "sees";
inline constexpr const char* kSentence = "sentence";
inline constexpr const char* kSha256 = "sha256";
inline constexpr const char* kShape = "shape";
inline constexpr const char* kSharing = "sharing";
inline constexpr const char* kSmallArenas = "small_arenas";
inline constexpr const char* kSource = "source";
inline constexpr const char* kStage = "stage";
inline constexpr const char* kStartModulo8 = "start_modulo_8";
inline constexpr const char* kSubgraph = "subgraph";
inline constexpr const char* kTailBytes = "tail_bytes";
inline constexpr const char* kTensor = "tensor";
inline constexpr const char* kType = "type";
inline constexpr const char* kUsedBytes = "used_bytes";
inline constexpr const char* kViolationCount = "violation_count";
inline constexpr const char* kWhat = "what";
inline constexpr const char* kWithoutHooks = "without_hooks";

}  // namespace arenaproof::protocol
