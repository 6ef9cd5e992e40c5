#include "tools/command/worker_report.h"

#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/worker/protocol.h"

namespace arenaproof {
namespace {

namespace field = protocol;
using Json = nlohmann::json;

std::int64_t Number(const Json& event, const char* name, std::int64_t absent = 0) {
  const auto found = event.find(name);
  return found == event.end() ? absent : found->get<std::int64_t>();
}

std::string Text(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found == event.end() ? std::string() : found->get<std::string>();
}

bool Flag(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found != event.end() && found->get<bool>();
}

template <typename Element>
std::vector<Element> List(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found == event.end() ? std::vector<Element>() : found->get<std::vector<Element>>();
}

// JSON has no NaN or infinity: the writer leaves null there.
std::vector<ElementValue> Numbers(const Json& event, const char* name) {
  std::vector<ElementValue> values;
  if (const auto found = event.find(name); found != event.end()) {
    for (const Json& value : *found) {
      if (value.is_null()) {
        values.emplace_back(std::numeric_limits<double>::quiet_NaN());
      } else if (value.is_number_unsigned()) {
        values.emplace_back(value.get<std::uint64_t>());
      } else if (value.is_number_integer()) {
        values.emplace_back(value.get<std::int64_t>());
      } else {
        values.emplace_back(value.get<double>());
      }
    }
  }
  return values;
}

// A list of objects; an absent one is empty.
const Json& Objects(const Json& event, const char* name) {
  static const Json kNone = Json::array();
  const auto found = event.find(name);
  return found == event.end() ? kNone : *found;
}

std::vector<PlannedBufferReport> ReadBuffers(const Json& event) {
  std::vector<PlannedBufferReport> buffers;
  for (const Json& buffer : Objects(event, field::kBuffers)) {
    buffers.push_back(
        {Number(buffer, field::kSubgraph), Number(buffer, field::kTensor, -1), Number(buffer, field::kScratch, -1),
         Text(buffer, field::kName), Number(buffer, field::kOwnerOperator, -1), Number(buffer, field::kOffset),
         Number(buffer, field::kBytes), Number(buffer, field::kFirstStep), Number(buffer, field::kLastStep)});
  }
  return buffers;
}

PlanReport ReadPlan(const Json& event) {
  PlanReport plan{Number(event, field::kHeadBytes),
                  Number(event, field::kTailBytes),
                  Number(event, field::kUsedBytes),
                  Number(event, field::kArenaBytes),
                  Number(event, field::kDeviceArenaBytes, Number(event, field::kArenaBytes)),
                  Number(event, field::kPersistentArenaBytes),
                  Number(event, field::kDevicePersistentArenaBytes, Number(event, field::kPersistentArenaBytes)),
                  {},
                  {}};
  plan.buffers = ReadBuffers(event);
  const auto buffer_in_plan = [&](const Json& shared, const char* name) {
    const std::int64_t buffer = Number(shared, name, -1);
    if (buffer >= 0 && static_cast<std::size_t>(buffer) < plan.buffers.size()) return buffer;
    throw std::runtime_error("the plan has no buffer " + std::to_string(buffer));
  };
  for (const Json& shared : Objects(event, field::kSharing)) {
    plan.sharing.push_back({buffer_in_plan(shared, field::kBuffer), buffer_in_plan(shared, field::kSource),
                            buffer_in_plan(shared, field::kOwner), Number(shared, field::kSubgraph),
                            Number(shared, field::kOperator), Text(shared, field::kOperatorName),
                            Number(shared, field::kInput), Flag(shared, field::kModifies)});
  }
  return plan;
}

WorkerRefusal ReadRefusal(const Json& event) {
  WorkerRefusal refusal{.stage = Text(event, field::kStage),
                        .code = Text(event, field::kCode),
                        .detail = List<std::int64_t>(event, field::kDetail),
                        .subgraph = Number(event, field::kSubgraph, -1),
                        .operator_index = Number(event, field::kOperator, -1),
                        .operator_name = Text(event, field::kOperatorName),
                        .sentence = Text(event, field::kSentence),
                        .larger_arena = Flag(event, field::kLargerArena),
                        .buffers = ReadBuffers(event)};
  for (const Json& arena : Objects(event, field::kSmallArenas)) {
    refusal.small_arenas.push_back({Text(arena, field::kArena),
                                    static_cast<std::size_t>(Number(arena, field::kGivenBytes)),
                                    static_cast<std::size_t>(Number(arena, field::kNeedBytes))});
  }
  return refusal;
}

// An absent field keeps its default; one of another type throws.
ViolationReport ReadViolation(const Json& event) {
  ViolationReport violation;
  for (const ViolationField& row : kViolationFields) {
    if (const auto found = event.find(row.name); found != event.end()) {
      UseValue(row, violation, [&](auto& value) { found->get_to(value); });
    }
  }
  return violation;
}

std::vector<BlindPairReport> ReadPairs(const Json& event, const char* name) {
  std::vector<BlindPairReport> pairs;
  for (const Json& pair : Objects(event, name)) {
    pairs.push_back({Number(pair, field::kSubgraph), Number(pair, field::kOperator), Text(pair, field::kOperatorName),
                     Text(pair, field::kFirstKind), Text(pair, field::kSecondKind), Number(pair, field::kFirstIndex),
                     Number(pair, field::kSecondIndex), Number(pair, field::kDistanceBytes)});
  }
  return pairs;
}

void ReadEvent(const Json& event, WorkerReport& report) {
  const std::string kind = Text(event, field::kEvent);
  if (kind == field::kStarted) {
    report.started = true;
  } else if (kind == field::kSelfTest) {
    report.self_test =
        WorkerSelfTest{Flag(event, field::kSees), List<std::string>(event, field::kWhat),
                       List<std::string>(event, field::kMissed), List<std::string>(event, field::kLimits)};
  } else if (kind == field::kRefused) {
    report.refusal = ReadRefusal(event);
  } else if (kind == field::kOfflinePlan) {
    report.offline_plan = ReadOfflinePlanReport(event);
  } else if (kind == field::kPlan) {
    report.plan = ReadPlan(event);
  } else if (kind == field::kBlindPairs) {
    report.blind_pair_count = Number(event, field::kCount);
    report.blind_pairs = ReadPairs(event, field::kPairs);
    if (event.contains(field::kPrepareCount)) report.prepare_blind_pair_count = Number(event, field::kPrepareCount);
    report.prepare_blind_pairs = ReadPairs(event, field::kPreparePairs);
  } else if (kind == field::kNotExact) {
    for (const Json& operand : Objects(event, field::kOperands)) {
      report.not_exact.push_back({Number(operand, field::kSubgraph), Number(operand, field::kOperator),
                                  Text(operand, field::kOperatorName), Text(operand, field::kKind),
                                  Text(operand, field::kName), Number(operand, field::kIndex),
                                  Number(operand, field::kBlindBeforeBytes), Number(operand, field::kBlindAfterBytes)});
    }
  } else if (kind == field::kReadAllowances) {
    for (const Json& operand : Objects(event, field::kOperands)) {
      report.read_allowances.push_back(
          {Number(operand, field::kSubgraph), Number(operand, field::kOperator), Text(operand, field::kOperatorName),
           Text(operand, field::kKernel), Text(operand, field::kKind), Text(operand, field::kName),
           Number(operand, field::kIndex), Number(operand, field::kBeforeBytes), Number(operand, field::kAfterBytes)});
    }
  } else if (kind == field::kOperatorEvent) {
    report.operators.push_back({Number(event, field::kIndex), Number(event, field::kSubgraph),
                                Text(event, field::kName), Text(event, field::kKernel),
                                Flag(event, field::kSeenByInstrument), Number(event, field::kInvokes),
                                Number(event, field::kInvokesSeen), Flag(event, field::kWithoutHooks)});
  } else if (kind == field::kExtents) {
    const auto range = [](const Json& operand, const char* lowest, const char* highest) -> std::optional<ByteRange> {
      if (!operand.contains(lowest)) return {};
      return ByteRange{Number(operand, lowest), Number(operand, highest)};
    };
    report.extents.emplace();
    for (const Json& operand : Objects(event, field::kOperands)) {
      report.extents->push_back(
          {Number(operand, field::kSubgraph), Number(operand, field::kOperator), Text(operand, field::kOperatorName),
           Text(operand, field::kKind), Text(operand, field::kName), Number(operand, field::kIndex),
           Number(operand, field::kBytes), range(operand, field::kLowestRead, field::kHighestRead),
           range(operand, field::kLowestWritten, field::kHighestWritten)});
    }
  } else if (kind == field::kViolation) {
    report.violations.push_back(ReadViolation(event));
  } else if (kind == field::kOutput) {
    report.outputs.push_back({Number(event, field::kRun), Number(event, field::kIndex), Number(event, field::kBytes),
                              Text(event, field::kName), Text(event, field::kType), Text(event, field::kSha256),
                              List<std::int64_t>(event, field::kShape), Numbers(event, field::kFirstValues)});
  } else if (kind == field::kInternalError) {
    report.internal_errors.push_back(Text(event, field::kSentence));
  } else if (kind == field::kCapped) {
    report.capped = true;
    report.capped_at = CappedAt{Number(event, field::kSubgraph), Number(event, field::kOperator),
                                Text(event, field::kOperatorName), Text(event, field::kPhase)};
  } else if (kind == field::kFinished) {
    report.finished = true;
    report.capped = report.capped || Flag(event, field::kCapped);
  }
}

}  // namespace

WorkerReport ReadWorkerReport(std::string_view stream) {
  WorkerReport report;
  std::size_t line_number = 0;
  while (!stream.empty()) {
    const std::size_t end = stream.find('\n');
    const std::string_view line = stream.substr(0, end);
    stream.remove_prefix(end == std::string_view::npos ? stream.size() : end + 1);
    ++line_number;
    if (line.empty()) continue;
    try {
      const Json event = Json::parse(line);
      if (!event.is_object()) throw std::runtime_error("not an object");
      ReadEvent(event, report);
    } catch (const std::bad_alloc&) {
      throw;  // it is this program that has no memory left, not the worker that wrote nonsense
    } catch (const std::exception& error) {
      report.malformed = "line " + std::to_string(line_number) + " of the worker's report: " + error.what();
      break;
    }
  }
  return report;
}

}  // namespace arenaproof
