#include "engine/oracles/offline_plan/plan_oracle.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "engine/oracles/defect.h"
#include "engine/oracles/model/reference_lifetimes.h"
#include "engine/oracles/model/wire_model.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof {
namespace {

using oracle::Count;
using oracle::Entry;

std::uint64_t Place(const OracleTensor& tensor) { return std::uint64_t{tensor.subgraph} * 4294967296u + tensor.index; }

std::uint64_t UpTo16(std::uint64_t bytes) { return (bytes + 15) / 16 * 16; }

std::int64_t Word(std::span<const std::byte> plan, std::size_t index) {
  unsigned char bytes[4];
  std::memcpy(bytes, plan.data() + 4 * index, 4);
  return std::int64_t{bytes[0]} + 256 * bytes[1] + 65536 * bytes[2] + 16777216 * std::int64_t{bytes[3]};
}

std::int64_t SignedWord(std::span<const std::byte> plan, std::size_t index) {
  const std::int64_t word = Word(plan, index);
  return word < 2147483648 ? word : word - 4294967296;
}

bool ShareBytes(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a_bytes > 0 && b_bytes > 0 && a < b + b_bytes && b < a + a_bytes;
}

bool TouchOneScope(std::int64_t a_first, std::int64_t a_last, std::int64_t b_first, std::int64_t b_last) {
  return a_last >= 0 && b_last >= 0 && a_first <= b_last && b_first <= a_last;
}

// The data of a buffer that may be missing.
std::span<const std::byte> DataOf(const wire::Model& model, std::uint64_t buffer) {
  if (buffer == 0 || buffer >= Count(model.buffers())) return {};
  const auto* const data = Entry(model.buffers(), static_cast<std::size_t>(buffer))->data();
  if (data == nullptr) return {};
  return std::as_bytes(std::span(data->data(), data->size()));
}

std::string_view NameOf(const wire::Metadata& entry) {
  return entry.name() == nullptr ? std::string_view() : std::string_view(entry.name()->c_str(), entry.name()->size());
}

// V4 to V7.
Status FindPlan(const wire::Model& model, OracleQuestion* question) {
  std::vector<std::uint64_t> entries;
  for (std::size_t i = 0; i < Count(model.metadata()); ++i) {
    if (NameOf(*Entry(model.metadata(), i)) == "OfflineMemoryAllocation") entries.push_back(i);
  }
  if (entries.empty()) return Ok();
  question->present = true;
  question->metadata_index = entries.back();
  question->first_metadata_index = entries.front();
  question->entry_count = entries.size();
  const auto buffer_of = [&](std::uint64_t entry) -> std::uint64_t {
    return Entry(model.metadata(), static_cast<std::size_t>(entry))->buffer();
  };
  const std::uint64_t buffer = buffer_of(entries.back());
  const std::uint64_t buffer_count = Count(model.buffers());
  question->buffer = buffer;
  question->plan = DataOf(model, buffer);
  for (const std::uint64_t entry : entries) {
    if (entries.size() == 1) break;
    const std::span<const std::byte> other = DataOf(model, buffer_of(entry));
    if (other.empty() || !std::equal(other.begin(), other.end(), question->plan.begin(), question->plan.end())) {
      return Failure(StatusCode::kOfflinePlanDuplicate, entries.front(), entries.back(), entries.size());
    }
  }
  if (buffer >= buffer_count) {
    return Failure(StatusCode::kOfflinePlanBufferIndex, entries.back(), buffer, buffer_count);
  }
  if (!question->plan.empty()) return Ok();
  const std::uint64_t outside = Entry(model.buffers(), static_cast<std::size_t>(buffer))->offset();
  if (buffer == 0 || outside < 2) return Failure(StatusCode::kOfflinePlanNoData, entries.back(), buffer);
  return Failure(StatusCode::kOfflinePlanOutsideFile, entries.back(), buffer, outside);
}

// V3: is one the beginning of the other, case aside, and "offline" in both?
bool AlmostTheName(std::string_view name) {
  constexpr std::string_view kWanted = "offlinememoryallocation";
  if (name == "OfflineMemoryAllocation") return false;
  std::string lower(name);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
  }
  return lower.starts_with("offline") && (lower.starts_with(kWanted) || kWanted.starts_with(lower));
}

