#include "core/model/tensor_bytes.h"
#include "core/model/validation_rules.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kLargestType = static_cast<std::int32_t>(TensorType::kFloat8E5M2);

// 64-bit integers are read by memcpy, pairs of floats as floats; the rest is used in place.
std::size_t DataAlignment(TensorType type) {
  switch (type) {
    case TensorType::kInt64:
    case TensorType::kUInt64:
    case TensorType::kComplex64:
      return 4;
    case TensorType::kComplex128:
      return 8;
    default:
      return ElementBytes(type);
  }
}

Status CheckShape(const TensorView& tensor, std::size_t subgraph, std::size_t index) {
  for (std::size_t axis = 0; axis < tensor.shape_signature.size(); ++axis) {
    if (tensor.shape_signature[axis] < -1) {
      return Failure(StatusCode::kModelTensorSignature, subgraph, index, axis, tensor.shape_signature[axis]);
    }
  }
  // Dimensions of 0 count as 1: kernels multiply some dimensions of a shape without the others.
  constexpr std::uint64_t kMostElements = INT32_MAX;
  std::uint64_t elements = 1;
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const std::int32_t dimension = tensor.shape[axis];
    if (dimension < 0) return Failure(StatusCode::kModelTensorDimension, subgraph, index, axis, dimension);
    const auto factor = dimension == 0 ? 1u : static_cast<std::uint64_t>(dimension);
    if (elements * factor > kMostElements) {
      return Failure(StatusCode::kModelTensorSize, subgraph, index, elements, factor);
    }
    elements *= factor;
  }
  const std::size_t element_bytes = ElementBytes(tensor.type);
  // Planning rounds sizes up to 16, so that much room has to be left; on 64 bits it always is.
  constexpr std::size_t kMostBytes = SIZE_MAX - 15;
  if (element_bytes != 0 && elements > kMostBytes / element_bytes) {
    return Failure(StatusCode::kModelTensorSize, subgraph, index, elements, element_bytes);
  }
  return Ok();
}

Status CheckData(const ModelView& model, const TensorView& tensor, std::size_t subgraph, std::size_t index,
                 ValidationReport* report) {
  std::size_t expected_bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(TensorFileBytes(tensor, &expected_bytes));
  if (tensor.data.size() != expected_bytes) {
    return Failure(StatusCode::kModelConstantLength, subgraph, index, tensor.data.size(), expected_bytes);
  }
  const auto offset = static_cast<std::size_t>(tensor.data.data() - model.bytes().data());
  const std::size_t alignment = DataAlignment(tensor.type);
  if (offset % alignment != 0) {
    return Failure(StatusCode::kModelConstantAlignment, subgraph, index, offset, alignment);
  }
  if (offset % kModelAlignment != 0) ++report->unaligned_constant_count;
  return Ok();
}

}  // namespace

Status CheckTensor(const ModelView& model, std::size_t subgraph, std::size_t index, ValidationReport* report) {
  const TensorView tensor = model.tensor(subgraph, index);
  const auto type = static_cast<std::int32_t>(tensor.type);
  if (type < 0 || type > kLargestType) {
    return Failure(StatusCode::kModelTensorType, subgraph, index, type, kLargestType);
  }
  if (tensor.buffer >= model.buffer_count()) {
    return Failure(StatusCode::kModelTensorBuffer, subgraph, index, tensor.buffer, model.buffer_count());
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckShape(tensor, subgraph, index));

  const auto missing = [&](UnsupportedFeature feature) {
    report->AddUnsupported(UnsupportedKind::kFeature, static_cast<std::int32_t>(feature), {}, subgraph, index);
  };
  const bool has_size = ElementBytes(tensor.type) != 0;
  if (!has_size) report->AddUnsupported(UnsupportedKind::kTensorType, type, {}, subgraph, index);
  if (tensor.has_sparsity) missing(UnsupportedFeature::kSparseTensor);
  if (tensor.external_buffer != 0) missing(UnsupportedFeature::kExternalBuffer);
  if (tensor.quantization_details != 0) missing(UnsupportedFeature::kQuantizationDetails);

  // Sparse data and types without a size have another length; a variable's data is dropped.
  if (tensor.is_constant() && has_size && !tensor.has_sparsity) {
    ARENAPROOF_RETURN_IF_ERROR(CheckData(model, tensor, subgraph, index, report));
  }
  return CheckQuantization(tensor, subgraph, index);
}

}  // namespace arenaproof
