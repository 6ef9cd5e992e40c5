#include "tools/worker/checked_model.h"

#include <string>

#include "core/runtime/interpreter/kernel_lookup.h"

namespace arenaproof {

std::optional<RunRefusal> CheckedModel::Load(const CheckArguments& arguments, const KernelSet* kernels) {
  if (kernels == nullptr) {
    const auto refused = chosen_.Choose(arguments, arguments.instrument);
    if (refused) return Refusal("kernels", refused->code, refused->sentence);
  }
  kernels_ = kernels != nullptr ? kernels : &chosen_.set();
  const KernelSetSupport support(*kernels_);
  const std::string problem = file_.Load(arguments.model, &support);
  opened_ = file_.opened();
  if (!problem.empty()) {
    RunRefusal refusal{"model", file_.status(), {}, problem};
    refusal.code = file_.refusal_code();
    return refusal;
  }
  std::size_t served_count = 0;
  const Status status = CountServedOperators(*kernels_, file_.view(), &served_count);
  if (!status.ok()) return Refusal("kernels", status);
  if (served_count > 0) return {};
  const bool files = NamesKernelFiles(arguments.kernels);
  return Refusal("kernels", ToolRefusal::kKernelsServeNothing,
                 (files ? "the library of kernels '" : "the kernel set '") + arguments.kernels +
                     "' serves no operator of the model; " +
                     (files ? "'arenaproof describe' lists the operators that there are"
                            : "'arenaproof operators' lists the sets that serve each"));
}

std::optional<RunRefusal> CheckedModel::Place(Layout layout, AccessInstrument* instrument) {
  const Status status = RelocatedModel::Create(file_.model(), layout, &relocated_);
  if (!status.ok()) return Refusal("layout", status);
  if (instrument == nullptr) return {};
  for (const WatchedRegion& region : relocated_.regions()) instrument->Watch(region);
  for (std::size_t subgraph = 0; subgraph < view().subgraph_count(); ++subgraph) {
    NameTensors(subgraph, instrument->registry());
  }
  return {};
}

void CheckedModel::NameTensors(std::size_t subgraph, ByteRegistry& registry) {
  const auto number = static_cast<std::int32_t>(subgraph);
  for (std::size_t i = 0; i < view().tensor_count(subgraph); ++i) {
    const TensorView tensor = view().tensor(subgraph, i);
    const auto index = static_cast<std::int32_t>(i);
    registry.NameTensor(number, index, std::string(tensor.name));
    const QuantizationView& quantization = tensor.quantization;
    registry.AddQuantization(
        index, {reinterpret_cast<const std::byte*>(quantization.scales.data()), quantization.scales.size_bytes()},
        number);
    registry.AddQuantization(
        index, {quantization.zero_point_bytes, quantization.zero_point_count * sizeof(std::int64_t)}, number);
    if (!tensor.is_constant()) continue;
    const std::byte* const data = relocated_.Locate(tensor.buffer, tensor.data.data());
    registry.AddConstant(index, {data, tensor.data.size()}, number);
  }
}

}  // namespace arenaproof
