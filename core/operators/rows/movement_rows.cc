#include <array>

#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;

// ---- operands

consteval OperandRow Data(const char* name, std::uint8_t least_rank = 0, std::uint8_t most_rank = 6) {
  return {.name = name,
          .least_rank = least_rank,
          .most_rank = most_rank,
          .values = ValueRule::kWholeType,
          .int4_source = Source::kComputed};
}
consteval OperandRow Repeated(OperandRow row) {
  row.presence = Presence::kRepeated;
  return row;
}
consteval OperandRow Quantized(OperandRow row, QuantizationRule narrow, QuantizationRule wide = kNone) {
  row.quantization = narrow;
  row.wide_quantization = wide;
  return row;
}
// Axes, places, sizes: of the types in column 1.
consteval OperandRow Numbers(const char* name, std::uint8_t rank, Source source = Source::kAny) {
  return {.name = name,
          .type_column = 1,
          .source = source,
          .least_rank = rank,
          .most_rank = rank,
          .values = ValueRule::kByShapeRule};
}
consteval OperandRow Unread(OperandRow row) {
  row.read = false;
  return row;
}
// One number, of any rank.
consteval OperandRow Axis(std::uint8_t column, Source source) {
  OperandRow row = Numbers("axis", 0, source);
  row.type_column = column;
  row.most_rank = 6;
  return row;
}

constexpr OperandRow kAnyRank[] = {Data("input")};
constexpr OperandRow kAnyRankOut[] = {Data("output")};
constexpr OperandRow kUpTo5Out[] = {Data("output", 0, 5)};
constexpr OperandRow kImage[] = {Data("input", 4, 4)};
constexpr OperandRow kImageOut[] = {Data("output", 4, 4)};
constexpr OperandRow kToBatchesOut[] = {Quantized(Data("output", 3, 4), kFree)};
constexpr OperandRow kFromBatchesOut[] = {Data("output", 3, 4)};
constexpr OperandRow kNumbersOut[] = {Numbers("output", 1)};

constexpr OperandRow kJoined[] = {Repeated(Quantized(Data("input", 1), kAsFirst, kCentered))};
constexpr OperandRow kJoinedOut[] = {Quantized(Data("output", 1), kAsFirst, kCentered)};
constexpr OperandRow kPacked[] = {Repeated(Data("input", 0, 5))};
constexpr OperandRow kPackedOut[] = {Data("output", 1)};
constexpr OperandRow kUnpacked[] = {Data("input", 1)};
constexpr OperandRow kUnpackedOut[] = {Repeated(Data("output", 0, 5))};
constexpr OperandRow kSplitIn[] = {Axis(1, Source::kConstant), Data("input", 1)};
constexpr OperandRow kSplitVIn[] = {Data("input", 1), Unread(Numbers("sizes", 1)), Axis(2, Source::kConstant)};
constexpr OperandRow kPartsOut[] = {Repeated(Data("output", 1))};
constexpr OperandRow kTransposed[] = {Data("input", 0, 5), Numbers("permutation", 1, Source::kConstant)};
constexpr OperandRow kSliced[] = {Data("input", 0, 5), Numbers("begin", 1), Numbers("size", 1)};
constexpr OperandRow kStrided[] = {Data("input", 0, 4), Numbers("begin", 1, Source::kConstant),
                                   Numbers("end", 1, Source::kConstant), Numbers("strides", 1, Source::kConstant)};
constexpr OperandRow kUpTo4Out[] = {Data("output", 0, 4)};
// int8: the value has the output's quantisation, the input one of its own, which is not read.
consteval OperandRow PadValue(Presence presence) {
  OperandRow row = Quantized(Data("value"), kByOperator);
  row.presence = presence;
  return row;
}
constexpr OperandRow kPadded[] = {Data("input", 0, 5), Numbers("paddings", 2, Source::kConstant),
                                  PadValue(Presence::kOptional)};
