#include "fuzz/model_pipeline/view_drill.h"

#include <functional>

#include "core/model/validate.h"
#include "props/model_oracles/broken_rules.h"
#include "props/model_oracles/view_judge.h"
#include "tools/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kShape[] = {2, 3};
constexpr std::byte kBytes[6] = {};
constexpr float kScales[] = {0.5f, 0.25f};

// Something of everything that a view tells.
std::vector<std::byte> FullModel() {
  ModelBuilder builder;
  for (int s = 0; s < 3; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph("graph");
    const std::uint32_t data = builder.AddBuffer(kBytes);
    graph.AddTensor({.name = "x", .type = TensorType::kInt8, .shape = {{2, 3}}, .quantization = Scale(0.5f, 3)});
    graph.AddTensor({.name = "c",
                     .type = TensorType::kInt8,
                     .shape = {{2, 3}},
                     .buffer = data,
                     .quantization = ScalesAlong(1, {0.5f, 0.25f, 1.0f}),
                     .shape_signature = {-1, 3}});
    graph.AddTensor({.name = "v", .type = TensorType::kInt8, .shape = {{2, 3}}, .is_variable = true});
    graph.AddTensor({.type = TensorType::kBool});
    graph.inputs = {0};
    graph.outputs = {0};
    if (s != 0) continue;
    const auto add = [&](BuiltinOperator code, OperatorOptions options) {
      graph.AddOperator({.code = builder.AddCode(code, 2),
                         .inputs = {0, 1},
                         .outputs = {3},
                         .options = std::move(options),
                         .intermediates = {2},
                         .mutating_inputs = {0, 1}});
    };
    add(BuiltinOperator::kAdd, AddOptions{});
    add(BuiltinOperator::kRelu, {});
    add(BuiltinOperator::kIf, IfOptions{1, 2});
    add(BuiltinOperator::kWhile, WhileOptions{2, 1});
    add(BuiltinOperator::kCallOnce, CallOnceOptions{1});
    graph.AddOperator(
        {.code = builder.AddCustomCode("own"), .inputs = {0}, .outputs = {3}, .custom_options = {kBytes[0]}});
  }
  builder.AddMetadata("meta", kBytes);
  return builder.Finish();
}

// A change of one field.
template <typename View>
struct Change {
  const char* what;
  std::function<void(View&)> make;
};

template <typename Element>
std::span<const Element> WithoutLast(std::span<const Element> list) {
  return list.empty() ? list : list.first(list.size() - 1);
}

