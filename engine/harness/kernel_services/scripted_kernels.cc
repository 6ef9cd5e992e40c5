#include "engine/harness/kernel_services/scripted_kernels.h"

#include <array>
#include <string>
#include <utility>

#include "engine/harness/kernel_services/service_network.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

KernelScript* followed_script = nullptr;

KernelScript& FollowedScript() {
  if (followed_script == nullptr) Defect("kernel", "it is called although there is no interpreter");
  return *followed_script;
}

template <std::size_t slot>
struct SlotKernel {
  static Status Init(PrepareContext& context) { return FollowedScript().Init(slot, context); }
  static Status Prepare(PrepareContext& context) { return FollowedScript().Prepare(slot, context); }
  static Status Invoke(const InvokeContext& context) { return FollowedScript().Invoke(slot, context); }
  static void Reset(void* op_data) { FollowedScript().Reset(slot, op_data); }
  static void Free(void* op_data) { FollowedScript().Free(slot, op_data); }

  static Kernel Of(BuiltinOperator op, const char* custom_name) {
    return {.op = op,
            .name = "scripted",
            .init = Init,
            .prepare = Prepare,
            .invoke = Invoke,
            .reset = Reset,
            .free = Free,
            .custom_name = custom_name};
  }
  static Kernel Bare(const char* custom_name) {
    return {.op = BuiltinOperator::kCustom, .name = "bare", .invoke = Invoke, .custom_name = custom_name};
  }
};

const char* SlotName(const char* kind, std::size_t slot) {
  return (new std::string(kind + std::to_string(slot)))->c_str();  // for ever in place
}

template <std::size_t... slots>
std::array<Kernel, 2 * kCustomSlots + 3> KernelsOfSlots(std::index_sequence<slots...>) {
  return {SlotKernel<slots>::Of(BuiltinOperator::kCustom, SlotName("scripted ", slots))...,
          SlotKernel<slots>::Bare(SlotName("bare ", slots))..., SlotKernel<kIfSlot>::Of(BuiltinOperator::kIf, nullptr),
          SlotKernel<kWhileSlot>::Of(BuiltinOperator::kWhile, nullptr),
          SlotKernel<kCallOnceSlot>::Of(BuiltinOperator::kCallOnce, nullptr)};
}

}  // namespace

void FollowScript(KernelScript* script) { followed_script = script; }

const KernelSet& ScriptedKernels() {
  static const auto* const kernels =
      new std::array<Kernel, 2 * kCustomSlots + 3>(KernelsOfSlots(std::make_index_sequence<kCustomSlots>()));
  static const KernelSet set{.name = "scripted", .kernels = *kernels};
  return set;
}

}  // namespace arenaproof
