#include "engine/oracles/sharing/sharing_rules.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "core/base/in_place.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "engine/oracles/model/wire_model.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kScalar = 4;  // "size > 4 bytes"

std::size_t Times(const std::vector<std::int32_t>& list, std::int32_t tensor) {
  return static_cast<std::size_t>(std::count(list.begin(), list.end(), tensor));
}

}  // namespace

unsigned SharingRules::FlagsOf(std::size_t subgraph, std::size_t op) const {
  const std::uint32_t code = Graph(subgraph).operators[op].code;
  for (const Kernel& kernel : ReferenceKernels().kernels) {
    if (static_cast<std::int32_t>(kernel.op) == model_.codes[code].builtin_code) return kernel.sharing;
  }
  return 0;
}

// A subgraph as often as it is called.
std::vector<std::size_t> SharingRules::CalledBy(std::size_t subgraph) const {
  std::vector<std::size_t> called;
  for (const OperatorSpec& op : Graph(subgraph).operators) {
    const auto add = [&](std::int32_t index) { called.push_back(static_cast<std::size_t>(index)); };
    if (const auto* branch = std::get_if<IfOptions>(&op.options)) {
      add(branch->then_subgraph_index);
      add(branch->else_subgraph_index);
    } else if (const auto* loop = std::get_if<WhileOptions>(&op.options)) {
      add(loop->cond_subgraph_index);
      add(loop->body_subgraph_index);
    }
  }
  return called;
}

std::size_t SharingRules::WaysTo(std::size_t subgraph) const {
  std::size_t ways = 0;
  for (std::size_t caller = 0; caller < model_.subgraphs.size(); ++caller) {
    for (const std::size_t called : CalledBy(caller)) ways += called == subgraph ? WaysTo(caller) : 0;
  }
  return std::max<std::size_t>(ways, 1);
}

bool SharingRules::IsReached(std::size_t subgraph) const {
  if (subgraph == 0) return true;
  for (std::size_t caller = 0; caller < model_.subgraphs.size(); ++caller) {
    const std::vector<std::size_t> called = CalledBy(caller);
    if (std::find(called.begin(), called.end(), subgraph) != called.end() && IsReached(caller)) return true;
  }
  return false;
}

std::size_t SharingRules::BytesOf(TensorName tensor) const {
  const TensorSpec& spec = Graph(tensor.first).tensors[static_cast<std::size_t>(tensor.second)];
  std::size_t bytes = oracle::BytesOfType(static_cast<std::int64_t>(spec.type));
  for (const std::int32_t extent : spec.shape.value_or(std::vector<std::int32_t>{})) {
    bytes *= static_cast<std::size_t>(extent);
  }
  return bytes;
}

// Neither a constant nor a variable, and of a subgraph that runs.
bool SharingRules::LiesInArena(TensorName tensor) const {
  const TensorSpec& spec = Graph(tensor.first).tensors[static_cast<std::size_t>(tensor.second)];
  return spec.buffer == 0 && !spec.is_variable && IsReached(tensor.first);
}

bool SharingRules::IsInput(TensorName tensor) const { return Times(Graph(tensor.first).inputs, tensor.second) > 0; }
bool SharingRules::IsOutput(TensorName tensor) const { return Times(Graph(tensor.first).outputs, tensor.second) > 0; }

// The reference's count: as graph input, as graph output, for each operand that is read.
std::size_t SharingRules::NeedCount(TensorName tensor) const {
  const SubgraphSpec& graph = Graph(tensor.first);
  std::size_t count = Times(graph.inputs, tensor.second) + Times(graph.outputs, tensor.second);
  for (const OperatorSpec& op : graph.operators) count += Times(op.inputs, tensor.second);
  return count;
}

std::int32_t SharingRules::LastReader(TensorName tensor) const {
  const SubgraphSpec& graph = Graph(tensor.first);
  std::int32_t last = -1;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    if (Times(graph.operators[i].inputs, tensor.second) > 0) last = static_cast<std::int32_t>(i);
  }
  return last;
}

std::int32_t SharingRules::Writer(TensorName tensor) const {
  const SubgraphSpec& graph = Graph(tensor.first);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    if (Times(graph.operators[i].outputs, tensor.second) > 0) return static_cast<std::int32_t>(i);
  }
  return -1;
}

std::map<TensorName, SharedWith> SharingRules::WhoShares() const {
  std::map<TensorName, SharedWith> shared;
  for (std::size_t s = 0; s < model_.subgraphs.size(); ++s) {
    if (WaysTo(s) > 1) continue;
    const auto owner_of = [&](std::int32_t tensor) {
      const auto found = shared.find({s, tensor});
      return found == shared.end() ? tensor : found->second.owner;
    };
    for (std::size_t i = 0; i < Graph(s).operators.size(); ++i) {
      const OperatorSpec& op = Graph(s).operators[i];
      const unsigned flags = FlagsOf(s, i);
      const bool modifies = (flags & kLeavesDataUnmodified) == 0;
      if (op.outputs.empty()) continue;
      const TensorName output{s, op.outputs[0]};
      const auto passes = [&](TensorName input) {
        if (modifies && (BytesOf(input) != BytesOf(output) || BytesOf(input) <= kScalar)) return false;
        if (modifies && NeedCount(input) > 1) return false;
        return !IsInput(input) && !IsOutput(output) && LiesInArena(input);
      };
      std::int32_t input = -1;
      for (std::size_t k = 3; k-- > 0;) {
        if (k >= op.inputs.size() || (flags & (kSharesInput0 << k)) == 0) continue;
        if (passes({s, op.inputs[k]})) input = op.inputs[k];  // the first one is met last
      }
      if (input == -1) continue;
      const std::int32_t owner = owner_of(input);
      if (modifies && NeedCount({s, owner}) > 1) continue;
      // Where the reference is wrong: a name in the middle, or one beside, that is read now or later, or kept.
      bool read_elsewhere = false;
      for (std::size_t t = 0; t < Graph(s).tensors.size(); ++t) {
        const auto name = static_cast<std::int32_t>(t);
        if (owner_of(name) != owner || name == input || !LiesInArena({s, name})) continue;
        read_elsewhere = read_elsewhere || LastReader({s, name}) >= static_cast<std::int32_t>(i) ||
                         IsInput({s, name}) || IsOutput({s, name});
      }
      if (modifies && read_elsewhere) continue;
      shared[output] = {input, owner};
    }
  }
  return shared;
}

