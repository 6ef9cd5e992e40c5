#include "engine/harness/self_test/view_self_test.h"

#include <functional>
#include <utility>
#include <variant>

#include "engine/harness/self_test/refusal_self_test.h"
#include "engine/oracles/model/view_oracle.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kShape[] = {2, 3};
constexpr std::byte kSixBytes[6] = {};
constexpr float kScales[] = {0.5f, 0.25f};

constexpr std::size_t kTensorsOfEach = 4;  // of the three subgraphs of the full model

// A model with something of everything that a view returns.
std::vector<std::byte> FullModel() {
  ModelBuilder builder;
  for (int s = 0; s < 3; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph("graph");
    const std::uint32_t data = builder.AddBuffer(kSixBytes);
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
        {.code = builder.AddCustomCode("own"), .inputs = {0}, .outputs = {3}, .custom_options = {kSixBytes[0]}});
  }
  builder.AddMetadata("meta", kSixBytes);
  builder.description = "all of it";
  builder.signatures = {{.key = "one", .subgraph = 0, .inputs = {0, 1}, .outputs = {3}},
                        {.key = "two", .subgraph = 2, .inputs = {0}, .outputs = {0, 3}}};
  return builder.Finish();
}

// A change of one field, and what the oracle has to report of it.
template <typename View>
struct Change {
  const char* what;
  const char* words;
  std::function<void(View&)> make;
};

template <typename Element>
std::span<const Element> WithoutLast(std::span<const Element> list) {
  return list.empty() ? list : list.first(list.size() - 1);
}

