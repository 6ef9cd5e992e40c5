#include "engine/generators/operators/call_case.h"

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/reach.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::props {
namespace {

using enum BuiltinOperator;

// As far as several copies of it fit the arena of the model pipeline.
constexpr std::size_t kFarthestCount = 2049;

std::vector<std::int32_t> PickCounts(CaseRandom& random, std::int32_t least, std::int32_t most) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(random.Between(least, most)));
  for (std::int32_t& count : counts) count = random.Between(1, 5);
  if (random.OneIn(8)) counts[0] = static_cast<std::int32_t>(DrawReach(random, kFarthestCount));
  return counts;
}

// One entry more or, if there is one, less.
void Miscount(CaseRandom& random, std::vector<std::int32_t>& counts) {
  if (counts.empty() || random.OneIn(2)) {
    counts.push_back(2);
  } else {
    counts.pop_back();
  }
}

Refusal BreakCondition(TensorType& type, std::int32_t& count, CaseRandom& random, const Refusal& of_type,
                       const Refusal& of_count) {
  if (random.OneIn(2)) {
    using enum TensorType;
    constexpr TensorType kTypes[] = {kInt8,    kUInt8,   kInt16, kUInt16, kInt32,  kUInt32,
                                     kFloat16, kFloat32, kInt64, kUInt64, kFloat64};
    type = random.Of(kTypes);
    return of_type;
  }
  count = 2;
  return of_count;
}

// Every output is made by an operator of the subgraph, of zeros.
void AddCalled(ModelBuilder& builder, const CalledSubgraph& called) {
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const std::int32_t count : called.input_counts) {
    graph.inputs.push_back(graph.AddTensor({.shape = {{count}}}));
  }
  const std::uint32_t reshape = builder.AddCode(kReshape);
  for (const std::int32_t count : called.output_counts) {
    const TensorType type = called.is_condition ? called.condition_type : TensorType::kFloat32;
    const std::vector<std::byte> zeros(static_cast<std::size_t>(count) * ElementBytes(type));
    const std::int32_t from = graph.AddTensor({.type = type, .shape = {{count}}, .buffer = builder.AddBuffer(zeros)});
    graph.outputs.push_back(graph.AddTensor({.type = type, .shape = {{count}}}));
    graph.AddOperator(
        {.code = reshape, .inputs = {from}, .outputs = {graph.outputs.back()}, .options = ReshapeOptions{}});
  }
}

}  // namespace

std::string CallCase::Describe() const {
  std::string text = BuiltinOperatorName(code);
  const auto add = [&](const char* name, const std::vector<std::int32_t>& counts) {
    text += name;
    for (const std::int32_t count : counts) text += " [" + std::to_string(count) + "]";
  };
  add(" of", operand_counts);
  add(" ->", output_counts);
  for (const CalledSubgraph& subgraph : called) {
    add("; calls", subgraph.input_counts);
    add(" ->", subgraph.output_counts);
    if (subgraph.is_condition) text += std::string(" ") + TensorTypeName(subgraph.condition_type);
  }
  return text;
}

CallCase MakeCallCase(CaseRandom& random) {
  constexpr BuiltinOperator kCodes[] = {kIf, kWhile, kCallOnce};
  CallCase made;
  made.code = kCodes[random.Between(0, 2)];
  if (made.code == kCallOnce) {
    made.called = {{.input_counts = {}, .output_counts = PickCounts(random, 1, 2)}};
    return made;
  }
  made.operand_counts = PickCounts(random, 1, 3);
  if (made.code == kIf) {
    made.output_counts = PickCounts(random, 1, 3);
    made.called.assign(2, {.input_counts = made.operand_counts, .output_counts = made.output_counts});
    return made;
  }
  made.output_counts = made.operand_counts;
  made.called = {{.input_counts = made.operand_counts, .output_counts = {1}, .is_condition = true},
                 {.input_counts = made.operand_counts, .output_counts = made.operand_counts}};
  return made;
}

Refusal BreakOneRule(CallCase& k, CaseRandom& random) {
  CalledSubgraph& called = k.called[random.Below(k.called.size())];
  if (k.code == kCallOnce) {
    called.input_counts.push_back(1);
    return {"an input that nobody writes", {StatusCode::kKernelSubgraphCount}, {}};
  }
  const Refusal wrong_count{"a called list of another length", {StatusCode::kKernelSubgraphCount}, {}};
  const Refusal wrong_bytes{"a called tensor of another size", {StatusCode::kKernelSubgraphBytes}, {}};
  switch (random.Between(0, 4)) {
    case 0:
      if (k.code == kIf) {
        return BreakCondition(k.condition_type, k.condition_count, random,
                              {"a condition that is no bool", {StatusCode::kKernelType}, 0},
                              {"two conditions", {StatusCode::kKernelElementCount}, 0});
      }
      return BreakCondition(k.called[0].condition_type, k.called[0].output_counts[0], random,
                            {"a called condition that is no bool", {StatusCode::kKernelSubgraphType}, {}}, wrong_bytes);
    case 1:
      Miscount(random, called.input_counts);
      return wrong_count;
    case 2:
      if (called.is_condition) {
        called.output_counts.clear();
      } else {
        Miscount(random, called.output_counts);
      }
      return wrong_count;
    case 3:
      ++called.input_counts[random.Below(called.input_counts.size())];
      return wrong_bytes;
    default:
      ++called.output_counts[random.Below(called.output_counts.size())];
      return wrong_bytes;
  }
}

std::vector<std::byte> ModelOf(const CallCase& subject) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  OperatorSpec call{.code = builder.AddCode(subject.code)};
  if (subject.code == kIf) {
    call.inputs.push_back(graph.AddTensor({.type = subject.condition_type, .shape = {{subject.condition_count}}}));
    call.options = IfOptions{.then_subgraph_index = 1, .else_subgraph_index = 2};
  } else if (subject.code == kWhile) {
    call.options = WhileOptions{.cond_subgraph_index = 1, .body_subgraph_index = 2};
  } else {
    call.options = CallOnceOptions{.init_subgraph_index = 1};
  }
  for (const std::int32_t count : subject.operand_counts) {
    call.inputs.push_back(graph.AddTensor({.shape = {{count}}}));
  }
  graph.inputs = call.inputs;
  for (const std::int32_t count : subject.output_counts) {
    call.outputs.push_back(graph.AddTensor({.shape = {{count}}}));
  }
  graph.outputs = call.outputs;
  graph.AddOperator(call);
  for (const CalledSubgraph& called : subject.called) AddCalled(builder, called);
  return builder.Finish();
}

}  // namespace arenaproof::props
