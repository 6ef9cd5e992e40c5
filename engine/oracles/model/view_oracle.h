// Does the view say what the file says, and are sizes exact?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/call_tree.h"
#include "core/model/model_view.h"

namespace arenaproof::oracle {

// What a view says of the file as a whole, of one signature and of one subgraph.
struct RootFields {
  std::uint32_t version = 0;
  std::string_view description;
  bool has_buffers = false;
  std::size_t subgraph_count = 0, operator_code_count = 0, buffer_count = 0, metadata_count = 0, signature_count = 0;
  std::size_t total_tensor_count = 0, total_operator_count = 0;
};
struct SignatureFields {
  std::uint32_t subgraph = 0;
  std::vector<std::uint32_t> inputs, outputs;
};
struct SubgraphFields {
  std::string_view name;
  bool has_tensors = false, has_inputs = false, has_outputs = false;
  std::size_t first_tensor = 0, tensor_count = 0, operator_count = 0;
  std::span<const std::int32_t> inputs, outputs;
};
RootFields RootFieldsOf(const ModelView& model);
SignatureFields SignatureFieldsOf(const ModelView& model, std::size_t index);
SubgraphFields SubgraphFieldsOf(const ModelView& model, std::size_t index);

// What is wrong with the view of any verified file: counts, lists, operator codes, which tensors are constants, called
// subgraphs. Empty when all agree.
std::string CheckView(const ModelView& model);

// The same of one view, whoever made it, so that the oracle can be shown wrong ones. Empty when it says what the
// verified file says.
std::string CheckRootFields(std::span<const std::byte> file, const RootFields& fields);
std::string CheckSignatureFields(std::span<const std::byte> file, std::size_t index, const SignatureFields& fields);
// `first_tensor`: tensors of the subgraphs before it.
std::string CheckSubgraphFields(std::span<const std::byte> file, std::size_t index, std::size_t first_tensor,
                                const SubgraphFields& fields);
std::string CheckTensorView(std::span<const std::byte> file, std::size_t subgraph, std::size_t index,
                            const TensorView& view);
std::string CheckOperatorView(std::span<const std::byte> file, std::size_t subgraph, std::size_t index,
                              const OperatorView& view, const arenaproof::CalledSubgraphs& called);
std::string CheckMetadataView(std::span<const std::byte> file, std::size_t index, const MetadataView& view);
std::string CheckBufferView(std::span<const std::byte> file, std::size_t index, const BufferView& view);

// What is wrong with the sizes of a sound model's tensors in arena and file. Empty when all are exact.
std::string CheckSizes(const ModelView& model);

}  // namespace arenaproof::oracle
