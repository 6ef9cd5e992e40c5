// Options of operators: what was written is what is read, and a table that may be absent reads as zeros.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "core/model/validate.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/operator_rules.h"
#include "engine/oracles/model/view_oracle.h"
#include "props/model/model_generators.h"
#include "props/model/options_fields.h"

namespace arenaproof::testing {
namespace {

struct Carrier {
  BuiltinOperator code;
  OperatorOptions options;
};

// Every operator of which options are decoded, with what they are decoded to.
const std::vector<Carrier>& Carriers() {
  using enum BuiltinOperator;
  static const std::vector<Carrier> carriers = {
      {kFullyConnected, FullyConnectedOptions{}},
      {kConv2d, Conv2DOptions{}},
      {kDepthwiseConv2d, DepthwiseConv2DOptions{}},
      {kTransposeConv, TransposeConvOptions{}},
      {kAveragePool2d, Pool2DOptions{}},
      {kMaxPool2d, Pool2DOptions{}},
      {kL2Pool2d, Pool2DOptions{}},
      {kAdd, AddOptions{}},
      {kSub, SubOptions{}},
      {kMul, MulOptions{}},
      {kDiv, DivOptions{}},
      {kL2Normalization, L2NormOptions{}},
      {kCumsum, CumsumOptions{}},
      {kSoftmax, SoftmaxOptions{}},
      {kReshape, ReshapeOptions{}},
      {kPad, PadOptions{}},
      {kPadv2, PadV2Options{}},
      {kQuantize, QuantizeOptions{}},
      {kDequantize, DequantizeOptions{}},
      {kConcatenation, ConcatenationOptions{}},
      {kMean, ReducerOptions{}},
      {kSum, ReducerOptions{}},
      {kReduceMax, ReducerOptions{}},
      {kReduceMin, ReducerOptions{}},
      {kReduceProd, ReducerOptions{}},
      {kReduceAny, ReducerOptions{}},
      {kReduceAll, ReducerOptions{}},
      {kLeakyRelu, LeakyReluOptions{}},
      {kStridedSlice, StridedSliceOptions{}},
      {kSvdf, SvdfOptions{}},
      {kIf, IfOptions{}},
      {kWhile, WhileOptions{}},
      {kCallOnce, CallOnceOptions{}},
      {kVarHandle, VarHandleOptions{}},
      {kUnidirectionalSequenceLstm, UnidirectionalSequenceLstmOptions{}},
      {kSplit, SplitOptions{}},
      {kSplitV, SplitOptions{}},
      {kPack, PackOptions{}},
      {kUnpack, UnpackOptions{}},
      {kGather, GatherOptions{}},
      {kBatchMatmul, BatchMatMulOptions{}},
      {kSpaceToDepth, SpaceToDepthOptions{}},
      {kDepthToSpace, DepthToSpaceOptions{}},
      {kResizeNearestNeighbor, ResizeNearestNeighborOptions{}},
      {kResizeBilinear, ResizeBilinearOptions{}},
      {kMirrorPad, MirrorPadOptions{}},
      {kSqueeze, SqueezeOptions{}},
      {kLess, OtherOptions{41}},
      {kTranspose, OtherOptions{26}},
      {kHardSwish, OtherOptions{91}},
      {kArgMax, OtherOptions{40}},
      {kSelectV2, OtherOptions{98}},
      {kSqrt, std::monostate{}},
      {kReadVariable, OtherOptions{112}},
      {kRelu, std::monostate{}},
      {kLogistic, std::monostate{}},
  };
  return carriers;
}

constexpr std::array<const char*, 4> kTexts = {nullptr, "", "a", "a name"};
constexpr std::array<std::int32_t, 5> kDimensions = {0, 1, -1, 7, INT32_MAX};

class Drawer {
 public:
  explicit Drawer(Choices& choices) : choices_(choices) {}

  void operator()(std::monostate) {}
  void operator()(OtherOptions&) {}
  void operator()(SqueezeOptions& options) {
    options.squeeze_dims = std::span(kDimensions).first(choices_.Below(kDimensions.size() + 1));
  }
  template <typename Options>
  void operator()(Options& options) {
    ForEachField(options, [&](auto& field) { this->Draw(field); });
  }

