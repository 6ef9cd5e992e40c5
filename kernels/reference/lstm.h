// What UNIDIRECTIONAL_SEQUENCE_LSTM knows of its operands, and its arithmetic: the sums behind a gate, the cell, the
// output of one step.
//
// Inputs: 0 input [batches, steps, inputs], or [steps, batches, inputs]; 1 to 4 weights of the input and 5 to 8 of the
// hidden state, 12 to 15 biases, in the order input, forget, cell, output gate; 18 hidden state and 19 cell state
// [batches, units], variables. The others belong to variants that are not served.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/fixed_point.h"

namespace arenaproof::reference {

inline constexpr std::size_t kLstmInput = 0;
inline constexpr std::size_t kLstmInputWeights = 1;
inline constexpr std::size_t kLstmHiddenWeights = 5;
inline constexpr std::size_t kLstmBiases = 12;
inline constexpr std::size_t kLstmHidden = 18;
inline constexpr std::size_t kLstmCell = 19;

enum LstmGate : std::uint8_t { kInputGate, kForgetGate, kCellGate, kOutputGate, kLstmGateCount };

struct LstmData {
  std::size_t batch_count = 0;
  std::size_t step_count = 0;
  std::size_t input_count = 0;
  std::size_t unit_count = 0;
  bool time_major = false;
  float cell_clip = 0.0f;  // not above 0: none
  // int8 and int16 only
  std::int32_t input_zero_point = 0;
  std::int32_t hidden_zero_point = 0;
  std::int32_t quantized_cell_clip = 0;
  std::int32_t tanh_shift = 0;  // 3 * 2^tanh_shift is the argument of tanh per step of the cell
  std::array<QuantizedMultiplier, kLstmGateCount> of_input;
  std::array<QuantizedMultiplier, kLstmGateCount> of_hidden;
  QuantizedMultiplier of_old_cell;
  QuantizedMultiplier of_new_cell;
  QuantizedMultiplier of_output;
};
ARENAPROOF_PIN_BYTES(LstmData, 144, 8, 128, 4);

// Every quantisation is sound and every multiplier inside what the sums of this type compute with.
Status ReadLstmQuantization(const PrepareContext& context, LstmData* data);

// All steps of all batches. The scratch buffers are the gates' values.
void RunLstm(const InvokeContext& context, const LstmData& data);

}  // namespace arenaproof::reference
