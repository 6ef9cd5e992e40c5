#include "engine/harness/kernels/kernel_harness.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/harness/kernels/in_place_run.h"

#ifdef ARENAPROOF_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace arenaproof::testing {

TestTensor Tensor(TensorType type, std::vector<std::int32_t> shape) {
  TestTensor tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  std::size_t count = 1;
  for (const std::int32_t extent : tensor.shape) count *= static_cast<std::size_t>(std::max(extent, 0));
  tensor.bytes.resize(count * ElementBytes(type));
  return tensor;
}

TestTensor QuantizedTensor(TensorType type, std::vector<std::int32_t> shape, float scale, std::int64_t zero_point) {
  TestTensor tensor = Tensor(type, std::move(shape));
  tensor.scales = {scale};
  tensor.zero_points = {zero_point};
  return tensor;
}

TestTensor Constant(TestTensor tensor) {
  tensor.constant = true;
  return tensor;
}

std::vector<std::byte> PackedInt4(const std::vector<int>& elements) {
  std::vector<std::byte> bytes((elements.size() + 1) / 2);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    bytes[i / 2] |= static_cast<std::byte>((elements[i] & 15) << (i % 2 == 0 ? 0 : 4));
  }
  return bytes;
}

TestTensor Absent() {
  TestTensor tensor;
  tensor.present = false;
  return tensor;
}

void ExactBlock::Free::operator()(std::byte* block) const {
#ifdef ARENAPROOF_ASAN
  __asan_unpoison_memory_region(block, 16);
#endif
  std::free(block);
}

ExactBlock::ExactBlock(std::size_t bytes, std::size_t offset) : bytes_(bytes) {
  auto* block = static_cast<std::byte*>(std::malloc(offset + bytes));
  if (block == nullptr) throw std::bad_alloc();
  block_.reset(block);
  data_ = block + offset;
#ifdef ARENAPROOF_ASAN
  // Whole granules before the data; the rest of a shared granule cannot be closed.
  __asan_poison_memory_region(block, offset / 8 * 8);
#endif
}

KernelHarness::KernelHarness(const KernelSet& set, const TestOperator& subject, HarnessOptions options)
    : subject_(subject), options_(options) {
  for (const TestTensor& tensor : subject.inputs) {
    input_blocks_.emplace_back(tensor.bytes.size(), tensor.constant ? options.constant_offset : 0);
    if (!tensor.bytes.empty()) std::memcpy(input_blocks_.back().data(), tensor.bytes.data(), tensor.bytes.size());
    put_in_.push_back(tensor.bytes);
    inputs_.push_back(View(tensor, input_blocks_.back()));
  }
  for (const TestTensor& tensor : subject.outputs) {
    output_blocks_.emplace_back(tensor.bytes.size(), 0);
    std::fill_n(output_blocks_.back().data(), tensor.bytes.size(), options.fill);
    outputs_.push_back(View(tensor, output_blocks_.back()));
  }
  kernel_ = FindKernel(set, subject.op, inputs_, outputs_);
}

void KernelHarness::PutOutputInto(std::size_t input) {
  shared_input_ = input;
  outputs_[0].data = inputs_[input].data;
}

Operand KernelHarness::View(const TestTensor& tensor, const ExactBlock& block) const {
  Operand view;
  view.present = tensor.present;
  if (!tensor.present) return view;
  view.data = tensor.bytes.empty() ? nullptr : block.data();
  view.bytes = tensor.bytes.size();
  view.type = tensor.type;
  view.rank = static_cast<std::uint8_t>(tensor.shape.size());
  for (std::size_t axis = 0; axis < std::min(tensor.shape.size(), kMaxOperandRank); ++axis) {
    view.dims[axis] = tensor.shape[axis];
  }
  view.constant = tensor.constant;
  view.variable = tensor.variable;
  view.quantization.scales = tensor.scales;
  view.quantization.zero_point_bytes = reinterpret_cast<const std::byte*>(tensor.zero_points.data());
  view.quantization.zero_point_count = tensor.zero_points.size();
  view.quantization.dimension = tensor.quantized_dimension;
  return view;
}