 private:
  void Draw(bool& field) { field = choices_.OneIn(2); }
  void Draw(std::int8_t& field) { field = static_cast<std::int8_t>(choices_.Below(256)); }
  void Draw(std::int32_t& field) { field = choices_.Interesting(); }
  void Draw(float& field) { field = static_cast<float>(choices_.Interesting()) / 4; }
  void Draw(const char*& field) { field = choices_.Of(kTexts); }
  void Draw(Padding& field) { field = static_cast<Padding>(choices_.Below(2)); }
  void Draw(Activation& field) { field = static_cast<Activation>(choices_.Below(6)); }
  void Draw(MirrorPadMode& field) { field = static_cast<MirrorPadMode>(choices_.Below(2)); }
  void Draw(TensorType& field) { field = static_cast<TensorType>(choices_.Below(23)); }

  Choices& choices_;
};

struct Clearer {
  void operator()(std::monostate) {}
  void operator()(SqueezeOptions& options) { options = {}; }
  template <typename Options>
  void operator()(Options& options) {
    ForEachField(options, [](auto& field) { field = static_cast<std::remove_reference_t<decltype(field)>>(0); });
  }
};

// Every field as text.
class Words {
 public:
  void operator()(std::monostate) {}
  void operator()(const SqueezeOptions& options) {
    for (const std::int32_t dimension : options.squeeze_dims) Add(dimension);
  }
  template <typename Options>
  void operator()(const Options& options) {
    ForEachField(options, [&](const auto& field) { this->Add(field); });
  }
  std::string text;

 private:
  void Add(const char* field) { text += field == nullptr ? std::string("none ") : "'" + std::string(field) + "' "; }
  template <typename Field>
  void Add(const Field& field) {
    text += std::to_string(static_cast<double>(field)) + " ";
  }
};

std::string WordsOf(const OperatorOptions& options) {
  Words words;
  words.text = std::to_string(options.index()) + ": ";
  std::visit(words, options);
  return words.text;
}

enum class Form : std::uint8_t { kWritten, kAbsent, kTypeWithoutTable, kTableWithoutType };

// Puts the carrier's operator into the graph, its options in that form. What they have to read as.
OperatorOptions AddOperator(const Carrier& carrier, Form form, ModelBuilder& model, Choices& choices) {
  OperatorOptions options = carrier.options;
  std::visit(Drawer(choices), options);
  OperatorOptions expected = options;
  if (form != Form::kWritten) {
    std::visit(Clearer(), expected);
    const oracle::OptionsOfOperator* const rule = oracle::OptionsOf(static_cast<std::int64_t>(carrier.code));
    const bool has_default = rule != nullptr && !rule->required;
    if (!has_default || std::holds_alternative<OtherOptions>(options)) expected = std::monostate{};
  }
  OperatorSpec op{.code = model.AddCode(carrier.code), .options = options};
  if (form == Form::kAbsent) op.options = std::monostate{};
  if (form == Form::kTypeWithoutTable) op.omit_options_table = true;
  if (form == Form::kTableWithoutType) op.union_type = 0;
  model.subgraphs.front().AddOperator(std::move(op));
  return expected;
}

Form DrawForm(Choices& choices) { return static_cast<Form>(choices.Below(4)); }

RC_GTEST_PROP(Options, ReadAsTheyWereWrittenAndAsZerosWhereTheyMayBeAbsent, ()) {
  Choices choices(*Numbers(300));
  ModelBuilder builder;
  builder.AddSubgraph();
  std::vector<Form> forms;
  std::vector<OperatorOptions> expected;
  for (const Carrier& carrier : Carriers()) {
    forms.push_back(DrawForm(choices));
    expected.push_back(AddOperator(carrier, forms.back(), builder, choices));
  }
  const auto model = Open(builder);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const OperatorView view = model->view.operator_at(0, i);
    const std::string found = WordsOf(view.options);
    if (found == WordsOf(expected[i])) continue;
    RC_LOG() << BuiltinOperatorName(view.code) << " reads as " << found << ", has to be " << WordsOf(expected[i])
             << "\n";
    RequireNone(forms[i] == Form::kWritten ? "options read otherwise than they were written"
                                           : "options that may be absent do not read as zeros");
  }
  RequireNone(oracle::CheckView(model->view));
}

// One operator alone: nothing else is a reason to refuse the model.
RC_GTEST_PROP(Options, AreAskedForWhereZerosAreNonsense, ()) {
  Choices choices(*Numbers(24));
  ModelBuilder builder;
  builder.AddSubgraph();
  const Carrier& carrier = choices.Of(Carriers());
  AddOperator(carrier, DrawForm(choices), builder, choices);
  const auto model = Open(builder);
  ValidationReport report;
  static_cast<void>(CheckedValidation(*model, &report));
}

}  // namespace
}  // namespace arenaproof::testing
