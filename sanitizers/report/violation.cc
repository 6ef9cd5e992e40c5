#include "sanitizers/report/violation.h"

#include <algorithm>

namespace arenaproof {
namespace {

bool SameGroup(const Violation& a, const Violation& b) {
  return a.op.subgraph == b.op.subgraph && a.op.index == b.op.index && a.op.phase == b.op.phase &&
         (a.op.phase != OperatorPhase::kRuntime || a.op.name == b.op.name) && a.write == b.write && a.side == b.side &&
         a.operand.data == b.operand.data && a.operand.kind == b.operand.kind && a.operand.index == b.operand.index;
}

}  // namespace

std::string DifferenceText(std::string_view result) {
  return result.empty() ? "fails, or is run, in one of two runs only, between which nothing but bytes outside of its "
                          "operands or not yet written differs"
                        : "writes " + std::string(result) +
                              " in another way when bytes outside of its operands or not yet written are others";
}

std::string UnwrittenText(std::string_view result) {
  return result.empty() ? "decides, computes an address or calls the system by bytes that nobody has written"
                        : "leaves bytes of " + std::string(result) +
                              " unwritten, or makes them from bytes that nobody has written";
}

std::string BytesText(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

const char* ByteStateName(ByteState state) {
  constexpr const char* kNames[] = {"gap",     "dead_tensor", "live_tensor", "own_operand",
                                    "scratch", "tail",        "temporary",   "constant",
                                    "guard",   "model_file",  "reserve",     "quantization"};
  return kNames[static_cast<std::size_t>(state)];
}

const char* ReserveVerdictName(ReserveVerdict verdict) {
  constexpr const char* kNames[] = {"none", "not_checked", "contained", "reaches_object", "leaves_allocation"};
  return kNames[static_cast<std::size_t>(verdict)];
}

const char* RuntimeWorkName(RuntimeWork work) {
  constexpr const char* kNames[] = {"the runtime, setting up records", "the runtime, planning",
                                    "the runtime, copying tensors", "the runtime, filling variables"};
  return kNames[static_cast<std::size_t>(work)];
}

namespace {

std::string WidthsText(const Violation& violation) {
  if (violation.max_width_bytes == violation.min_width_bytes) return BytesText(violation.min_width_bytes);
  return std::to_string(violation.min_width_bytes) + " to " + BytesText(violation.max_width_bytes);
}

}  // namespace

std::string ViolationSentence(const Violation& violation, const std::string& operand_name) {
  std::string operand = "any operand";
  if (violation.operand.data != nullptr) {
    operand = std::string(OperandKindName(violation.operand.kind)) + " " + std::to_string(violation.operand.index);
    if (!operand_name.empty()) operand += " '" + operand_name + "'";
    operand += " (" + BytesText(violation.operand.bytes) + ")";
  }
  std::string place;
  switch (violation.side) {
    case ViolationSide::kBefore:
      place = "up to " + BytesText(violation.distance_bytes) + " before " + operand;
      break;
    case ViolationSide::kAfter:
      place = "up to " + BytesText(violation.distance_bytes) + " after " + operand;
      break;
    case ViolationSide::kInside:
      place = std::string("bytes of ") + operand + ", which it may only " + (violation.write ? "read" : "write");
      break;
    case ViolationSide::kOverwritten:
      place = "bytes of " + operand + " that it has overwritten with its output";
      break;
    case ViolationSide::kFar:
      place = "far from its operands, " + BytesText(violation.distance_bytes) + " away from " + operand;
      break;
    case ViolationSide::kDiffers:
    case ViolationSide::kUnwritten:
      break;
  }
  const bool runtime = violation.op.phase == OperatorPhase::kRuntime;
  const std::string who = runtime ? violation.op.name + ", "
                                  : violation.op.name + " (operator " + std::to_string(violation.op.index) +
                                        ", kernel " + violation.op.kernel + ") ";
  const std::string widths = WidthsText(violation);
  const bool differs = violation.side == ViolationSide::kDiffers;
  if (differs || violation.side == ViolationSide::kUnwritten) {
    const bool result = violation.operand.data != nullptr;
    const std::string named = result ? operand : std::string();
    std::string text = who + (differs ? DifferenceText(named) : UnwrittenText(named));
    if (result) text += ": " + widths + ", the first is byte " + std::to_string(violation.lowest_touched);
    return text;
  }
  const std::string phase = runtime ? "" : std::string(" in ") + OperatorPhaseName(violation.op.phase);
  return who + (violation.write ? "writes " : "reads ") + place + phase + ", " + std::to_string(violation.count) +
         (violation.count == 1 ? " access, " : " accesses, ") + widths + " wide; at the furthest byte lies " +
         violation.state;
}

const Violation* ViolationLog::Find(const Violation& violation) const {
  for (const Violation& group : groups_) {
    if (SameGroup(group, violation)) return &group;
  }
  return nullptr;
}

void ViolationLog::Add(const Violation& violation) {
  access_count_ += violation.count;
  Violation* group = const_cast<Violation*>(Find(violation));
  if (group == nullptr) {
    if (groups_.size() == kMaxGroups) {
      capped_ = true;
      return;
    }
    groups_.push_back(violation);
    return;
  }
  group->count += violation.count;
  group->min_width_bytes = std::min(group->min_width_bytes, violation.min_width_bytes);
  group->max_width_bytes = std::max(group->max_width_bytes, violation.max_width_bytes);
  group->lowest_touched = std::min(group->lowest_touched, violation.lowest_touched);
  group->reserve = std::max(group->reserve, violation.reserve);
  group->highest_touched = std::max(group->highest_touched, violation.highest_touched);
  if (violation.distance_bytes > group->distance_bytes) {
    group->distance_bytes = violation.distance_bytes;
    group->state_kind = violation.state_kind;
    group->state = violation.state;
    group->map = violation.map;
  }
}

void ViolationLog::Clear() {
  groups_.clear();
  access_count_ = 0;
  capped_ = false;
}

}  // namespace arenaproof
