// What one worker reported (tools/worker/protocol.h), as plain values. The stream is not trusted: the worker ran the
// checked kernels, which may have overwritten anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/sharing_text.h"
#include "tools/memory/small_arenas.h"
#include "tools/model/offline_plan_report.h"
#include "tools/text/tensor_value.h"
#include "tools/worker/violation_report.h"

namespace arenaproof {

struct PlannedBufferReport {
  std::int64_t subgraph = 0;
  std::int64_t tensor = -1;
  std::int64_t scratch = -1;
  std::string name;
  std::int64_t owner_operator = -1;
  std::int64_t offset = 0, bytes = 0, first = 0, last = 0;
};

struct WorkerRefusal {
  std::string stage = {};
  std::string code = {};
  std::vector<std::int64_t> detail = {};  // the numbers of the code's meaning (core/base/status_codes.inc)
  std::int64_t subgraph = -1, operator_index = -1;
  std::string operator_name = {};
  std::string sentence = {};
  bool larger_arena = false;  // one might do
  std::vector<SmallArena> small_arenas = {};
  std::vector<PlannedBufferReport> buffers = {};  // that share bytes, for which an offline plan is refused
};

struct WorkerSelfTest {
  bool sees = false;
  std::vector<std::string> what, missed, limits;  // limits: what it cannot see by design
};

struct PlanReport {
  std::int64_t head_bytes = 0, tail_bytes = 0, used_bytes = 0, arena_bytes = 0;
  std::int64_t device_arena_bytes = 0;  // as given or needed; arena_bytes is more of it in the dilated layout
  // With two arenas the same of the tail's; else 0.
  std::int64_t persistent_arena_bytes = 0, device_persistent_arena_bytes = 0;
  std::vector<PlannedBufferReport> buffers;
  std::vector<SharedBytes> sharing = {};  // its buffers exist
};

struct BlindPairReport {
  std::int64_t subgraph = 0, operator_index = 0;
  std::string operator_name;
  std::string first_kind, second_kind;
  std::int64_t first_index = 0, second_index = 0;
  std::int64_t distance_bytes = 0;  // negative: they overlap by so many
};

struct NotExactOperand {
  std::int64_t subgraph = 0, operator_index = 0;
  std::string operator_name;
  std::string kind, name;
  std::int64_t index = 0;
  std::int64_t blind_before_bytes = 0, blind_after_bytes = 0;
};

struct ReadAllowanceReport {
  std::int64_t subgraph = 0, operator_index = 0;
  std::string operator_name, kernel;
  std::string kind, name;
  std::int64_t index = 0;
  std::int64_t before_bytes = 0, after_bytes = 0;
};

struct OperatorSeen {
  std::int64_t index = 0, subgraph = 0;
  std::string name, kernel;
  bool seen = false;                           // all of its invokes, and there were some
  std::int64_t invokes = 0, invokes_seen = 0;  // 0 also of a worker that does not report them
  bool without_hooks = false;                  // none was seen: its kernel is of a file without the instrument's hooks
};

struct ByteRange {
  std::int64_t lowest, highest;  // both included
};

struct OperandExtentReport {
  std::int64_t subgraph = 0, operator_index = 0;
  std::string operator_name, kind, name;
  std::int64_t index = 0, bytes = 0;
  std::optional<ByteRange> read, written;  // nothing: none was
};

struct OutputReport {
  std::int64_t run = 0, index = 0, bytes = 0;
  std::string name, type, sha256;
  std::vector<std::int64_t> shape;
  std::vector<ElementValue> first_values;
};

struct CappedAt {
  std::int64_t subgraph = 0, operator_index = 0;
  std::string operator_name, phase;
};

struct WorkerReport {
  bool started = false;
  std::optional<WorkerSelfTest> self_test;
  std::optional<WorkerRefusal> refusal;
  std::optional<PlanReport> plan;
  OfflinePlanReport offline_plan;
  std::optional<std::int64_t> blind_pair_count;
  std::vector<BlindPairReport> blind_pairs;
  std::optional<std::int64_t> prepare_blind_pair_count;
  std::vector<BlindPairReport> prepare_blind_pairs;
  std::vector<NotExactOperand> not_exact;
  std::vector<ReadAllowanceReport> read_allowances;
  std::vector<OperatorSeen> operators;
  std::optional<std::vector<OperandExtentReport>> extents;  // when they were asked for
  std::vector<ViolationReport> violations;
  std::vector<OutputReport> outputs;
  std::vector<std::string> internal_errors;
  bool finished = false;
  bool capped = false;
  std::optional<CappedAt> capped_at;
  std::string malformed;  // why the stream could not be read to its end; empty: it could
};

WorkerReport ReadWorkerReport(std::string_view stream);

}  // namespace arenaproof
