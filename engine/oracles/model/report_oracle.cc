#include "engine/oracles/model/report_oracle.h"

#include <map>
#include <tuple>

#include "engine/oracles/model/wire_model.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

constexpr std::size_t kMostItems = ValidationReport::kMaxItems;

using Thing = std::tuple<UnsupportedKind, std::int64_t, std::string>;

struct Met {
  std::uint64_t count = 0;
  std::uint64_t first_subgraph = 0;
  std::uint64_t first_index = 0;
};

struct Wanted {
  std::map<Thing, Met> things;
  std::uint64_t occurrence_count = 0;
  std::uint64_t unaligned_constant_count = 0;

  void Add(UnsupportedKind kind, std::int64_t value, std::string name, std::size_t s, std::size_t i) {
    Met& met = things[{kind, value, std::move(name)}];
    if (met.count++ == 0) {
      met.first_subgraph = s;
      met.first_index = i;
    }
    ++occurrence_count;
  }
  void Add(UnsupportedFeature feature, std::size_t s, std::size_t i) {
    Add(UnsupportedKind::kFeature, static_cast<std::int64_t>(feature), {}, s, i);
  }
};

void AddTensor(const wire::Model& model, const wire::Tensor& tensor, std::size_t s, std::size_t i, Wanted& wanted) {
  const auto type = static_cast<std::int64_t>(tensor.type());
  const bool sized = BytesOfType(type) != 0;
  if (!sized) wanted.Add(UnsupportedKind::kTensorType, type, {}, s, i);
  if (tensor.sparsity() != nullptr) wanted.Add(UnsupportedFeature::kSparseTensor, s, i);
  if (tensor.external_buffer() != 0) wanted.Add(UnsupportedFeature::kExternalBuffer, s, i);
  if (tensor.quantization() != nullptr && tensor.quantization()->details_type() != wire::QuantizationDetails::NONE) {
    wanted.Add(UnsupportedFeature::kQuantizationDetails, s, i);
  }
  if (!IsConstant(model, tensor) || !sized || tensor.sparsity() != nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(Entry(model.buffers(), tensor.buffer())->data()->Data());
  if (address % 16 != 0) ++wanted.unaligned_constant_count;  // the file itself is 16-aligned
}

void AddOperator(const wire::Model& model, const wire::Operator& op, std::size_t s, std::size_t i, Served served,
                 Wanted& wanted) {
  if (op.large_custom_options_offset() > 1) wanted.Add(UnsupportedFeature::kLargeCustomOptions, s, i);
  const wire::OperatorCode& code = *Entry(model.operator_codes(), op.opcode_index());
  const std::int64_t number = CodeOf(code);
  if (served(number)) return;
  if (number != 32) return wanted.Add(UnsupportedKind::kBuiltinOperator, number, {}, s, i);
  wanted.Add(UnsupportedKind::kCustomOperator, number, code.custom_code()->str(), s, i);
}

Wanted WantedBy(const wire::Model& model, Served served) {
  Wanted wanted;
  for (std::size_t i = 0; i < Count(model.buffers()); ++i) {
    if (Entry(model.buffers(), i)->offset() > 1) wanted.Add(UnsupportedFeature::kBufferOutsideFile, 0, i);
  }
  for (std::size_t s = 0; s < Count(model.subgraphs()); ++s) {
    const wire::SubGraph& graph = *Entry(model.subgraphs(), s);
    for (std::size_t i = 0; i < Count(graph.tensors()); ++i) {
      AddTensor(model, *Entry(graph.tensors(), i), s, i, wanted);
    }
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) {
      AddOperator(model, *Entry(graph.operators(), i), s, i, served, wanted);
    }
  }
  return wanted;
}

}  // namespace

std::string CheckValidationReport(std::span<const std::byte> file, const ValidationReport& report, Served served) {
  const Wanted wanted = WantedBy(ModelOf(file), served);
  if (report.unaligned_constant_count != wanted.unaligned_constant_count) {
    return "the report miscounts constants that are not 16-aligned";
  }
  if (report.unsupported_occurrence_count() != wanted.occurrence_count) {
    return "the report miscounts what is not supported: " + std::to_string(report.unsupported_occurrence_count()) +
           " times, in truth " + std::to_string(wanted.occurrence_count);
  }
  std::map<Thing, Met> left = wanted.things;
  std::uint64_t listed_count = 0;
  for (const UnsupportedItem& item : report.unsupported()) {
    const std::string name(item.name);
    const auto found = left.find({item.kind, item.value, name});
    if (found == left.end()) return "the report lists what is not supported twice, or wrongly: " + name;
    const Met& met = found->second;
    if (item.count != met.count) return "the report miscounts one thing that is not supported: " + name;
    if (item.first_subgraph != met.first_subgraph || item.first_index != met.first_index) {
      return "the report misplaces what is not supported: " + name;
    }
    listed_count += met.count;
    left.erase(found);
  }
  if (!left.empty() && report.unsupported().size() < kMostItems) return "the report misses what is not supported";
  if (report.omitted_count() != wanted.occurrence_count - listed_count) {
    return "the report miscounts what it leaves out";
  }
  const bool supported = wanted.occurrence_count == 0;
  if (supported != report.status.ok()) return "the report and validation's status do not agree";
  if (supported || !left.empty()) return {};
  if (report.status.detail[0] != wanted.things.size() || report.status.detail[1] != wanted.occurrence_count) {
    return "validation's status miscounts what is not supported";
  }
  return {};
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
