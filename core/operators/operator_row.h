// What an operator is, as data: operands, types, options, limits. Generators of valid cases and of cases one step
// beyond a limit, the count of what fuzzing reached, docs/operators.md and `arenaproof operators` read nothing else.
// Kernels do not read it: their checks in prepare are a second statement, and the engines compare the two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/builtin_operator.h"
#include "core/model/operator_options.h"
#include "core/model/tensor_type.h"
#include "core/operators/shape_rule.h"

namespace arenaproof {

enum class Presence : std::uint8_t {
  kRequired,
  kOptional,  // may be left out, by -1 or by a shorter list when nothing follows
  kRepeated,  // the last of its side: OperatorRow::least_repeated to most_repeated
  kForbidden  // a place in the list that has to be left out
};

enum class Source : std::uint8_t {
  kAny,       // computed or constant
  kConstant,  // prepare reads it, or it is empty
  kVariable,  // keeps its value from invoke to invoke
  kComputed
};

enum class QuantizationRule : std::uint8_t {
  kNone,                  // not read; drawn all the same, as files have it
  kFree,                  // one scale, any zero point of the type
  kSymmetric,             // one scale, zero point 0
  kSymmetricIfConverted,  // as kSymmetric where the first output has another type; else not read
  kSymmetricOrNone,       // as kSymmetric, or no quantisation on either side
  kCentered,              // zero point 0, which alone is read, or no quantisation
  kPowerOfTwo,            // zero point 0; scales of int16 arguments of tables, most of them a power of two or near one
  kChannels,              // one scale, or one for each step along OperandRow::channel_axis; zero points 0
  kAsFirst,               // scale and zero point are those of the first operand that is quantised
  kProduct,               // one scale for each of operand 1, times that of operand 0; zero point 0: a bias
  kUnit8,      // int8: scale 1/256, zero point -128; int16: 1/65536, -32768, but of an int16 input as kUnit16
  kUnit16,     // scale 2^-15, zero point 0
  kLogarithm,  // scale 1/16, zero point 127
  kByOperator  // the operator's own way (OperatorRow::limits says it), drawn by its shape rule
};

// How much of a quantisation prepare looks at.
enum class QuantizationRead : std::uint8_t {
  kAll,       // all that its rule says
  kNearly,    // the scale has to be nearly what the rule says
  kAnyScale,  // one of them is there, whatever it is
  kNothing    // its rule says how files have it
};

enum class ValueRule : std::uint8_t {
  kAny,
  kNotZero,      // of floats and integers
  kHalfSteps,    // also halves of the output's steps, and what lies around the ends of types
  kNotNegative,  // real values
  kPositive,     // real values
  kWholeType,    // int32 and int64 over more than their lower bytes: what is copied has to arrive whole
  kByShapeRule   // axes, sizes, indices: drawn with the shapes
};

struct OperandRow {
  const char* name;
  std::uint8_t type_column = 0;  // of the tuples in OperatorRow::types
  Presence presence = Presence::kRequired;
  Source source = Source::kAny;
  std::uint8_t least_rank = 0;
  std::uint8_t most_rank = 6;
  QuantizationRule quantization = QuantizationRule::kNone;       // of int8, uint8 and int4
  QuantizationRule wide_quantization = QuantizationRule::kNone;  // of int16
  QuantizationRule long_quantization = QuantizationRule::kNone;  // of int32 that is no bias
  ValueRule values = ValueRule::kAny;
  std::uint8_t channel_axis = 0;
  float least_scale = 0.02f;  // of a range of many powers of two each is as likely
  float most_scale = 0.2f;
  float wide_factor = 1.0f;  // scales of int16 are so many times these
  QuantizationRead quantization_read = QuantizationRead::kAll;
  QuantizationRead wide_quantization_read = QuantizationRead::kAll;  // of int16
  bool read = true;                     // false: prepare looks at neither its type nor its value
  Source int4_source = Source::kAny;    // an input's whose type that is: a file packs two elements in a byte
  bool quantization_in_limits = false;  // prepare looks at it in a way of its own, which OperatorRow::limits says
};

inline constexpr std::size_t kTypeColumns = 4;
// The types of operands that go together, by column.
using TypeTuple = std::array<TensorType, kTypeColumns>;

// One number of the operator's options, as an integer: floats in millionths, enumerations and flags by their value.
struct OptionRow {
  const char* name;
  std::int64_t least = 0;  // what is served
  std::int64_t most = 0;
  bool by_shape_rule = false;  // drawn with the shapes, which decide what is served
  std::int64_t (*get)(const OperatorOptions& options) = nullptr;
  void (*set)(OperatorOptions& options, std::int64_t value) = nullptr;
  bool read = true;   // false: kernels do not look at it
  bool more = false;  // more is served than cases have: OperatorRow::limits says what
};

// How long the rows along the last axis may be, for inputs of that type.
struct LongestRow {
  TensorType type;
  std::int32_t most;
};

struct OperatorRow {
  BuiltinOperator code;
  ShapeRule shape;
  std::span<const OperandRow> inputs;
  std::span<const OperandRow> outputs;
  std::span<const TypeTuple> types;
  OperatorOptions default_options = {};
  std::span<const OptionRow> options = {};
  std::uint8_t least_repeated = 1;
  std::uint8_t most_repeated = 1;
  bool more_repeated = false;                     // more are served than cases have: all that an operator may have
  std::span<const LongestRow> longest_rows = {};  // of types that have a limit
  const char* limits = "";                        // what the columns do not say, in a sentence
  const char* deviation = "";  // where the kernel refuses or defines what the public reference leaves undefined
};

}  // namespace arenaproof
