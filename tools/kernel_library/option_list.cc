#include "tools/kernel_library/option_list.h"

#include <variant>

namespace arenaproof {
namespace {

// Each structure names its fields once.
struct OptionWriter {
  OptionList& list;

  template <typename Window>
  void AddWindow(const Window& o) const {
    list.Add(ARENAPROOF_OPTION_PADDING, o.padding)
        .Add(ARENAPROOF_OPTION_STRIDE_WIDTH, o.stride_w)
        .Add(ARENAPROOF_OPTION_STRIDE_HEIGHT, o.stride_h)
        .Add(ARENAPROOF_OPTION_ACTIVATION, o.activation);
  }
  template <typename Resize>
  void AddResize(const Resize& o) const {
    list.Add(ARENAPROOF_OPTION_ALIGN_CORNERS, o.align_corners)
        .Add(ARENAPROOF_OPTION_HALF_PIXEL_CENTERS, o.half_pixel_centers);
  }

  // Operators whose activation is all that they have, and those that have nothing.
  template <typename Options>
  void operator()(const Options& o) const {
    if constexpr (requires { o.activation; }) list.Add(ARENAPROOF_OPTION_ACTIVATION, o.activation);
  }
  void operator()(const FullyConnectedOptions& o) const {
    list.Add(ARENAPROOF_OPTION_ACTIVATION, o.activation)
        .Add(ARENAPROOF_OPTION_WEIGHTS_FORMAT, o.weights_format)
        .Add(ARENAPROOF_OPTION_KEEP_DIMS, o.keep_num_dims)
        .Add(ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE, o.quantized_bias_type);
  }
  void operator()(const Conv2DOptions& o) const {
    AddWindow(o);
    list.Add(ARENAPROOF_OPTION_DILATION_WIDTH, o.dilation_w)
        .Add(ARENAPROOF_OPTION_DILATION_HEIGHT, o.dilation_h)
        .Add(ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE, o.quantized_bias_type);
  }
  void operator()(const DepthwiseConv2DOptions& o) const {
    AddWindow(o);
    list.Add(ARENAPROOF_OPTION_DILATION_WIDTH, o.dilation_w)
        .Add(ARENAPROOF_OPTION_DILATION_HEIGHT, o.dilation_h)
        .Add(ARENAPROOF_OPTION_DEPTH_MULTIPLIER, o.depth_multiplier);
  }
  void operator()(const TransposeConvOptions& o) const {
    AddWindow(o);
    list.Add(ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE, o.quantized_bias_type);
  }
  void operator()(const Pool2DOptions& o) const {
    AddWindow(o);
    list.Add(ARENAPROOF_OPTION_FILTER_WIDTH, o.filter_width).Add(ARENAPROOF_OPTION_FILTER_HEIGHT, o.filter_height);
  }
  void operator()(const SoftmaxOptions& o) const { list.Add(ARENAPROOF_OPTION_BETA, o.beta); }
  void operator()(const ConcatenationOptions& o) const {
    list.Add(ARENAPROOF_OPTION_AXIS, o.axis).Add(ARENAPROOF_OPTION_ACTIVATION, o.activation);
  }
  void operator()(const ReducerOptions& o) const { list.Add(ARENAPROOF_OPTION_KEEP_DIMS, o.keep_dims); }
  void operator()(const CumsumOptions& o) const {
    list.Add(ARENAPROOF_OPTION_EXCLUSIVE, o.exclusive).Add(ARENAPROOF_OPTION_REVERSE, o.reverse);
  }
  void operator()(const LeakyReluOptions& o) const { list.Add(ARENAPROOF_OPTION_ALPHA, o.alpha); }
  void operator()(const StridedSliceOptions& o) const {
    list.Add(ARENAPROOF_OPTION_BEGIN_MASK, o.begin_mask)
        .Add(ARENAPROOF_OPTION_END_MASK, o.end_mask)
        .Add(ARENAPROOF_OPTION_ELLIPSIS_MASK, o.ellipsis_mask)
        .Add(ARENAPROOF_OPTION_NEW_AXIS_MASK, o.new_axis_mask)
        .Add(ARENAPROOF_OPTION_SHRINK_AXIS_MASK, o.shrink_axis_mask)
        .Add(ARENAPROOF_OPTION_OFFSET, o.offset);
  }
  void operator()(const SvdfOptions& o) const {
    list.Add(ARENAPROOF_OPTION_RANK, o.rank).Add(ARENAPROOF_OPTION_ACTIVATION, o.activation);
  }
  void operator()(const UnidirectionalSequenceLstmOptions& o) const {
    list.Add(ARENAPROOF_OPTION_ACTIVATION, o.activation)
        .Add(ARENAPROOF_OPTION_CELL_CLIP, o.cell_clip)
        .Add(ARENAPROOF_OPTION_PROJECTION_CLIP, o.proj_clip)
        .Add(ARENAPROOF_OPTION_TIME_MAJOR, o.time_major);
  }
  void operator()(const SplitOptions& o) const { list.Add(ARENAPROOF_OPTION_COUNT, o.num_splits); }
  void operator()(const PackOptions& o) const {
    list.Add(ARENAPROOF_OPTION_COUNT, o.values_count).Add(ARENAPROOF_OPTION_AXIS, o.axis);
  }
  void operator()(const UnpackOptions& o) const {
    list.Add(ARENAPROOF_OPTION_COUNT, o.num).Add(ARENAPROOF_OPTION_AXIS, o.axis);
  }
  void operator()(const GatherOptions& o) const {
    list.Add(ARENAPROOF_OPTION_AXIS, o.axis).Add(ARENAPROOF_OPTION_BATCH_DIMS, o.batch_dims);
  }
  void operator()(const BatchMatMulOptions& o) const {
    list.Add(ARENAPROOF_OPTION_ADJOINT_X, o.adj_x).Add(ARENAPROOF_OPTION_ADJOINT_Y, o.adj_y);
  }
  void operator()(const SpaceToDepthOptions& o) const { list.Add(ARENAPROOF_OPTION_BLOCK_SIZE, o.block_size); }
  void operator()(const DepthToSpaceOptions& o) const { list.Add(ARENAPROOF_OPTION_BLOCK_SIZE, o.block_size); }
  void operator()(const ResizeNearestNeighborOptions& o) const { AddResize(o); }
  void operator()(const ResizeBilinearOptions& o) const { AddResize(o); }
  void operator()(const MirrorPadOptions& o) const { list.Add(ARENAPROOF_OPTION_MIRROR_MODE, o.mode); }
};

}  // namespace

OptionList::OptionList(const OperatorOptions& options) { std::visit(OptionWriter{*this}, options); }

void OptionList::Append(const ArenaproofOption& option) {
  options_.at(count_++) = option;  // kMostOptions is enough for every operator of the format
}

}  // namespace arenaproof
