#include "engine/generators/mutator/options_mutation.h"

namespace arenaproof {
namespace {

template <typename Options>
Options& Replace(wire::OperatorT& op, wire::BuiltinOptions type) {
  op.builtin_options.Reset();
  auto* const options = new Options;
  op.builtin_options.type = type;
  op.builtin_options.value = options;
  return *options;
}

void ChangeActivation(wire::ActivationFunctionType& activation, RandomChoice& random) {
  activation = static_cast<wire::ActivationFunctionType>(random.Below(7));
}

void ChangePadding(wire::Padding& padding, RandomChoice& random) {
  padding = static_cast<wire::Padding>(random.Below(random.Chance(5) ? 3 : 2));
}

template <typename... Numbers>
void ChangeOne(RandomChoice& random, Numbers&... numbers) {
  std::int32_t* const all[] = {&numbers...};
  std::int32_t& chosen = *all[random.Below(sizeof...(numbers))];
  chosen = random.Interesting(chosen);
}

// What all operators with windows have.
template <typename Options, typename... Numbers>
void ChangeWindow(Options& options, RandomChoice& random, Numbers&... numbers) {
  switch (random.Below(5)) {
    case 0:
      return ChangePadding(options.padding, random);
    case 1:
      return ChangeActivation(options.activation, random);
    default:
      return ChangeOne(random, options.stride_w, options.stride_h, numbers...);
  }
}

}  // namespace

void GiveOptions(wire::OperatorT& op, wire::BuiltinOperator code) {
  using Type = wire::BuiltinOptions;
  switch (code) {
    case wire::BuiltinOperator::ADD:
      Replace<wire::AddOptionsT>(op, Type::AddOptions);
      return;
    case wire::BuiltinOperator::MUL:
      Replace<wire::MulOptionsT>(op, Type::MulOptions);
      return;
    case wire::BuiltinOperator::AVERAGE_POOL_2D:
    case wire::BuiltinOperator::MAX_POOL_2D: {
      auto& options = Replace<wire::Pool2DOptionsT>(op, Type::Pool2DOptions);
      options.stride_w = options.stride_h = options.filter_width = options.filter_height = 2;
      return;
    }
    case wire::BuiltinOperator::CONCATENATION:
      Replace<wire::ConcatenationOptionsT>(op, Type::ConcatenationOptions);
      return;
    case wire::BuiltinOperator::CONV_2D: {
      auto& options = Replace<wire::Conv2DOptionsT>(op, Type::Conv2DOptions);
      options.stride_w = options.stride_h = 1;
      return;
    }
    case wire::BuiltinOperator::DEPTHWISE_CONV_2D: {
      auto& options = Replace<wire::DepthwiseConv2DOptionsT>(op, Type::DepthwiseConv2DOptions);
      options.stride_w = options.stride_h = options.depth_multiplier = 1;
      return;
    }
    case wire::BuiltinOperator::FULLY_CONNECTED:
      Replace<wire::FullyConnectedOptionsT>(op, Type::FullyConnectedOptions);
      return;
    case wire::BuiltinOperator::MEAN:
      Replace<wire::ReducerOptionsT>(op, Type::ReducerOptions);
      return;
    case wire::BuiltinOperator::RESHAPE:
      Replace<wire::ReshapeOptionsT>(op, Type::ReshapeOptions);
      return;
    case wire::BuiltinOperator::SOFTMAX:
      Replace<wire::SoftmaxOptionsT>(op, Type::SoftmaxOptions).beta = 1.0f;
      return;
    case wire::BuiltinOperator::PAD:
      Replace<wire::OtherOptionsT>(op, Type::Pad);
      return;
    case wire::BuiltinOperator::PADV2:
      Replace<wire::OtherOptionsT>(op, Type::PadV2);
      return;
    case wire::BuiltinOperator::QUANTIZE:
      Replace<wire::OtherOptionsT>(op, Type::Quantize);
      return;
    case wire::BuiltinOperator::DEQUANTIZE:
      Replace<wire::OtherOptionsT>(op, Type::Dequantize);
      return;
    default:
      op.builtin_options.Reset();
  }
}

void MutateOptions(wire::OperatorT& op, RandomChoice& random) {
  wire::BuiltinOptionsUnion& options = op.builtin_options;
  if (random.Chance(5)) return GiveOptions(op, random.Of(kServedOperators));
  if (random.Chance(1)) {
    op.builtin_options_2.Reset();
    op.builtin_options_2.type = wire::BuiltinOptions2::Options2Of1;
    op.builtin_options_2.value = new wire::OtherOptionsT;
  } else if (auto* conv = options.AsConv2DOptions()) {
    ChangeWindow(*conv, random, conv->dilation_w_factor, conv->dilation_h_factor);
  } else if (auto* depthwise = options.AsDepthwiseConv2DOptions()) {
    ChangeWindow(*depthwise, random, depthwise->dilation_w_factor, depthwise->dilation_h_factor,
                 depthwise->depth_multiplier);
  } else if (auto* pool = options.AsPool2DOptions()) {
    ChangeWindow(*pool, random, pool->filter_width, pool->filter_height);
  } else if (auto* connected = options.AsFullyConnectedOptions()) {
    ChangeActivation(connected->activation, random);
    if (random.Chance(20)) connected->weights_format = static_cast<std::int8_t>(random.Below(3));
    if (random.Chance(20)) connected->keep_num_dims = !connected->keep_num_dims;
  } else if (auto* softmax = options.AsSoftmaxOptions()) {
    static constexpr std::array kBetas = {1.0f, 0.0f, -1.0f, 1e-30f, 1e-6f, 10.0f, 1e6f, 1e38f};
    softmax->beta = random.Of(kBetas);
  } else if (auto* concatenation = options.AsConcatenationOptions()) {
    concatenation->axis =
        random.Chance(70) ? static_cast<std::int32_t>(random.Below(8)) - 4 : random.Interesting(concatenation->axis);
    if (random.Chance(20)) ChangeActivation(concatenation->activation, random);
  } else if (auto* add = options.AsAddOptions()) {
    ChangeActivation(add->activation, random);
  } else if (auto* mul = options.AsMulOptions()) {
    ChangeActivation(mul->activation, random);
  } else if (auto* reducer = options.AsReducerOptions()) {
    reducer->keep_dims = !reducer->keep_dims;
  } else if (auto* reshape = options.AsReshapeOptions()) {
    reshape->new_shape.resize(random.Below(5), 2);
  } else if (auto* branch = options.AsIfOptions()) {
    ChangeOne(random, branch->then_subgraph_index, branch->else_subgraph_index);
  } else if (auto* loop = options.AsWhileOptions()) {
    ChangeOne(random, loop->cond_subgraph_index, loop->body_subgraph_index);
  } else if (auto* once = options.AsCallOnceOptions()) {
    ChangeOne(random, once->init_subgraph_index);
  } else if (auto* handle = options.AsVarHandleOptions()) {
    static constexpr std::array kNames = {"", "a", "b"};
    (random.Chance(50) ? handle->container : handle->shared_name) = random.Of(kNames);
  }
}

}  // namespace arenaproof
