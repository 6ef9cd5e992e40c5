// One operator in the words of TensorFlow Lite Micro: the node, and the context that a kernel asks for memory and
// tensors. Memory of the kernel's own comes from the arena by the library's services, so that it is watched; what only
// this adapter needs lies on the heap. A temporary tensor lies in temporary memory of the arena, as it does under the
// interpreter: who keeps a pointer to one uses memory that is closed to it.
#pragma once

#include <tensorflow/lite/c/common.h>
#include <tensorflow/lite/micro/memory_helpers.h>
#include <tensorflow/lite/micro/micro_context.h>
#include <tensorflow/lite/micro/micro_log.h>
#include <tensorflow/lite/micro/tflite_bridge/flatbuffer_conversions_bridge.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "kernels/vendor/kernel_abi.h"

#ifndef TF_LITE_STATIC_MEMORY
#error "compile this file with the flags of the library that it is linked with: TF_LITE_STATIC_MEMORY is not defined"
#endif

namespace arenaproof_tflm {

// Statuses beside the kernels' own.
constexpr int32_t kUnknownType = 101;
constexpr int32_t kMemoryInTheWrongPhase = 102;
constexpr int32_t kChangedShape = 103;

// Control flow is not served, so that there is no other subgraph to ask about.
class NoGraph final : public tflite::MicroGraph {
 public:
  TfLiteStatus InvokeSubgraph(int) override { return kTfLiteError; }
  size_t NumSubgraphInputs(int) override { return 0; }
  TfLiteEvalTensor* GetSubgraphInput(int, int) override { return nullptr; }
  size_t NumSubgraphOutputs(int) override { return 0; }
  TfLiteEvalTensor* GetSubgraphOutput(int, int) override { return nullptr; }
  int NumSubgraphs() override { return 1; }
  tflite::MicroResourceVariables* GetResourceVariables() override { return nullptr; }

 private:
  TF_LITE_REMOVE_VIRTUAL_DELETE
};

// What stays of an operand until free. Arrays of TensorFlow Lite are a count with the elements behind it.
struct Operand {
  TfLiteEvalTensor eval = {};
  std::vector<int> dims;         // as a TfLiteIntArray
  std::vector<int> scales;       // as a TfLiteFloatArray, by its bits; empty where there is no quantisation
  std::vector<int> zero_points;  // as a TfLiteIntArray
  int32_t dimension = 0;         // of the scales
  size_t bytes = 0;
  bool absent = false, constant = false, variable = false;
};

class OperatorContext final : public tflite::MicroContext {
 public:
  // ---- what the adapter does

  // Quantisation may be read in init and prepare alone, so it is copied.
  int32_t TakeOperands(const ArenaproofSetUp& set_up) {
    operands_.resize(set_up.input_count + set_up.output_count);
    for (size_t i = 0; i < operands_.size(); ++i) {
      const bool is_input = i < set_up.input_count;
      const ArenaproofOperand& from = is_input ? set_up.inputs[i] : set_up.outputs[i - set_up.input_count];
      if (const int32_t problem = Take(from, operands_[i]); problem != ARENAPROOF_KERNEL_OK) return problem;
    }
    return ARENAPROOF_KERNEL_OK;
  }

  void BeginSetUp(const ArenaproofSetUp& set_up, bool may_request) {
    Begin(set_up.inputs, set_up.input_count, set_up.outputs, set_up.output_count);
    set_up_ = &set_up;
    may_request_ = may_request;
  }

  void BeginInvoke(const ArenaproofInvoke& invoke) {
    Begin(invoke.inputs, invoke.input_count, invoke.outputs, invoke.output_count);
    invoke_ = &invoke;
  }

  // The status that the phase ends with.
  int32_t End(int32_t status) {
    set_up_ = nullptr;
    invoke_ = nullptr;
    for (void* block : heap_blocks_) std::free(block);
    heap_blocks_.clear();
    return status == ARENAPROOF_KERNEL_OK && wrong_phase_ ? kMemoryInTheWrongPhase : status;
  }

