#include "sanitizers/instrument/guard/guarded_kernels.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "core/model/runtime_operator.h"

namespace arenaproof {
namespace {

using InvokeFunction = Status (*)(const InvokeContext&);

std::vector<const Kernel*> wrapped;  // by slot
GuardedInvoke* current_guard = nullptr;

template <std::size_t kSlot>
Status InvokeSlot(const InvokeContext& context) {
  return current_guard->Invoke(*wrapped[kSlot], context);
}

template <std::size_t... kSlots>
constexpr auto MakeSlots(std::index_sequence<kSlots...>) {
  return std::array<InvokeFunction, sizeof...(kSlots)>{InvokeSlot<kSlots>...};
}

constexpr auto kSlotFunctions = MakeSlots(std::make_index_sequence<GuardedKernels::kMostKernels>());

}  // namespace

GuardedKernels::GuardedKernels(const KernelSet& kernels, GuardedInvoke& guard) {
  if (current_guard != nullptr) std::abort();
  current_guard = &guard;
  Wrap(kernels);
}

GuardedKernels::~GuardedKernels() {
  current_guard = nullptr;
  wrapped.clear();
}

const KernelSet* GuardedKernels::Wrap(const KernelSet& kernels) {
  KernelSet& set = sets_.emplace_back(kernels);
  std::vector<Kernel>& own = kernels_.emplace_back(kernels.kernels.begin(), kernels.kernels.end());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (IsRuntimeOperator(own[i].op) || own[i].invoke == nullptr || wrapped.size() == kMostKernels) continue;
    own[i].invoke = kSlotFunctions[wrapped.size()];
    wrapped.push_back(&kernels.kernels[i]);
  }
  set.kernels = own;
  if (kernels.fallback != nullptr) set.fallback = Wrap(*kernels.fallback);
  return &set;
}

}  // namespace arenaproof
