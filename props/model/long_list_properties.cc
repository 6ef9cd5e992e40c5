// Lists longer than a byte, or two, can count: whatever stands in front, what is behind it means the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "core/model/validate.h"
#include "engine/generators/reach.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/report_oracle.h"
#include "engine/oracles/model/view_oracle.h"
#include "props/model/model_generators.h"
#include "props/support/draws.h"
#include "props/support/ends_within.h"

namespace arenaproof::testing {
namespace {

void LengthenOperators(ModelBuilder& model, SubgraphSpec& graph, std::size_t count) {
  graph.operators.insert(graph.operators.begin(), count, OperatorSpec{.code = model.AddCode(BuiltinOperator::kRelu)});
}

void LengthenOperands(ModelBuilder& model, SubgraphSpec& graph, std::size_t count, Choices& choices) {
  if (graph.operators.empty()) graph.AddOperator({.code = model.AddCode(BuiltinOperator::kRelu)});
  std::vector<std::int32_t>& inputs = choices.Of(graph.operators).inputs;
  inputs.insert(inputs.begin(), count, -1);
}

// Behind the first buffer, which is nobody's.
void LengthenBuffers(ModelBuilder& model, std::size_t count) {
  const auto shift = [count](std::uint32_t& buffer) {
    if (buffer > 0) buffer += static_cast<std::uint32_t>(count);
  };
  model.buffers.insert(model.buffers.begin() + 1, count, BufferSpec{});
  for (MetadataSpec& entry : model.metadata) shift(entry.buffer);
  for (SubgraphSpec& graph : model.subgraphs) {
    for (TensorSpec& tensor : graph.tensors) shift(tensor.buffer);
  }
}

void LengthenCodes(ModelBuilder& model, std::size_t count) {
  model.codes.insert(model.codes.begin(), count, OperatorCodeSpec{});
  for (SubgraphSpec& graph : model.subgraphs) {
    for (OperatorSpec& op : graph.operators) op.code += static_cast<std::uint32_t>(count);
  }
}

constexpr std::size_t kKinds = 7;

void Lengthen(ModelBuilder& model, Choices& choices, std::size_t kind, std::size_t count) {
  const std::size_t subgraph = choices.Below(model.subgraphs.size());
  SubgraphSpec& graph = model.subgraphs[subgraph];
  switch (kind) {
    case 0:
      return LengthenOperators(model, graph, count);
    case 1:
      return LengthenOperands(model, graph, count, choices);
    case 2:
      return PutInFront(model, subgraph, count);
    case 3:
      return LengthenBuffers(model, count);
    case 4:
      return LengthenCodes(model, count);
    case 5:
      model.metadata.insert(model.metadata.begin(), count, MetadataSpec{.name = "m"});
      return;
    default:
      model.signatures.insert(model.signatures.begin(), count, SignatureSpec{.key = "s"});
  }
}

RC_GTEST_PROP(LongLists, AreReadToTheirEnd, ()) {
  const EndsWithin limit(10, "a walk through a model");
  Choices sound(*rc::gen::noShrink(Numbers(80)));
  ModelBuilder builder = MakeSoundModel(sound);
  Choices choices(*rc::gen::noShrink(Numbers(24)));
  // What is wrong is made before the list is made long, and lies behind.
  if (choices.OneIn(2)) CorruptModel(builder, choices);
  RC_PRE(!builder.subgraphs.empty());
  // Very long ones take their time: some, however many cases there are, and of each kind in the first cases.
  static std::size_t long_count = 0;
  const bool sixteen_bits = long_count < 4 * kKinds && OneIn(4);
  const std::size_t drawn = choices.Below(kKinds);
  const std::size_t kind = sixteen_bits ? long_count++ % kKinds : drawn;
  // There are some entries besides.
  static constexpr std::array<std::size_t, 3> kLong = {65536, 131072, 32768};
  const std::size_t around = sixteen_bits ? choices.Of(kLong) : choices.OneIn(4) ? DrawReach(choices, 8193) : 256;
  const std::size_t count = around + choices.Below(12) - std::min<std::size_t>(around, 6);
  CountReach("entries of a list", count);
  RC_LOG() << "list " << kind << " is longer by " << count << "\n";
  Lengthen(builder, choices, kind, count);
  const auto model = Open(builder);
  RequireNone(oracle::CheckView(model->view));
  ValidationReport report;
  const Status status = CheckedValidation(*model, &report);
  if (status.ok() || status.code == StatusCode::kModelUnsupported) {
    RequireNone(oracle::CheckValidationReport(model->file, report));
  }
}

}  // namespace
}  // namespace arenaproof::testing