KernelHarness::~KernelHarness() {
  if (set_up_ && kernel_->free != nullptr) kernel_->free(op_data_);
}

Status KernelHarness::Prepare() {
  set_up_ = true;
  std::vector<Operand> inputs = inputs_;
  for (Operand& input : inputs) {
    if (!input.constant) input.data = nullptr;
  }
  std::vector<Operand> outputs = outputs_;
  for (Operand& output : outputs) output.data = nullptr;
  PrepareContext context{inputs, outputs, &subject_.options, this, nullptr};
  in_prepare_ = true;
  Status status = kernel_->init == nullptr ? Ok() : kernel_->init(context);
  if (status.ok()) status = kernel_->prepare(context);
  in_prepare_ = false;
  op_data_ = context.op_data;
  return status;
}

Status KernelHarness::Invoke(std::size_t times) {
  // Quantisation lists lie in the model file and are closed during invoke.
  std::vector<Operand> inputs = inputs_;
  std::vector<Operand> outputs = outputs_;
  for (Operand& operand : inputs) operand.quantization = {};
  for (Operand& operand : outputs) operand.quantization = {};
  std::vector<std::byte*> scratch;
  scratch_blocks_.clear();
  for (const std::size_t bytes : scratch_requests_) {
    scratch_blocks_.emplace_back(bytes, 0);
    std::fill_n(scratch_blocks_.back().data(), bytes, options_.fill);
    scratch.push_back(scratch_blocks_.back().data());
  }
  const InvokeContext context{inputs, outputs, scratch, nullptr, op_data_};
  for (std::size_t i = 0; i < times; ++i) ARENAPROOF_RETURN_IF_ERROR(kernel_->invoke(context));
  return Ok();
}

std::vector<std::byte> KernelHarness::input(std::size_t input) const {
  const ExactBlock& block = input_blocks_[input];
  return {block.data(), block.data() + block.bytes()};
}

void KernelHarness::SetInput(std::size_t input, const std::vector<std::byte>& bytes) {
  if (bytes.size() != input_blocks_[input].bytes()) throw std::logic_error("an input of another size");
  put_in_[input] = bytes;
  std::copy(bytes.begin(), bytes.end(), input_blocks_[input].data());
}

std::vector<std::byte> KernelHarness::output(std::size_t output) const {
  const ExactBlock& block = output == 0 && shared_input_ ? input_blocks_[*shared_input_] : output_blocks_[output];
  return {block.data(), block.data() + block.bytes()};
}

bool KernelHarness::InputsUnchanged() const {
  for (std::size_t input = 0; input < input_blocks_.size(); ++input) {
    const std::vector<std::byte>& bytes = put_in_[input];
    if (subject_.inputs[input].variable || input == shared_input_) continue;
    if (!std::equal(bytes.begin(), bytes.end(), input_blocks_[input].data())) return false;
  }
  return true;
}

Status KernelHarness::AllocatePersistent(std::size_t bytes, std::byte** block) {
  if (!in_prepare_) throw std::logic_error("persistent memory asked for outside init and prepare");
  persistent_requests_.push_back(bytes);
  persistent_blocks_.emplace_back(bytes, 0);
  std::fill_n(persistent_blocks_.back().data(), bytes, options_.fill);
  *block = persistent_blocks_.back().data();
  return Ok();
}

Status KernelHarness::RequestScratch(std::size_t bytes) {
  scratch_requests_.push_back(bytes);
  return Ok();
}

Status KernelHarness::AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) {
  if (alignment == 0 || alignment > 16) throw std::logic_error("the harness aligns to 16");
  temporaries_.emplace_back(bytes, 0);
  *block = temporaries_.back().data();
  return Ok();
}

