#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "core/model/call_tree.h"
#include "core/model/tensor_bytes.h"
#include "core/planner/plan_picture.h"
#include "tools/command/describe.h"
#include "tools/command/piped_model.h"
#include "tools/command/plan.h"
#include "tools/command/plan_text.h"
#include "tools/command/sharing_text.h"
#include "tools/plans/busiest_moment.h"
#include "tools/text/json_text.h"
#include "tools/text/operator_text.h"
#include "tools/text/quoting.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::vector<std::int32_t> CallsOf(const OperatorView& view) {
  const CalledSubgraphs called = SubgraphsCalledBy(view);
  return {called.subgraph.begin(), called.subgraph.begin() + static_cast<std::ptrdiff_t>(called.count)};
}

std::string IndicesText(std::span<const std::int32_t> indices) {
  std::string text;
  for (const std::int32_t index : indices) text += (text.empty() ? "" : " ") + std::to_string(index);
  return text;
}

std::string ShapeText(const TensorView& view) {
  if (!view.has_shape) return "scalar";
  std::string text;
  for (const std::int32_t extent : view.shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

// What a subgraph's tensors are; its lists may be as long as its tensors are many.
class Roles {
 public:
  Roles(const ModelView& model, std::size_t subgraph)
      : inputs_(model.inputs(subgraph).begin(), model.inputs(subgraph).end()),
        outputs_(model.outputs(subgraph).begin(), model.outputs(subgraph).end()) {}

  std::string Of(std::size_t tensor, const TensorView& view) const {
    if (view.is_constant()) return "constant";
    if (view.is_variable) return "variable";
    if (inputs_.contains(static_cast<std::int32_t>(tensor))) return "input";
    return outputs_.contains(static_cast<std::int32_t>(tensor)) ? "output" : "";
  }

 private:
  std::set<std::int32_t> inputs_, outputs_;
};

std::size_t BytesOf(const TensorView& view) {
  std::size_t bytes = 0;
  const Status status = view.is_constant() ? TensorFileBytes(view, &bytes) : TensorArenaBytes(view, &bytes);
  return status.ok() ? bytes : 0;
}

const Lifetime* LifetimeOf(const ModelView& model, const Description& description, std::size_t subgraph,
                           std::size_t tensor) {
  if (description.lifetimes.empty()) return nullptr;
  const std::size_t number = model.first_tensor_of(subgraph) + tensor;
  if (number >= description.lifetimes.size() || description.lifetimes[number].first < 0) return nullptr;
  return &description.lifetimes[number];
}

std::size_t ShownSubgraphs(const ModelView& model, const Description& description) {
  return description.lists_too_long ? 0 : model.subgraph_count();
}

std::string SubgraphText(const ModelView& model, const Description& description, std::size_t subgraph) {
  std::string text = "subgraph " + std::to_string(subgraph) + ": operators\n";
  TextTable operators({">index", "operator", "inputs", "outputs", "calls"});
  for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
    const OperatorView view = model.operator_at(subgraph, i);
    operators.AddRow({std::to_string(i), OperatorName(view), IndicesText(view.inputs), IndicesText(view.outputs),
                      IndicesText(CallsOf(view))});
  }
  text += operators.Text(2) + "\nsubgraph " + std::to_string(subgraph) + ": tensors\n";
  TextTable tensors({">index", "role", "type", "shape", ">bytes", ">first step", ">last step", "name"});
  const Roles roles(model, subgraph);
  for (std::size_t i = 0; i < model.tensor_count(subgraph); ++i) {
    const TensorView view = model.tensor(subgraph, i);
    const std::string role = roles.Of(i, view);
    const Lifetime* lifetime = role == "constant" ? nullptr : LifetimeOf(model, description, subgraph, i);
    tensors.AddRow({std::to_string(i), role, TensorTypeName(view.type), ShapeText(view), std::to_string(BytesOf(view)),
                    lifetime != nullptr ? std::to_string(lifetime->first) : "",
                    lifetime != nullptr ? std::to_string(lifetime->last) : "", Printable(std::string(view.name))});
  }
  return text + tensors.Text(2) + "\n";
}

class TextSink final : public PictureSink {
 public:
  // The first lines are the buffers'; `remarks`: what else is said of each.
  TextSink(const LabelledProblem& problem, std::vector<std::string> remarks)
      : problem_(problem), remarks_(std::move(remarks)) {}
  bool Line(std::string_view line) override {
    text += "  " + std::string(line);
    if (count_ < problem_.labels.size()) text += "  " + WhatItIs(problem_.labels[count_]) + remarks_[count_];
    ++count_;
    text += "\n";
    return true;
  }
  std::string text;

 private:
  const LabelledProblem& problem_;
  const std::vector<std::string> remarks_;
  std::size_t count_ = 0;
};

// A group is drawn as its owner, alive as long as any of it.
std::string PictureText(const ModelView& model, const std::vector<PlanEntry>& plan,
                        const std::vector<BufferAlias>& sharing) {
  std::vector<PlacedBuffer> buffers;
  for (const PlanEntry& buffer : plan) {
    buffers.push_back({buffer.offset, (buffer.bytes + 15) / 16 * 16, buffer.first, buffer.last, false});
  }
  std::vector<std::string> remarks(plan.size());
  for (const BufferAlias& alias : sharing) {
    buffers[alias.owner].last = std::max(buffers[alias.owner].last, plan[alias.buffer].last);
    buffers[alias.buffer].first = buffers[alias.buffer].last = -1;
    remarks[alias.buffer] = ", drawn as buffer " + std::to_string(alias.owner) + ", in whose bytes it lies";
  }
  const LabelledProblem problem = ProblemOfModel(model, plan, OwnPlan::kIgnored);
  TextSink sink(problem, std::move(remarks));
  DrawPlan(buffers, sink);
  return sink.text;
}

std::string HeadText(const Description& description) {
  std::string text = "head of " + Counted(static_cast<long long>(description.head_bytes), "byte") + "\n";
  for (const std::string& line : UnknownScratchText(description.kernels)) text += line + "\n";
  if (!description.kernels.knows_all_scratch()) text += std::string(kHeadIsLowerBound) + "\n";
  if (!description.problem.empty()) return text + "no set-up takes this plan, so the arena's need is not known\n";
  return text + "the arena's need is not known either: kernels keep data of their own in it\n";
}

}  // namespace