std::optional<Status> NameWarning(const wire::Model& model) {
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < Count(model.metadata()); ++i) {
    if (AlmostTheName(NameOf(*Entry(model.metadata(), i)))) entries.push_back(i);
  }
  if (entries.empty()) return std::nullopt;
  std::string name(NameOf(*Entry(model.metadata(), entries.front())));
  name.resize(16);
  std::uint64_t words[2];
  std::memcpy(words, name.data(), 16);  // little-endian, as every machine that fuzzes
  return Failure(StatusCode::kOfflinePlanNameAlmost, entries.front(), entries.size(), words[0], words[1]);
}

// The head of the plan, V8 to V15.
Status CheckHeader(const OracleQuestion& question) {
  const std::uint64_t length = question.plan.size();
  const std::uint64_t entry = question.metadata_index;
  const std::uint64_t tensors = question.model->tensors.size();
  if (length < 12) return Failure(StatusCode::kOfflinePlanTooShort, entry, length, 12);
  if (length % 4 != 0) return Failure(StatusCode::kOfflinePlanPartialWord, entry, length);
  const auto count = static_cast<std::uint64_t>(Word(question.plan, 2));
  if (12 + 4 * count > length) return Failure(StatusCode::kOfflinePlanCountTooLarge, entry, count, length / 4 - 3);
  if (12 + 4 * count < length) return Failure(StatusCode::kOfflinePlanTrailingBytes, entry, length, 12 + 4 * count);
  if (count != tensors) return Failure(StatusCode::kOfflinePlanTensorCount, entry, count, tensors);
  const std::int64_t version = Word(question.plan, 0);
  if (version != 0 && version != 1) return Failure(StatusCode::kOfflinePlanVersion, entry, version);
  const std::int64_t subgraphs = Word(question.plan, 1);
  if (subgraphs != 0 && subgraphs != std::int64_t{question.model->subgraph_count}) {
    return Failure(StatusCode::kOfflinePlanSubgraphCount, entry, subgraphs, question.model->subgraph_count);
  }
  return Ok();
}

class PlanRules {
 public:
  explicit PlanRules(const OracleQuestion& question) : question_(question), tensors_(question.model->tensors) {}

  OracleAnswer Answer() {
    answer_.status = Run();
    return answer_;
  }

 private:
  bool Placed(std::size_t i) const { return answer_.offsets[i] >= 0; }
  std::uint64_t OffsetOf(std::size_t i) const { return static_cast<std::uint64_t>(answer_.offsets[i]); }
  std::uint64_t SizeOf(std::size_t i) const { return UpTo16(tensors_[i].bytes); }
  std::uint64_t entry() const { return question_.metadata_index; }

  bool Share(std::size_t a, std::size_t b) const {
    return Placed(a) && Placed(b) && ShareBytes(OffsetOf(a), SizeOf(a), OffsetOf(b), SizeOf(b));
  }
  bool AliveTogether(std::size_t a, std::size_t b) const {
    return TouchOneScope(tensors_[a].first, tensors_[a].last, tensors_[b].first, tensors_[b].last);
  }
  Status Pair(StatusCode code, std::size_t a, std::size_t b) const {
    return Failure(code, entry(), Place(tensors_[a]), Place(tensors_[b]), std::max(OffsetOf(a), OffsetOf(b)));
  }

