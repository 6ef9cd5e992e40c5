#include "engine/generators/operators/far_cases.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/case_families.h"

namespace arenaproof {
namespace {

using enum BuiltinOperator;

// Sums of products and rows of SOFTMAX are limited in int8.
constexpr std::int32_t kMostInt8Products = 0x7FFFFFFF / (128 * 255), kMostInt8Row = 8191;

// Values are drawn for so many elements and repeated: a prime, so that elements a power of two apart differ.
constexpr std::size_t kDrawnCount = 1021;

template <typename Item>
void Repeat(std::vector<Item>& items, std::size_t count) {
  const std::size_t drawn = items.size();
  items.resize(count);
  for (std::size_t i = drawn; i < count; ++i) items[i] = items[i - drawn];
}

void FillFar(CaseRandom& random, CaseTensor& tensor) {
  CaseTensor drawn = tensor;
  const std::size_t count = tensor.count();
  drawn.shape = {static_cast<std::int32_t>(std::min(count, kDrawnCount))};
  FillValues(random, drawn);
  tensor.bytes = std::move(drawn.bytes);
  Repeat(tensor.bytes, count * ElementBytes(tensor.type));
}

// ---- filters

std::vector<float> DrawScales(CaseRandom& random, std::size_t count) {
  std::vector<float> scales(std::min(count, kDrawnCount));
  for (float& scale : scales) scale = PickScale(random, 0.005f, 0.03f);
  Repeat(scales, count);
  return scales;
}

// What an operator with a filter has beside the shapes of its input and output. Two times in three each channel has a
// scale of its own.
void AddFilter(CaseRandom& random, OperatorCase& made, CaseShape shape, std::int32_t dimension) {
  const bool quantized = made.inputs[0].type == TensorType::kInt8;
  const std::int32_t channels = shape[static_cast<std::size_t>(dimension)];
  CaseTensor filter{.type = made.inputs[0].type, .shape = std::move(shape), .constant = true};
  CaseTensor bias{.shape = {channels}, .constant = true};
  if (quantized) {
    filter.dimension = dimension;
    filter.scales = DrawScales(random, random.OneIn(3) ? 1 : static_cast<std::size_t>(channels));
    bias.type = TensorType::kInt32;
    for (const float scale : filter.scales) bias.scales.push_back(made.inputs[0].scales[0] * scale);
  }
  made.inputs.push_back(std::move(filter));
  made.inputs.push_back(std::move(bias));
  made.second_omits_last_input = random.OneIn(2);
}

// Of an image, a filter and what they make; all extents are 1 until one of them is far.
struct FarWindow {
  std::int32_t batch = 1, height = 1, width = 1, depth = 1, channels = 1, filter_height = 1, filter_width = 1;
};

using Extent = std::int32_t FarWindow::*;

// A window that is far takes in the whole image, or lies around a small one.
void DrawImage(CaseRandom& random, FarWindow& window, Padding* padding) {
  *padding = random.OneIn(2) ? Padding::kSame : Padding::kValid;
  if (*padding == Padding::kSame && random.OneIn(2)) return;
  window.height = std::max(window.height, window.filter_height);
  window.width = std::max(window.width, window.filter_width);
  *padding = Padding::kValid;
}

CaseShape OutputShape(const FarWindow& window, Padding padding, std::int32_t depth) {
  const bool same = padding == Padding::kSame;
  return {window.batch, same ? window.height : window.height - window.filter_height + 1,
          same ? window.width : window.width - window.filter_width + 1, depth};
}

bool DrawQuantized(CaseRandom& random, std::int32_t products) {
  return products <= kMostInt8Products && !random.OneIn(3);
}

template <Extent far>
OperatorCase FarConvolution(CaseRandom& random, std::int32_t extent) {
  FarWindow window;
  window.*far = extent;
  Padding padding{};
  DrawImage(random, window, &padding);
  const bool quantized = DrawQuantized(random, window.depth * window.filter_height * window.filter_width);
  OperatorCase made;
  made.code = kConv2d;
  made.options = Conv2DOptions{.padding = padding, .stride_w = 1, .stride_h = 1, .activation = PickActivation(random)};
  made.inputs = {Activations(random, quantized, {window.batch, window.height, window.width, window.depth})};
  AddFilter(random, made, {window.channels, window.filter_height, window.filter_width, window.depth}, 0);
  made.output = Sums(random, quantized, OutputShape(window, padding, window.channels));
  return made;
}

// Of the channels, either each has an input of its own, or all have one.
template <Extent far>
OperatorCase FarDepthwiseConvolution(CaseRandom& random, std::int32_t extent) {
  FarWindow window;
  window.*far = extent;
  Padding padding{};
  DrawImage(random, window, &padding);
  const bool quantized = DrawQuantized(random, window.filter_height * window.filter_width);
  const std::int32_t channels = window.depth * window.channels;
  OperatorCase made;
  made.code = kDepthwiseConv2d;
  made.options = DepthwiseConv2DOptions{padding, 1, 1, window.channels, PickActivation(random), 1, 1};
  made.inputs = {Activations(random, quantized, {window.batch, window.height, window.width, window.depth})};
  AddFilter(random, made, {1, window.filter_height, window.filter_width, channels}, 3);
  made.output = Sums(random, quantized, OutputShape(window, padding, channels));
  return made;
}

template <BuiltinOperator code, Extent far>
OperatorCase FarPool(CaseRandom& random, std::int32_t extent) {
  FarWindow window;
  window.*far = extent;
  Padding padding{};
  DrawImage(random, window, &padding);
  OperatorCase made;
  made.code = code;
  made.options = Pool2DOptions{padding, 1, 1, window.filter_width, window.filter_height, PickActivation(random)};
  made.inputs = {Activations(random, random.OneIn(2), {window.batch, window.height, window.width, window.depth})};
  made.output = made.inputs[0];
  made.output.shape = OutputShape(window, padding, window.depth);
  return made;
}

enum class DenseExtent { kBatches, kDepth, kRows, kRowsOfFewOutputs };

template <DenseExtent far>
OperatorCase FarDense(CaseRandom& random, std::int32_t extent) {
  const auto extent_if = [&](bool is_far) { return is_far ? extent : 1; };
  const std::int32_t batches = extent_if(far == DenseExtent::kBatches), depth = extent_if(far == DenseExtent::kDepth);
  const std::int32_t rows = extent_if(far == DenseExtent::kRows || far == DenseExtent::kRowsOfFewOutputs);
  const bool quantized = DrawQuantized(random, depth);
  OperatorCase made;
  made.code = kFullyConnected;
  made.options = FullyConnectedOptions{.activation = PickActivation(random)};
  made.inputs = {Activations(random, quantized, {batches, depth})};
  AddFilter(random, made, {rows, depth}, 0);
  const std::int32_t outputs = far == DenseExtent::kRowsOfFewOutputs ? random.Between(1, std::min(rows, 3)) : rows;
  made.output = Sums(random, quantized, {batches, outputs});
  return made;
}

// ---- shapes

// One of a few axes is far.
CaseShape FarShape(CaseRandom& random, std::int32_t extent, std::int32_t least_rank = 1) {
  CaseShape shape(static_cast<std::size_t>(random.Between(least_rank, 4)), 1);
  shape[random.Below(shape.size())] = extent;
  return shape;
}

enum class PadExtent { kInput, kBefore, kAfter };

template <PadExtent far>
OperatorCase FarPad(CaseRandom& random, std::int32_t extent) {
  OperatorCase made;
  made.code = kPad;
  made.options = PadOptions{};
  const CaseShape output = FarShape(random, extent);
  const std::size_t axis = static_cast<std::size_t>(std::max_element(output.begin(), output.end()) - output.begin());
  made.inputs = {Activations(random, random.OneIn(2), CaseShape(output.size(), 1))};
  made.output = made.inputs[0];
  made.output.shape = output;
  std::vector<std::int32_t> paddings(2 * output.size(), 0);
  made.inputs[0].shape[axis] = far == PadExtent::kInput ? extent : 1;
  if (far == PadExtent::kBefore) paddings[2 * axis] = extent - 1;
  if (far == PadExtent::kAfter) paddings[2 * axis + 1] = extent - 1;
  // Two more in front of what is far, and behind it.
  if (far == PadExtent::kInput) paddings[2 * axis] = paddings[2 * axis + 1] = 1;
  if (far == PadExtent::kInput) made.output.shape[axis] += 2;
  made.inputs.push_back(Integers(paddings, {static_cast<std::int32_t>(output.size()), 2}));
  return made;
}

enum class JoinedExtent { kAlong, kBefore, kBehind };

// The far extent along the axis, before it (so many rounds), or behind it (so long rows).
template <JoinedExtent far>
OperatorCase FarConcatenation(CaseRandom& random, std::int32_t extent) {
  constexpr std::size_t kAxis = 1;
  CaseShape shape(3, 1);
  shape[far == JoinedExtent::kBefore ? 0 : far == JoinedExtent::kAlong ? kAxis : 2] = extent;
  OperatorCase made;
  made.code = kConcatenation;
  made.options = ConcatenationOptions{.axis = kAxis};
  made.output = Activations(random, random.OneIn(2), shape);
  made.inputs.assign(2, made.output);
  if (far == JoinedExtent::kAlong) made.inputs[random.Below(2)].shape[kAxis] = 1;
  made.output.shape[kAxis] = made.inputs[0].shape[kAxis] + made.inputs[1].shape[kAxis];
  return made;
}

OperatorCase FarReshape(CaseRandom& random, std::int32_t extent) {
  OperatorCase made = MakeReshape(random);
  made.inputs[0].shape = FarShape(random, extent);
  made.output.shape = FarShape(random, extent);
  return made;
}

enum class MeanExtent { kReduced, kKeptBefore, kKeptBehind };

template <MeanExtent far>
OperatorCase FarMean(CaseRandom& random, std::int32_t extent) {
  const bool quantized = random.OneIn(2);
  OperatorCase made;
  made.code = kMean;
  made.options = ReducerOptions{.keep_dims = false};
  const std::int32_t before = far == MeanExtent::kKeptBefore ? extent : 1;
  const std::int32_t behind = far == MeanExtent::kKeptBehind ? extent : 1;
  made.inputs = {Activations(random, quantized, {before, far == MeanExtent::kReduced ? extent : 2, behind}),
                 Integers({1}, {1})};
  made.output = Activations(random, quantized, {before, behind});
  return made;
}

template <bool row>
OperatorCase FarSoftmax(CaseRandom& random, std::int32_t extent) {
  OperatorCase made = MakeSoftmax(random, random.OneIn(2) && (!row || extent <= kMostInt8Row));
  made.inputs[0].shape = made.output.shape = row ? CaseShape{1, extent} : CaseShape{extent, 2};
  return made;
}

// ---- element by element

enum class OperandExtent { kBoth, kFirst, kSecond };

template <OperandExtent far>
void StretchOperands(CaseRandom& random, OperatorCase& made, std::int32_t extent) {
  const CaseShape shape = FarShape(random, extent);
  const CaseShape one = random.OneIn(2) ? CaseShape{} : CaseShape(shape.size(), 1);
  made.inputs[0].shape = far == OperandExtent::kSecond ? one : shape;
  made.inputs[1].shape = far == OperandExtent::kFirst ? one : shape;
  made.output.shape = shape;
}

template <BuiltinOperator code, OperandExtent far>
OperatorCase FarArithmetic(CaseRandom& random, std::int32_t extent) {
  OperatorCase made = MakeArithmetic(random, random.OneIn(2));
  while (made.code != code) made = MakeArithmetic(random, random.OneIn(2));
  StretchOperands<far>(random, made, extent);
  return made;
}

template <OperandExtent far>
OperatorCase FarComparison(CaseRandom& random, std::int32_t extent) {
  OperatorCase made = MakeComparison(random);
  StretchOperands<far>(random, made, extent);
  return made;
}

template <BuiltinOperator code>
OperatorCase FarUnary(CaseRandom& random, std::int32_t extent) {
  constexpr bool kChangesType = code == kQuantize || code == kDequantize;
  OperatorCase made;
  do made = kChangesType ? MakeTypeChange(random) : MakeUnary(random, random.OneIn(2));
  while (made.code != code);
  made.inputs[0].shape = made.output.shape = FarShape(random, extent);
  return made;
}

// ---- all of them

struct FarDimension {
  const char* name;
  OperatorCase (*make)(CaseRandom& random, std::int32_t extent);
};

constexpr FarDimension kDimensions[] = {
    {"CONV_2D batches", FarConvolution<&FarWindow::batch>},
    {"CONV_2D height", FarConvolution<&FarWindow::height>},
    {"CONV_2D width", FarConvolution<&FarWindow::width>},
    {"CONV_2D input depth", FarConvolution<&FarWindow::depth>},
    {"CONV_2D output depth", FarConvolution<&FarWindow::channels>},
    {"CONV_2D filter height", FarConvolution<&FarWindow::filter_height>},
    {"CONV_2D filter width", FarConvolution<&FarWindow::filter_width>},
    {"DEPTHWISE_CONV_2D batches", FarDepthwiseConvolution<&FarWindow::batch>},
    {"DEPTHWISE_CONV_2D height", FarDepthwiseConvolution<&FarWindow::height>},
    {"DEPTHWISE_CONV_2D width", FarDepthwiseConvolution<&FarWindow::width>},
    {"DEPTHWISE_CONV_2D depth", FarDepthwiseConvolution<&FarWindow::depth>},
    {"DEPTHWISE_CONV_2D depth multiplier", FarDepthwiseConvolution<&FarWindow::channels>},
    {"DEPTHWISE_CONV_2D filter height", FarDepthwiseConvolution<&FarWindow::filter_height>},
    {"DEPTHWISE_CONV_2D filter width", FarDepthwiseConvolution<&FarWindow::filter_width>},
    {"FULLY_CONNECTED batches", FarDense<DenseExtent::kBatches>},
    {"FULLY_CONNECTED depth", FarDense<DenseExtent::kDepth>},
    {"FULLY_CONNECTED rows", FarDense<DenseExtent::kRows>},
    {"FULLY_CONNECTED rows of few outputs", FarDense<DenseExtent::kRowsOfFewOutputs>},
    {"AVERAGE_POOL_2D batches", FarPool<kAveragePool2d, &FarWindow::batch>},
    {"AVERAGE_POOL_2D height", FarPool<kAveragePool2d, &FarWindow::height>},
    {"AVERAGE_POOL_2D width", FarPool<kAveragePool2d, &FarWindow::width>},
    {"AVERAGE_POOL_2D depth", FarPool<kAveragePool2d, &FarWindow::depth>},
    {"AVERAGE_POOL_2D window height", FarPool<kAveragePool2d, &FarWindow::filter_height>},
    {"AVERAGE_POOL_2D window width", FarPool<kAveragePool2d, &FarWindow::filter_width>},
    {"MAX_POOL_2D batches", FarPool<kMaxPool2d, &FarWindow::batch>},
    {"MAX_POOL_2D height", FarPool<kMaxPool2d, &FarWindow::height>},
    {"MAX_POOL_2D width", FarPool<kMaxPool2d, &FarWindow::width>},
    {"MAX_POOL_2D depth", FarPool<kMaxPool2d, &FarWindow::depth>},
    {"MAX_POOL_2D window height", FarPool<kMaxPool2d, &FarWindow::filter_height>},
    {"MAX_POOL_2D window width", FarPool<kMaxPool2d, &FarWindow::filter_width>},
    {"PAD input", FarPad<PadExtent::kInput>},
    {"PAD before", FarPad<PadExtent::kBefore>},
    {"PAD after", FarPad<PadExtent::kAfter>},
    {"CONCATENATION along the axis", FarConcatenation<JoinedExtent::kAlong>},
    {"CONCATENATION before the axis", FarConcatenation<JoinedExtent::kBefore>},
    {"CONCATENATION behind the axis", FarConcatenation<JoinedExtent::kBehind>},
    {"RESHAPE", FarReshape},
    {"MEAN reduced", FarMean<MeanExtent::kReduced>},
    {"MEAN kept before", FarMean<MeanExtent::kKeptBefore>},
    {"MEAN kept behind", FarMean<MeanExtent::kKeptBehind>},
    {"SOFTMAX row", FarSoftmax<true>},
    {"SOFTMAX rows", FarSoftmax<false>},
    {"ADD both", FarArithmetic<kAdd, OperandExtent::kBoth>},
    {"ADD first", FarArithmetic<kAdd, OperandExtent::kFirst>},
    {"ADD second", FarArithmetic<kAdd, OperandExtent::kSecond>},
    {"MUL both", FarArithmetic<kMul, OperandExtent::kBoth>},
    {"MUL first", FarArithmetic<kMul, OperandExtent::kFirst>},
    {"MUL second", FarArithmetic<kMul, OperandExtent::kSecond>},
    {"comparison both", FarComparison<OperandExtent::kBoth>},
    {"comparison first", FarComparison<OperandExtent::kFirst>},
    {"comparison second", FarComparison<OperandExtent::kSecond>},
    {"RELU", FarUnary<kRelu>},
    {"RELU6", FarUnary<kRelu6>},
    {"LOGISTIC", FarUnary<kLogistic>},
    {"TANH", FarUnary<kTanh>},
    {"QUANTIZE", FarUnary<kQuantize>},
    {"DEQUANTIZE", FarUnary<kDequantize>},
};

}  // namespace

std::size_t FarDimensionCount() { return std::size(kDimensions); }

const char* FarDimensionName(std::size_t which) { return kDimensions[which].name; }

OperatorCase MakeFarCase(CaseRandom& random, std::size_t which, std::int32_t extent) {
  OperatorCase made = kDimensions[which].make(random, extent);
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    const bool table = i == 1 && (made.code == kMean || made.code == kPad);  // of axes or paddings
    if (!table) FillFar(random, made.inputs[i]);
  }
  return made;
}

}  // namespace arenaproof