  // Operators behind this one are given the shapes of the model, so that a kernel may write no other shape than it has.
  bool ShapesAreTheModels(const ArenaproofSetUp& set_up) const {
    for (size_t i = 0; i < operands_.size(); ++i) {
      const bool is_input = i < set_up.input_count;
      const ArenaproofOperand& model = is_input ? set_up.inputs[i] : set_up.outputs[i - set_up.input_count];
      if (model.absent != 0) continue;
      if (TfLiteIntArrayEqualsArray(operands_[i].eval.dims, model.rank, model.dims) == 0) return false;
    }
    return true;
  }

  bool IsAbsent(size_t index) const { return operands_[index].absent; }

  // ---- what a kernel asks for

  void* AllocatePersistentBuffer(size_t bytes) override {
    void* block = nullptr;
    if (set_up_ == nullptr) return WrongPhase("persistent memory");
    const int32_t status = set_up_->services->allocate_persistent(set_up_->host, bytes, &block);
    return status == ARENAPROOF_KERNEL_OK ? block : nullptr;
  }

  TfLiteStatus RequestScratchBufferInArena(size_t bytes, int* buffer_index) override {
    size_t index = 0;
    if (!MayRequest()) return WrongPhase("a scratch buffer"), kTfLiteError;
    if (set_up_->services->request_scratch(set_up_->host, bytes, &index) != ARENAPROOF_KERNEL_OK) return kTfLiteError;
    *buffer_index = static_cast<int>(index);
    return kTfLiteOk;
  }

  void* GetScratchBuffer(int buffer_index) override {
    if (invoke_ == nullptr) return WrongPhase("a scratch buffer's address");
    const bool is_there = buffer_index >= 0 && static_cast<size_t>(buffer_index) < invoke_->scratch_count;
    return is_there ? invoke_->scratch[buffer_index] : nullptr;
  }

  TfLiteTensor* AllocateTempTfLiteTensor(int tensor_index) override {
    const Operand& operand = operands_[static_cast<size_t>(tensor_index)];
    struct Block {
      TfLiteTensor tensor;
      TfLiteAffineQuantization quantization;
      int zero_points[1];  // and as many more as there are
    };
    void* memory = AllocateTemporary(sizeof(Block) + operand.zero_points.size() * sizeof(int), alignof(Block));
    if (memory == nullptr) return nullptr;
    Block* block = new (memory) Block();
    FillTensor(operand, block->tensor);
    if (operand.scales.empty()) return &block->tensor;
    std::memcpy(block->zero_points, operand.zero_points.data(), operand.zero_points.size() * sizeof(int));
    block->quantization.scale = ArrayOf<TfLiteFloatArray>(operand.scales);
    block->quantization.zero_point = reinterpret_cast<TfLiteIntArray*>(block->zero_points);
    block->quantization.quantized_dimension = operand.dimension;
    block->tensor.quantization = {kTfLiteAffineQuantization, &block->quantization};
    block->tensor.params.scale = block->quantization.scale->data[0];
    block->tensor.params.zero_point = operand.zero_points[1];
    return &block->tensor;
  }

  void DeallocateTempTfLiteTensor(TfLiteTensor* tensor) override { FreeTemporary(tensor); }

  uint8_t* AllocateTempBuffer(size_t size, size_t alignment) override {
    if (!MayRequest()) return static_cast<uint8_t*>(WrongPhase("temporary memory"));
    return static_cast<uint8_t*>(AllocateTemporary(size, alignment));
  }

  void DeallocateTempBuffer(uint8_t* buffer) override { FreeTemporary(buffer); }

  TfLiteEvalTensor* GetEvalTensor(int tensor_index) override {
    return &operands_[static_cast<size_t>(tensor_index)].eval;
  }

  TfLiteStatus set_external_context(void*) override { return kTfLiteError; }
  void* external_context() override { return nullptr; }
  tflite::MicroGraph& graph() override { return graph_; }

#ifdef USE_TFLM_COMPRESSION
  bool IsTensorCompressed(const TfLiteNode*, int) override { return false; }
  int AllocateDecompressionScratchBuffer(const TfLiteNode*, int) override { return -1; }
  const tflite::CompressionTensorData* GetTensorCompressionData(const TfLiteNode*, int) override { return nullptr; }
#endif

 private:
  TF_LITE_REMOVE_VIRTUAL_DELETE

