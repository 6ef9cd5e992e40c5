// What the planners' specification says about outputs in the bytes of inputs (sections 8 and 9, A11), and where it
// calls the reference wrong: read off a model's description, by looking at the whole graph for each question. Of the
// code it takes nothing but the kernels' own flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/base/buffer_alias.h"
#include "core/base/status.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

// By subgraph and tensor.
using TensorName = std::pair<std::size_t, std::int32_t>;

struct SharedWith {
  std::int32_t source = -1;
  std::int32_t owner = -1;
  bool operator==(const SharedWith&) const = default;
};

class SharingRules {
 public:
  // The model runs with the reference kernels; it outlives this.
  explicit SharingRules(const ModelBuilder& model) : model_(model) {}

  // Whose bytes each output lies in that shares any.
  std::map<TensorName, SharedWith> WhoShares() const;

  // Why a list of buffers that share is to be refused: codes of which one has to be the answer, each with a buffer that
  // it is true of. `buffer_of_tensor` is by concatenated tensor index. Nothing: it has to be taken.
  using Reasons = std::set<std::pair<StatusCode, std::uint32_t>>;
  Reasons WhatIsWrong(std::span<const std::uint32_t> buffer_of_tensor, std::span<const BufferAlias> aliases) const;

  // Ways on which calls lead to the subgraph; a subgraph that nobody calls is one by itself.
  std::size_t WaysTo(std::size_t subgraph) const;
  bool IsReached(std::size_t subgraph) const;

 private:
  struct Link {
    const BufferAlias* alias;
    std::size_t subgraph;
    std::int32_t op;
    std::int32_t source, output;  // tensors
  };

  const SubgraphSpec& Graph(std::size_t subgraph) const { return model_.subgraphs[subgraph]; }
  unsigned FlagsOf(std::size_t subgraph, std::size_t op) const;
  std::vector<std::size_t> CalledBy(std::size_t subgraph) const;
  std::size_t BytesOf(TensorName tensor) const;
  bool LiesInArena(TensorName tensor) const;
  bool IsInput(TensorName tensor) const;
  bool IsOutput(TensorName tensor) const;
  std::size_t NeedCount(TensorName tensor) const;
  std::int32_t LastReader(TensorName tensor) const;
  std::int32_t Writer(TensorName tensor) const;
  bool OperatorAllows(std::span<const std::uint32_t> buffer_of_tensor, const BufferAlias& alias, Link* link) const;

  const ModelBuilder& model_;
};

}  // namespace arenaproof::testing
