#include "tools/worker/checked_arenas.h"

#include <algorithm>

namespace arenaproof {

std::optional<RunRefusal> CheckedArenas::Make(const CheckArguments& arguments, const ArenaSize& size,
                                              AccessInstrument* instrument) {
  const bool dilated = arguments.layout == Layout::kDilated;
  const ArenaSizes& sizes = dilated ? size.dilated : size.faithful;
  device_sizes_ = size.faithful;
  arena_ = CheckedMemory(sizes.bytes, 0, arguments.reserve_front_bytes);
  if (arena_.data() == nullptr) return Refusal("layout", Failure(StatusCode::kLayoutMemory, sizes.bytes));
  if (sizes.two_arenas) {
    persistent_.emplace(sizes.persistent_bytes);
    if (persistent_->data() == nullptr) {
      return Refusal("layout", Failure(StatusCode::kLayoutMemory, sizes.persistent_bytes));
    }
    if (instrument != nullptr) instrument->Watch(persistent_->region());
  }
  if (instrument != nullptr) {
    instrument->Watch(arena_.region());
    instrument->registry().SetReserve(arena_.reserve(), !dilated);
  }
  return {};
}

std::unique_ptr<Interpreter> CheckedArenas::MakeInterpreter(const ValidatedModel& model, const KernelSet& kernels,
                                                            const InterpreterOptions& options) const {
  if (!persistent_) return std::make_unique<Interpreter>(model, kernels, arena_.data(), arena_.bytes(), options);
  const ArenaBuffers buffers{persistent_->data(), persistent_->bytes(), arena_.data(), arena_.bytes()};
  return std::make_unique<Interpreter>(model, kernels, buffers, options);
}

void CheckedArenas::Overwrite(std::byte with) {
  std::ranges::fill(arena_.span(), with);
  if (persistent_) std::ranges::fill(persistent_->span(), with);
}

ArenaSizes CheckedArenas::sizes() const {
  return {arena_.bytes(), persistent_ ? persistent_->bytes() : 0, persistent_.has_value()};
}

}  // namespace arenaproof
