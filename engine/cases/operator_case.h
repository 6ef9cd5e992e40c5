// An operator with operands of its own: types, shapes, options, quantisation and values. Every operator stands in its
// model twice, so that the second one's scratch buffers, blocks and omitted operands are others than the model's first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/builtin_operator.h"
#include "core/model/operator_options.h"
#include "core/model/tensor_type.h"

namespace arenaproof {

// What values a tensor is given: any; few different ones, near zero; int8 all near one end of the type.
enum class ValueKind : std::uint8_t { kAny, kFew, kHeaped };

struct CaseTensor {
  TensorType type = TensorType::kFloat32;
  std::vector<std::int32_t> shape = {};
  std::vector<float> scales = {};  // of quantised values, and biases: one, or one along `dimension`
  std::int32_t zero_point = 0;
  std::vector<std::int32_t> channel_zero_points = {};  // instead, one for each scale, when there are any
  std::int32_t dimension = 0;
  bool constant = false;
  bool variable = false;  // keeps its value from invoke to invoke
  bool present = true;    // false: an optional input that is left out
  ValueKind values = ValueKind::kAny;
  std::vector<std::byte> bytes = {};  // the values of an input; int4, in constants only, two in a byte

  std::size_t count() const;
};

struct OperatorCase {
  BuiltinOperator code{};
  OperatorOptions options;
  std::vector<CaseTensor> inputs;
  CaseTensor output;
  std::vector<CaseTensor> more_outputs = {};  // behind the first
  bool second_omits_last_input = false;       // an optional one

  std::size_t output_count() const { return 1 + more_outputs.size(); }
  const CaseTensor& output_at(std::size_t which) const { return which == 0 ? output : more_outputs[which - 1]; }
  CaseTensor& output_at(std::size_t which) { return which == 0 ? output : more_outputs[which - 1]; }

  std::string Describe() const;
};

// The model: its graph inputs are the inputs that are not constant, its outputs those of the two operators.
std::vector<std::byte> ModelOf(const OperatorCase& subject);

}  // namespace arenaproof
