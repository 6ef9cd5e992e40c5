#include <new>

#include "kernels/vendor/xnnpack/xnnpack_kernels.h"

namespace xnnpack_kernels {

std::int32_t Keep(ArenaproofSetUp& context, xnn_operator_t xnnpack, std::size_t batch_count) {
  void* block = nullptr;
  if (context.services->allocate_persistent(context.host, sizeof(KeptOperator), &block) != ARENAPROOF_KERNEL_OK) {
    xnn_delete_operator(xnnpack);
    return ARENAPROOF_KERNEL_ERROR;
  }
  context.op_data = new (block) KeptOperator{xnnpack, batch_count};
  return ARENAPROOF_KERNEL_OK;
}

std::int32_t Run(const KeptOperator& kept, xnn_status set_up) {
  if (set_up != xnn_status_success) return kRefused;
  return xnn_run_operator(kept.xnnpack, nullptr) == xnn_status_success ? ARENAPROOF_KERNEL_OK : kRefused;
}

void Free(void* op_data) {
  if (op_data != nullptr) xnn_delete_operator(static_cast<KeptOperator*>(op_data)->xnnpack);
}

}  // namespace xnnpack_kernels
