#include "tools/worker/report_events.h"

#include <algorithm>

#include "sanitizers/report/violation.h"
#include "tools/memory/larger_arena.h"
#include "tools/text/json_text.h"
#include "tools/text/operator_text.h"
#include "tools/text/refusal_code.h"
#include "tools/text/sentences.h"
#include "tools/text/sha256.h"
#include "tools/text/tensor_value.h"
#include "tools/worker/protocol.h"
#include "tools/worker/violation_report.h"

namespace arenaproof {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kReportedPairs = 20;
constexpr std::size_t kFirstValues = 8;

std::string TensorName(const ModelView& model, std::int32_t subgraph, std::int32_t tensor) {
  if (subgraph < 0 || tensor < 0 || static_cast<std::size_t>(subgraph) >= model.subgraph_count()) return {};
  if (static_cast<std::size_t>(tensor) >= model.tensor_count(static_cast<std::size_t>(subgraph))) return {};
  return std::string(model.tensor(static_cast<std::size_t>(subgraph), static_cast<std::size_t>(tensor)).name);
}

std::string OperandName(const ModelView& model, std::int32_t subgraph, const OperandRange& operand) {
  return HasTensorIndex(operand.kind) ? TensorName(model, subgraph, operand.index) : std::string();
}

// As a buffer of a plan.
Json OverlappingTensor(const ModelView& model, const OfflineTensor& tensor) {
  return {{protocol::kSubgraph, tensor.subgraph},
          {protocol::kTensor, tensor.tensor},
          {protocol::kName,
           TensorName(model, static_cast<std::int32_t>(tensor.subgraph), static_cast<std::int32_t>(tensor.tensor))},
          {protocol::kOffset, tensor.offset},
          {protocol::kBytes, tensor.bytes},
          {protocol::kFirstStep, tensor.first},
          {protocol::kLastStep, tensor.last}};
}

}  // namespace

Json RefusalFields(const RunRefusal& refusal, const ModelView* model) {
  Json buffers = Json::array();
  if (model != nullptr && refusal.overlap) {
    for (const OfflineTensor& tensor : {refusal.overlap->first, refusal.overlap->second}) {
      buffers.push_back(OverlappingTensor(*model, tensor));
    }
  }
  const OperatorLocation& location = refusal.location;
  std::string operator_name;
  if (model != nullptr && location.known()) operator_name = OperatorName(*model, location);
  Json small_arenas = Json::array();
  for (const SmallArena& arena : refusal.small_arenas) {
    small_arenas.push_back({{protocol::kArena, arena.arena},
                            {protocol::kGivenBytes, arena.given_bytes},
                            {protocol::kNeedBytes, arena.need_bytes}});
  }
  return {{protocol::kStage, refusal.stage},
          {protocol::kCode, refusal.code.empty() ? RefusalCode(refusal.status.code) : refusal.code},
          {protocol::kLargerArena, AsksForALargerArena(refusal.status)},
          {protocol::kSmallArenas, std::move(small_arenas)},
          {protocol::kDetail, refusal.status.detail},
          {protocol::kBuffers, std::move(buffers)},
          {protocol::kSubgraph, location.subgraph},
          {protocol::kOperator, location.operator_index},
          {protocol::kOperatorName, operator_name},
          {protocol::kSentence, refusal.sentence.empty() ? Sentence(refusal.status) : refusal.sentence}};
}

Json SelfTestFields(const SelfTestResult& result) {
  std::vector<std::string> missed = result.missed;
  for (const std::string& legal : result.legal_reported) missed.push_back("silence at a legal " + legal);
  return {{protocol::kSees, result.status().ok()},
          {protocol::kWhat, result.seen},
          {protocol::kMissed, missed},
          {protocol::kLimits, result.limits}};
}

Json PlanFields(const ModelView& model, const CheckingObserver& observer, const Interpreter& interpreter,
                const std::byte* arena, const ArenaSizes& sizes, const ArenaSizes& device_sizes) {
  Json buffers = Json::array();
  for (const PlanEntry& buffer : observer.plan()) {
    buffers.push_back({{protocol::kSubgraph, buffer.subgraph},
                       {protocol::kTensor, buffer.tensor},
                       {protocol::kScratch, buffer.scratch},
                       {protocol::kName, TensorName(model, buffer.subgraph, buffer.tensor)},
                       {protocol::kOwnerOperator, buffer.owner_operator},
                       {protocol::kOffset, buffer.offset},
                       {protocol::kBytes, buffer.bytes},
                       {protocol::kFirstStep, buffer.first},
                       {protocol::kLastStep, buffer.last}});
  }
  Json sharing = Json::array();
  for (const BufferAlias& alias : observer.sharing()) {
    sharing.push_back({{protocol::kBuffer, alias.buffer},
                       {protocol::kSource, alias.source},
                       {protocol::kOwner, alias.owner},
                       {protocol::kSubgraph, alias.subgraph},
                       {protocol::kOperator, alias.operator_index},
                       {protocol::kOperatorName, OperatorName(model, {alias.subgraph, alias.operator_index})},
                       {protocol::kInput, alias.input},
                       {protocol::kModifies, alias.modifies}});
  }
  return {{protocol::kHeadBytes, interpreter.head_bytes()},
          {protocol::kTailBytes, interpreter.tail_bytes()},
          {protocol::kUsedBytes, interpreter.arena_used_bytes()},
          {protocol::kArenaBytes, sizes.bytes},
          {protocol::kDeviceArenaBytes, device_sizes.bytes},
          {protocol::kPersistentArenaBytes, sizes.persistent_bytes},
          {protocol::kDevicePersistentArenaBytes, device_sizes.persistent_bytes},
          {protocol::kArenaAddressModulo64, reinterpret_cast<std::uintptr_t>(arena) % 64},
          {protocol::kBuffers, std::move(buffers)},
          {protocol::kSharing, std::move(sharing)}};
}

