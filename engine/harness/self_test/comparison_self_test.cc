#include "engine/harness/self_test/comparison_self_test.h"

#include <cstdint>
#include <cstring>

#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/harness/self_test/dying_child.h"
#include "engine/harness/self_test/self_test_network.h"
#include "kernels/reference/reference_kernels.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::uint32_t kMostVariants = 64;  // of one network; which comparisons are made depends on a file's bytes

using File = std::vector<std::byte>;

// ---- kernels: the one operator that computes, right and wrong

Status ReportADistance(const InvokeContext& context) {
  const std::ptrdiff_t distance = context.outputs[0].data - context.inputs[0].data;
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  std::memcpy(context.outputs[0].data + 1, &distance, sizeof(std::int32_t));
  return Ok();
}
std::uint8_t set_up_count = 0;
Status CountASetUp(PrepareContext&) {
  ++set_up_count;
  return Ok();
}
Status ReportTheSetUps(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  context.outputs[0].data[1] = std::byte{set_up_count};
  return Ok();
}
// The condition of a loop: what an operator that computes has written ends it.
Status IsNotZero(const InvokeContext& context) {
  context.outputs[0].data[0] = context.inputs[0].data[0] != std::byte{0} ? std::byte{1} : std::byte{0};
  return Ok();
}

// ---- networks, of which every answer comes from that operator

class Network {
 public:
  explicit Network(std::uint32_t variant) {
    const std::uint32_t name = builder_.AddBufferOf(std::vector<std::uint32_t>{variant});
    builder_.metadata.push_back({"variant", name});
  }

  // x -> y. Calls by IF until `depth`, or by WHILE.
  std::int32_t Graph(int depth, bool in_a_loop = false) {
    const auto number = static_cast<std::int32_t>(builder_.subgraphs.size());
    SubgraphSpec& graph = builder_.AddSubgraph();
    const std::int32_t x = AddSelfTestTensor(graph, kSelfTestElements), y = AddSelfTestTensor(graph, kSelfTestElements);
    graph.inputs = {x};
    graph.outputs = {y};
    if (depth == 0) {
      graph.AddOperator({.code = builder_.AddCode(BuiltinOperator::kAbs), .inputs = {x}, .outputs = {y}});
    } else if (in_a_loop) {
      const WhileOptions called{Condition(), Graph(depth - 1)};
      graph.AddOperator(
          {.code = builder_.AddCode(BuiltinOperator::kWhile), .inputs = {x}, .outputs = {y}, .options = called});
    } else {
      const std::int32_t condition = graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
      graph.AddOperator(
          {.code = builder_.AddCode(BuiltinOperator::kLogicalNot), .inputs = {x}, .outputs = {condition}});
      const IfOptions called{Graph(depth - 1), Graph(depth - 1)};
      graph.AddOperator({.code = builder_.AddCode(BuiltinOperator::kIf),
                         .inputs = {condition, x},
                         .outputs = {y},
                         .options = called});
    }
    return number;
  }

  void AddVariable() { AddSelfTestTensor(builder_.subgraphs.front(), kSelfTestElements, 0, true); }
  File Finish() { return builder_.Finish(); }

 private:
  std::int32_t Condition() {
    const auto number = static_cast<std::int32_t>(builder_.subgraphs.size());
    SubgraphSpec& graph = builder_.AddSubgraph();
    graph.inputs = {AddSelfTestTensor(graph, kSelfTestElements)};
    graph.outputs = {graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}})};
    graph.AddOperator(
        {.code = builder_.AddCode(BuiltinOperator::kLogicalNot), .inputs = graph.inputs, .outputs = graph.outputs});
    return number;
  }

  ModelBuilder builder_;
};

struct Shape {
  const char* name;
  void (*draw)(Network&);
};
constexpr Shape kAlone{"one graph", [](Network& n) { n.Graph(0); }};
constexpr Shape kBranches{"branches", [](Network& n) { n.Graph(1); }};
constexpr Shape kShapes[] = {
    kAlone,
    {"one graph with a variable",
     [](Network& n) {
       n.Graph(0);
       n.AddVariable();
     }},
    {"a graph beside one that nobody calls",
     [](Network& n) {
       n.Graph(0);
       n.Graph(0);
     }},
    kBranches,
    {"branches in branches", [](Network& n) { n.Graph(2); }},
    {"a loop", [](Network& n) { n.Graph(1, true); }},
    {"a loop over branches",
     [](Network& n) {
       n.Graph(2, true);
       n.AddVariable();
     }},
};

File MakeFile(const Shape& shape, std::uint32_t variant) {
  Network network(variant);
  shape.draw(network);
  return network.Finish();
}

using Invoke = Status (*)(const InvokeContext&);
using Prepare = Status (*)(PrepareContext&);

ModelStage RunNetworkWith(const File& file, Invoke invoke, Prepare prepare = nullptr) {
  const Kernel kernels[] = {
      {.op = BuiltinOperator::kAbs, .name = "self-test", .prepare = prepare, .invoke = invoke},
      {.op = BuiltinOperator::kLogicalNot, .name = "self-test", .invoke = IsNotZero},
  };
  const KernelSet set{.name = "self-test", .kernels = kernels, .fallback = &ReferenceKernels()};
  return RunModelPipeline({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, set);
}

class ComparisonSelfTest {
 public:
  std::vector<std::string> Run() {
    for (const Shape& shape : kShapes) ShowGarbage(shape);
    for (const Shape* shape : {&kAlone, &kBranches}) ShowDistances(*shape);
    ShowSetUps(kBranches);
    return missed_;
  }

 private:
  // Every model that is run is run again over other garbage.
  void ShowGarbage(const Shape& shape) {
    for (std::uint32_t variant = 0; variant < 2; ++variant) {
      const File file = MakeFile(shape, variant);
      if (RunNetworkWith(file, WriteZeros) != ModelStage::kInvoked) {
        missed_.push_back(std::string("a sound model is not invoked: ") + shape.name);
        return;
      }
      const std::string words = StderrOfCrash([&] { RunNetworkWith(file, LeaveAByte); });
      if (words.find("a second run over other garbage") != std::string::npos) continue;
      missed_.push_back(std::string("a model that answers otherwise over other garbage is let pass: ") + shape.name +
                        ", variant " + std::to_string(variant) + ", '" + words + "'");
      return;
    }
  }

  // Some are run elsewhere. Nothing else shows that, so one child can try all.
  void ShowDistances(const Shape& shape) {
    const std::string words = StderrOfCrash([&] {
      for (std::uint32_t variant = 0; variant < kMostVariants; ++variant) {
        RunNetworkWith(MakeFile(shape, variant), ReportADistance);
      }
    });
    RequireWords(words, "a run in the other layout", shape);
  }

  // Some are set up again. To be run elsewhere is a set-up too.
  void ShowSetUps(const Shape& shape) {
    constexpr const char* kComparison = "a run after a second AllocateTensors";
    std::string words;
    for (std::uint32_t variant = 0; variant < kMostVariants && words.find(kComparison) == std::string::npos;
         ++variant) {
      words = StderrOfCrash([&] { RunNetworkWith(MakeFile(shape, variant), ReportTheSetUps, CountASetUp); });
    }
    RequireWords(words, kComparison, shape);
  }

  void RequireWords(const std::string& words, const char* comparison, const Shape& shape) {
    if (words.find(comparison) != std::string::npos) return;
    missed_.push_back(std::string("of many models that answer otherwise there none is compared with ") + comparison +
                      ": " + shape.name);
  }

  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunComparisonSelfTest() { return ComparisonSelfTest().Run(); }

}  // namespace arenaproof
