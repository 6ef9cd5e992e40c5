#include "kernels/aligned/aligned_kernels.h"

#include "kernels/aligned/fully_connected.h"
#include "kernels/reference/families.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {
namespace {

constexpr const char* kSoundName = "aligned";
constexpr const char* kFaultyName = "aligned-faulty";
constexpr const char* kUnderreadName = "aligned-underread";
constexpr const char* kFaultyDispatchName = "aligned-faulty-dispatch";

constexpr Kernel FullyConnected(const char* name, Status (*invoke)(const InvokeContext&)) {
  return Kernel{.op = BuiltinOperator::kFullyConnected,
                .name = name,
                .serves = aligned::ServesInt8,
                .prepare = reference::PrepareFullyConnected,
                .invoke = invoke};
}

constexpr Kernel kSound[] = {FullyConnected(kSoundName, aligned::InvokeSound)};
constexpr Kernel kFaulty[] = {FullyConnected(kFaultyName, aligned::InvokeFaulty)};
constexpr Kernel kUnderread[] = {FullyConnected(kUnderreadName, aligned::InvokeUnderreading)};
constexpr Kernel kFaultyDispatch[] = {FullyConnected(kFaultyDispatchName, aligned::InvokeFaultyDispatch)};

}  // namespace

const KernelSet& AlignedKernels() {
  static const KernelSet set{kSoundName, kSound, &ReferenceKernels()};
  return set;
}
const KernelSet& AlignedFaultyKernels() {
  static const KernelSet set{kFaultyName, kFaulty, &ReferenceKernels()};
  return set;
}
const KernelSet& AlignedUnderreadKernels() {
  static const KernelSet set{kUnderreadName, kUnderread, &ReferenceKernels()};
  return set;
}
const KernelSet& AlignedFaultyDispatchKernels() {
  static const KernelSet set{kFaultyDispatchName, kFaultyDispatch, &ReferenceKernels()};
  return set;
}

}  // namespace arenaproof