  // V19, with the variables that the plan leaves to the tail.
  std::uint64_t RoomBytes() const {
    if (question_.rooms.empty()) return question_.room_bytes;
    std::size_t placed_variables = 0;
    std::size_t bit = 1;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (!tensors_[i].variable) continue;
      if (Placed(i)) placed_variables += bit;
      bit *= 2;
    }
    if (bit != question_.rooms.size()) Defect("the oracle", "is given rooms for another number of variables");
    return question_.rooms[placed_variables];
  }

  Status Run() {
    ARENAPROOF_RETURN_IF_ERROR(CheckHeader(question_));
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const std::int64_t word = SignedWord(question_.plan, 3 + i);
      if (word < -1) return Failure(StatusCode::kOfflinePlanNegativeOffset, entry(), Place(tensors_[i]), word);
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const OracleTensor& tensor = tensors_[i];
      const bool ordinary = !tensor.constant && !tensor.supplied && tensor.bytes != 0;
      answer_.offsets.push_back(ordinary || tensor.variable ? SignedWord(question_.plan, 3 + i) : -1);
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (!Placed(i) || OffsetOf(i) % 16 == 0) continue;
      return Failure(StatusCode::kOfflinePlanMisaligned, entry(), Place(tensors_[i]), OffsetOf(i));
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (!Placed(i) || OffsetOf(i) + SizeOf(i) <= 2147483647) continue;
      return Failure(StatusCode::kOfflinePlanOffsetOverflow, entry(), Place(tensors_[i]), OffsetOf(i), SizeOf(i));
    }
    const std::uint64_t room_bytes = RoomBytes();
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (!Placed(i) || OffsetOf(i) + SizeOf(i) <= room_bytes) continue;
      return Failure(StatusCode::kOfflinePlanOutsideHead, entry(), Place(tensors_[i]),
                     OffsetOf(i) * 4294967296u + SizeOf(i), room_bytes);
    }
    return CheckPairs();
  }

  Status CheckPairs() {
    for (std::size_t a = 0; a < tensors_.size(); ++a) {
      for (std::size_t b = a + 1; b < tensors_.size(); ++b) {
        if (!Share(a, b) || !AliveTogether(a, b)) continue;
        if (!question_.trust) return Pair(StatusCode::kOfflinePlanLiveOverlap, a, b);
        ++answer_.trusted_overlap_count;
      }
    }
    ARENAPROOF_RETURN_IF_ERROR(CheckConstants());
    for (std::size_t a = 0; a < tensors_.size(); ++a) {
      for (std::size_t b = a + 1; b < tensors_.size(); ++b) {
        if (!Share(a, b) || !(tensors_[a].variable || tensors_[b].variable)) continue;
        return Pair(StatusCode::kOfflinePlanSharedVariable, a, b);
      }
    }
    const auto placed =
        std::count_if(answer_.offsets.begin(), answer_.offsets.end(), [](std::int64_t offset) { return offset >= 0; });
    if (placed > 0 && !question_.planner_takes_fixed) {
      // The planner's name is the target's own business.
      return Failure(StatusCode::kOfflinePlanPlanner, entry(), placed);
    }
    WarnInOrder();
    return Ok();
  }

  bool FixedConstant(std::size_t i) const {
    const OracleTensor& tensor = tensors_[i];
    return tensor.constant && !tensor.variable && tensor.bytes != 0 && SignedWord(question_.plan, 3 + i) != -1;
  }
  bool FixedSupplied(std::size_t i) const {
    const OracleTensor& tensor = tensors_[i];
    return tensor.supplied && !tensor.constant && !tensor.variable && tensor.bytes != 0 &&
           SignedWord(question_.plan, 3 + i) != -1;
  }
  bool PlacedVariable(std::size_t i) const { return tensors_[i].variable && Placed(i); }

  Status CheckConstants() const {
    for (std::size_t i = 0; question_.strict && i < tensors_.size(); ++i) {
      if (!FixedConstant(i)) continue;
      return Failure(StatusCode::kOfflinePlanConstantTensor, entry(), Place(tensors_[i]),
                     SignedWord(question_.plan, 3 + i));
    }
    return Ok();
  }

  // One warning about the first of them, with their number.
  void WarnOfAll(StatusCode code, bool (PlanRules::*concerned)(std::size_t) const) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if ((this->*concerned)(i)) all.push_back(i);
    }
    if (all.empty()) return;
    answer_.warnings.push_back(
        Failure(code, entry(), Place(tensors_[all.front()]), SignedWord(question_.plan, 3 + all.front()), all.size()));
  }

  // V4, V22, V24, V25, V26, V30.
  void WarnInOrder() {
    if (question_.entry_count > 1) {
      answer_.warnings.push_back(
          Failure(StatusCode::kOfflinePlanRepeated, question_.first_metadata_index, entry(), question_.entry_count));
    }
    WarnOfAll(StatusCode::kOfflinePlanForConstant, &PlanRules::FixedConstant);
    WarnOfAll(StatusCode::kOfflinePlanForSupplied, &PlanRules::FixedSupplied);
    if (question_.shared_allocator) WarnOfAll(StatusCode::kOfflinePlanSharedAllocator, &PlanRules::PlacedVariable);
    WarnOfReusedInput();
    for (const OracleTensor& tensor : tensors_) {
      if (tensor.buffer != question_.buffer) continue;
      answer_.warnings.push_back(
          Failure(StatusCode::kOfflinePlanSharedBuffer, entry(), question_.buffer, Place(tensor)));
      break;
    }
  }

  // The first pair is reported with the input first; with the lower one first when both are inputs.
  void WarnOfReusedInput() {
    for (std::size_t a = 0; a < tensors_.size(); ++a) {
      for (std::size_t b = a + 1; b < tensors_.size(); ++b) {
        if (!(tensors_[a].input || tensors_[b].input) || !Share(a, b)) continue;
        if (tensors_[a].last < 0 || tensors_[b].last < 0) continue;  // no operator touches it
        answer_.warnings.push_back(
            Pair(StatusCode::kOfflinePlanReusedInput, tensors_[a].input ? a : b, tensors_[a].input ? b : a));
        return;
      }
    }
  }

  const OracleQuestion& question_;
  const std::vector<OracleTensor>& tensors_;
  OracleAnswer answer_;
};

