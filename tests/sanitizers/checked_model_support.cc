#include "core/model/validate.h"
#include "kernels/kernel_sets.h"
#include "tests/sanitizers/checked_model.h"
#include "tests/support/shared_files.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"

namespace arenaproof::testing {

std::string OwnInstrument() {
  for (const char* name : {"shadow", "asan"}) {
    if (MakeInstrument(name)->Available().ok()) return name;
  }
  return {};
}

CheckedModel::CheckedModel(const std::string& instrument, Layout layout, std::size_t reserve_bytes,
                           std::size_t arena_bytes)
    : layout_(layout), instrument_(MakeInstrument(instrument)), arena_(arena_bytes, 0, reserve_bytes) {
  instrument_->registry().SetReserve(arena_.reserve(), layout == Layout::kFaithful);
}

Status CheckedModel::Run(const std::filesystem::path& path, const std::string& kernels) {
  return Run(ReadFileBytes(path), kernels);
}

Status CheckedModel::Run(const std::vector<std::byte>& file, const std::string& kernels) {
  return Run(file, *FindKernelSet(kernels));
}

Status CheckedModel::Run(const std::vector<std::byte>& file, const KernelSet& kernels) {
  ValidationReport report;
  const std::optional<ValidatedModel> original = ValidatedModel::Open(file, &report);
  if (!original) return report.status;
  ARENAPROOF_RETURN_IF_ERROR(RelocatedModel::Create(*original, layout_, &relocated_));
  const ValidatedModel& model = relocated_.view();
  for (const WatchedRegion& region : relocated_.regions()) instrument_->Watch(region);
  instrument_->Watch(arena_.region());
  InterpreterOptions options = ForModel(model, {.observer = instrument_.get(), .constants = &relocated_});
  options.planner = planner_;
  if (layout_ == Layout::kDilated) {
    options.planner = &dilating_;
    options.persistent_spacing_bytes = kClosedBytes;
  }
  interpreter_ = std::make_unique<Interpreter>(model, kernels, arena_.data(), arena_.bytes(), options);
  ARENAPROOF_RETURN_IF_ERROR(instrument_->self_test().status());
  ARENAPROOF_RETURN_IF_ERROR(interpreter_->AllocateTensors());
  InputGenerator generator(1);
  for (const Operand& input : interpreter_->inputs()) generator.Fill(input.type, {input.data, input.bytes});
  return interpreter_->Invoke();
}

std::vector<std::byte> CheckedModel::FirstOutput() const {
  const Operand& output = interpreter_->outputs().front();
  return {output.data, output.data + output.bytes};
}

}  // namespace arenaproof::testing