constexpr OperandRow kPaddedV2[] = {Data("input", 0, 5), Numbers("paddings", 2, Source::kConstant),
                                    PadValue(Presence::kRequired)};
constexpr OperandRow kPaddedOut[] = {Quantized(Data("output", 0, 5), kByOperator)};
constexpr OperandRow kMirrored[] = {Data("input", 1), Numbers("paddings", 2)};
constexpr OperandRow kFromRank1Out[] = {Data("output", 1)};
constexpr OperandRow kExpanded[] = {Data("input"), Unread(Axis(1, Source::kAny))};
constexpr OperandRow kToBatches[] = {Data("input", 3, 4), Numbers("block_shape", 1), Numbers("paddings", 2)};
constexpr OperandRow kFromBatches[] = {Data("input", 3, 4), Numbers("block_shape", 1), Numbers("crops", 2)};
constexpr OperandRow kReversed[] = {Data("input", 1), Numbers("axis", 1)};
constexpr OperandRow kBroadcasted[] = {Data("input", 0, 5), Numbers("shape", 1, Source::kConstant)};
constexpr OperandRow kShapes[] = {Numbers("first shape", 1), Numbers("second shape", 1)};
constexpr OperandRow kFilled[] = {Numbers("dims", 1, Source::kConstant), Data("value", 0, 0)};
constexpr OperandRow kUpdated[] = {Data("operand", 1), Data("update", 1), Numbers("start", 1)};

// ---- types: those of the data in column 0, of numbers in column 1

// Every type of the first list with every one of the second; column 2 is int32.
template <std::size_t kFirst, std::size_t kSecond>
consteval std::array<TypeTuple, kFirst * kSecond> Pairs(const TensorType (&data)[kFirst],
                                                        const TensorType (&numbers)[kSecond]) {
  std::array<TypeTuple, kFirst * kSecond> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {data[i / kSecond], numbers[i % kSecond], kInt32};
  return pairs;
}

constexpr TensorType kOne[] = {kInt32};
constexpr TensorType kTwo[] = {kInt32, kInt64};
constexpr TensorType kFour[] = {kInt8, kInt16, kInt32, kInt64};
constexpr TensorType kOfImages[] = {kFloat32, kInt8};
constexpr TensorType kOfTranspose[] = {kFloat32, kInt8, kInt16};
constexpr TensorType kOfFill[] = {kFloat32, kInt8, kInt32};
constexpr TensorType kOfParts[] = {kFloat32, kInt8, kInt16, kInt32};
constexpr TensorType kOfPack[] = {kFloat32, kInt8, kInt16, kInt32, kInt64};
constexpr TensorType kOfSlices[] = {kFloat32, kInt8, kInt16, kInt32, kBool};
constexpr TensorType kOfConcatenation[] = {kFloat32, kInt8, kInt16, kInt32, kInt64, kBool};
constexpr TensorType kOfReverse[] = {kFloat32, kInt8, kUInt8, kInt16, kInt32, kInt64, kBool};
// Every type that has a size.
constexpr TensorType kOfAll[] = {kFloat32, kFloat16,    kInt32,  kUInt8,    kInt64,  kBool,   kInt16, kComplex64, kInt8,
                                 kFloat64, kComplex128, kUInt64, kResource, kUInt32, kUInt16, kInt4,  kBFloat16};

