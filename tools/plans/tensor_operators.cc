#include "tools/plans/tensor_operators.h"

#include <cstdint>
#include <map>
#include <utility>

#include "tools/text/operator_text.h"

namespace arenaproof {
namespace {

using SubgraphAndTensor = std::pair<std::int32_t, std::int32_t>;

constexpr std::size_t kMostNamedOperators = 8;

class UseNames {
 public:
  // Operators come in their order, and one that uses a tensor twice is named once.
  void Add(const std::string& name) {
    if (name == latest_) return;
    latest_ = name;
    ++count_;
    if (count_ <= kMostNamedOperators) text_ += (text_.empty() ? "" : ", ") + name;
  }
  bool empty() const { return count_ == 0; }
  std::string text() const {
    return count_ > kMostNamedOperators ? text_ + " and " + std::to_string(count_ - kMostNamedOperators) + " more"
                                        : text_;
  }

 private:
  std::size_t count_ = 0;
  std::string text_, latest_;
};

struct TensorUses {
  UseNames writers, readers;
};

std::string UsesText(const TensorUses& uses) {
  std::string text = uses.writers.empty() ? "" : "written by " + uses.writers.text();
  if (!uses.readers.empty()) text += (text.empty() ? "" : "; ") + ("read by " + uses.readers.text());
  return text;
}

}  // namespace

std::vector<std::string> OperatorsOfBuffers(const ModelView& model, const LabelledProblem& problem) {
  std::map<SubgraphAndTensor, TensorUses> uses;
  for (const BufferLabel& label : problem.labels) {
    if (label.tensor >= 0) uses.try_emplace({label.subgraph, label.tensor});
  }
  const auto name_of = [&](std::size_t subgraph, std::size_t index) {
    return std::to_string(index) + " " + OperatorName(model.operator_at(subgraph, index));
  };
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const OperatorView view = model.operator_at(s, i);
      const auto add = [&](std::int32_t tensor, UseNames TensorUses::* list) {
        const auto found = uses.find({static_cast<std::int32_t>(s), tensor});
        if (found != uses.end()) (found->second.*list).Add(name_of(s, i));
      };
      for (const std::int32_t tensor : view.outputs) add(tensor, &TensorUses::writers);
      for (const std::int32_t tensor : view.inputs) add(tensor, &TensorUses::readers);
    }
  }
  std::vector<std::string> texts;
  for (const BufferLabel& label : problem.labels) {
    if (label.tensor >= 0) {
      texts.push_back(UsesText(uses.at({label.subgraph, label.tensor})));
    } else {
      texts.push_back("scratch of " + name_of(static_cast<std::size_t>(label.subgraph),
                                              static_cast<std::size_t>(label.owner_operator)));
    }
  }
  return texts;
}

}  // namespace arenaproof