// What owns the bytes of a planned buffer: the plan's tensor, or SIZE_MAX for scratch.
std::size_t TensorOf(const OracleModel& model, const PlanEntry& buffer) {
  for (std::size_t i = 0; buffer.tensor >= 0 && i < model.tensors.size(); ++i) {
    if (model.tensors[i].subgraph == static_cast<std::uint32_t>(buffer.subgraph) &&
        model.tensors[i].index == static_cast<std::uint32_t>(buffer.tensor)) {
      return i;
    }
  }
  return SIZE_MAX;
}

std::string Named(const char* what, std::size_t a, std::size_t b) {
  return std::string(what) + ": buffers " + std::to_string(a) + " and " + std::to_string(b);
}

}  // namespace

OracleModel OracleModelOf(const ModelView& view) {
  const wire::Model& model = oracle::ModelOf(view.bytes());
  const std::vector<Lifetime> lifetimes = oracle::WalkAsReference(view.bytes(), {}).tensors;
  OracleModel result;
  result.subgraph_count = static_cast<std::uint32_t>(Count(model.subgraphs()));
  for (std::uint32_t s = 0; s < result.subgraph_count; ++s) {
    const wire::SubGraph& graph = *Entry(model.subgraphs(), s);
    for (std::uint32_t i = 0; i < Count(graph.tensors()); ++i) {
      const wire::Tensor& table = *Entry(graph.tensors(), i);
      const auto type = static_cast<std::int64_t>(table.type());
      OracleTensor tensor{.subgraph = s, .index = i};
      // A constant's length counts only in being none or some, which packing changes nothing of.
      tensor.bytes = static_cast<std::uint64_t>(oracle::ExactElements(table, 0) * oracle::BytesOfType(type));
      tensor.constant = oracle::IsConstant(model, table);
      tensor.variable = table.is_variable();
      tensor.buffer = table.buffer();
      tensor.first = lifetimes[result.tensors.size()].first;
      tensor.last = lifetimes[result.tensors.size()].last;
      result.tensors.push_back(tensor);
    }
  }
  for (const std::int64_t input : oracle::Numbers(Entry(model.subgraphs(), 0)->inputs())) {
    result.tensors[static_cast<std::size_t>(input)].input = true;
  }
  return result;
}