class ViewOracleSelfTest {
 public:
  std::vector<std::string> Run() {
    if (!ModelView::Open(file_, &model_).ok()) return {"the self-test's model is none"};
    ShowRoot();
    for (std::size_t i = 0; i < 2; ++i) ShowSignature(i);
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      ShowSubgraph(s, s * kTensorsOfEach);
      for (std::size_t i = 0; i < model_.tensor_count(s); ++i) ShowTensor(s, i);
      for (std::size_t i = 0; i < model_.operator_count(s); ++i) ShowOperator(s, i);
    }
    ShowBuffers();
    const std::vector<std::string> refusals = RunValidationOracleSelfTest();
    missed_.insert(missed_.end(), refusals.begin(), refusals.end());
    return missed_;
  }

 private:
  void RequireSilence(const std::string& complaint, const std::string& what) {
    if (!complaint.empty()) missed_.push_back(what + " is right: " + complaint);
  }
  void RequireComplaint(const std::string& complaint, const std::string& words, const std::string& what) {
    if (complaint.find(words) != std::string::npos) return;
    missed_.push_back("a view oracle lets pass " + what + ", or says it of something else: '" + complaint +
                      "' instead of '" + words + "'");
  }

  template <typename View, typename Check>
  void Show(const View& right, std::initializer_list<Change<View>> changes, const Check& check, const std::string& of) {
    RequireSilence(check(right), "the view of" + of);
    for (const Change<View>& change : changes) {
      View wrong = right;
      change.make(wrong);
      RequireComplaint(check(wrong), change.words, "another " + std::string(change.what) + " of" + of);
    }
  }

  void ShowRoot() {
    using Fields = oracle::RootFields;
    Show<Fields>(
        oracle::RootFieldsOf(model_),
        {{"version", "the model's version", [](Fields& f) { ++f.version; }},
         {"description", "the description", [](Fields& f) { f.description = f.description.substr(1); }},
         {"presence of buffers", "whether there are buffers", [](Fields& f) { f.has_buffers = !f.has_buffers; }},
         {"number of subgraphs", "miscounts subgraphs", [](Fields& f) { ++f.subgraph_count; }},
         {"number of codes", "miscounts operator codes", [](Fields& f) { --f.operator_code_count; }},
         {"number of buffers", "miscounts buffers", [](Fields& f) { --f.buffer_count; }},
         {"number of metadata", "miscounts metadata", [](Fields& f) { --f.metadata_count; }},
         {"number of signatures", "miscounts signatures", [](Fields& f) { --f.signature_count; }},
         {"number of all tensors", "miscounts the tensors", [](Fields& f) { ++f.total_tensor_count; }},
         {"number of all operators", "miscounts the operators", [](Fields& f) { ++f.total_operator_count; }}},
        [&](const Fields& fields) { return oracle::CheckRootFields(file_, fields); }, " the model");
  }

  void ShowSignature(std::size_t i) {
    using Fields = oracle::SignatureFields;
    const char* const words = "misreads signature";
    Show<Fields>(
        oracle::SignatureFieldsOf(model_, i),
        {{"subgraph", words, [](Fields& f) { ++f.subgraph; }},
         {"list of inputs", words, [](Fields& f) { f.inputs.pop_back(); }},
         {"longer list of inputs", words, [](Fields& f) { f.inputs.push_back(0); }},
         {"last input", words, [](Fields& f) { ++f.inputs.back(); }},
         {"list of outputs", words, [](Fields& f) { f.outputs.pop_back(); }},
         {"longer list of outputs", words, [](Fields& f) { f.outputs.push_back(0); }},
         {"last output", words, [](Fields& f) { ++f.outputs.back(); }},
         {"side of its lists", words, [](Fields& f) { std::swap(f.inputs, f.outputs); }}},
        [&](const Fields& fields) { return oracle::CheckSignatureFields(file_, i, fields); },
        " signature " + std::to_string(i));
  }

  void ShowSubgraph(std::size_t s, std::size_t first_tensor) {
    using Fields = oracle::SubgraphFields;
    const char* const lists = "which lists a subgraph has";
    Show<Fields>(
        oracle::SubgraphFieldsOf(model_, s),
        {{"name", "the name of a subgraph", [](Fields& f) { f.name = f.name.substr(1); }},
         {"presence of tensors", lists, [](Fields& f) { f.has_tensors = !f.has_tensors; }},
         {"presence of inputs", lists, [](Fields& f) { f.has_inputs = !f.has_inputs; }},
         {"presence of outputs", lists, [](Fields& f) { f.has_outputs = !f.has_outputs; }},
         {"first tensor", "misnumbers the tensors", [](Fields& f) { ++f.first_tensor; }},
         {"number of tensors", "miscounts tensors", [](Fields& f) { --f.tensor_count; }},
         {"number of operators", "miscounts operators", [](Fields& f) { ++f.operator_count; }},
         {"list of inputs", "inputs of a subgraph", [](Fields& f) { f.inputs = WithoutLast(f.inputs); }},
         {"input", "inputs of a subgraph", [](Fields& f) { f.inputs = std::span(kShape).first(f.inputs.size()); }},
         {"list of outputs", "outputs of a subgraph", [](Fields& f) { f.outputs = WithoutLast(f.outputs); }},
         {"output", "outputs of a subgraph", [](Fields& f) { f.outputs = std::span(kShape).first(f.outputs.size()); }}},
        [&](const Fields& fields) { return oracle::CheckSubgraphFields(file_, s, first_tensor, fields); },
        " subgraph " + std::to_string(s));
  }

  void ShowTensor(std::size_t s, std::size_t i) {
    const TensorView right = model_.tensor(s, i);
    const auto check = [&](const TensorView& view) { return oracle::CheckTensorView(file_, s, i, view); };
    const std::string of = " tensor " + std::to_string(i) + " of subgraph " + std::to_string(s);
    Show<TensorView>(
        right,
        {{"name", "the name of", [](TensorView& v) { v.name = v.name.empty() ? "y" : v.name.substr(1); }},
         {"type", "the type of", [](TensorView& v) { v.type = TensorType::kInt16; }},
         {"kind of memory", "whether a variable", [](TensorView& v) { v.is_variable = !v.is_variable; }},
         {"presence of a shape", "whether there is a shape", [](TensorView& v) { v.has_shape = !v.has_shape; }},
         {"shape", "the shape of", [](TensorView& v) { v.shape = v.shape.empty() ? kShape : WithoutLast(v.shape); }},
         {"shape signature", "the shape signature",
          [](TensorView& v) {
            v.shape_signature = v.shape_signature.empty() ? kShape : WithoutLast(v.shape_signature);
          }},
         {"buffer", "the buffer of", [](TensorView& v) { ++v.buffer; }},
         {"data", "the buffer of", [](TensorView& v) { v.data = v.data.empty() ? kSixBytes : WithoutLast(v.data); }},
         {"data's place", "the buffer of",
          [](TensorView& v) { v.data = v.data.empty() ? kSixBytes : std::span(kSixBytes).first(v.data.size()); }},
         {"presence of quantisation", "whether there is quantisation",
          [](TensorView& v) { v.has_quantization = !v.has_quantization; }},
         {"sparsity", "whether sparse", [](TensorView& v) { v.has_sparsity = !v.has_sparsity; }},
         {"external buffer", "the external buffer", [](TensorView& v) { ++v.external_buffer; }}},
        check, of);
    if (!right.has_quantization) return;
    Show<TensorView>(
        right,
        {{"list of scales", "the quantisation of",
          [](TensorView& v) { v.quantization.scales = WithoutLast(v.quantization.scales); }},
         {"scales' place", "the quantisation of",
          [](TensorView& v) { v.quantization.scales = std::span(kScales).first(1); }},
         {"number of zero points", "the quantisation of", [](TensorView& v) { ++v.quantization.zero_point_count; }},
         {"zero points' place", "the quantisation of", [](TensorView& v) { v.quantization.zero_point_bytes += 8; }},
         {"dimension", "the quantisation of", [](TensorView& v) { ++v.quantization.dimension; }},
         {"details", "the quantisation of", [](TensorView& v) { ++v.quantization_details; }}},
        check, of);
  }

  void ShowOperator(std::size_t s, std::size_t i) {
    const OperatorView right = model_.operator_at(s, i);
    const CalledSubgraphs called = SubgraphsCalledBy(right);
    const auto check = [&](const OperatorView& view) { return oracle::CheckOperatorView(file_, s, i, view, called); };
    const std::string of = " operator " + std::to_string(i);
    Show<OperatorView>(
        right,
        {{"index of its code", "the code's index", [](OperatorView& v) { ++v.opcode_index; }},
         {"presence of a code", "misreports the code", [](OperatorView& v) { v.has_opcode = !v.has_opcode; }},
         {"code", "the operator code",
          [](OperatorView& v) {
            v.code = v.code == BuiltinOperator::kAdd ? BuiltinOperator::kRelu : BuiltinOperator::kAdd;
          }},
         {"custom name", "the custom name",
          [](OperatorView& v) { v.custom_name = v.custom_name.empty() ? "y" : v.custom_name.substr(1); }},
         {"presence of a custom name", "the custom name",
          [](OperatorView& v) { v.has_custom_name = !v.has_custom_name; }},
         {"version", "the version of", [](OperatorView& v) { ++v.version; }},
         {"list of inputs", "operands of", [](OperatorView& v) { v.inputs = WithoutLast(v.inputs); }},
         {"input", "operands of", [](OperatorView& v) { v.inputs = std::span(kShape).first(v.inputs.size()); }},
         {"list of outputs", "operands of", [](OperatorView& v) { v.outputs = WithoutLast(v.outputs); }},
         {"output", "operands of", [](OperatorView& v) { v.outputs = std::span(kShape).first(v.outputs.size()); }},
         {"list of intermediates", "intermediates of",
          [](OperatorView& v) { v.intermediates = v.intermediates.empty() ? kShape : WithoutLast(v.intermediates); }},
         {"custom options", "the custom options",
          [](OperatorView& v) {
            v.custom_options = v.custom_options.empty() ? kSixBytes : WithoutLast(v.custom_options);
          }},
         {"number of mutations", "mutations of", [](OperatorView& v) { ++v.mutating_input_count; }},
         {"place of custom options", "the custom options",
          [](OperatorView& v) { v.has_large_custom_options = !v.has_large_custom_options; }},
         {"kind of options", "the kind of options", [](OperatorView& v) { ++v.options_type; }},
         {"presence of options", "the kind of options", [](OperatorView& v) { v.has_options = !v.has_options; }},
         {"second kind of options", "the kind of options", [](OperatorView& v) { ++v.options_2_type; }}},
        check, of);
    if (right.has_options) {
      Show<OperatorView>(
          right, {{"structure of options", "another structure", [](OperatorView& v) { v.options = OtherOptions{}; }}},
          check, of);
    }
    if (std::holds_alternative<AddOptions>(right.options)) {
      Show<OperatorView>(right,
                         {{"activation", "field 0 of the options",
                           [](OperatorView& v) { std::get<AddOptions>(v.options).activation = Activation::kTanh; }},
                          {"scale's kind", "field 1 of the options",
                           [](OperatorView& v) {
                             auto& options = std::get<AddOptions>(v.options);
                             options.pot_scale_int16 = !options.pot_scale_int16;
                           }}},
                         check, of);
    }
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
          const std::string complaint = oracle::CheckOperatorView(file_, s, i, view, called);
          const std::string what = std::to_string(count) + " calls of subgraphs " + std::to_string(first) + " and " +
                                   std::to_string(second) + " by operator " + std::to_string(i);
          if (same) {
            RequireSilence(complaint, what);
          } else {
            RequireComplaint(complaint, "which subgraphs are called", what);
          }
        }
      }
    }
  }

  void ShowBuffers() {
    for (std::size_t i = 0; i < model_.buffer_count(); ++i) {
      Show<BufferView>(
          model_.buffer(i),
          {{"data", "misreads buffer",
            [](BufferView& v) { v.data = v.data.empty() ? kSixBytes : WithoutLast(v.data); }},
           {"offset outside", "misreads buffer", [](BufferView& v) { ++v.outside_offset; }},
           {"size outside", "misreads buffer", [](BufferView& v) { ++v.outside_size; }}},
          [&](const BufferView& view) { return oracle::CheckBufferView(file_, i, view); },
          " buffer " + std::to_string(i));
    }
    for (std::size_t i = 0; i < model_.metadata_count(); ++i) {
      Show<MetadataView>(
          model_.metadata(i),
          {{"name", "misreads metadata", [](MetadataView& v) { v.name = v.name.substr(1); }},
           {"buffer", "misreads metadata", [](MetadataView& v) { ++v.buffer; }},
           {"data", "misreads metadata",
            [](MetadataView& v) { v.data = v.data.empty() ? kSixBytes : WithoutLast(v.data); }}},
          [&](const MetadataView& view) { return oracle::CheckMetadataView(file_, i, view); },
          " metadata " + std::to_string(i));
    }
  }

  const std::vector<std::byte> file_ = FullModel();
  ModelView model_;
  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunViewOracleSelfTest() { return ViewOracleSelfTest().Run(); }

}  // namespace arenaproof
