#include "tests/device/model_run.h"

#include <cstring>
#include <new>

#include "core/base/line_text.h"
#include "tests/device/board/semihosting.h"

namespace arenaproof::device {
namespace {

// 15 KB, which are no stack's.
alignas(Interpreter) std::byte place[sizeof(Interpreter)];

class PlacedInterpreter {
 public:
  PlacedInterpreter(const ValidatedModel& model, const KernelSet& kernels, std::span<std::byte> arena,
                    const InterpreterOptions& options)
      : interpreter_(new(place) Interpreter(model, kernels, arena.data(), arena.size(), options)) {}
  ~PlacedInterpreter() { interpreter_->~Interpreter(); }
  PlacedInterpreter(const PlacedInterpreter&) = delete;
  PlacedInterpreter& operator=(const PlacedInterpreter&) = delete;

  Interpreter* operator->() const { return interpreter_; }

 private:
  Interpreter* const interpreter_;
};

// Any bytes are int8 values; floats are made so that they are exact.
void FillInput(const Operand& input, std::size_t number) {
  const auto byte_at = [&](std::size_t i) { return static_cast<std::uint8_t>(37 * i + 11 * number + 5); };
  if (input.type != TensorType::kFloat32) {
    for (std::size_t i = 0; i < input.bytes; ++i) input.data[i] = std::byte{byte_at(i)};
    return;
  }
  for (std::size_t i = 0; i < input.element_count(); ++i) {
    const float value = (static_cast<float>(byte_at(i)) - 128.0F) / 64.0F;
    std::memcpy(input.data + i * sizeof value, &value, sizeof value);
  }
}

void PrintOutput(const Operand& output, std::size_t number, const char* what) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kBytesOfALine = 64;
  for (std::size_t from = 0; from < output.bytes; from += kBytesOfALine) {
    LineText line;
    line.Put(what);
    line.Put(" ");
    line.PutNumber(number);
    line.Put(" ");
    for (std::size_t i = from; i < output.bytes && i < from + kBytesOfALine; ++i) {
      const auto byte = static_cast<unsigned>(output.data[i]);
      line.Put(kDigits[byte >> 4U]);
      line.Put(kDigits[byte & 15U]);
    }
    WriteLine(line.text());
  }
}

void PrintNeed(const Interpreter& interpreter, std::size_t arena_bytes) {
  LineText line;
  line.Put("need ");
  line.PutNumber(arena_bytes);
  line.Put(" head ");
  line.PutNumber(interpreter.head_bytes());
  line.Put(" tail ");
  line.PutNumber(interpreter.tail_bytes());
  WriteLine(line.text());
}

}  // namespace

Status FindNeed(const ValidatedModel& model, const KernelSet& kernels, std::span<std::byte> memory, std::size_t* need) {
  const auto status_in = [&](std::size_t bytes) {
    return PlacedInterpreter(model, kernels, memory.first(bytes), {})->AllocateTensors();
  };
  ARENAPROOF_RETURN_IF_ERROR(status_in(memory.size()));
  std::size_t too_few = 0, enough = memory.size();
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (status_in(middle).ok() ? enough : too_few) = middle;
  }
  *need = enough;
  return Ok();
}

Status RunOnce(const ValidatedModel& model, const KernelSet& kernels, std::span<std::byte> arena,
               ArenaObserver& observer, const char* what, bool prints_need) {
  const PlacedInterpreter interpreter(model, kernels, arena, {.observer = &observer});
  ARENAPROOF_RETURN_IF_ERROR(interpreter->AllocateTensors());
  if (prints_need) PrintNeed(*interpreter.operator->(), arena.size());
  for (std::size_t i = 0; i < interpreter->inputs().size(); ++i) FillInput(interpreter->inputs()[i], i);
  ARENAPROOF_RETURN_IF_ERROR(interpreter->Invoke());
  for (std::size_t i = 0; i < interpreter->outputs().size(); ++i) PrintOutput(interpreter->outputs()[i], i, what);
  return Ok();
}

}  // namespace arenaproof::device
