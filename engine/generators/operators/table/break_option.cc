#include <algorithm>
#include <string_view>

#include "engine/generators/operators/table/break_rule.h"
#include "engine/generators/operators/table/movement_draws.h"

namespace arenaproof {
namespace {

using props::Refusal;

using Options = std::vector<std::int64_t>;

// What kernels serve although the row has no such value, and what no shape excludes.
bool IsServedAllTheSame(const OperatorRow& row, const RuleBreak& broken) {
  const std::string_view name = row.options[broken.place].name;
  const bool below = broken.kind == Breakage::kOptionBelow;
  switch (row.shape) {
    case ShapeRule::kLstm:  // any clip is served: one that is not positive means none
      return name.starts_with("cell clip");
    case ShapeRule::kStridedSlice:  // all bits of a mask count, beyond the input's dimensions for nothing
      return below && name.ends_with("mask");
    case ShapeRule::kTransposeConvolution:  // the input may have other elements than there are windows
      return !below && name.starts_with("stride");
    default:
      return false;
  }
}

// As the option's own type holds it; nothing when it does not.
std::optional<OperatorOptions> With(const OptionRow& option, std::int64_t value, OperatorOptions options) {
  option.set(options, value);
  if (option.get(options) != value) return std::nullopt;
  return options;
}

Options BesideAxesOf(const CaseTensor& tensor, bool below) {
  const auto rank = static_cast<std::int64_t>(tensor.shape.size());
  return {below ? -rank - 1 : rank};
}

struct Windowed {
  std::int64_t input, filter, output;
  bool valid;
};

// Nothing where the option is no extent's.
std::optional<Windowed> WindowAlong(const OperatorCase& made, std::string_view option) {
  const std::size_t axis = option.ends_with("height") ? 1 : option.ends_with("width") ? 2 : 0;
  if (axis == 0) return std::nullopt;
  const auto of_pool = [&](const Pool2DOptions& pool) { return axis == 1 ? pool.filter_height : pool.filter_width; };
  const auto* const pool = std::get_if<Pool2DOptions>(&made.options);
  const Padding padding = std::visit(
      [](const auto& options) {
        if constexpr (requires { options.padding; }) return options.padding;
        return Padding::kSame;
      },
      made.options);
  return Windowed{made.inputs[0].shape[axis], pool == nullptr ? made.inputs[1].shape[axis] : of_pool(*pool),
                  made.output.shape[axis], padding == Padding::kValid};
}

// A step so long that there is one window, where there are more; a window that leaves the input, which it must not.
Options TooLargeForWindows(const OperatorCase& made, const OptionRow& option) {
  const std::string_view name = option.name;
  if (name == "padding") return {option.most + 1};
  if (name == "depth multiplier") return {option.get(made.options) + 1};
  const std::optional<Windowed> window = WindowAlong(made, name);
  if (!window) return {};
  if (name.starts_with("stride")) return window->output > 1 ? Options{window->input} : Options{};
  const bool leaves = window->valid && (name.starts_with("filter") || window->filter > 1);
  return leaves ? Options{window->input + 1} : Options{};
}

// Other elements are met, or the output has other dimensions.
Options OtherMasks(const OperatorCase& made, const OptionRow& option) {
  Options masks;
  for (std::size_t axis = 0; axis < made.inputs[0].shape.size(); ++axis) {
    const std::int64_t mask = option.get(made.options) ^ (std::int64_t{1} << axis);
    OperatorCase other = made;
    option.set(other.options, mask);
    if (StridedSliceShape(other) != made.output.shape) masks.push_back(mask);
  }
  return masks;
}

// Values that the shapes of this case do not allow, each of them for itself.
Options WrongForShapes(ShapeRule rule, const OperatorCase& made, const OptionRow& option, bool below) {
  const std::string_view name = option.name;
  const std::int64_t now = option.get(made.options);
  switch (rule) {
    case ShapeRule::kConcatenation:
    case ShapeRule::kPack:
      return name == "axis" ? BesideAxesOf(made.output, below) : Options{below ? now - 1 : now + 1};
    case ShapeRule::kUnpack:
      return name == "axis" ? BesideAxesOf(made.inputs[0], below) : Options{below ? now - 1 : now + 1};
    case ShapeRule::kGather:
      if (name == "axis") return BesideAxesOf(made.inputs[0], below);
      return below ? Options{-std::ssize(made.inputs[1].shape) - 1} : Options{std::ssize(made.inputs[0].shape)};
    case ShapeRule::kSpaceToDepth:
    case ShapeRule::kDepthToSpace:
    case ShapeRule::kSvdf:
      return {below ? now - 1 : now + 1};
    case ShapeRule::kStridedSlice:
      return below ? Options{} : OtherMasks(made, option);
    case ShapeRule::kResize:  // beside aligned corners
      return below ? Options{} : Options{1};
    case ShapeRule::kConvolution:
    case ShapeRule::kDepthwise:
    case ShapeRule::kTransposeConvolution:
    case ShapeRule::kPool:
      return below ? Options{} : TooLargeForWindows(made, option);
    default:
      return {};
  }
}

}  // namespace

bool HasOptionRule(const OperatorRow& row, const RuleBreak& broken) {
  const OptionRow& option = row.options[broken.place];
  if (option.more || !option.read || IsServedAllTheSame(row, broken)) return false;
  const bool below = broken.kind == Breakage::kOptionBelow;
  if (option.by_shape_rule && !below) return true;
  return With(option, below ? option.least - 1 : option.most + 1, row.default_options).has_value();
}

std::optional<Refusal> BreakOption(const BreakDraw& draw, OperatorCase& made) {
  const bool below = draw.broken.kind == Breakage::kOptionBelow;
  const OptionRow& option = draw.row.options[draw.broken.place];
  Options wrong;
  if (!option.by_shape_rule || below) wrong = {below ? option.least - 1 : option.most + 1};
  if (option.by_shape_rule) {
    // Aligned corners let the shapes be others.
    if (auto* const resize = std::get_if<ResizeBilinearOptions>(&made.options)) resize->align_corners = true;
    const Options of_shapes = WrongForShapes(draw.row.shape, made, option, below);
    wrong.insert(wrong.end(), of_shapes.begin(), of_shapes.end());
  }
  if (wrong.empty()) return std::nullopt;
  const std::optional<OperatorOptions> options = With(option, draw.random.Of(wrong), made.options);
  if (!options) return std::nullopt;
  made.options = *options;
  if (!option.by_shape_rule) {
    return Refusal{below ? "an option below its range" : "an option above its range",
                   {StatusCode::kKernelOption, StatusCode::kKernelUnsupported},
                   {}};
  }
  return Refusal{below ? "an option below what the shapes allow" : "an option that does not go with the shapes",
                 {StatusCode::kKernelOption, StatusCode::kKernelDimension, StatusCode::kKernelRank,
                  StatusCode::kKernelElementCount, StatusCode::kKernelIndex},
                 {}};
}

}  // namespace arenaproof
