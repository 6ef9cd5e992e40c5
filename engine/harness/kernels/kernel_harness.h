// Runs one kernel on operands of its own, without arena or interpreter. Every operand, scratch buffer and persistent
// block is a heap block of exactly its size, so that AddressSanitizer sees the first byte outside; constants start on
// an address of the test's choice, as a model file may place them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::testing {

struct TestTensor {
  TensorType type = TensorType::kFloat32;
  std::vector<std::int32_t> shape;
  std::vector<std::byte> bytes;  // the value; for outputs the size alone counts
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  std::int32_t quantized_dimension = 0;
  bool constant = false;
  bool variable = false;  // the value is that before the first invoke; invoke may change it
  bool present = true;
};

template <typename Element>
std::vector<std::byte> BytesOf(const std::vector<Element>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(Element));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

// Zeros of the size that type and shape ask for.
TestTensor Tensor(TensorType type, std::vector<std::int32_t> shape);
TestTensor QuantizedTensor(TensorType type, std::vector<std::int32_t> shape, float scale, std::int64_t zero_point);
TestTensor Constant(TestTensor tensor);
// Elements of int4 as a constant holds them: two in a byte, the first in its low four bits.
std::vector<std::byte> PackedInt4(const std::vector<int>& elements);
TestTensor Absent();

// One of several invokes without a reset: what goes in, what has to come out, what variables hold afterwards.
struct InvokeStep {
  std::vector<std::vector<std::byte>> inputs;  // by operand; empty: as it was
  std::vector<std::vector<std::byte>> outputs;
  std::vector<std::vector<std::byte>> variables;  // by input operand; empty: no variable
};

struct TestOperator {
  BuiltinOperator op{};
  OperatorOptions options;
  std::vector<TestTensor> inputs;
  std::vector<TestTensor> outputs;
};

struct HarnessOptions {
  std::byte fill{0xA5};             // what outputs, scratch and persistent blocks hold at first
  std::size_t constant_offset = 0;  // address of constants mod 16
};

// A heap block of exactly `bytes` bytes whose address is `offset` mod 16.
class ExactBlock {
 public:
  ExactBlock(std::size_t bytes, std::size_t offset);
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* block) const;
  };
  std::unique_ptr<std::byte, Free> block_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class KernelHarness final : public PrepareServices {
 public:
  KernelHarness(const KernelSet& set, const TestOperator& subject, HarnessOptions options = {});
  // The kernel frees what its init and prepare made.
  ~KernelHarness();
  KernelHarness(const KernelHarness&) = delete;
  KernelHarness& operator=(const KernelHarness&) = delete;

  // Output 0 is written in the bytes of that input. Precondition: both have as many; nothing has run.
  void PutOutputInto(std::size_t input);

  // The kernel the set serves the operator with; null when none.
  const Kernel* kernel() const { return kernel_; }
  // init (if any) and prepare. Once.
  Status Prepare();
  // So many times one after the other, until one fails. What is done around the kernel is done once.
  Status Invoke(std::size_t times = 1);

  const std::byte* output_address() const { return outputs_[0].data; }  // of output 0
  const std::byte* output_data(std::size_t output) const { return output_blocks_[output].data(); }
  std::vector<std::byte> output(std::size_t output) const;
  std::vector<std::byte> input(std::size_t input) const;
  // Precondition: as many bytes as the input has.
  void SetInput(std::size_t input, const std::vector<std::byte>& bytes);
  const std::vector<std::size_t>& scratch_requests() const { return scratch_requests_; }
  const std::vector<std::size_t>& persistent_requests() const { return persistent_requests_; }
  std::size_t outstanding_temporaries() const { return temporaries_.size(); }
  // Every input that is no variable, and not where output 0 is written, still holds the bytes that were put in last.
  bool InputsUnchanged() const;

 private:
  Status AllocatePersistent(std::size_t bytes, std::byte** block) override;
  Status RequestScratch(std::size_t bytes) override;
  Status AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) override;
  Status FreeTemporary(std::byte* block) override;
  Operand View(const TestTensor& tensor, const ExactBlock& block) const;

  const TestOperator& subject_;
  std::vector<std::vector<std::byte>> put_in_;  // by input
  HarnessOptions options_;
  const Kernel* kernel_ = nullptr;
  std::vector<ExactBlock> input_blocks_;
  std::vector<ExactBlock> output_blocks_;
  std::vector<ExactBlock> persistent_blocks_;
  std::vector<ExactBlock> scratch_blocks_;
  std::vector<ExactBlock> temporaries_;
  std::vector<std::size_t> scratch_requests_;
  std::vector<std::size_t> persistent_requests_;
  std::vector<Operand> inputs_;
  std::vector<Operand> outputs_;
  std::optional<std::size_t> shared_input_;
  void* op_data_ = nullptr;
  bool in_prepare_ = false;
  bool set_up_ = false;  // init or prepare has run
};

// Prepares and invokes with two kinds of garbage and two placements of constants; checks what holds for every kernel:
// outputs do not depend on either, inputs stay as they were, temporaries are balanced, and output 0 is the same to the
// bit in the bytes of each input that the kernel lets it share (in_place_run.h). The outputs, or a failure.
struct RunResult {
  Status status;
  std::vector<std::vector<std::byte>> outputs;
  std::vector<std::vector<std::byte>> variables;  // in the order of the inputs, as they are afterwards
  std::string broken_promise;                     // empty when all held
  std::size_t in_place_count = 0;                 // inputs in whose bytes output 0 was written too
};
RunResult RunKernel(const KernelSet& set, const TestOperator& subject);
// The same for several invokes of one operator whose variables are not reset; empty when all steps came out as they
// should, else the first difference. Precondition: prepare accepts the operator.
std::string DifferenceInSequence(const KernelSet& set, const TestOperator& subject,
                                 const std::vector<InvokeStep>& steps);

// Prepare's answer alone.
Status PrepareStatus(const KernelSet& set, const TestOperator& subject);

}  // namespace arenaproof::testing