  // Kernels get arrays that are not const, and replace rather than write them.
  template <typename Array>
  static Array* ArrayOf(const std::vector<int>& values) {
    return reinterpret_cast<Array*>(const_cast<int*>(values.data()));
  }

  static int32_t Take(const ArenaproofOperand& from, Operand& to) {
    to.absent = from.absent != 0;
    if (to.absent) return ARENAPROOF_KERNEL_OK;
    to.constant = from.constant != 0;
    to.variable = from.variable != 0;
    to.dims.assign(1, from.rank);
    to.dims.insert(to.dims.end(), from.dims, from.dims + from.rank);
    to.eval.dims = ArrayOf<TfLiteIntArray>(to.dims);
    const auto type = static_cast<tflite::TensorType>(from.type);
    if (tflite::ConvertTensorType(type, &to.eval.type) != kTfLiteOk) return kUnknownType;
    // Of a packed type the interpreter says a byte for each element, not what the tensor has.
    if (tflite::TfLiteEvalTensorByteLength(&to.eval, &to.bytes) != kTfLiteOk) to.bytes = from.bytes;
    TakeQuantization(from.quantization, to);
    return ARENAPROOF_KERNEL_OK;
  }

  static void TakeQuantization(const ArenaproofQuantization& from, Operand& to) {
    if (from.scale_count == 0 || from.zero_point_count == 0) return;
    const int count = static_cast<int>(from.scale_count);
    to.scales.assign(1 + from.scale_count, count);
    std::memcpy(to.scales.data() + 1, from.scales, from.scale_count * sizeof(float));
    to.zero_points.assign(1, count);
    for (size_t i = 0; i < from.scale_count; ++i) {
      int64_t zero_point = 0;  // one may stand for all
      const size_t place = from.zero_point_count == from.scale_count ? i : 0;
      std::memcpy(&zero_point, from.zero_point_bytes + place * sizeof zero_point, sizeof zero_point);
      to.zero_points.push_back(static_cast<int>(zero_point));
    }
    to.dimension = from.dimension;
  }

  void Begin(const ArenaproofOperand* inputs, size_t input_count, const ArenaproofOperand* outputs,
             size_t output_count) {
    wrong_phase_ = false;
    may_request_ = false;
    for (size_t i = 0; i < input_count; ++i) operands_[i].eval.data.data = inputs[i].data;
    for (size_t i = 0; i < output_count; ++i) operands_[input_count + i].eval.data.data = outputs[i].data;
  }

  static void FillTensor(const Operand& operand, TfLiteTensor& tensor) {
    tensor.type = operand.eval.type;
    tensor.data = operand.eval.data;
    tensor.dims = operand.eval.dims;
    tensor.bytes = operand.bytes;
    tensor.allocation_type = operand.constant ? kTfLiteMmapRo : kTfLiteArenaRw;
    tensor.is_variable = operand.variable;
  }

  bool MayRequest() const { return set_up_ != nullptr && may_request_; }

  // Tensors may be asked for while a kernel runs, when the arena has no temporary memory.
  void* AllocateTemporary(size_t bytes, size_t alignment) {
    void* block = nullptr;
    if (!MayRequest()) {
      heap_blocks_.push_back(std::calloc(1, bytes));
      return heap_blocks_.back();
    }
    const int32_t status = set_up_->services->allocate_temporary(set_up_->host, bytes, alignment, &block);
    return status == ARENAPROOF_KERNEL_OK ? block : nullptr;
  }

  void FreeTemporary(void* block) {
    if (block != nullptr && MayRequest()) set_up_->services->free_temporary(set_up_->host, block);
  }

  void* WrongPhase(const char* what) {
    MicroPrintf("a kernel asks for %s where the interpreter does not give it", what);
    wrong_phase_ = true;
    return nullptr;
  }

  NoGraph graph_;
  std::vector<Operand> operands_;  // inputs, then outputs: what an index of a tensor means
  const ArenaproofSetUp* set_up_ = nullptr;
  const ArenaproofInvoke* invoke_ = nullptr;
  bool may_request_ = false;  // scratch and temporary memory: prepare
  bool wrong_phase_ = false;
  std::vector<void*> heap_blocks_;
};

}  // namespace arenaproof_tflm