Json AllowedReadFields(std::span<const AllowedRead> reads) {
  Json list = Json::array();
  for (const AllowedRead& read : reads) {
    list.push_back({{protocol::kSubgraph, read.subgraph},
                    {protocol::kOperator, read.operator_index},
                    {protocol::kOperatorName, read.operator_name},
                    {protocol::kKernel, read.kernel},
                    {protocol::kKind, OperandKindName(read.kind)},
                    {protocol::kIndex, read.tensor},
                    {protocol::kName, read.tensor_name},
                    {protocol::kBeforeBytes, read.before_bytes},
                    {protocol::kAfterBytes, read.after_bytes}});
  }
  return {{protocol::kOperands, std::move(list)}};
}

namespace {

Json PairList(const std::vector<CheckingObserver::Pair>& pairs) {
  Json list = Json::array();
  for (const CheckingObserver::Pair& pair : pairs) {
    if (list.size() == kReportedPairs) break;
    list.push_back({{protocol::kSubgraph, pair.subgraph},
                    {protocol::kOperator, pair.operator_index},
                    {protocol::kOperatorName, pair.operator_name},
                    {protocol::kFirstKind, OperandKindName(pair.first.kind)},
                    {protocol::kFirstIndex, pair.first.index},
                    {protocol::kSecondKind, OperandKindName(pair.second.kind)},
                    {protocol::kSecondIndex, pair.second.index},
                    {protocol::kDistanceBytes, pair.distance_bytes}});
  }
  return list;
}

}  // namespace

Json BlindPairFields(const CheckingObserver& observer) {
  return {{protocol::kCount, observer.blind_pairs().size()},
          {protocol::kPairs, PairList(observer.blind_pairs())},
          {protocol::kPrepareCount, observer.prepare_blind_pairs().size()},
          {protocol::kPreparePairs, PairList(observer.prepare_blind_pairs())}};
}

Json NotExactFields(const ModelView& model, const std::vector<CheckingObserver::NotExact>& operands) {
  Json list = Json::array();
  for (const CheckingObserver::NotExact& entry : operands) {
    const auto start = reinterpret_cast<std::uintptr_t>(entry.operand.data);
    list.push_back({{protocol::kSubgraph, entry.subgraph},
                    {protocol::kOperator, entry.operator_index},
                    {protocol::kOperatorName, entry.operator_name},
                    {protocol::kKind, OperandKindName(entry.operand.kind)},
                    {protocol::kIndex, entry.operand.index},
                    {protocol::kName, OperandName(model, entry.subgraph, entry.operand)},
                    {protocol::kStartModulo8, start % 8},
                    {protocol::kEndModulo8, (start + entry.operand.bytes) % 8},
                    {protocol::kBlindBeforeBytes, entry.blind_before_bytes},
                    {protocol::kBlindAfterBytes, entry.blind_after_bytes}});
  }
  return {{protocol::kOperands, std::move(list)}};
}

namespace {

// -1: the operator has none.
std::int64_t FirstStepOf(std::span<const StepOperator> steps, const NamedOperator& op) {
  if (op.index < 0) return -1;  // the runtime itself
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const StepOperator& step) {
    return step.location.subgraph == op.subgraph && step.location.operator_index == op.index;
  });
  return found == steps.end() ? -1 : found - steps.begin();
}

}  // namespace

Json ViolationFields(const ModelView& model, std::span<const StepOperator> steps, const Violation& violation) {
  const std::int64_t step = FirstStepOf(steps, violation.op);
  const std::string operand_name = OperandName(model, violation.op.subgraph, violation.operand);
  ViolationReport report;
#define ARENAPROOF_VIOLATION_FIELD(type, member, name, path, role, value, meaning) \
  report.member = static_cast<ViolationReport::type>(value);
#include "tools/worker/violation_fields.inc"
#undef ARENAPROOF_VIOLATION_FIELD
  Json fields = Json::object();
  for (const ViolationField& field : kViolationFields) {
    UseValue(field, report, [&](const auto& value) { fields[field.name] = value; });
  }
  return fields;
}

Json OutputFields(const ModelView& model, std::uint32_t run, std::size_t index, const Operand& output) {
  const TensorView view = model.tensor(0, static_cast<std::size_t>(output.tensor_index));
  const TensorValue value{output.tensor_index,
                          std::string(view.name),
                          TensorTypeName(output.type),
                          {output.shape().begin(), output.shape().end()},
                          {output.data, output.data + output.bytes}};
  return {{protocol::kRun, run},
          {protocol::kIndex, index},
          {protocol::kTensor, value.tensor},
          {protocol::kName, value.name},
          {protocol::kType, value.type},
          {protocol::kShape, value.shape},
          {protocol::kBytes, value.bytes.size()},
          {protocol::kSha256, Sha256Hex(value.bytes)},
          {protocol::kFirstValues, NumbersJson(FirstValues(value, kFirstValues))}};
}

}  // namespace arenaproof
