#include "engine/generators/operators/case_families.h"
#include "engine/generators/operators/weights.h"

namespace arenaproof {

// Batches along any number of dimensions; now and then fewer outputs than the filter has rows; now and then more than
// the 64 rows that vector kernels take at once.
OperatorCase MakeFullyConnected(CaseRandom& random, bool quantized) {
  const std::int32_t depth = random.Between(1, 40),
                     rows = random.OneIn(4) ? random.Between(60, 140) : random.Between(1, 20);
  const std::int32_t outputs = random.OneIn(4) ? random.Between(1, rows) : rows;
  CaseShape batches = PickShape(random, 0, 3, 3);
  std::int32_t batch_count = 1;
  for (const std::int32_t extent : batches) batch_count *= extent;
  OperatorCase made;
  made.code = BuiltinOperator::kFullyConnected;
  made.options = FullyConnectedOptions{.activation = PickActivation(random), .keep_num_dims = batches.size() > 1};
  CaseShape input = batches, output = batches;
  if (random.OneIn(4)) output = {batch_count};  // the input's dimensions are not kept
  input.push_back(depth);
  output.push_back(outputs);
  made.inputs.push_back(Activations(random, quantized, input));
  made.inputs.push_back(Filter(random, quantized, {rows, depth}, 0, rows));
  made.inputs.push_back(Bias(random, made.inputs[0], made.inputs[1], rows));
  made.second_omits_last_input = random.OneIn(2);
  made.output = Sums(random, quantized, output);
  if (quantized) MakeTies(random, made, made.inputs[0].scales[0] * made.inputs[1].scales[0], 10);
  return made;
}

OperatorCase MakeSoftmax(CaseRandom& random, bool quantized) {
  OperatorCase made;
  made.code = BuiltinOperator::kSoftmax;
  made.options = SoftmaxOptions{.beta = random.OneIn(3) ? 1.0f : random.FloatBetween(0.1f, 3.0f)};
  made.inputs.push_back(Activations(random, quantized, PickShape(random, 1, 3, 9)));
  if (random.OneIn(8)) made.inputs[0].shape = {random.Between(1, 3), random.Between(200, 600)};
  made.output = made.inputs[0];
  if (quantized) {
    made.output.scales = {1.0f / 256.0f};
    made.output.zero_point = -128;
  }
  return made;
}

}  // namespace arenaproof