constexpr auto kImageTypes = Pairs(kOfImages, kOne);
constexpr auto kMirrorPadTypes = Pairs(kOfImages, kTwo);
constexpr auto kTransposeTypes = Pairs(kOfTranspose, kOne);
constexpr auto kFillTypes = Pairs(kOfFill, kFour);
constexpr auto kPartsTypes = Pairs(kOfParts, kOne);
constexpr auto kSplitVTypes = Pairs(kOfParts, kTwo);
constexpr auto kPackTypes = Pairs(kOfPack, kOne);
constexpr auto kSliceTypes = Pairs(kOfSlices, kTwo);
constexpr auto kStridedSliceTypes = Pairs(kOfSlices, kOne);
constexpr auto kConcatenationTypes = Pairs(kOfConcatenation, kOne);
constexpr auto kReverseTypes = Pairs(kOfReverse, kOne);
constexpr auto kAllTypes = Pairs(kOfAll, kTwo);
constexpr auto kUpdateTypes = Pairs(kOfParts, kTwo);
constexpr auto kShapeTypes = Pairs(kOfAll, kOne);
constexpr TypeTuple kBroadcastArgsTypes[] = {{kInt32, kInt32}, {kInt64, kInt64}};

// ---- options

constexpr std::int64_t kMostBlock = 0x7FFFFFFF;
constexpr std::int64_t kMostMask = 15;   // a bit for each of four dimensions
constexpr std::uint8_t kMostParts = 12;  // that are drawn: kernels set no limit

constexpr OptionRow kConcatenationOptions[] = {
    Option<&ConcatenationOptions::axis>("axis", -6, 5, true),
    Option<&ConcatenationOptions::activation>("fused activation", 0, 0),
};
constexpr OptionRow kPackOptions[] = {
    Option<&PackOptions::axis>("axis", -6, 5, true),
    OfMore(Option<&PackOptions::values_count>("values_count", 1, kMostParts, true)),
};
constexpr OptionRow kUnpackOptions[] = {
    Option<&UnpackOptions::axis>("axis", -6, 5, true),
    OfMore(Option<&UnpackOptions::num>("num", 1, kMostParts, true)),
};
constexpr OptionRow kStridedSliceOptions[] = {
    Option<&StridedSliceOptions::begin_mask>("begin_mask", 0, kMostMask, true),
    Option<&StridedSliceOptions::end_mask>("end_mask", 0, kMostMask, true),
    Option<&StridedSliceOptions::shrink_axis_mask>("shrink_axis_mask", 0, kMostMask, true),
    Unread(Option<&StridedSliceOptions::ellipsis_mask>("ellipsis_mask", 0, kMostMask)),
    Unread(Option<&StridedSliceOptions::new_axis_mask>("new_axis_mask", 0, kMostMask)),
    Unread(Option<&StridedSliceOptions::offset>("offset", 0, 1)),
};
constexpr OptionRow kMirrorPadOptions[] = {
    Option<&MirrorPadOptions::mode>("mode: REFLECT, SYMMETRIC", 0, 1),
};
constexpr OptionRow kSpaceToDepthOptions[] = {
    Option<&SpaceToDepthOptions::block_size>("block_size", 1, kMostBlock, true),
};
constexpr OptionRow kDepthToSpaceOptions[] = {
    Option<&DepthToSpaceOptions::block_size>("block_size", 1, kMostBlock, true),
};

// ---- operators

