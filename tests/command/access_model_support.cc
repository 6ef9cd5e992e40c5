#include <cstring>
#include <utility>

#include "tests/command/access_model.h"
#include "tests/command/command_support.h"

namespace arenaproof::testing {
namespace {

// 128 bytes of nobody's lie between two that are not meant to be neighbours; the holder's scratch buffer fits only in
// front of the first.
constexpr std::int32_t kTensor = static_cast<std::int32_t>(kTensorBytes), kSpacedAt = 576, kOddAt = 768, kDeadAt = 992,
                       kUnbornAt = 1312, kLiveAt = 1632, kOutputAt = 1888, kFirstOfPairAt = 2080,
                       kSecondOfPairAt = kFirstOfPairAt + kFirstOfPairBytes + kGapBytes, kLastAt = 2336;

}  // namespace

AccessPlaces PlannedPlaces() {
  return {.spaced = kSpacedAt, .gap = kUnbornAt + 2 * kTensor + 32, .scratch = 0, .runtime = kAccessArenaBytes};
}

AccessModel::AccessModel(std::span<const AccessRow> rows)
    : graph_(builder_.AddSubgraph()), code_(builder_.AddCustomCode(kAccessOperator)) {
  const std::int32_t x = Add({"x", kTensor, 0});
  Base(BaseTensor::kSpaced) = Add({"spaced", kTensor, kSpacedAt});
  Base(BaseTensor::kOdd) = Add({"odd", static_cast<std::int32_t>(kOddBytes), kOddAt});
  Base(BaseTensor::kDeadBeside) = Add({"beside the dead", kTensor, kDeadAt});
  Base(BaseTensor::kUnbornBeside) = Add({"beside the unborn", kTensor, kUnbornAt});
  Base(BaseTensor::kLiveBeside) = Add({"beside the live", kTensor, kLiveAt});
  const auto dead = AddBeside("dead", kDeadAt), unborn = AddBeside("unborn", kUnbornAt),
             live = AddBeside("live", kLiveAt);
  std::vector<std::int32_t> laid(bases_.begin(), bases_.begin() + static_cast<std::size_t>(BaseTensor::kConstant));
  // In the file the one that is added later lies in front.
  Base(BaseTensor::kLoose) = AddConstant("loose", 3, false);
  const std::int32_t other = AddConstant("other", 2, true);
  Base(BaseTensor::kConstant) = AddConstant("constant", 1, true);
  const std::int32_t last = Add({"last", kTensor, kLastAt});

  std::vector<std::int32_t> used = laid;
  used.insert(used.end(), {live[0], live[1], other, Base(BaseTensor::kLoose), Base(BaseTensor::kConstant)});
  laid.insert(laid.end(), {dead[0], dead[1], live[0], live[1]});
  AddOperator({x}, laid);
  AddOperator({dead[0], dead[1]}, {Add({"held", kTensor, kOutputAt})}, {.holds_memory = 1});
  for (const AccessRow& row : rows) AddRow(row);
  AddOperator(used, {unborn[0], unborn[1], last});
  graph_.inputs = {x};
  graph_.outputs = {last, unborn[0], unborn[1]};
}

void AccessModel::AddRow(const AccessRow& row) {
  operands_.push_back({Base(row.tensor)});
  std::vector<std::int32_t> outputs;
  if (row.place == AccessPlace::kBetween) {
    outputs = {Add({"first of the pair", kFirstOfPairBytes, kFirstOfPairAt}),
               Add({"second of the pair", kTensor, kSecondOfPairAt})};
  } else {
    outputs = {Add({"result", kTensor, kOutputAt})};
  }
  operands_.back().insert(operands_.back().end(), outputs.begin(), outputs.end());
  AddOperator({Base(row.tensor)}, outputs, row.words);
}

std::string AccessModel::Write() {
  std::vector<std::int32_t> offsets;
  for (const AccessTensor& tensor : tensors_) offsets.push_back(tensor.offset);
  return WriteModelWithPlan(builder_, offsets);
}

std::int32_t AccessModel::Add(const AccessTensor& tensor, std::uint32_t buffer) {
  tensors_.push_back(tensor);
  return graph_.AddTensor({.name = tensor.name,
                           .type = TensorType::kInt8,
                           .shape = std::vector<std::int32_t>{tensor.bytes},
                           .buffer = buffer});
}

std::array<std::int32_t, 2> AccessModel::AddBeside(const std::string& name, std::int32_t offset) {
  return {Add({name + " before", kTensor, offset - kTensor}), Add({name + " behind", kTensor, offset + kTensor})};
}

std::int32_t AccessModel::AddConstant(const std::string& name, unsigned char every_byte, bool aligned) {
  const std::vector<std::byte> data(kTensorBytes, static_cast<std::byte>(every_byte));
  return Add({name, kTensor, -1, every_byte}, builder_.AddBuffer(data, aligned));
}

void AccessModel::AddOperator(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs,
                              const AccessWords& words) {
  std::vector<std::byte> options(sizeof words);
  std::memcpy(options.data(), &words, sizeof words);
  graph_.AddOperator({.code = code_,
                      .inputs = std::move(inputs),
                      .outputs = std::move(outputs),
                      .custom_options = std::move(options)});
}

}  // namespace arenaproof::testing