std::string DescribeReportText(const DescribeOptions& options, const ModelView& model, const Description& description) {
  const std::string words = " --kernels=" + ShellWord(options.kernels) + FallbackWords(options) + WordsOf(options);
  std::string text = CommandOn(options.model, !options.file.empty(), "arenaproof describe", words) + "\n\n";
  text += "file of " + Counted(static_cast<long long>(model.bytes().size()), "byte") + ", schema version " +
          std::to_string(model.version()) + ", " + Counted(static_cast<long long>(model.subgraph_count()), "subgraph") +
          "\n\n";
  for (std::size_t subgraph = 0; subgraph < ShownSubgraphs(model, description); ++subgraph) {
    text += SubgraphText(model, description, subgraph);
  }
  if (!description.plan.empty() || description.problem.empty()) {
    text += std::string(description.problem.empty() ? "memory plan" : "memory plan of the model's own, refused") +
            "\n" + PlanText(model, description.plan) + SharingText(model, description.plan, description.sharing) +
            "\nits picture: time downwards, memory to the right\n" +
            PictureText(model, description.plan, description.sharing) + "\n";
    if (!description.offline_plan.empty()) text += OfflinePlanText(description.offline_plan) + "\n";
    text += PeakText(model, description.plan, description.sharing, static_cast<std::int64_t>(description.head_bytes)) +
            "\n";
    const bool arena = description.kernels.unserved().empty() && description.problem.empty();
    text += arena ? ArenaText(description.arena) : HeadText(description);
  }
  return text;
}

std::string DescribeReportJson(const DescribeOptions& options, const ModelView& model, const Description& description) {
  const bool planned = description.problem.empty();
  OrderedJson json = {{"command", "describe"},
                      {"model", options.model},
                      {"kernels", options.kernels},
                      {"trust_plan", options.trust_plan},
                      {"strict_plan", options.strict_plan},
                      {"planner", options.planner},
                      {"no_sharing", options.no_sharing},
                      {"exit_status", planned ? 0 : static_cast<int>(description.problem_status)},
                      {"file_bytes", model.bytes().size()},
                      {"schema_version", model.version()}};
  if (NamesKernelFiles(options.kernels)) json["fallback"] = options.fallback;
  if (!planned) {
    json["refusal"] = description.problem;
    json["refused"] = RefusedJson(description.refused);
  }
  json["subgraphs"] = OrderedJson::array();
  for (std::size_t subgraph = 0; subgraph < ShownSubgraphs(model, description); ++subgraph) {
    const Roles roles(model, subgraph);
    OrderedJson operators = OrderedJson::array(), tensors = OrderedJson::array();
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      const OperatorView view = model.operator_at(subgraph, i);
      operators.push_back({{"index", i},
                           {"name", OperatorName(view)},
                           {"version", view.version},
                           {"inputs", std::vector<std::int32_t>(view.inputs.begin(), view.inputs.end())},
                           {"outputs", std::vector<std::int32_t>(view.outputs.begin(), view.outputs.end())},
                           {"calls", CallsOf(view)}});
    }
    for (std::size_t i = 0; i < model.tensor_count(subgraph); ++i) {
      const TensorView view = model.tensor(subgraph, i);
      const Lifetime* lifetime = LifetimeOf(model, description, subgraph, i);
      tensors.push_back({{"index", i},
                         {"name", std::string(view.name)},
                         {"role", roles.Of(i, view)},
                         {"type", TensorTypeName(view.type)},
                         {"shape", std::vector<std::int32_t>(view.shape.begin(), view.shape.end())},
                         {"bytes", BytesOf(view)},
                         {"first_step", lifetime != nullptr ? lifetime->first : -1},
                         {"last_step", lifetime != nullptr ? lifetime->last : -1}});
    }
    json["subgraphs"].push_back({{"operators", operators}, {"tensors", tensors}});
  }
  if (planned || !description.plan.empty()) {
    json["plan"] = OrderedJson::parse(PlanJson(model, description.plan));
    if (!description.sharing.empty()) json["sharing"] = SharingJson(model, description.sharing);
    if (!description.offline_plan.empty()) json["offline_plan"] = OfflinePlanJson(description.offline_plan);
    json["peak"] = PeakJson(&model, ProblemOfModel(model, description.plan, OwnPlan::kIgnored, description.sharing),
                            static_cast<std::int64_t>(description.head_bytes));
    json["head_bytes"] = description.head_bytes;
    json["head_is_lower_bound"] = !description.kernels.knows_all_scratch();
    json["missing_kernels"] = MissingKernelsJson(description.kernels);
    if (planned && description.kernels.unserved().empty())
      json["arena"] = OrderedJson::parse(ArenaJson(description.arena));
  }
  return JsonReport(json);
}

}  // namespace arenaproof
