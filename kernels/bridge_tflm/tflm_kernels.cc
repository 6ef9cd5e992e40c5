// The kernels that a build of TensorFlow Lite Micro registers, as a library for `arenaproof --kernels=`. The one source
// that is added to that build: docs/tflm_kernels.md.
#include <tensorflow/lite/micro/kernels/micro_ops.h>
#include <tensorflow/lite/micro/micro_mutable_op_resolver.h>
#include <tensorflow/lite/schema/schema_generated.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/bridge_tflm/builtin_data.h"
#include "kernels/bridge_tflm/operator_context.h"
#include "kernels/vendor/kernel_abi.h"

#ifndef ARENAPROOF_TFLM_OPERATORS
#define ARENAPROOF_TFLM_OPERATORS "kernels/bridge_tflm/operators.inc"
#endif

namespace arenaproof_tflm {
namespace {

constexpr size_t kMostBuiltinBytes = 64;

struct Registered {
  int32_t code;
  const char* custom_name;
  TFLMRegistration (*registration)();
  void (*fill)(const Options& options, void* builtin_data);  // null: without options
};

template <typename Params>
void FillBytes(const Options& options, void* builtin_data) {
  static_assert(sizeof(Params) <= kMostBuiltinBytes && std::is_trivially_copyable_v<Params>);
  Params params = {};
  Fill(options, params);
  std::memcpy(builtin_data, &params, sizeof params);
}

const Registered kRegistered[] = {
#define BUILTIN(name, params) \
  {tflite::BuiltinOperator_##name, nullptr, [] { return tflite::Register_##name(); }, FillBytes<params>},
#define PLAIN(name) {tflite::BuiltinOperator_##name, nullptr, [] { return tflite::Register_##name(); }, nullptr},
#define CUSTOM(name, registration) \
  {ARENAPROOF_BUILTIN_CUSTOM, name, []() -> TFLMRegistration { return registration; }, nullptr},
#include ARENAPROOF_TFLM_OPERATORS
#undef BUILTIN
#undef PLAIN
#undef CUSTOM
};
constexpr size_t kCount = sizeof kRegistered / sizeof kRegistered[0];
static_assert(kCount <= ARENAPROOF_MAX_KERNELS);

// An operator from init to free.
struct Operator {
  TFLMRegistration registration = {};
  OperatorContext micro_context;
  TfLiteContext context = {};
  TfLiteNode node = {};
  std::vector<int> inputs, outputs, intermediates = {0};  // as TfLiteIntArrays
  alignas(8) unsigned char builtin_data[kMostBuiltinBytes] = {};
  std::vector<unsigned char> option_bytes;  // a copy: the model's must not be touched while a kernel runs
};

// The order of operands in the context: inputs, then outputs.
TfLiteIntArray* Indices(size_t first, size_t count, const OperatorContext& context, std::vector<int>& array) {
  array.assign(1, static_cast<int>(count));
  for (size_t i = first; i < first + count; ++i) {
    array.push_back(context.IsAbsent(i) ? kTfLiteOptionalTensor : static_cast<int>(i));
  }
  return reinterpret_cast<TfLiteIntArray*>(array.data());
}

void SetContext(Operator& self) {
  self.context.impl_ = static_cast<tflite::MicroContext*>(&self.micro_context);
  self.context.ReportError = tflite::MicroContextReportOpError;
  self.context.GetTensor = tflite::MicroContextGetTensor;
  self.context.GetEvalTensor = tflite::MicroContextGetEvalTensor;
  self.context.AllocatePersistentBuffer = tflite::MicroContextAllocatePersistentBuffer;
  self.context.RequestScratchBufferInArena = tflite::MicroContextRequestScratchBufferInArena;
  self.context.GetScratchBuffer = tflite::MicroContextGetScratchBuffer;
  self.context.GetExternalContext = tflite::MicroContextGetExternalContext;
}

void SetNode(const ArenaproofSetUp& set_up, const Registered& registered, Operator& self) {
  self.node.inputs = Indices(0, set_up.input_count, self.micro_context, self.inputs);
  self.node.outputs = Indices(set_up.input_count, set_up.output_count, self.micro_context, self.outputs);
  self.node.intermediates = reinterpret_cast<TfLiteIntArray*>(self.intermediates.data());
  if (registered.fill != nullptr) {
    registered.fill(Options(set_up), self.builtin_data);
    self.node.builtin_data = self.builtin_data;
  }
  const auto* bytes = static_cast<const unsigned char*>(set_up.option_bytes);
  if (bytes != nullptr) self.option_bytes.assign(bytes, bytes + set_up.option_bytes_count);
  self.node.custom_initial_data = bytes;
  self.node.custom_initial_data_size = static_cast<int>(set_up.option_bytes_count);
}

int32_t InitOperator(const Registered& registered, ArenaproofSetUp* set_up) {
  auto* self = new Operator();
  set_up->op_data = self;
  self->registration = registered.registration();
  SetContext(*self);
  if (const int32_t problem = self->micro_context.TakeOperands(*set_up); problem != ARENAPROOF_KERNEL_OK) {
    return problem;
  }
  SetNode(*set_up, registered, *self);
  if (self->registration.init == nullptr) return ARENAPROOF_KERNEL_OK;
  const bool is_custom = registered.code == ARENAPROOF_BUILTIN_CUSTOM;
  const void* data = is_custom ? set_up->option_bytes : self->node.builtin_data;
  self->micro_context.BeginSetUp(*set_up, false);
  self->node.user_data = self->registration.init(&self->context, static_cast<const char*>(data),
                                                 is_custom ? set_up->option_bytes_count : 0);
  return self->micro_context.End(ARENAPROOF_KERNEL_OK);
}

template <size_t kIndex>
int32_t Init(ArenaproofSetUp* set_up) {
  return InitOperator(kRegistered[kIndex], set_up);
}

int32_t Prepare(ArenaproofSetUp* set_up) {
  Operator& self = *static_cast<Operator*>(set_up->op_data);
  if (self.registration.prepare == nullptr) return ARENAPROOF_KERNEL_OK;
  self.micro_context.BeginSetUp(*set_up, true);
  int32_t status = self.registration.prepare(&self.context, &self.node);
  if (status == ARENAPROOF_KERNEL_OK && !self.micro_context.ShapesAreTheModels(*set_up)) {
    MicroPrintf("a kernel gives an operand another shape than the model does");
    status = kChangedShape;
  }
  return self.micro_context.End(status);
}

int32_t Invoke(const ArenaproofInvoke* invoke) {
  Operator& self = *static_cast<Operator*>(invoke->op_data);
  if (!self.option_bytes.empty()) self.node.custom_initial_data = self.option_bytes.data();
  self.micro_context.BeginInvoke(*invoke);
  return self.micro_context.End(self.registration.invoke(&self.context, &self.node));
}

void Reset(void* op_data) {
  Operator& self = *static_cast<Operator*>(op_data);
  if (self.registration.reset != nullptr) self.registration.reset(&self.context, self.node.user_data);
}

void Free(void* op_data) {
  auto* self = static_cast<Operator*>(op_data);
  if (self == nullptr) return;
  if (self->registration.free != nullptr) self->registration.free(&self->context, self->node.user_data);
  delete self;
}

// No function of a kernel is given its place in the table, so each place has an init of its own.
template <size_t... kIndices>
std::array<ArenaproofKernel, kCount> Kernels(std::index_sequence<kIndices...>) {
  return {ArenaproofKernel{kRegistered[kIndices].code, kRegistered[kIndices].custom_name, nullptr, Init<kIndices>,
                           Prepare, Invoke, Reset, Free, nullptr, 0}...};
}

}  // namespace
}  // namespace arenaproof_tflm

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) {
  using namespace arenaproof_tflm;
  static const auto kernels = Kernels(std::make_index_sequence<kCount>());
  static const ArenaproofKernelLibrary library = {ARENAPROOF_KERNEL_ABI_SIZES, static_cast<uint32_t>(kCount),
                                                  "tflite-micro", kernels.data()};
  return &library;
}
