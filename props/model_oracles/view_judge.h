// Does the view say what the file says, and are sizes exact?
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/model/call_tree.h"
#include "core/model/model_view.h"

namespace arenaproof::oracle {

// Of any verified file: counts, lists, operator codes, who is a constant, called subgraphs. Empty when all agree.
std::string JudgeView(const ModelView& model);

// The same of one view, whoever made it, so that the judge can be shown wrong ones. Empty when it says what the
// verified file says.
std::string JudgeTensorView(std::span<const std::byte> file, std::size_t subgraph, std::size_t index,
                            const TensorView& view);
std::string JudgeOperatorView(std::span<const std::byte> file, std::size_t subgraph, std::size_t index,
                              const OperatorView& view, const arenaproof::CalledSubgraphs& called);
std::string JudgeMetadataView(std::span<const std::byte> file, std::size_t index, const MetadataView& view);
std::string JudgeBufferView(std::span<const std::byte> file, std::size_t index, const BufferView& view);

// Of a sound model: bytes of every tensor in arena and file. Empty when all are exact.
std::string JudgeSizes(const ModelView& model);

}  // namespace arenaproof::oracle
