// They have no cases of their own kind: what they call or name lies outside their operands.
#include <limits>

#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;

// Columns: 0 condition or handle, 1 what is passed.
constexpr OperandRow kPassed = {.name = "operands", .type_column = 1, .presence = Presence::kRepeated};
constexpr OperandRow kIfInputs[] = {{.name = "condition"}, kPassed};
constexpr OperandRow kPassedOn[] = {kPassed};
constexpr OperandRow kHandle[] = {{.name = "handle"}};
constexpr OperandRow kValue[] = {{.name = "value", .type_column = 1}};
constexpr OperandRow kHandleAndValue[] = {{.name = "handle"},
                                          {.name = "value", .type_column = 1, .int4_source = Source::kComputed}};

constexpr std::size_t kPassedTypes = 7;
consteval std::array<TypeTuple, kPassedTypes> With(TensorType first) {
  return {{{first, kFloat32},
           {first, kInt8},
           {first, kUInt8},
           {first, kInt16},
           {first, kInt32},
           {first, kInt64},
           {first, kBool}}};
}
constexpr auto kConditional = With(kBool);
// Values of every type that has a size.
constexpr TypeTuple kHandled[] = {{kResource, kFloat32},  {kResource, kFloat16},    {kResource, kInt32},
                                  {kResource, kUInt8},    {kResource, kInt64},      {kResource, kBool},
                                  {kResource, kInt16},    {kResource, kComplex64},  {kResource, kInt8},
                                  {kResource, kFloat64},  {kResource, kComplex128}, {kResource, kUInt64},
                                  {kResource, kResource}, {kResource, kUInt32},     {kResource, kUInt16},
                                  {kResource, kInt4},     {kResource, kBFloat16}};
constexpr TypeTuple kHandleOnly[] = {{kResource}};

constexpr std::int64_t kAnySubgraph = std::numeric_limits<std::int32_t>::max();
constexpr OptionRow kIf[] = {Option<&IfOptions::then_subgraph_index>("then subgraph", 0, kAnySubgraph, true),
                             Option<&IfOptions::else_subgraph_index>("else subgraph", 0, kAnySubgraph, true)};
constexpr OptionRow kWhile[] = {Option<&WhileOptions::cond_subgraph_index>("condition subgraph", 0, kAnySubgraph, true),
                                Option<&WhileOptions::body_subgraph_index>("body subgraph", 0, kAnySubgraph, true)};
constexpr OptionRow kCallOnce[] = {Option<&CallOnceOptions::init_subgraph_index>("subgraph", 0, kAnySubgraph, true)};

constexpr std::uint8_t kMostOperands = 64;  // inputs and outputs of one operator together

constexpr OperatorRow kRows[] = {
    {.code = BuiltinOperator::kIf,
     .shape = ShapeRule::kCall,
     .inputs = kIfInputs,
     .outputs = kPassedOn,
     .types = kConditional,
     .default_options = IfOptions{},
     .options = kIf,
     .least_repeated = 0,
     .most_repeated = kMostOperands - 1,
     .limits =
         "the condition is one element; operands may be of types that differ, 63 inputs and outputs in all beside "
         "it; both subgraphs list as many inputs and outputs as there are operands, of as many bytes each",
     .deviation = "the else subgraph is checked before the model runs, as the then subgraph is"},
    {.code = BuiltinOperator::kWhile,
     .shape = ShapeRule::kCall,
     .inputs = kPassedOn,
     .outputs = kPassedOn,
     .types = kConditional,
     .default_options = WhileOptions{},
     .options = kWhile,
     .least_repeated = 0,
     .most_repeated = kMostOperands / 2,
     .limits = "as many outputs as inputs, of types that may differ; both subgraphs list as many inputs, the "
               "body as many outputs, of as many bytes each",
     .deviation = "the condition subgraph's first output has to be one bool; the reference reads its first byte "
                  "unchecked"},
    {.code = BuiltinOperator::kCallOnce,
     .shape = ShapeRule::kCall,
     .inputs = {},
     .outputs = {},
     .types = {},
     .default_options = CallOnceOptions{},
     .options = kCallOnce,
     .limits = "neither inputs nor outputs; the subgraph has no inputs"},
    {.code = BuiltinOperator::kVarHandle,
     .shape = ShapeRule::kResourceVariable,
     .inputs = {},
     .outputs = kHandle,
     .types = kHandleOnly,
     .default_options = VarHandleOptions{},
     .limits = "one element; container and shared name are there"},
    {.code = BuiltinOperator::kReadVariable,
     .shape = ShapeRule::kResourceVariable,
     .inputs = kHandle,
     .outputs = kValue,
     .types = kHandled,
     .limits = "the handle is one element; the value has as many bytes as the variable when the model runs"},
    {.code = BuiltinOperator::kAssignVariable,
     .shape = ShapeRule::kResourceVariable,
     .inputs = kHandleAndValue,
     .outputs = {},
     .types = kHandled,
     .limits = "the handle is one element; every value that is assigned has as many bytes"},
};

}  // namespace

std::span<const OperatorRow> CallRows() { return kRows; }

}  // namespace arenaproof