OracleAnswer AskOracle(const ModelView& view, OracleQuestion* question) {
  OracleAnswer answer;
  const wire::Model& model = oracle::ModelOf(view.bytes());
  answer.status = FindPlan(model, question);
  if (!answer.status.ok()) return answer;
  if (question->present) {
    answer = PlanRules(*question).Answer();
  } else {
    answer.offsets.assign(question->model->tensors.size(), -1);
  }
  const std::optional<Status> name = NameWarning(model);
  if (name && answer.status.ok()) answer.warnings.insert(answer.warnings.begin(), *name);
  return answer;
}

std::int64_t OracleEntry(const OracleQuestion& question, std::size_t tensor) {
  return question.present ? SignedWord(question.plan, 3 + tensor) : -1;
}

std::string FaultOfLayout(const OracleQuestion& question, const OracleAnswer& answer, std::span<const PlanEntry> layout,
                          std::size_t head_bytes) {
  const OracleModel& model = *question.model;
  std::vector<std::size_t> owner(layout.size());
  std::vector<bool> seen(model.tensors.size());
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const PlanEntry& buffer = layout[i];
    owner[i] = TensorOf(model, buffer);
    if (buffer.tensor >= 0 && owner[i] == SIZE_MAX) return "a buffer of no tensor: " + std::to_string(i);
    if (buffer.offset % 16 != 0) return "O1, an offset that is no multiple of 16: buffer " + std::to_string(i);
    if (buffer.offset + UpTo16(buffer.bytes) > head_bytes) return "O1, outside the head: buffer " + std::to_string(i);
    if (owner[i] == SIZE_MAX) continue;
    if (seen[owner[i]]) return "O9, a tensor with two places: " + std::to_string(owner[i]);
    seen[owner[i]] = true;
    const std::int64_t fixed = answer.offsets[owner[i]];
    if (fixed >= 0 && static_cast<std::uint64_t>(fixed) != buffer.offset) {
      return "O2, a fixed tensor elsewhere: " + std::to_string(owner[i]);
    }
    if (model.tensors[owner[i]].variable && fixed < 0) {
      return "O9, a variable of the tail in the head: " + std::to_string(owner[i]);
    }
  }
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const OracleTensor& tensor = model.tensors[i];
    const bool ordinary = !tensor.constant && !tensor.supplied && !tensor.variable && tensor.bytes != 0;
    if ((ordinary || answer.offsets[i] >= 0) != seen[i]) return "a tensor without its place: " + std::to_string(i);
  }
  for (std::size_t a = 0; a < layout.size(); ++a) {
    for (std::size_t b = a + 1; b < layout.size(); ++b) {
      if (!ShareBytes(layout[a].offset, UpTo16(layout[a].bytes), layout[b].offset, UpTo16(layout[b].bytes))) continue;
      const OracleTensor* const first = owner[a] == SIZE_MAX ? nullptr : &model.tensors[owner[a]];
      const OracleTensor* const second = owner[b] == SIZE_MAX ? nullptr : &model.tensors[owner[b]];
      if ((first != nullptr && first->variable) || (second != nullptr && second->variable)) {
        return Named("V25, a variable's bytes are used", a, b);
      }
      const std::int64_t a_first = first != nullptr ? first->first : layout[a].first;
      const std::int64_t a_last = first != nullptr ? first->last : layout[a].last;
      const std::int64_t b_first = second != nullptr ? second->first : layout[b].first;
      const std::int64_t b_last = second != nullptr ? second->last : layout[b].last;
      if (!TouchOneScope(a_first, a_last, b_first, b_last)) continue;
      const bool both_fixed =
          first != nullptr && second != nullptr && answer.offsets[owner[a]] >= 0 && answer.offsets[owner[b]] >= 0;
      if (both_fixed && question.trust) continue;
      return Named(both_fixed ? "V20 let through" : "O3, an online buffer shares bytes", a, b);
    }
  }
  return {};
}

}  // namespace arenaproof
ARENAPROOF_UNGUIDED_END