class Drill {
 public:
  std::vector<std::string> Run() {
    if (!ModelView::Open(file_, &model_).ok()) return {"the drill's model is none"};
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t i = 0; i < model_.tensor_count(s); ++i) ShowTensor(s, i);
      for (std::size_t i = 0; i < model_.operator_count(s); ++i) ShowOperator(s, i);
    }
    ShowBuffers();
    ShowRefusals();
    return missed_;
  }

 private:
  void Require(bool silent, const std::string& complaint, const std::string& what) {
    if (silent && !complaint.empty()) missed_.push_back(what + " is right: " + complaint);
    if (!silent && complaint.empty()) missed_.push_back("a judge lets pass " + what);
  }

  template <typename View, typename Judge>
  void Show(const View& right, std::initializer_list<Change<View>> changes, const Judge& judge, const std::string& of) {
    Require(true, judge(right), "the view of" + of);
    for (const Change<View>& change : changes) {
      View wrong = right;
      change.make(wrong);
      Require(false, judge(wrong), "another " + std::string(change.what) + " of" + of);
    }
  }

  void ShowTensor(std::size_t s, std::size_t i) {
    const TensorView right = model_.tensor(s, i);
    const auto judge = [&](const TensorView& view) { return oracle::JudgeTensorView(file_, s, i, view); };
    const std::string of = " tensor " + std::to_string(i) + " of subgraph " + std::to_string(s);
    Show<TensorView>(
        right,
        {{"name", [](TensorView& v) { v.name = v.name.empty() ? "y" : v.name.substr(1); }},
         {"type", [](TensorView& v) { v.type = TensorType::kInt16; }},
         {"kind of memory", [](TensorView& v) { v.is_variable = !v.is_variable; }},
         {"presence of a shape", [](TensorView& v) { v.has_shape = !v.has_shape; }},
         {"shape", [](TensorView& v) { v.shape = v.shape.empty() ? kShape : WithoutLast(v.shape); }},
         {"shape signature",
          [](TensorView& v) {
            v.shape_signature = v.shape_signature.empty() ? kShape : WithoutLast(v.shape_signature);
          }},
         {"buffer", [](TensorView& v) { ++v.buffer; }},
         {"data", [](TensorView& v) { v.data = v.data.empty() ? kBytes : WithoutLast(v.data); }},
         {"data's place",
          [](TensorView& v) { v.data = v.data.empty() ? kBytes : std::span(kBytes).first(v.data.size()); }},
         {"presence of quantisation", [](TensorView& v) { v.has_quantization = !v.has_quantization; }},
         {"sparsity", [](TensorView& v) { v.has_sparsity = !v.has_sparsity; }},
         {"external buffer", [](TensorView& v) { ++v.external_buffer; }}},
        judge, of);
    if (!right.has_quantization) return;
    Show<TensorView>(
        right,
        {{"list of scales", [](TensorView& v) { v.quantization.scales = WithoutLast(v.quantization.scales); }},
         {"scales' place", [](TensorView& v) { v.quantization.scales = std::span(kScales).first(1); }},
         {"number of zero points", [](TensorView& v) { ++v.quantization.zero_point_count; }},
         {"zero points' place", [](TensorView& v) { v.quantization.zero_point_bytes += 8; }},
         {"dimension", [](TensorView& v) { ++v.quantization.dimension; }},
         {"details", [](TensorView& v) { ++v.quantization_details; }}},
        judge, of);
  }

  void ShowOperator(std::size_t s, std::size_t i) {
    const OperatorView right = model_.operator_at(s, i);
    const CalledSubgraphs called = SubgraphsCalledBy(right);
    const auto judge = [&](const OperatorView& view) { return oracle::JudgeOperatorView(file_, s, i, view, called); };
    const std::string of = " operator " + std::to_string(i);
    Show<OperatorView>(
        right,
        {{"index of its code", [](OperatorView& v) { ++v.opcode_index; }},
         {"presence of a code", [](OperatorView& v) { v.has_opcode = !v.has_opcode; }},
         {"code",
          [](OperatorView& v) {
            v.code = v.code == BuiltinOperator::kAdd ? BuiltinOperator::kRelu : BuiltinOperator::kAdd;
          }},
         {"custom name",
          [](OperatorView& v) { v.custom_name = v.custom_name.empty() ? "y" : v.custom_name.substr(1); }},
         {"presence of a custom name", [](OperatorView& v) { v.has_custom_name = !v.has_custom_name; }},
         {"version", [](OperatorView& v) { ++v.version; }},
         {"list of inputs", [](OperatorView& v) { v.inputs = WithoutLast(v.inputs); }},
         {"input", [](OperatorView& v) { v.inputs = std::span(kShape).first(v.inputs.size()); }},
         {"list of outputs", [](OperatorView& v) { v.outputs = WithoutLast(v.outputs); }},
         {"output", [](OperatorView& v) { v.outputs = std::span(kShape).first(v.outputs.size()); }},
         {"list of intermediates",
          [](OperatorView& v) { v.intermediates = v.intermediates.empty() ? kShape : WithoutLast(v.intermediates); }},
         {"custom options",
          [](OperatorView& v) {
            v.custom_options = v.custom_options.empty() ? kBytes : WithoutLast(v.custom_options);
          }},
         {"number of mutations", [](OperatorView& v) { ++v.mutating_input_count; }},
         {"place of custom options", [](OperatorView& v) { v.has_large_custom_options = !v.has_large_custom_options; }},
         {"kind of options", [](OperatorView& v) { ++v.options_type; }},
         {"presence of options", [](OperatorView& v) { v.has_options = !v.has_options; }},
         {"second kind of options", [](OperatorView& v) { ++v.options_2_type; }}},
        judge, of);
    ShowCalls(s, i, right, called);
  }

  // Every number of calls, with the right subgraphs and with others.
  void ShowCalls(std::size_t s, std::size_t i, const OperatorView& view, const CalledSubgraphs& right) {
    for (std::size_t count = 0; count <= right.subgraph.size(); ++count) {
      for (const std::int32_t first : {-1, 0, 1, 2}) {
        for (const std::int32_t second : {-1, 0, 1, 2}) {
          const CalledSubgraphs called{{first, second}, count};
          const bool same = count == right.count && (count < 1 || first == right.subgraph[0]) &&
                            (count < 2 || second == right.subgraph[1]);
          Require(same, oracle::JudgeOperatorView(file_, s, i, view, called),
                  std::to_string(count) + " calls of subgraphs " + std::to_string(first) + " and " +
                      std::to_string(second) + " by operator " + std::to_string(i));
        }
      }
    }
  }

  void ShowBuffers() {
    for (std::size_t i = 0; i < model_.buffer_count(); ++i) {
      Show<BufferView>(
          model_.buffer(i),
          {{"data", [](BufferView& v) { v.data = v.data.empty() ? kBytes : WithoutLast(v.data); }},
           {"offset outside", [](BufferView& v) { ++v.outside_offset; }},
           {"size outside", [](BufferView& v) { ++v.outside_size; }}},
          [&](const BufferView& view) { return oracle::JudgeBufferView(file_, i, view); },
          " buffer " + std::to_string(i));
    }
    for (std::size_t i = 0; i < model_.metadata_count(); ++i) {
      Show<MetadataView>(
          model_.metadata(i),
          {{"name", [](MetadataView& v) { v.name = v.name.substr(1); }},
           {"buffer", [](MetadataView& v) { ++v.buffer; }},
           {"data", [](MetadataView& v) { v.data = v.data.empty() ? kBytes : WithoutLast(v.data); }}},
          [&](const MetadataView& view) { return oracle::JudgeMetadataView(file_, i, view); },
          " metadata " + std::to_string(i));
    }
  }

  // A refusal is right where the rule is broken and nowhere near.
  void ShowRefusals() {
    using Spoil = std::function<void(SubgraphSpec&)>;
    const std::pair<const char*, Spoil> spoils[] = {
        {"a scale of zero", [](SubgraphSpec& graph) { graph.tensors[2].quantization = Scale(0.0f, 0); }},
        {"a buffer out of range", [](SubgraphSpec& graph) { graph.tensors[1].buffer = 99; }},
        {"a dimension below zero", [](SubgraphSpec& graph) { graph.tensors[3].shape = {{2, -3}}; }},
        {"an input out of range", [](SubgraphSpec& graph) { graph.operators[1].inputs = {77}; }},
        {"an output out of range", [](SubgraphSpec& graph) { graph.operators[1].outputs = {77}; }},
        {"a code out of range", [](SubgraphSpec& graph) { graph.operators[1].code = 77; }},
        {"a graph output out of range", [](SubgraphSpec& graph) { graph.outputs = {77}; }},
    };
    for (const auto& [what, spoil] : spoils) {
      ModelBuilder builder;
      for (int s = 0; s < 3; ++s) {
        SubgraphSpec& graph = builder.AddSubgraph();
        for (int i = 0; i < 4; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{6}}});
        for (std::int32_t i = 0; i < 3; ++i) {
          graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {i}, .outputs = {i + 1}});
        }
        graph.inputs = {0};
        graph.outputs = {3};
      }
      spoil(builder.subgraphs[1]);
      const std::vector<std::byte> file = builder.Finish();
      ModelView model;
      ValidationReport report;
      if (!ModelView::Open(file, &model).ok()) return missed_.push_back(std::string(what) + " is no model");
      const Status answer = ValidateModel(model, &report);
      if (answer.ok()) return missed_.push_back(std::string(what) + " is accepted");
      Require(true, oracle::JudgeValidation(file, answer), what);
      for (const std::size_t number : {0U, 1U, 2U, 3U}) {
        for (const int step : {-1, 1, 2}) {
          Status wrong = answer;
          wrong.detail[number] += static_cast<std::uint64_t>(step);
          Require(false, oracle::JudgeValidation(file, wrong),
                  std::string(what) + " with another number " + std::to_string(number) + " in its refusal");
        }
      }
      Require(false, oracle::JudgeValidation(file, Ok()), std::string(what) + " that is accepted");
      Require(false,
              oracle::JudgeValidation(file, Failure(StatusCode::kModelZeroPoint, answer.detail[0], answer.detail[1])),
              std::string(what) + " that is refused for something else");
    }
  }

  const std::vector<std::byte> file_ = FullModel();
  ModelView model_;
  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> DrillViewJudges() { return Drill().Run(); }

}  // namespace arenaproof