constexpr OperatorRow kRows[] = {
    {.code = BuiltinOperator::kConcatenation,
     .shape = ShapeRule::kConcatenation,
     .inputs = kJoined,
     .outputs = kJoinedOut,
     .types = kConcatenationTypes,
     .default_options = ConcatenationOptions{},
     .options = kConcatenationOptions,
     .most_repeated = 10,
     .limits = "a negative axis counts from the end",
     .deviation = "shapes that do not fit together are refused"},
    {.code = BuiltinOperator::kPack,
     .shape = ShapeRule::kPack,
     .inputs = kPacked,
     .outputs = kPackedOut,
     .types = kPackTypes,
     .default_options = PackOptions{},
     .options = kPackOptions,
     .most_repeated = kMostParts,
     .more_repeated = true,
     .limits = "values_count is the number of inputs; a negative axis counts from the output's rank",
     .deviation = "shapes, and a count that is not the inputs', are refused in prepare"},
    {.code = BuiltinOperator::kUnpack,
     .shape = ShapeRule::kUnpack,
     .inputs = kUnpacked,
     .outputs = kUnpackedOut,
     .types = kPartsTypes,
     .default_options = UnpackOptions{},
     .options = kUnpackOptions,
     .most_repeated = kMostParts,
     .more_repeated = true,
     .limits = "num is the number of outputs; a negative axis counts from the input's rank",
     .deviation = "shapes, and a count that is not the outputs', are refused in prepare"},
    {.code = BuiltinOperator::kSplit,
     .shape = ShapeRule::kSplit,
     .inputs = kSplitIn,
     .outputs = kPartsOut,
     .types = kPartsTypes,
     .default_options = SplitOptions{},
     .most_repeated = kMostParts,
     .more_repeated = true,
     .limits = "the option num_splits is not read",
     .deviation = "shapes that do not fit together are refused"},
    {.code = BuiltinOperator::kSplitV,
     .shape = ShapeRule::kSplitV,
     .inputs = kSplitVIn,
     .outputs = kPartsOut,
     .types = kSplitVTypes,
     .default_options = SplitOptions{},
     .most_repeated = kMostParts,
     .more_repeated = true,
     .limits = "the outputs' extents count: the sizes and the option num_splits are not read",
     .deviation = "shapes that do not fit together are refused"},
    {.code = BuiltinOperator::kTranspose,
     .shape = ShapeRule::kTranspose,
     .inputs = kTransposed,
     .outputs = kUpTo5Out,
     .types = kTransposeTypes,
     .deviation = "an axis that is named twice, and another output shape, are refused"},
    {.code = BuiltinOperator::kSlice,
     .shape = ShapeRule::kSlice,
     .inputs = kSliced,
     .outputs = kUpTo5Out,
     .types = kSliceTypes,
     .limits = "a size of -1 goes to the end",
     .deviation = "a window beyond the input is refused, at invoke when it is computed"},
    {.code = BuiltinOperator::kStridedSlice,
     .shape = ShapeRule::kStridedSlice,
     .inputs = kStrided,
     .outputs = kUpTo4Out,
     .types = kStridedSliceTypes,
     .default_options = StridedSliceOptions{},
     .options = kStridedSliceOptions,
     .limits = "begin, end and strides have an entry for each dimension of the input; no stride is 0",
     .deviation = "an axis that is shrunk backwards, or beyond its end, is refused"},
    {.code = BuiltinOperator::kPad,
     .shape = ShapeRule::kPad,
     .inputs = kPadded,
     .outputs = kPaddedOut,
     .types = kPartsTypes,
     .default_options = PadOptions{},
     .limits = "the value has one element, of int8 with the output's quantisation. Without it int8 is padded by the "
               "output's zero point, other types by 0",
     .deviation = "negative paddings are refused"},
    {.code = BuiltinOperator::kPadv2,
     .shape = ShapeRule::kPad,
     .inputs = kPaddedV2,
     .outputs = kPaddedOut,
     .types = kPartsTypes,
     .default_options = PadV2Options{},
     .limits = "the value has one element, of int8 with the output's quantisation",
     .deviation = "negative paddings are refused"},
    {.code = BuiltinOperator::kMirrorPad,
     .shape = ShapeRule::kMirrorPad,
     .inputs = kMirrored,
     .outputs = kFromRank1Out,
     .types = kMirrorPadTypes,
     .default_options = MirrorPadOptions{},
     .options = kMirrorPadOptions,
     .limits = "SYMMETRIC pads at most the extent, REFLECT at most one less",
     .deviation = "paddings beyond that, negative ones and those that do not make the output's shape are refused, at "
                  "invoke when they are computed"},
    {.code = BuiltinOperator::kExpandDims,
     .shape = ShapeRule::kExpandDims,
     .inputs = kExpanded,
     .outputs = kAnyRankOut,
     .types = kAllTypes,
     .limits = "of any type whose elements have a size: a copy of as many elements. The axis is not read"},
    {.code = BuiltinOperator::kSqueeze,
     .shape = ShapeRule::kSqueeze,
     .inputs = kAnyRank,
     .outputs = kAnyRankOut,
     .types = kShapeTypes,
     .default_options = SqueezeOptions{},
     .limits = "of any type whose elements have a size: a copy of as many elements. The dims in the options are not "
               "read"},
    {.code = BuiltinOperator::kSpaceToDepth,
     .shape = ShapeRule::kSpaceToDepth,
     .inputs = kImage,
     .outputs = kImageOut,
     .types = kImageTypes,
     .default_options = SpaceToDepthOptions{},
     .options = kSpaceToDepthOptions,
     .limits = "the block divides height and width"},
    {.code = BuiltinOperator::kDepthToSpace,
     .shape = ShapeRule::kDepthToSpace,
     .inputs = kImage,
     .outputs = kImageOut,
     .types = kImageTypes,
     .default_options = DepthToSpaceOptions{},
     .options = kDepthToSpaceOptions,
     .limits = "the square of the block divides the depth"},
    {.code = BuiltinOperator::kSpaceToBatchNd,
     .shape = ShapeRule::kSpaceToBatch,
     .inputs = kToBatches,
     .outputs = kToBatchesOut,
     .types = kImageTypes,
     .limits = "three dimensions are an image without a width",
     .deviation = "padded by 0.0, of int8 by the output's zero point: the reference pads by a byte that it never set. "
                  "Shapes that do not fit together, blocks below 1 and negative paddings are refused"},
    {.code = BuiltinOperator::kBatchToSpaceNd,
     .shape = ShapeRule::kBatchToSpace,
     .inputs = kFromBatches,
     .outputs = kFromBatchesOut,
     .types = kImageTypes,
     .limits = "three dimensions are an image without a width",
     .deviation = "shapes that do not fit together, blocks below 1 and negative crops are refused"},
    {.code = BuiltinOperator::kReverseV2,
     .shape = ShapeRule::kReverse,
     .inputs = kReversed,
     .outputs = kFromRank1Out,
     .types = kReverseTypes,
     .limits = "the axes are neighbours, in any order; negative ones count from the end",
     .deviation = "an empty list of axes and another output shape are refused"},
    {.code = BuiltinOperator::kBroadcastTo,
     .shape = ShapeRule::kBroadcastTo,
     .inputs = kBroadcasted,
     .outputs = kUpTo5Out,
     .types = kAllTypes,
     .limits = "of any type whose elements have a size. The shape is the output's"},
    {.code = BuiltinOperator::kBroadcastArgs,
     .shape = ShapeRule::kBroadcastArgs,
     .inputs = kShapes,
     .outputs = kNumbersOut,
     .types = kBroadcastArgsTypes,
     .limits = "extents of int64 are narrowed to 32 bits",
     .deviation = "shapes that do not broadcast are refused at invoke: the reference aborts"},
    {.code = BuiltinOperator::kFill,
     .shape = ShapeRule::kFill,
     .inputs = kFilled,
     .outputs = kAnyRankOut,
     .types = kFillTypes,
     .limits = "the dims are the output's shape"},
    {.code = BuiltinOperator::kShape,
     .shape = ShapeRule::kShape,
     .inputs = kAnyRank,
     .outputs = kNumbersOut,
     .types = kShapeTypes,
     .limits = "of any type whose elements have a size; the output is int32",
     .deviation = "an output that has not as many elements as the input dimensions is refused"},
    {.code = BuiltinOperator::kDynamicUpdateSlice,
     .shape = ShapeRule::kDynamicUpdateSlice,
     .inputs = kUpdated,
     .outputs = kFromRank1Out,
     .types = kUpdateTypes,
     .limits = "a start that does not leave room for the update is moved to the nearest that does",
     .deviation = "another output shape or type is refused"},
};

}  // namespace

std::span<const OperatorRow> MovementRows() { return kRows; }

}  // namespace arenaproof