bool SharingRules::OperatorAllows(std::span<const std::uint32_t> buffer_of_tensor, const BufferAlias& alias,
                                  Link* link) const {
  if (alias.subgraph < 0 || static_cast<std::size_t>(alias.subgraph) >= model_.subgraphs.size()) return false;
  const auto s = static_cast<std::size_t>(alias.subgraph);
  const auto i = static_cast<std::size_t>(alias.operator_index);
  if (alias.operator_index < 0 || i >= Graph(s).operators.size()) return false;
  const OperatorSpec& op = Graph(s).operators[i];
  const auto k = static_cast<std::size_t>(alias.input);
  if (alias.input < 0 || k >= op.inputs.size() || k >= 3 || op.outputs.empty()) return false;
  const unsigned flags = FlagsOf(s, i);
  if ((flags & (kSharesInput0 << k)) == 0 || alias.modifies == ((flags & kLeavesDataUnmodified) != 0)) return false;
  *link = {&alias, s, alias.operator_index, op.inputs[k], op.outputs[0]};
  std::size_t before = 0;
  for (std::size_t other = 0; other < s; ++other) before += Graph(other).tensors.size();
  const auto buffer_of = [&](std::int32_t tensor) {
    return buffer_of_tensor[before + static_cast<std::size_t>(tensor)];
  };
  if (buffer_of(link->source) != alias.source || buffer_of(link->output) != alias.buffer) return false;
  const std::size_t bytes = BytesOf({s, link->source});
  if (bytes != BytesOf({s, link->output})) return false;
  return !alias.modifies || (bytes > kScalar && Times(op.inputs, link->source) == 1);
}

SharingRules::Reasons SharingRules::WhatIsWrong(std::span<const std::uint32_t> buffer_of_tensor,
                                                std::span<const BufferAlias> aliases) const {
  Reasons wrong;
  std::vector<Link> links;
  for (const BufferAlias& alias : aliases) {
    Link link{};
    if (OperatorAllows(buffer_of_tensor, alias, &link)) {
      links.push_back(link);
    } else {
      wrong.emplace(StatusCode::kPlanAliasOperator, alias.buffer);
    }
  }
  if (!wrong.empty()) return wrong;  // operators are asked first; below each alias is what its link says

  const auto link_of = [&](std::uint32_t buffer) {
    const auto found =
        std::find_if(links.begin(), links.end(), [&](const Link& link) { return link.alias->buffer == buffer; });
    return found == links.end() ? nullptr : &*found;
  };
  const auto root_of = [&](std::uint32_t buffer) {
    for (const Link* link = link_of(buffer); link != nullptr; link = link_of(buffer)) buffer = link->alias->source;
    return buffer;
  };
  for (const Link& link : links) {
    const BufferAlias& alias = *link.alias;
    const bool twice = std::count_if(links.begin(), links.end(),
                                     [&](const Link& other) { return other.alias->buffer == alias.buffer; }) > 1;
    const bool lies_there = LiesInArena({link.subgraph, link.source}) && LiesInArena({link.subgraph, link.output});
    const std::uint32_t root = root_of(alias.buffer);  // one that is no buffer is no owner of anybody
    if (twice || !lies_there || root == kNoBuffer || root != alias.owner)
      wrong.emplace(StatusCode::kPlanAliasLink, alias.buffer);
    if (IsInput({link.subgraph, link.source}) || IsOutput({link.subgraph, link.output})) {
      wrong.emplace(StatusCode::kPlanAliasKept, alias.buffer);
    }
    if (!alias.modifies) continue;
    // Of all names that the bytes have by then.
    const auto needs = [&](std::int32_t name, std::int32_t from) {
      return LastReader({link.subgraph, name}) >= from || IsOutput({link.subgraph, name});
    };
    bool still_read = needs(link.source, link.op + 1);
    for (const Link& other : links) {
      if (other.subgraph != link.subgraph || root_of(other.alias->buffer) != root_of(alias.buffer)) continue;
      if (other.op < link.op && other.output != link.source) still_read = still_read || needs(other.output, link.op);
      if (root_of(alias.buffer) == other.alias->source && other.source != link.source) {
        still_read = still_read || needs(other.source, link.op);
      }
    }
    if (still_read) wrong.emplace(StatusCode::kPlanAliasStillRead, alias.buffer);
  }
  return wrong;
}

}  // namespace arenaproof::testing