Status KernelHarness::FreeTemporary(std::byte* block) {
  const auto freed = std::find_if(temporaries_.begin(), temporaries_.end(),
                                  [&](const ExactBlock& temporary) { return temporary.data() == block; });
  if (freed == temporaries_.end()) throw std::logic_error("a temporary freed that is none");
  temporaries_.erase(freed);
  return Ok();
}

namespace {

constexpr HarnessOptions kVariants[] = {{std::byte{0xA5}, 0}, {std::byte{0x3C}, 1}, {std::byte{0xFF}, 10}};

std::string DifferenceInStep(KernelHarness& harness, const InvokeStep& step) {
  for (std::size_t input = 0; input < step.inputs.size(); ++input) {
    if (!step.inputs[input].empty()) harness.SetInput(input, step.inputs[input]);
  }
  if (!harness.Invoke().ok()) return "invoke failed";
  if (!harness.InputsUnchanged()) return "an input was changed";
  for (std::size_t output = 0; output < step.outputs.size(); ++output) {
    if (harness.output(output) != step.outputs[output]) return "output " + std::to_string(output) + " differs";
  }
  for (std::size_t input = 0; input < step.variables.size(); ++input) {
    const std::vector<std::byte>& expected = step.variables[input];
    if (!expected.empty() && harness.input(input) != expected) return "variable " + std::to_string(input) + " differs";
  }
  return "";
}

}  // namespace

std::string DifferenceInSequence(const KernelSet& set, const TestOperator& subject,
                                 const std::vector<InvokeStep>& steps) {
  for (const HarnessOptions& variant : kVariants) {
    KernelHarness harness(set, subject, variant);
    if (harness.kernel() == nullptr || !harness.Prepare().ok()) throw std::logic_error("the operator is not accepted");
    for (std::size_t step = 0; step < steps.size(); ++step) {
      const std::string difference = DifferenceInStep(harness, steps[step]);
      if (!difference.empty()) return "invoke " + std::to_string(step) + ": " + difference;
    }
  }
  return "";
}

RunResult RunKernel(const KernelSet& set, const TestOperator& subject) {
  RunResult result;
  for (const HarnessOptions& variant : kVariants) {
    KernelHarness harness(set, subject, variant);
    if (harness.kernel() == nullptr) {
      result.broken_promise = "no kernel of the set serves the operator";
      return result;
    }
    result.status = harness.Prepare();
    if (harness.outstanding_temporaries() != 0) result.broken_promise = "prepare kept a temporary";
    if (!result.status.ok()) return result;
    result.status = harness.Invoke();
    if (!result.status.ok()) return result;
    if (!harness.InputsUnchanged()) result.broken_promise = "an input was changed";
    std::vector<std::vector<std::byte>> outputs;
    for (std::size_t output = 0; output < subject.outputs.size(); ++output) outputs.push_back(harness.output(output));
    std::vector<std::vector<std::byte>> variables;
    for (std::size_t input = 0; input < subject.inputs.size(); ++input) {
      if (subject.inputs[input].variable) variables.push_back(harness.input(input));
    }
    if (&variant != &kVariants[0] && (outputs != result.outputs || variables != result.variables)) {
      result.broken_promise = "outputs or variables depend on stale bytes or on where constants lie";
    }
    result.outputs = std::move(outputs);
    result.variables = std::move(variables);
  }
  InPlaceRuns in_place = RunInPlace(set, subject, result.outputs);
  result.in_place_count = in_place.count;
  if (result.broken_promise.empty()) result.broken_promise = std::move(in_place.broken_promise);
  return result;
}

Status PrepareStatus(const KernelSet& set, const TestOperator& subject) {
  KernelHarness harness(set, subject);
  if (harness.kernel() == nullptr) throw std::logic_error("no kernel serves the operator");
  return harness.Prepare();
}

}  // namespace arenaproof::testing
