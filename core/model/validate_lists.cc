#include <algorithm>

#include "core/model/call_tree.h"
#include "core/model/validation_rules.h"

namespace arenaproof {
namespace {

Status CheckBuffers(const ModelView& model, ValidationReport* report) {
  if (model.buffer_count() == 0) return Failure(StatusCode::kModelBuffersMissing, 0, 1);
  const std::size_t sentinel_bytes = model.buffer(0).data.size();
  if (sentinel_bytes != 0) return Failure(StatusCode::kModelBufferZero, sentinel_bytes, 0);
  for (std::size_t i = 0; i < model.buffer_count(); ++i) {
    if (model.buffer(i).outside_offset > 1) {
      report->AddUnsupported(UnsupportedKind::kFeature,
                             static_cast<std::int32_t>(UnsupportedFeature::kBufferOutsideFile), {}, 0, i);
    }
  }
  return Ok();
}

Status CheckMetadata(const ModelView& model) {
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    const std::uint32_t buffer = model.metadata(i).buffer;
    if (buffer >= model.buffer_count()) {
      return Failure(StatusCode::kModelMetadataBuffer, i, buffer, model.buffer_count());
    }
  }
  return Ok();
}

Status CheckSignatures(const ModelView& model) {
  for (std::size_t i = 0; i < model.signature_count(); ++i) {
    const SignatureView signature = model.signature(i);
    if (signature.subgraph >= model.subgraph_count()) {
      return Failure(StatusCode::kModelSignatureSubgraph, i, signature.subgraph, model.subgraph_count());
    }
    const std::size_t tensor_count = model.tensor_count(signature.subgraph);
    for (std::size_t k = 0; k < signature.input_count + signature.output_count; ++k) {
      const std::uint32_t tensor = k < signature.input_count ? model.signature_input(i, k)
                                                             : model.signature_output(i, k - signature.input_count);
      if (tensor >= tensor_count) return Failure(StatusCode::kModelSignatureTensor, i, k, tensor, tensor_count);
    }
  }
  return Ok();
}

bool IsTensor(std::int32_t index, std::size_t tensor_count) {
  return index >= 0 && static_cast<std::size_t>(index) < tensor_count;
}

Status CheckSubgraphLists(const ModelView& model, std::size_t subgraph) {
  const std::size_t tensor_count = model.tensor_count(subgraph);
  if (tensor_count > kMaxTensorCount) {
    return Failure(StatusCode::kModelTensorCount, subgraph, tensor_count, kMaxTensorCount);
  }
  const auto inputs = model.inputs(subgraph);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!IsTensor(inputs[i], tensor_count)) {
      return Failure(StatusCode::kModelSubgraphInput, subgraph, i, inputs[i], tensor_count);
    }
    if (model.tensor(subgraph, static_cast<std::size_t>(inputs[i])).is_constant()) {
      return Failure(StatusCode::kModelConstantInput, subgraph, i, inputs[i]);
    }
  }
  const auto outputs = model.outputs(subgraph);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!IsTensor(outputs[i], tensor_count)) {
      return Failure(StatusCode::kModelSubgraphOutput, subgraph, i, outputs[i], tensor_count);
    }
  }
  return Ok();
}

}  // namespace

Status CheckModelLists(const ModelView& model, ValidationReport* report) {
  const std::size_t subgraph_count = model.subgraph_count();
  if (subgraph_count == 0 || subgraph_count > kMaxSubgraphCount) {
    return Failure(StatusCode::kModelSubgraphCount, subgraph_count, 1, kMaxSubgraphCount);
  }
  // Writers leave out empty lists, so a subgraph that only sets up resources may lack them; the main one may not.
  if (!model.has_tensors(0)) return Failure(StatusCode::kModelTensorsMissing, 0);
  if (!model.has_inputs(0)) return Failure(StatusCode::kModelInputsMissing, 0);
  if (!model.has_outputs(0)) return Failure(StatusCode::kModelOutputsMissing, 0);
  ARENAPROOF_RETURN_IF_ERROR(CheckBuffers(model, report));
  ARENAPROOF_RETURN_IF_ERROR(CheckMetadata(model));
  ARENAPROOF_RETURN_IF_ERROR(CheckSignatures(model));
  for (std::size_t i = 0; i < subgraph_count; ++i) ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphLists(model, i));
  return Ok();
}

Status CheckListWork(const ModelView& model) {
  const std::uint64_t most = std::max<std::uint64_t>(model.bytes().size(), 4096);
  std::uint64_t count = model.metadata_count() + model.signature_count() + model.buffer_count();
  for (std::size_t i = 0; i < model.signature_count() && count <= most; ++i) {
    const SignatureView signature = model.signature(i);
    count += signature.input_count + signature.output_count;
  }
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    count += 1 + model.inputs(subgraph).size() + model.outputs(subgraph).size();
    for (std::size_t i = 0; i < model.tensor_count(subgraph) && count <= most; ++i) {
      const TensorView tensor = model.tensor(subgraph, i);
      count += 1 + tensor.shape.size() + tensor.shape_signature.size() + tensor.quantization.scales.size() +
               tensor.quantization.zero_point_count;
    }
    for (std::size_t i = 0; i < model.operator_count(subgraph) && count <= most; ++i) {
      const OperatorView view = model.operator_at(subgraph, i);
      count += 1 + view.inputs.size() + view.outputs.size() + view.intermediates.size();
    }
    if (count > most) break;
  }
  return count <= most ? Ok() : Failure(StatusCode::kModelListWork, count, most);
}

}  // namespace arenaproof
